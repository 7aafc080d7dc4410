"""What many scores say, and how sure it is."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.arena.statistics import as_json, from_json, interval, summarise


@pytest.mark.parametrize(("games", "low", "high"), [(30, 0.72, 1.48), (100, 0.83, 1.23)])
def test_the_interval_is_the_published_part_of_the_mean(games, low, high):
    assert interval(games, games) == pytest.approx((low, high), abs=0.005)


@pytest.mark.parametrize(("games", "part"), [(1600, 0.05), (10_000, 0.02)])
def test_the_half_width_is_the_published_one(games, part):
    assert summarise([1.0] * games).half_width == pytest.approx(part, abs=0.001)


@given(st.floats(0.01, 1e9), st.integers(1, 10_000))
def test_the_interval_scales_with_the_scores_and_holds_the_mean(mean, deaths):
    low, high = interval(mean * deaths, deaths)
    assert low < mean < high
    assert (low / mean, high / mean) == pytest.approx(interval(deaths, deaths))


def test_the_interval_equals_the_chi_square_law():
    from scipy.stats import chi2

    for deaths in (1, 2, 30, 5000):
        expected = 2 * deaths / chi2.ppf(0.975, 2 * deaths), 2 * deaths / chi2.ppf(0.025, 2 * deaths)
        assert interval(deaths, deaths) == pytest.approx(expected)


def coverage(totals, deaths, mean=1.0):
    """The part of the intervals that hold the true mean."""
    held = [low <= mean <= high for low, high in map(interval, totals, deaths)]
    return np.mean(held)


@pytest.mark.parametrize("games", [1, 3, 30])
def test_95_of_100_intervals_hold_the_mean_of_exponential_scores(games):
    # 4000 experiments: the standard error of the coverage is 0.0034
    scores = np.random.default_rng(games).exponential(size=(4000, games))
    assert coverage(scores.sum(axis=1), [games] * 4000) == pytest.approx(0.95, abs=0.0105)


@pytest.mark.parametrize("limit", [0.5, 1.0, 3.0])
def test_95_of_100_intervals_hold_the_mean_when_long_games_are_cut_short(limit):
    scores = np.random.default_rng(9).exponential(size=(4000, 60))
    deaths = (scores < limit).sum(axis=1)
    assert coverage(np.minimum(scores, limit).sum(axis=1), deaths.tolist()) == pytest.approx(0.95, abs=0.015)


def test_games_that_end_when_the_time_is_up_do_not_shift_the_mean():
    # played one after the other until a common deadline, the last one cut: total / deaths is right, and the mean of
    # the finished games alone is too small
    rng = np.random.default_rng(4)
    estimates, naive = [], []
    for _ in range(2000):
        ends = rng.exponential(size=60).cumsum()
        deaths = int((ends < 20).sum())
        estimates.append(20 / deaths)
        naive.append(np.diff(ends[:deaths], prepend=0).mean())
    assert np.median(estimates) == pytest.approx(1, abs=0.02)
    assert np.median(naive) < 0.97


def test_averaging_cut_games_as_if_they_were_whole_would_be_wrong():
    scores = np.random.default_rng(2).exponential(1000, size=20_000)
    cut = np.minimum(scores, 700)
    summary = summarise(cut, deaths=int((scores < 700).sum()))
    assert summary.mean == pytest.approx(1000, rel=0.03)
    assert np.mean(cut) < 520


def slow_quantile(scores, part):
    """Between the two neighbours of the place `part` of the way along the sorted scores."""
    scores = sorted(scores)
    place = part * (len(scores) - 1)
    below, above = scores[math.floor(place)], scores[math.ceil(place)]
    return below + (above - below) * (place - math.floor(place))


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=50))
def test_the_summary_equals_its_slow_definition(scores):
    summary = summarise(scores)
    mean = sum(scores) / len(scores)
    squares = sum((score - mean) ** 2 for score in scores)
    assert (summary.games, summary.deaths, summary.total) == (len(scores), len(scores), sum(scores))
    assert summary.mean == pytest.approx(mean)
    assert summary.deviation == pytest.approx(math.sqrt(squares / max(1, len(scores) - 1)))
    assert summary.five == pytest.approx([slow_quantile(scores, part) for part in (0, 0.25, 0.5, 0.75, 1)])


def test_a_game_cut_short_adds_to_the_total_but_is_no_death():
    summary = summarise([10, 20, 30], deaths=2)
    assert (summary.games, summary.deaths, summary.total, summary.mean) == (3, 2, 60, 30)
    assert summary.ci95 == interval(60, 2)


def test_without_a_death_the_mean_is_unbounded_above():
    summary = summarise([100, 100], deaths=0)
    assert summary.mean == math.inf
    assert summary.half_width == math.inf
    # nobody died in 200 lines: with a mean below 200 / ln 20 that would happen less than 5 times in 100
    assert summary.ci95 == (pytest.approx(200 / math.log(20)), math.inf)


def test_scores_of_nothing_are_0_and_not_an_error():
    summary = summarise([0, 0, 0])
    assert (summary.mean, summary.deviation, summary.ci95) == (0, 0, (0, 0))
    assert summary.half_width == math.inf  # no part of 0 is a precision


def test_no_games_say_nothing():
    assert as_json(summarise([])) == {
        "games": 0, "deaths": 0, "total": 0, "mean": None, "deviation": None,
        "five_numbers": [None] * 5, "ci95": [None, None],
    }  # fmt: skip


def test_what_is_infinite_is_null_in_json():
    data = as_json(summarise([100, 200], deaths=0))
    assert data["mean"] is None
    assert data["ci95"][1] is None
    assert data["ci95"][0] > 0
    assert data["total"] == 300


@pytest.mark.parametrize(("scores", "deaths"), [([3.0, 5.0, 8.0], 3), ([3.0, 5.0], 0), ([1.0, 2.0, 9.0], 1)])
def test_a_summary_comes_back_from_plain_data(scores, deaths):
    summary = summarise(scores, deaths)
    assert from_json(json.loads(json.dumps(as_json(summary), allow_nan=False))) == summary


def test_quartiles_of_french_schools_by_hand():
    # n = 10: the third and the eighth; n = 4: the first and the third; the median is the same everywhere
    assert summarise(range(1, 11), quartiles="french").five == (1, 3, 5.5, 8, 10)
    assert summarise([1, 2, 3, 4], quartiles="french").five == (1, 1, 2.5, 3, 4)
    assert summarise([1, 2, 3, 4]).five == (1, 1.75, 2.5, 3.25, 4)
