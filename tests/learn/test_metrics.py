"""Metrics of a step: the mean of fresh games, its interval, and what whole games are estimated to score."""

import pytest

from apprenti.learn.learner import mean_score


def test_a_mean_of_cut_games_is_what_was_played_with_the_estimate_beside_it():
    row = mean_score("test", [10, 20, 30], deaths=2)
    assert (row["test"], row["test_estimated"]) == (20, 30)
    assert row["test_low"] < 20 < row["test_high"]


@pytest.mark.parametrize("deaths", [0, 3, None])
def test_without_a_cut_game_or_without_a_death_there_is_no_estimate_and_every_number_is_finite(deaths):
    row = mean_score("test", [10, 20, 30], deaths)
    assert set(row) == {"test", "test_low", "test_high"}
    assert row["test"] == 20 and row["test_high"] < 100
