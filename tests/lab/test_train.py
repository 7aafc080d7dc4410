"""Runs of version 0.1, whose options had other names, are gone on with; what has no equal is refused by its name."""

import json
import shutil
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError, BadFile, UnknownName
from apprenti.lab.agents import find
from apprenti.lab.train import begin, build_config, resume, train, versions
from apprenti.learn.methods import METHODS, learner_class, older_options, renamed
from apprenti.store.runs import Run
from tests.learn.tiny import config

OLD = Path(__file__).parent / "runs_of_0.1"
OPTIONS = json.loads((OLD / "options.json").read_text())
"""What the same tiny runs as `tests/learn/tiny.py` has now wrote into their run.json."""


def outcome(run):
    """All that a run has come to, but for the time it took."""
    return run.load().state, [{**row, "seconds": 0} for row in run.metrics()], run.agent_path.read_text()


def test_every_method_of_then_is_here_and_all_its_options_were_stored():
    assert set(OPTIONS) == {method for method in METHODS if older_options(method).names}
    for method in OPTIONS:
        assert set(older_options(method).names) <= set(OPTIONS[method])


@pytest.mark.parametrize("method", OPTIONS)
def test_options_of_an_old_run_are_those_of_the_same_run_now(method):
    then = {"nb_bits": 8} if method == "ga" else {}  # the default of then
    added = {
        name: tuple(value) if isinstance(value, list) else value for name, value in older_options(method).added.items()
    }
    assert build_config(method, OPTIONS[method]) == config(method, **added, **then)


@pytest.mark.parametrize("method", OPTIONS)
def test_options_of_a_new_run_are_left_as_they_are(method):
    assert renamed(method, asdict(config(method))) == asdict(config(method))


def test_an_old_run_is_gone_on_with_to_the_same_end(tmp_path):
    old = Run(tmp_path / "old" / "one")
    shutil.copytree(OLD / "ga", old.folder)
    assert old.load().generation == 2 and "nb_generations" in old.load().config
    resume(old)
    state, rows, agent = outcome(train("ga", config("ga", test_games=0), "one", tmp_path / "whole"))
    assert outcome(old) == (state, rows[2:], agent)
    assert old.load().config["iterations"] == 4
    resume(old)  # its run.json still has the old names, its checkpoint the new ones


def test_an_old_run_may_be_made_longer_under_its_old_name(tmp_path):
    old = Run(tmp_path / "one")
    shutil.copytree(OLD / "ga", old.folder)
    about = old.about()
    about["config"]["nb_generations"] = 5
    (old.folder / "run.json").write_text(json.dumps(about))
    said = []
    resume(old, say=said.append)
    assert old.load().generation == 5
    assert "iterations was 4 and is 5" in "".join(said)


def test_the_agent_of_an_earlier_step_is_that_of_a_shorter_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for steps in (2, 4):
        run = train("ce", config("ce", iterations=steps), f"of-{steps}")
    assert run.past() == [1, 2, 3, 4]
    assert find("of-4@2").agent == find("of-2").agent != find("of-4").agent
    assert find("of-4@4").agent == find("of-4").agent
    with pytest.raises(UnknownName):
        find("of-4@5")


@pytest.mark.parametrize(
    ("method", "changes", "named"),
    [
        ("sarsa", {"games": 110}, "games 110 and games_a_step 25"),
        ("actor-critic", {"episodes": 7, "episodes_a_step": 2}, "episodes 7 and episodes_a_step 2"),
        ("q-learning", {"generations": 7}, "max_episodes 80 and generations 7"),
        ("ppo", {"cannons": 3}, "unknown: cannons"),
        ("dqn", {"parallel_games": 3}, "unknown: games"),
        ("sarsa", {"games": "many"}, "games of this run is a whole number from 1 on, not 'many'"),
    ],
)
def test_what_has_no_equal_now_is_refused_by_its_name(method, changes, named):
    with pytest.raises(BadFile, match=named):
        build_config(method, {**OPTIONS[method], **changes})


def test_runs_shorter_than_one_of_their_steps_are_one_iteration():
    options = {**OPTIONS["sarsa"], "games": 10}
    assert (build_config("sarsa", options).steps, build_config("sarsa", options).episodes) == (1, 10)


# Beginning as another agent -------------------------------------------------------------------------------------------


def test_a_run_begins_as_the_agent_its_options_name_also_when_it_was_ended_before_its_first_step(tmp_path, monkeypatch):
    first = train("ppo", config("ppo", iterations=2), "first", tmp_path)
    options = config("ppo", iterations=1, seed=7, learning_rate_imitation=1e-12, initial_weights=str(first.agent_path))
    after = train("ppo", options, "after", tmp_path)
    wanted, found = (find(str(run.agent_path)).agent.arrays() for run in (first, after))
    assert all(np.allclose(array, found[name], atol=1e-6) for name, array in wanted.items())
    monkeypatch.setattr("apprenti.lab.train.go_on", lambda *given: None)
    ended = train("ppo", options, "ended", tmp_path)
    monkeypatch.undo()
    resume(ended)
    states = [run.load().state["arrays"] for run in (ended, after)]
    assert all((states[0][name] == states[1][name]).all() for name in states[0])


def test_who_has_learned_no_network_or_another_one_cannot_be_begun_as(tmp_path):
    for name, said in (
        ("nobody", "nobody"),
        ("luzhanqi-random", "luzhanqi-random"),
        ("luzhanqi-learned", "--channels"),
    ):
        with pytest.raises(ApprentiError, match=said):
            train("ppo", config("ppo", initial_weights=name), "mine", tmp_path)
    assert not list(tmp_path.iterdir()), "no folder is made"


def test_an_agent_of_the_zoo_can_be_begun_as():
    network = {"residual_policy": True, "features": True, "channels": 32, "layers": 3}
    learner = learner_class("ppo")(config("ppo", initial_weights="learned", **network))
    begin(learner)
    arrays = find("luzhanqi-learned").agent.arrays()
    assert all((array == arrays[name]).all() for name, array in learner.agent().arrays().items())


def test_a_run_remembers_the_version_of_torch_if_its_method_is_of_learn_deep():
    deep = {method for method in METHODS if "torch" in versions(method)}
    assert deep == {"dqn", "ppo", "best-response"}
