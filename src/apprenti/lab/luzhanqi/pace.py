"""How an agent of ours keeps to a referee's clock: nothing is compiled while it runs, and nobody thinks too long."""

from dataclasses import replace
from typing import Any

from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi.layout import book_layout
from apprenti.games.luzhanqi.one_side import OneSide
from apprenti.games.luzhanqi.rules import Rules

MOVES_TO_COME = 60
"""An agent that thinks by the clock takes at most this part of what is left for a move."""


def hurried(agent: Any, left: float) -> Any:
    """The same agent, thinking no longer for a move than it should with so many seconds left for the game."""
    most = max(left / MOVES_TO_COME, 0.001)
    return replace(agent, seconds=most) if getattr(agent, "seconds", 0.0) > most else agent


def practise(agent: Any, rules: Rules) -> None:
    """Decide once on a board of its own, quickly, so that whatever has to be compiled is compiled."""
    rng = Stream(0)
    seen = OneSide.start(book_layout(rules, rng), 0, rules).observation
    hurried(agent, 0.0).choose(seen, seen.legal_moves(), rng)
