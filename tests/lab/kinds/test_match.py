"""Matches as experiments: both sides of each opening, strengths from all of them."""

import pytest

from apprenti.core.plugins import GAMES
from apprenti.lab.agents import find
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.kinds.match import Match, play_match, ratings_of
from apprenti.lab.results import Effort


def row_of(agent, against, share, games=100):
    return {"agent": agent, "against": against, "share": share, "games": games}


def test_a_line_says_who_won_and_how_the_games_ended(tmp_path):
    rows = [{"agent": "perfect", "against": "random", "games": 6}, {"agent": "sarsa", "against": "perfect"}]
    plan = {"game": "tictactoe", "games": 4, "row": rows}
    matches = Match(Experiment("mine", "Mine", "Who?", "match", plan), Settings(workers=1), tmp_path)
    assert len(list(matches.run(lambda part, words: None))) == 2
    first, second, ratings = matches.numbers()
    assert first["agent"] == "mnk-perfect" and first["lost"] == 0
    assert (sum(first["moving_first"]), sum(first["moving_second"])) == (3, 3)
    assert matches.cells(second)[:7] == [
        "sarsa-tictactoe", "mnk-perfect", "3x3x3", "4", "0 / 4 / 0", "**50.0%**", "15.0 … 85.0"
    ]  # fmt: skip
    assert matches.cells(second)[7] == "board full 100%"
    strengths = {one["agent"]: one["elo"] for one in ratings["ratings"]}
    assert strengths["mnk-random"] == 0 < strengths["mnk-perfect"]
    assert "| player | Elo |" in matches.table()


def test_when_there_is_no_time_for_a_game_the_first_is_waited_for():
    game = GAMES.load("tictactoe")
    row = play_match(game, game.rules(), [find("random", game), find("mcts:3", game)], Effort(8, 1, 2, seconds=1e-6))
    assert row["games"] == 1


def test_a_score_for_the_zoo_has_its_opponent():
    one = {**row_of("a", "b", 0.62625, 400), "ci95": [0.5779, 0.6721], "seed": 7}
    assert Match.score(one) == {
        "mean": 0.6262, "ci95": [0.578, 0.672], "unit": "share of points", "against": "b", "games": 400, "seed": 7,
    }  # fmt: skip
    assert Match.score({"ratings": []}) is None


def test_strengths_come_from_all_matches_and_only_of_whom_games_connect():
    strengths = ratings_of(
        [row_of("b", "a", 10 / 11, 1100), row_of("c", "b", 10 / 11, 1100), row_of("y", "x", 0.9)], "a"
    )
    assert [one["agent"] for one in strengths] == ["c", "b", "a"]
    assert [one["elo"] for one in strengths] == [pytest.approx(800, abs=6), pytest.approx(400, abs=3), 0]
    assert [(one["games"], round(one["share"], 3)) for one in strengths] == [(1100, 0.909), (2200, 0.5), (1100, 0.091)]
