"""Practising against one network: stored, gone on with to the bit, and its agent is what was measured."""

import json
import shutil
from dataclasses import fields
from itertools import count

import pytest

from apprenti.core.errors import BadFile, BadOption
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.lab.best_response import Practice, best_response
from apprenti.games.luzhanqi.lab.exploit import habits
from apprenti.games.luzhanqi.learn.config import PpoConfig
from apprenti.games.luzhanqi.learn.deep import best_response as module
from apprenti.games.luzhanqi.learn.deep.best_response import BestResponse
from apprenti.lab.agents import find
from apprenti.lab.forms import config_from
from apprenti.lab.train import resume, train
from apprenti.store.runs import Checkpoint, Run
from tests.learn.tiny import TINY

SMALL = {"parallel_games": 4, "moves": 6, "batch_size": 8}


def practice(**changes):
    """Four steps against luzhanqi-learned, a test after every two."""
    agent = find("luzhanqi-learned", GAME)
    seen = habits(agent.agent, Rules(), 20, 1)
    usual = {"seconds": 4.0, "games": 2, "seed": 1, "tests": 2, "options": SMALL}
    return Practice(agent, Rules(), seen, **{**usual, **changes})


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Every step takes one second."""
    ticks = count()
    monkeypatch.setattr(module, "process_time", lambda: float(next(ticks)))


def test_a_best_response_goes_on_where_it_was_interrupted_and_ends_as_if_it_had_not_been(tmp_path):
    whole, parts = Run(tmp_path / "whole"), Run(tmp_path / "parts")
    told, again, steps, step = [], [], count(), BestResponse.step
    curve = best_response(practice(), told.append, whole)
    assert told == curve and [point.seconds for point in curve] == [0.0, 2.0, 4.0]

    def interrupted(learner):
        if next(steps) == 3:
            raise KeyboardInterrupt
        return step(learner)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BestResponse, "step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            best_response(practice(), lambda point: None, parts)
    assert best_response(practice(), again.append, parts) == curve == again
    agents = [find(str(run.agent_path), GAME).agent for run in (whole, parts)]
    assert agents[0] == agents[1] and agents[0].placer is not None
    assert agents[0] != find("luzhanqi-magnet", GAME).agent, "it has learned"


def as_0_2_wrote_it(run, name):
    """A folder of `exploit --store` of version 0.2: no description, the tests in lines of their own, fewer options."""
    stored, about = run.load(), run.about()["config"]
    state = {name: part for name, part in stored.state.items() if name not in ("spent", "tests_made", "frozen")}
    state["arrays"] = {
        name: array for name, array in state["arrays"].items() if not name.startswith(("placer.", "frozen/"))
    }
    config = {field.name: about[field.name] for field in fields(PpoConfig)}
    config |= {"initial_weights": "", "against": "luzhanqi-learned"}
    old = Run(run.folder.parent / name)
    old.folder.mkdir()
    old.keep(Checkpoint(stored.generation, state, 2.0, config))
    rows = [{"generation": 0, "seconds": 0.0, "moves": 0, "share": 0.5, "low": 0.1, "high": 0.9}]
    rows += [{"generation": 2, "seconds": 2.0, "moves": 48, "share": 0.5, "low": 0.1, "high": 0.9}]
    (old.folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return old


def test_a_folder_that_version_0_2_has_written_is_gone_on_with_to_the_bit(tmp_path):
    whole, half = Run(tmp_path / "whole"), Run(tmp_path / "half")
    curve = best_response(practice(), lambda point: None, whole)
    best_response(practice(seconds=2.0, tests=1), lambda point: None, half)
    old = as_0_2_wrote_it(half, "old")
    again = best_response(practice(), lambda point: None, old)
    assert [point.seconds for point in again] == [0.0, 2.0, 4.0] and again[-1] == curve[-1]
    assert find(str(old.agent_path), GAME).agent == find(str(whole.agent_path), GAME).agent
    with pytest.raises(BadOption, match="other options"):
        best_response(practice(seed=2), lambda point: None, as_0_2_wrote_it(half, "other"))


def test_a_run_goes_on_without_the_agent_that_it_began_against(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rival = train("ppo", config_from("ppo", {**TINY["ppo"], "residual_policy": True, "features": True}), "rival")
    asked = {**TINY["best-response"], "against": "rival", "iterations": 2}
    run = train("best-response", config_from("best-response", asked), "answer")
    met, learners, step = find("rival", GAME).agent, [], BestResponse.step
    monkeypatch.setattr(BestResponse, "step", lambda made: (learners.append(made), step(made))[1])
    shutil.rmtree(rival.folder)
    assert resume(run, iterations=3).load().generation == 3
    assert [made.frozen for made in learners] == [met]


def test_a_folder_with_another_one_is_refused(tmp_path):
    run = Run(tmp_path / "one")
    best_response(practice(seconds=1.0, tests=1), lambda point: None, run)
    with pytest.raises(BadOption, match="other options"):
        best_response(practice(seed=2), lambda point: None, run)


def test_a_folder_that_cannot_be_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="cannot write to"):
        best_response(practice(), lambda point: None, Run(tmp_path / "file"))


def test_who_searches_or_has_no_network_is_refused_before_anything_is_learned():
    for name in ("luzhanqi-learned-search", "luzhanqi-expected"):
        agent = find(name, GAME)
        with pytest.raises(BadOption, match=f"without search and memory; {name} is none"):
            Practice(agent, Rules(), habits(agent.agent, Rules(), 2, 1), 1.0, 2, 1)
