"""The favourite layouts of an agent that has learned to set up its army, as numbers and as a picture."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.description import build
from apprenti.core.protocols import Arranges
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi.agents.actor import ActorAgent
from apprenti.games.luzhanqi.agents.network import PolicyNetworkAgent
from apprenti.games.luzhanqi.board import POINTS, SLOTS, START
from apprenti.games.luzhanqi.pieces import EMPTY, NAMES, TYPE_OF, TYPES
from apprenti.games.luzhanqi.rules import Rules
from apprenti.store.agentfile import read_agent
from apprenti.store.runs import Run

DRAWN = 200
"""Layouts that are drawn to see what is usual."""


def layout_shares(agent: Arranges, rules: Rules, count: int = DRAWN, seed: int = 1) -> NDArray[np.float64]:
    """(types, slots): in which share of its layouts an agent has a piece of this type there."""
    shares = np.zeros((TYPES, SLOTS))
    for number in range(count):
        layout = agent.arrange(rules, Stream.named(seed, "layouts", number))
        for slot, letter in enumerate(layout):
            if letter != EMPTY:
                shares[TYPE_OF[letter], slot] += 1 / count
    return shares


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
    shares = layout_shares(agent, rules)
    layouts(shares, NAMES, [point - POINTS // 2 for point in START[0]], f"where run {run.name} sets up its army", path)
    return path
