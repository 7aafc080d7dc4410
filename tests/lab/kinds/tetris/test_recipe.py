"""Recipes: a stage begins with what the one before has learned, also when it looks at other criteria."""

import pytest

from apprenti.games.tetris.weights import Layout
from apprenti.lab.kinds.tetris.recipe import begun, continued


def test_a_stage_goes_on_with_the_weights_it_knows_and_begins_new_ones_at_0():
    before = {"holes": -3.0, "landing_height": 9.0, "height_rbf": [0.0, 0.0, 4.0, 0.0, 0.0]}
    layout = Layout(("lines", "height_rbf", "holes"), 10)
    assert continued(before, layout) == pytest.approx((0.0, 0.0, 0.0, 0.8, 0.0, 0.0, -0.6))


def test_a_stage_that_knows_nothing_of_the_one_before_begins_from_nothing():
    assert continued({"holes": -3.0}, Layout(("lines", "bumpiness"), 10)) == (0.0, 0.0)


def test_each_regime_begins_as_what_was_learned_for_its_height():
    layout, low, high = Layout(("lines",), 10), {"lines": 2.0}, {"lines": -2.0}
    assert begun({"weights": low}, layout, (5, 7)) == (1.0, 1.0, 1.0)
    assert begun({"heights": [6], "weights": [low, high]}, layout, (5, 7)) == (1.0, 1.0, -1.0)
    assert begun({"heights": [6], "weights": [low, high]}, layout, ()) == (1.0,)
