"""A picture of the favourite layouts of an agent that has learned to set up its army."""

from pathlib import Path

from apprenti.agents.description import build
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi.agents.actor import ActorAgent
from apprenti.games.luzhanqi.agents.network import PolicyNetworkAgent
from apprenti.games.luzhanqi.board import POINTS, START
from apprenti.games.luzhanqi.lab.exploit import Habits
from apprenti.games.luzhanqi.pieces import NAMES
from apprenti.games.luzhanqi.rules import Rules
from apprenti.store.agentfile import read_agent
from apprenti.store.runs import Run

DRAWN = 200
"""Layouts that are drawn to see what is usual."""


def draw_layouts(run: Run) -> Path | None:
    """A picture of where a run's agent sets up what, in its folder; None if it has not learned to set up."""
    if not run.agent_path.exists():
        return None
    file = read_agent(run.agent_path)
    agent = build(file.kind, file.config, file.arrays) if file.kind.startswith("luzhanqi-") else None
    if not isinstance(agent, ActorAgent | PolicyNetworkAgent) or agent.placer is None:
        return None
    from apprenti.games.luzhanqi.views.layouts import layouts

    path = run.folder / "layouts.png"
    rules = Rules.preset(file.rules) if isinstance(file.rules, str) else Rules.from_json(file.rules)
    drawn = Habits(tuple(agent.arrange(rules, Stream.named(1, "layouts", number)) for number in range(DRAWN)))
    layouts(
        drawn.shares, NAMES, [point - POINTS // 2 for point in START[0]], f"where run {run.name} sets up its army", path
    )
    return path
