"""Opponents and fast games for the command line."""

import numpy as np
import pytest

from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.codes import keys_of
from apprenti.store.agentfile import AgentFile, write_agent


@pytest.fixture(autouse=True)
def always_elsewhere(elsewhere):
    """No game for two is written into the checkout."""


@pytest.fixture
def learned(tmp_path):
    """An agent in `learned.json` that likes the corners on the empty board of 3x3x3, and has learned nothing else."""
    state = State.start(Rules())
    (corner,) = keys_of(state, [0])
    arrays = {"keys": np.array([corner], np.uint64), "values": np.array([0.75])}
    path = tmp_path / "learned.json"
    write_agent(
        path, AgentFile("learned", "t", "mnk", "table", {"size": "3x3x3"}, {"size": "3x3x3"}, "2026", arrays=arrays)
    )
    return path
