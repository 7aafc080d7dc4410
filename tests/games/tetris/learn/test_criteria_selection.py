"""A teacher's choices: what is learned from them, and which criteria are found in them."""

from functools import cache

import numpy as np
import pytest

from apprenti.games.tetris import Rules
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.learn.criteria_selection import (
    METHODS,
    Choices,
    Teacher,
    collect,
    fit,
    joined,
    loss,
    nested,
    scaled,
)

RULES = Rules.preset("simplified", "10x6")
NAMES = ("max_height", "holes", "bumpiness", "lines", "row_transitions", "landing_height")
TEACHER = CompiledPlayer.of({"holes": -3.0, "row_transitions": -1.0})


@cache
def choices(seed=1, states=150):
    return collect(RULES, NAMES, Teacher(TEACHER, TEACHER, 0.3), states, seed)


def by_hand(features, starts, chosen):
    nothing = np.zeros((0, 16), np.int32)
    return Choices(np.array(features, float), np.array(starts), np.array(chosen), nothing, nothing)


def test_the_likelihood_of_two_choices_by_hand():
    # Two states, two placements each, one criterion: 1 or 0. The teacher takes the 1 three times in four.
    data = by_hand([[1], [0]] * 4, [0, 2, 4, 6, 8], [0, 2, 4, 7])
    phi = scaled(data, [0])
    assert data.scale == pytest.approx([0.5])
    value, slope = loss(data, phi, np.zeros(1))
    assert value == pytest.approx(np.log(2)) and slope == pytest.approx([-0.5])  # (½ − ¾) × 2
    weight = fit(data, [0])[0] * 2  # of the criterion itself
    assert weight == pytest.approx(np.log(3), rel=0.02)  # odds of 3 to 1, less a little for the ridge


def test_the_gradient_is_that_of_the_loss():
    data, weights = choices(), np.linspace(-1, 1, len(NAMES))
    phi, step = scaled(data, range(len(NAMES))), 1e-6
    for place, slope in enumerate(loss(data, phi, weights)[1]):
        more = weights + step * (np.arange(len(NAMES)) == place)
        assert slope == pytest.approx((loss(data, phi, more)[0] - loss(data, phi, weights)[0]) / step, abs=1e-4)


def test_the_placement_of_the_teacher_is_among_the_best_of_its_own_criteria():
    data = choices()
    values = data.features[:, [1, 4]] @ [-3.0, -1.0]
    best = np.maximum.reduceat(values, data.starts[:-1])
    assert (values[data.chosen] == best).all()


@pytest.mark.parametrize("method", ["forward", "backward"])
def test_step_by_step_the_criteria_of_the_teacher_are_found(method):
    two = METHODS[method](choices(), 3)[1]
    assert {NAMES[one] for one in two.which} == {"holes", "row_transitions"}
    weights = dict(zip(two.which, two.weights / choices().scale[list(two.which)], strict=True))
    assert weights[1] / weights[4] == pytest.approx(3, rel=0.4)


def test_a_lasso_lets_the_criteria_of_the_teacher_in_first():
    path = METHODS["sparse"](choices(), len(NAMES))
    sets = [{NAMES[one] for one in step.which} for step in path]
    assert [len(one) for one in sets] == sorted({len(one) for one in sets})
    assert all({"holes", "row_transitions"} <= one for one in sets if len(one) > 2)


def test_what_is_judged_has_no_part_in_the_choice():
    folds = [choices(seed, 60) for seed in (1, 2, 3)]
    found = nested(folds, "forward", 2)
    data = joined(folds[1:2])
    best = min(METHODS["forward"](data, 2), key=lambda step: step.loss(folds[2], data.scale))
    assert found.sets[0] == best.which
    assert found.losses[0] == pytest.approx(best.loss(folds[0], data.scale))


def test_joined_collections_are_what_they_were():
    both = joined([choices(1, 60), choices(2, 60)])
    assert both.states == 120 and len(both.features) == both.starts[-1]
    assert (both.only(60, 120).features == choices(2, 60).features).all()
    assert (both.only(60, 120).chosen == choices(2, 60).chosen).all()
