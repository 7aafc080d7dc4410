"""Views are found by the family of a game; a game without one is shown all the same."""

import pytest

from apprenti.core.plugins import GAMES
from apprenti.views.view import VIEWS, Look, TextView, best_of, view_of
from tests.toys import PIG, RACE, SUM, PigState, SumState


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_view_by_its_family(name):
    game = GAMES.load(name)
    if game.family == "mdp":  # a table has nothing to draw
        assert isinstance(view_of(game), TextView)
    else:
        assert view_of(game) is VIEWS.load(game.family)


def test_a_game_without_a_view_is_its_notation_and_moves_that_are_typed():
    view, state = view_of(RACE), RACE.start(RACE.rules(), None)
    assert view == TextView(RACE)
    assert view.screen(state, Look()) == view.screen(state, Look(eyes=1)) == "21 first"
    assert view.how(state) == "one of 1 2 3"
    assert view.screen(state, Look(hints={1: 0.5, 3: -0.25})) == "21 first\nhint: 1 +0.50, 3 -0.25"
    assert (view.start(state), view.points("1"), view.said(state, "1"), dict(view.keys)) == (None, (), "1", {})
    assert view_of(PIG).how(PigState(gained=2)) == "one of throw hold"


def test_what_is_counted_in_a_game_for_one_is_said_by_name():
    assert view_of(SUM).score(SumState(4, 3)) == "score 3"
    assert view_of(PIG).score(PigState()) == ""


def test_long_lists_of_moves_are_cut():
    state = GAMES.load("gomoku").start(GAMES.load("gomoku").rules(), None)
    assert TextView(GAMES.load("gomoku")).how(state).endswith(" 18 19 …")


def test_hints_are_the_five_best_and_a_single_one_needs_no_value():
    assert best_of({move: move / 10 for move in range(8)}) == "7 +0.70, 6 +0.60, 5 +0.50, 4 +0.40, 3 +0.30"
    assert best_of({"only": -0.001}) == "only"
    assert best_of({"a": -0.001, "b": -1.0}) == "a +0.00, b -1.00"
