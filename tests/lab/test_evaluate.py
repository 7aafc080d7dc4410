"""Measure an agent: many games, and how sure the result is."""

import json

import pytest

from apprenti.agents.base import RandomAgent
from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Rules
from apprenti.games.tetris.game import GAME
from apprenti.lab.agents import NamedAgent, find
from apprenti.lab.evaluate import evaluate
from apprenti.lab.results import Effort
from tests.toys import SUM

GOOD = find("dellacherie")
SHORT = Rules.preset("simplified", "10x6")


def scores(evaluation):
    return [record.measures["lines"] for record in evaluation.records]


def test_the_result_does_not_depend_on_the_workers_or_the_number_of_games():
    one, two = (evaluate(GOOD, SHORT, Effort(60, seed=5, workers=workers)) for workers in (1, 2))
    assert scores(one) == scores(two)
    assert scores(evaluate(GOOD, SHORT, Effort(20, seed=5))) == scores(one)[:20]
    assert scores(evaluate(GOOD, SHORT, Effort(20, seed=6))) != scores(one)[:20]


@pytest.mark.parametrize("precision", [0.3, 0.1])
def test_with_a_precision_it_goes_on_until_that_is_reached_and_not_much_further(precision):
    evaluation = evaluate(GOOD, SHORT, Effort(games=1, precision=precision, workers=1))
    assert evaluation.summary().half_width <= precision
    assert evaluation.games >= 30
    before = evaluation.records[: int(evaluation.games / 1.2)]
    evaluation.records = before
    assert evaluation.summary().half_width > precision or len(before) < 30


FIELDS = {
    "agent": str, "rules": dict, "description": str, "games": int, "deaths": int, "mean_lines": float, "ci95": list,
    "pieces": int, "lines": int, "seconds": float, "lines_per_second": float, "pieces_per_second": float,
}  # fmt: skip


def test_json_has_the_fields_that_were_promised():
    evaluation = evaluate(GOOD, SHORT, Effort(40, workers=1))
    data = json.loads(json.dumps(evaluation.to_json(), allow_nan=False))
    assert {field: type(data[field]) for field in FIELDS} == FIELDS
    assert (data["agent"], data["games"], data["deaths"]) == ("dellacherie", 40, 40)
    assert (data["rules"], data["description"]) == (SHORT.to_json(), SHORT.description)
    assert data["lines"] == sum(scores(evaluation))
    assert data["mean_lines"] == data["lines"] / 40
    assert data["ci95"][0] < data["mean_lines"] < data["ci95"][1]
    assert data["pieces"] == sum(record.measures["pieces"] for record in evaluation.records)
    assert data["lines_per_second"] == pytest.approx(data["lines"] / data["seconds"])
    assert data["pieces_per_second"] == pytest.approx(data["pieces"] / data["seconds"])
    assert data["lines"] == sum(size * count for size, count in enumerate(data["clears"], 1))


def test_json_of_games_that_were_all_cut_has_their_mean_and_a_bound_for_whole_ones():
    data = evaluate(GOOD, SHORT.changed(max_pieces=5), Effort(3, workers=1)).to_json()
    assert (data["games"], data["deaths"], data["mean_lines"]) == (3, 0, data["lines"] / 3)
    assert data["estimated_mean_lines"] is None
    assert data["estimated_ci95"][0] > 0 and data["estimated_ci95"][1] is None
    assert json.dumps(data, allow_nan=False)


def test_the_rules_say_what_is_counted():
    bot = find("tetrisbot")
    assert evaluate(GOOD, SHORT, Effort(1, workers=1)).unit == "lines"
    small = bot.rules.changed("7x6", max_pieces=20)
    assert evaluate(bot, small, Effort(1, workers=1)).unit == "points"


def test_both_engines_say_who_they_are():
    assert evaluate(GOOD, SHORT, Effort(1, workers=1)).engine == "compiled"
    random = find("random")
    assert evaluate(random, random.rules, Effort(1, workers=1)).engine == "readable"


def test_whoever_watches_sees_every_game():
    seen = []
    evaluate(GOOD, SHORT, Effort(12, workers=2), on_game=lambda evaluation: seen.append(evaluation.games))
    assert seen == list(range(1, 13))


def test_ctrl_c_keeps_what_has_been_played():
    def interrupt(evaluation):
        if evaluation.games == 3:
            raise KeyboardInterrupt

    evaluation = evaluate(GOOD, SHORT, Effort(1000, workers=1), on_game=interrupt)
    assert evaluation.interrupted
    assert scores(evaluation)[:3] == scores(evaluate(GOOD, SHORT, Effort(3, workers=1)))
    assert evaluation.to_json()["interrupted"]


def test_at_the_end_of_the_time_games_under_way_count_as_cut():
    evaluation = evaluate(GOOD, Rules.preset("simplified"), Effort(1000, workers=1, seconds=0.3))
    assert 1 <= evaluation.games < 1000
    assert evaluation.deaths < evaluation.games
    assert not evaluation.interrupted


@pytest.mark.parametrize(
    ("name", "rules", "why"),
    [
        ("preview:dellacherie", Rules.preset("simplified"), "add --preview"),
        ("boehm", Rules.preset("strict"), "add --preview"),
        ("bdu", Rules.preset("simplified", "6x20"), "6 weights on a board 6 columns wide, and this player has 10"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_starts(name, rules, why):
    with pytest.raises(ApprentiError, match=why):
        evaluate(find(name), rules, Effort(10**9, workers=1))


def test_what_can_be_played_is_not_refused():
    for name, preset in (("random", "strict"), ("filtering", "simplified"), ("dellacherie", "tetrisbot")):
        find(name).check(GAME, Rules.preset(preset))
    find("boehm").check(GAME, Rules.preset("tetrisbot"))


def test_a_game_for_two_is_measured_in_a_match():
    with pytest.raises(ApprentiError, match="mnk is a game for 2: measure mnk-random in a match"):
        evaluate(find("mnk-random"), find("mnk-random").rules, Effort(1))


def test_a_game_that_only_fulfils_the_contract_is_measured():
    adder = NamedAgent("adder", RandomAgent(), SUM, SUM.rules())
    evaluation = evaluate(adder, SUM.rules(), Effort(50, workers=1))
    assert (evaluation.unit, evaluation.engine) == ("score", "readable")
    assert 3 <= evaluation.mean <= 5
    assert evaluation.to_json()["reasons"] == {"done": 50}


@pytest.mark.parametrize(
    "wrong",
    [{"games": 0}, {"games": -1}, {"precision": -0.1}, {"precision": 1.0}, {"precision": float("nan")},
     {"workers": -1}, {"workers": 1000}],
)  # fmt: skip
def test_an_effort_out_of_range_is_refused(wrong):
    (option,) = wrong
    with pytest.raises(ApprentiError, match=f"--{option} is"):
        Effort(**wrong)
