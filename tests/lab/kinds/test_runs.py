"""Runs of an experiment in stages: one begins as the agent of another."""

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.kinds.training import Columns
from apprenti.store.agentfile import read_agent
from apprenti.store.runs import Run
from tests.learn.tiny import TINY

PPO = {**TINY["ppo"], "iterations": 1, "imitation_iterations": 1, "test_games": 0}


def staged(folder, runs, method="ppo", **config):
    """An experiment of some runs."""
    plan = {"method": method, "columns": ["generation"], "config": config, "run": runs}
    return Columns(Experiment("mine", "Mine", "What?", "training/columns", plan), Settings(), folder)


def agents(folder):
    """The arrays of the agents of all runs, by the beginnings of their names."""
    runs = {path.name.rsplit("-", 1)[0]: Run(path) for path in (folder / "runs").iterdir()}
    return {name: read_agent(run.agent_path).arrays for name, run in runs.items()}


def test_a_stage_begins_as_the_one_before_it_and_is_made_again_when_that_one_changes(tmp_path):
    stages = [{"name": "one"}, {"name": "two", "after": "one", "config": {"learning_rate_imitation": 1e-12}}]
    for _ in range(2):  # the second time all is there
        list(staged(tmp_path, stages, **PPO).run(lambda part, words: None))
        found = agents(tmp_path)
        assert list(found) in (["one", "two"], ["two", "one"])
        assert all(np.allclose(array, found["two"][name], atol=1e-6) for name, array in found["one"].items())
    list(staged(tmp_path, stages, **PPO, learning_rate_imitation=0.02).run(lambda part, words: None))
    assert len(list((tmp_path / "runs").iterdir())) == 4


def test_a_stage_after_nothing_or_of_a_method_that_cannot_is_refused(tmp_path):
    with pytest.raises(ApprentiError, match="'two', which is no run before it"):
        staged(tmp_path, [{"name": "one", "after": "two"}, {"name": "two"}], **PPO)
    with pytest.raises(ApprentiError, match="cannot begin as another's agent"):
        staged(tmp_path, [{"name": "one"}, {"name": "two", "after": "one"}], "sarsa")
    assert not list(tmp_path.iterdir())
