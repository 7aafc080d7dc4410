"""Players that a run stores by name, runs that are made longer, and agents that learn from games with people."""

import io

import pytest

from apprenti.core.errors import BadOption, UnknownName
from apprenti.games.mnk.learn.sarsa import Sarsa
from apprenti.lab.agents import load_agent, zoo
from apprenti.lab.train import resume, train
from apprenti.store.runs import ROOT, Run
from tests.learn.tiny import config

pytestmark = pytest.mark.usefixtures("elsewhere")
LEARN = ("play", "tictactoe", "--learn", "--seed", "1", "--undo")


def test_both_players_are_stored_by_name_and_can_be_loaded():
    train("sarsa", config("sarsa"), "two")
    learner = Sarsa(config("sarsa"))
    while not learner.done:
        learner.step()
    for name, agent in learner.players().items():
        assert load_agent(f"two/{name}") == agent
    assert load_agent("two") == load_agent("two/first") != load_agent("two/second")


def test_a_player_that_a_run_does_not_have_is_told_with_those_it_has():
    train("sarsa", config("sarsa", names=("Ada", "Bob")), "two")
    with pytest.raises(UnknownName, match="no player of two called 'Carl': there is Ada, Bob"):
        load_agent("two/Carl")


def test_a_run_is_made_longer_and_never_shorter():
    made = train("sarsa", config("sarsa"), "short")
    resume(made, iterations=6)
    assert [row["generation"] for row in made.metrics()] == [1, 2, 3, 4, 5, 6]
    assert Run(ROOT / "short").about()["config"]["iterations"] == 6
    said = []
    with pytest.raises(BadOption, match="it has done 6"):
        resume(made, say=said.append, iterations=5)
    assert said == []  # nothing was changed


def test_learning_from_people_changes_the_table_and_nothing_else(run, monkeypatch, tmp_path):
    shipped = {path: path.read_bytes() for path in zoo()["sarsa-tictactoe"].parent.glob("sarsa-tictactoe.*")}
    monkeypatch.setattr("sys.stdin", io.StringIO("4\nresign\n"))
    code, out, err = run(*LEARN)
    assert (code, err) == (0, "")
    assert "what it has learned is in learned/sarsa-tictactoe.json" in out
    assert {path: path.read_bytes() for path in shipped} == shipped
    before, after = load_agent("sarsa-tictactoe"), load_agent("learned/sarsa-tictactoe.json")
    assert before.describe() == after.describe()
    assert before.keys.tolist() == after.keys.tolist()
    assert (before.table != after.table).sum() == 1  # it made one move
    monkeypatch.setattr("sys.stdin", io.StringIO("0\nresign\n"))
    run(*LEARN)
    again = load_agent("learned/sarsa-tictactoe.json")
    assert (before.table != again.table).sum() == 2  # it went on from there


def test_a_game_left_early_and_agents_without_a_table_learn_nothing(run, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO("4\nquit\n"))
    assert "learned" not in run(*LEARN)[1]
    assert not list(tmp_path.iterdir())
    code, out, err = run(*LEARN, "--against", "random")
    assert (code, out) == (2, "")
    assert err.startswith("apprenti: --learn is for agents with a table")
