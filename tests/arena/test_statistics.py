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


def test_whole_games_are_estimated_and_the_mean_is_never_above_the_maximum():
    scores = np.random.default_rng(2).exponential(1000, size=20_000)
    cut = np.minimum(scores, 700)
    summary = summarise(cut, deaths=int((scores < 700).sum()))
    assert summary.estimated_mean == pytest.approx(1000, rel=0.03)
    assert summary.mean == pytest.approx(np.mean(cut))
    assert summary.five[0] <= summary.ci95[0] < summary.mean < summary.ci95[1] <= summary.five[-1]


def test_95_of_100_intervals_hold_the_mean_of_what_is_played_when_long_games_are_cut_short():
    scores = np.minimum(np.random.default_rng(9).exponential(size=(2000, 60)), 0.7)
    summaries = [summarise(row, int((row < 0.7).sum())) for row in scores]
    mean = 1 - np.exp(-0.7)
    held = [summary.ci95[0] <= mean <= summary.ci95[1] for summary in summaries]
    assert np.mean(held) == pytest.approx(0.95, abs=0.015)


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
    assert (summary.games, summary.deaths, summary.total, summary.mean) == (3, 2, 60, 20)
    assert (summary.estimated_mean, summary.estimated_ci95) == (30, interval(60, 2))
    assert (summary.whole.mean, summary.whole.ci95) == (30, interval(60, 2))


def test_without_a_cut_game_both_means_and_their_intervals_are_the_same():
    summary = summarise([10, 20, 30])
    assert (summary.mean, summary.ci95) == (summary.estimated_mean, summary.estimated_ci95) == (20, interval(60, 3))
    assert not summary.is_cut
    assert summary.whole == summary


def test_scores_that_are_no_lifetimes_have_no_estimate():
    summary = summarise([-1, 0, 1], deaths=1, exponential=False)
    assert math.isnan(summary.estimated_mean)
    assert not summary.is_cut
    assert as_json(summary)["estimated_ci95"] is None


def test_without_a_death_a_whole_game_is_unbounded_above_and_the_mean_is_what_was_played():
    summary = summarise([100, 100], deaths=0)
    assert (summary.mean, summary.ci95) == (100, (100, 100))
    assert summary.estimated_mean == math.inf
    assert summary.half_width == math.inf
    # nobody died in 200 lines: with a mean below 200 / ln 20 that would happen less than 5 times in 100
    assert summary.estimated_ci95 == (pytest.approx(200 / math.log(20)), math.inf)


def test_scores_of_nothing_are_0_and_not_an_error():
    summary = summarise([0, 0, 0])
    assert (summary.mean, summary.deviation, summary.ci95) == (0, 0, (0, 0))
    assert summary.half_width == math.inf  # no part of 0 is a precision


def test_no_games_say_nothing():
    assert as_json(summarise([])) == {
        "games": 0, "deaths": 0, "total": 0, "mean": None, "deviation": None,
        "five_numbers": [None] * 5, "ci95": [None, None], "estimated_mean": None, "estimated_ci95": None,
    }  # fmt: skip


def test_what_is_infinite_is_null_in_json():
    data = as_json(summarise([100, 200], deaths=0))
    assert data["estimated_mean"] is None
    assert data["estimated_ci95"][1] is None
    assert data["estimated_ci95"][0] > 0
    assert (data["mean"], data["total"]) == (150, 300)


@pytest.mark.parametrize(("scores", "deaths"), [([3.0, 5.0, 8.0], 3), ([3.0, 5.0], 0), ([1.0, 2.0, 9.0], 1)])
def test_a_summary_comes_back_from_plain_data(scores, deaths):
    summary = summarise(scores, deaths)
    assert from_json(json.loads(json.dumps(as_json(summary), allow_nan=False))) == summary


def written_by_0_2(summary):
    """The same as version 0.2 wrote it: its mean was that of whole games."""
    data = as_json(summary.whole)
    return {name: value for name, value in data.items() if not name.startswith("estimated")}


@pytest.mark.parametrize("deaths", [0, 1, 3])
def test_a_summary_of_version_0_2_keeps_its_meaning(deaths):
    summary = summarise([3.0, 5.0, 9.0], deaths)
    assert from_json(json.loads(json.dumps(written_by_0_2(summary)))) == summary


def test_a_summary_of_version_0_2_of_scores_that_are_no_lifetimes_keeps_its_meaning():
    summary, read = (one := summarise([-3.0, 5.0, 8.0], 1, exponential=False)), from_json(written_by_0_2(one))
    assert (read.mean, read.ci95, read.is_cut) == (summary.mean, summary.ci95, False)


def test_quartiles_of_french_schools_by_hand():
    # n = 10: the third and the eighth; n = 4: the first and the third; the median is the same everywhere
    assert summarise(range(1, 11), quartiles="french").five == (1, 3, 5.5, 8, 10)
    assert summarise([1, 2, 3, 4], quartiles="french").five == (1, 1, 2.5, 3, 4)
    assert summarise([1, 2, 3, 4]).five == (1, 1.75, 2.5, 3.25, 4)
