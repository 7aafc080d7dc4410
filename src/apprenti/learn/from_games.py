"""Agents that can learn from games they have played, and how: by the kind of agent."""

from typing import Any

from apprenti.core.registry import Entry, Registry

FROM_GAMES: Registry[Any] = Registry(
    "agent that learns from games",
    {"table": Entry("apprenti.learn.mnk.from_games:learned", "a table of an m,n,k-game goes on with SARSA")},
)
"""For each kind a function of an agent, its decisions in a game (observation and move) and its score, 1, ½ or 0. It
returns the agent that has learned from that game; the one that played stays as it was."""
