"""Shares with Wilson's interval, and Elo that finds the strengths it was made from."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binomtest

from apprenti.arena.statistics import ELO, counted, elo_of, expected_share, wilson


@pytest.mark.parametrize(("won", "games"), [(0, 1), (1, 1), (0, 30), (30, 30), (7, 10), (50, 100), (999, 1000)])
def test_wilsons_interval_is_the_one_of_scipy(won, games):
    interval = binomtest(won, games).proportion_ci(method="wilson")
    assert wilson(won, games) == pytest.approx((interval.low, interval.high), abs=1e-7)


def test_half_points_lie_between_whole_ones_and_the_interval_is_symmetric():
    assert wilson(6, 10)[0] < wilson(6.5, 10)[0] < wilson(7, 10)[0]
    low, high = wilson(6.5, 10)
    assert wilson(3.5, 10) == pytest.approx((1 - high, 1 - low))


def test_without_a_game_everything_is_possible():
    assert wilson(0, 0) == (0, 1)


def test_the_interval_covers_the_truth_nineteen_times_in_twenty():
    share, games = 0.3, 40
    chances = [math.comb(games, won) * share**won * (1 - share) ** (games - won) for won in range(games + 1)]
    covered = sum(p for won, p in enumerate(chances) if wilson(won, games)[0] <= share <= wilson(won, games)[1])
    assert 0.93 < covered < 0.97


def table(results):
    """Points and games from {(i, j): (points of i, games)}."""
    number = 1 + max(max(pair) for pair in results)
    points, games = np.zeros((number, number)), np.zeros((number, number))
    for (i, j), (won, played) in results.items():
        points[i, j], points[j, i] = won, played - won
        games[i, j] = games[j, i] = played
    return points, games


@st.composite
def tables(draw, most=1000):
    """Results of a tournament in which everybody has met the first one."""
    number = draw(st.integers(2, 5))
    results = {}
    for i in range(number):
        for j in range(i + 1, number):
            games = draw(st.integers(int(i == 0), most))
            results[i, j] = draw(st.integers(0, 2 * games)) / 2, games
    return table(results)


def test_four_hundred_points_are_ten_to_one():
    assert ELO * math.log(10) == pytest.approx(400)
    assert expected_share(400) == pytest.approx(10 / 11)
    assert expected_share(0) == 0.5
    assert expected_share(-120) == pytest.approx(1 - expected_share(120))


def test_two_players_have_the_elo_of_their_share():
    strong, weak = elo_of(*table({(0, 1): (7500, 10000)}), anchor=1)
    assert weak.elo == weak.error == 0
    assert strong.elo == pytest.approx(400 * math.log10(3), abs=0.1)
    assert strong.error == pytest.approx(ELO / math.sqrt(10000 * 0.75 * 0.25), rel=1e-3)


def test_it_recovers_the_strengths_that_games_were_drawn_from():
    true, games, rng = np.array([0.0, 150.0, -80.0, 400.0, 90.0]), 400, np.random.default_rng(3)
    misses = []
    for _ in range(40):
        results = {
            (i, j): (rng.binomial(games, expected_share(true[i] - true[j])), games)
            for i in range(5)
            for j in range(i + 1, 5)
        }
        misses += [
            (rating.elo - strength) / rating.error
            for rating, strength in zip(elo_of(*table(results))[1:], true[1:], strict=True)
        ]
    assert abs(np.mean(misses)) < 0.25  # 160 numbers, not independent
    assert 0.8 < np.std(misses) < 1.2  # the errors are as large as they say


@settings(max_examples=25)
@given(tables())
def test_it_is_the_most_likely_strength_with_half_a_drawn_game_against_everybody(results):
    points, games = results
    met = games > 0

    def surprise(strength):
        difference = np.concatenate([[0], strength])[:, np.newaxis] - np.concatenate([[0], strength])
        return ((points + 0.25 * met) * np.log1p(np.exp(-difference))).sum()

    best = minimize(surprise, np.zeros(len(points) - 1), method="BFGS", options={"gtol": 1e-7})
    found = np.array([rating.elo for rating in elo_of(points, games)])
    assert found[0] == 0
    assert surprise(found[1:] / ELO) <= best.fun + 1e-6 * max(1, best.fun)


@given(tables())
def test_who_is_called_zero_changes_no_difference(results):
    elo = [[rating.elo for rating in elo_of(*results, anchor=anchor)] for anchor in range(2)]
    assert [each[anchor] for anchor, each in enumerate(elo)] == [0, 0]
    assert np.array(elo[0]) - elo[0][1] == pytest.approx(np.array(elo[1]), abs=1e-4)


@given(tables())
def test_points_exchanged_are_strengths_turned_round(results):
    points, games = results
    there, back = elo_of(points, games), elo_of(games - points, games)
    assert [rating.elo for rating in there] == pytest.approx([-rating.elo for rating in back], abs=1e-4)
    assert [rating.error for rating in there] == pytest.approx([rating.error for rating in back], rel=1e-4)


def test_equal_players_are_equal():
    assert [rating.elo for rating in elo_of(*table({(0, 1): (5, 10), (0, 2): (8, 16), (1, 2): (1, 2)}))] == [0, 0, 0]


def test_who_wins_or_loses_everything_stays_finite_and_in_order():
    ratings = elo_of(*table({(0, 1): (0, 10_000), (0, 2): (0, 10_000), (1, 2): (0, 10_000)}))
    elo = [rating.elo for rating in ratings]
    assert np.isfinite([rating.error for rating in ratings]).all()
    assert 0 == elo[0] < elo[1] < elo[2] < 5000


def test_more_games_make_it_surer():
    errors = [elo_of(*table({(0, 1): (0.6 * games, games)}))[1].error for games in (10, 1000)]
    assert errors[0] / errors[1] == pytest.approx(10, rel=0.05)


def test_who_was_never_compared_with_the_anchor_has_an_infinite_error():
    ratings = elo_of(*table({(0, 1): (6, 10), (2, 3): (9, 10), (1, 4): (1, 2)}))
    assert [math.isinf(rating.error) for rating in ratings] == [False, False, True, True, False]
    assert all(math.isfinite(rating.elo) for rating in ratings)


def test_results_are_counted_as_won_drawn_and_lost():
    assert counted([1, 0.5, 0, 0, 1, 1]) == (3, 1, 2)
    assert counted([]) == (0, 0, 0)
