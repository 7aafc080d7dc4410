"""Weights of criteria and windows: the same games for all candidates, and searches that find better players."""

import numpy as np
import pytest

from apprenti.core.seeds import seed_of
from apprenti.games.tetris import Rules
from apprenti.games.tetris.learn.window_player import SEARCHES, Effort, WindowPlayer, fitness

RULES = Rules.preset("simplified", "10x6")
EFFORT = Effort(iterations=6, population=12, games=4, max_pieces=60, seed=3)


def player(**weights):
    return WindowPlayer(RULES, tuple(weights), None, "", np.array(list(weights.values()), float))


def test_the_fitness_of_a_vector_is_the_mean_of_the_games_it_plays_alone():
    good, bad = player(holes=-4.0, landing_height=-1.0), player(holes=4.0, landing_height=1.0)
    seeds = [(seed_of(3, "windows", "test", i), 0) for i in range(4)]
    alone = [
        np.mean([one.tally.lines for one in each.play(RULES.changed(max_pieces=60), seeds)]) for each in (good, bad)
    ]
    assert fitness(good, np.array([good.weights, bad.weights]), EFFORT, "test") == pytest.approx(alone)
    assert alone[0] > alone[1]


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_finds_a_better_player(search):
    first = player(lines=1.0, holes=-0.1, max_height=-1.0, row_transitions=0.1, column_transitions=0.1)
    found = SEARCHES[search](first, np.ones(5), EFFORT)
    vectors = np.array([first.weights, found.weights])
    before, after = fitness(first, vectors, Effort(games=50, max_pieces=100, seed=4))
    assert after > 1.5 * max(1.0, before)


def test_least_squares_count_a_line_as_a_line():
    first = player(holes=-4.0, lines=2.0, landing_height=-1.0)
    assert SEARCHES["least-squares"](first, np.ones(3), EFFORT).weights[1] == 1.0
