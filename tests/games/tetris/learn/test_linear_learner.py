"""Least squares from sums: right where they are regular, and of use where they are not."""

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris.learn.linear_learner import solve


def solved(rows, targets):
    """The weights of an overdetermined system, from its sums."""
    rows = np.array(rows, float)
    return solve(rows.T @ rows, rows.T @ np.array(targets, float), (rows**2).sum(axis=0))


def test_a_line_through_three_points_by_hand():
    # y = a + b x through (0, 1), (1, 2), (2, 2): b = 1/2, a = 7/6
    assert solved([[1, 0], [1, 1], [1, 2]], [1, 2, 2]) == pytest.approx([7 / 6, 1 / 2])


def test_criteria_of_very_different_sizes_do_not_disturb_each_other():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(500, 6)) * [1e-6, 1, 1, 1e3, 1e6, 1e-3] + [0, 1, 0, 1e3, 1e7, 0]
    wanted = np.array([1e6, 1, -2, 1e-3, 1e-7, 5e3])
    assert solved(rows, rows @ wanted) == pytest.approx(wanted, rel=1e-5)


def test_large_scores_keep_their_digits():
    rng = np.random.default_rng(2)
    heights = rng.integers(0, 20, (2000, 10)).astype(float)
    rows = np.column_stack([heights, np.abs(np.diff(heights)), heights.max(axis=1), np.ones(2000)])
    wanted = rng.normal(size=rows.shape[1]) * 1e6
    assert solved(rows * 1000, rows @ wanted * 1000) == pytest.approx(wanted, rel=1e-8)


def test_criteria_that_say_the_same_share_their_weight_and_one_that_says_nothing_has_none():
    rows = [[1, 1, 0], [2, 2, 0], [3, 3, 0]]
    assert solved(rows, [4, 8, 12]) == pytest.approx([2, 2, 0])


def test_a_combination_of_others_changes_no_value():
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 9, (200, 4)).astype(float)
    targets = rng.normal(size=200)
    more = np.column_stack([rows, rows[:, 0] - 3 * rows[:, 2], rows.sum(axis=1) / 10])
    assert more @ solved(more, targets) == pytest.approx(rows @ solved(rows, targets), abs=1e-9)


@pytest.mark.parametrize("number", [np.inf, np.nan, 1e300])
def test_what_has_grown_beyond_all_bounds_is_refused_with_a_sentence(number):
    with pytest.raises(ApprentiError, match="beyond all bounds"):
        solve(np.eye(2), np.array([1.0, number]), np.ones(2))
