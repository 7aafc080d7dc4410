"""Multilevel splitting: no bias on a chain whose answer is known, the same result whoever computes it."""

import math
from itertools import pairwise

import numpy as np
import pytest

from apprenti.arena import splitting
from apprenti.arena.splitting import NotRare, Splitting, choose_levels, repeat, split
from apprenti.core.errors import BadOption
from apprenti.core.rare_events import NEVER, Climb, Departures
from apprenti.core.seeds import Stream


class Chain:
    """A birth and death chain on 0 … end: up with probability p, else down; every step scores 1, `end` is the end."""

    first_level = 2

    def __init__(self, p: float = 0.35, end: int = 9) -> None:
        self.p, self.end, self.stop = p, end, np.zeros(1, np.int64)

    @property
    def mean(self) -> float:
        """The expected number of steps from 0 to the end, solved exactly."""
        size, p = self.end, self.p
        matrix, vector = np.eye(size), np.ones(size)
        for here in range(size):
            matrix[here, max(0, here - 1)] -= 1 - p
            if here + 1 < size:
                matrix[here, here + 1] -= p
        return float(np.linalg.solve(matrix, vector)[0])

    def _step(self, here: int, rng: Stream) -> int:
        return here + 1 if rng.random() < self.p else max(0, here - 1)

    def leave(self, seed, level, crossings):
        rng, here, low, score, ends, found = Stream(seed), 0, True, 0, 0, []
        while len(found) < crossings and ends < splitting.DEATHS:
            here, score = self._step(here, rng), score + 1
            if here == self.end:
                here, low, ends = 0, True, ends + 1
            elif here == 0:
                low = True
            elif low and here >= level:
                found.append([here])
                low = False
        return Departures(np.array(found, np.int64).reshape(-1, 1), float(score), ends, score)

    def climb(self, states, picks, seed, level):
        rng, found, ended, peaks, moves = Stream(seed), [], 0, [], 0
        for place in picks:
            here = peak = int(states[place, 0])
            while here < level and 0 < here < self.end:
                here, moves = self._step(here, rng), moves + 1
                peak = max(peak, here)
            ended += here == self.end
            peaks.append(peak)
            if level <= here < self.end:
                found.append([here])
        return Climb(np.array(found, np.int64).reshape(-1, 1), ended, np.array(peaks), moves)


def test_the_mean_rate_of_many_repetitions_is_that_of_the_chain():
    chain = Chain()
    rates = np.array([repeat(chain, (2, 4, 6), 60, seed).rate for seed in range(800)])
    error = rates.std(ddof=1) / math.sqrt(len(rates))
    assert abs(rates.mean() - 1 / chain.mean) < 3 * error
    assert error < 0.04 * rates.mean()


def test_one_interval_in_twenty_misses():
    chain, hits, tries = Chain(), 0, 100
    for seed in range(tries):
        found = Splitting((2, 4, 6), [repeat(chain, (2, 4, 6), 60, 1000 * seed + n) for n in range(10)])
        low, high = found.interval
        hits += low <= chain.mean <= high
    assert 0.87 <= hits / tries <= 0.99  # 95 % nominal; three standard errors of 100 tries


def test_levels_are_such_that_a_fifth_comes_to_the_next():
    levels = choose_levels(Chain(p=0.3, end=14), 1)
    assert levels[0] == 2 and all(a < b for a, b in pairwise(levels))
    shares = repeat(Chain(p=0.3, end=14), levels, 2000, 3).shares
    assert all(0.05 < share < 0.6 for share in shares)


def test_the_result_does_not_depend_on_the_workers():
    def rates(workers):
        *_, last = split(Chain, 1, workers, 0.01, most=12, trials=200)
        return last.rates.tolist()

    assert rates(1) == rates(2) == rates(3)


def test_a_game_that_ends_all_the_time_is_not_rare():
    with pytest.raises(NotRare):
        choose_levels(Chain(p=0.6, end=4), 1)


def test_a_game_that_never_ends_has_no_finite_mean():
    class Endless(Chain):
        def _step(self, here, rng):
            return min(self.end - 1, super()._step(here, rng))

    found = Splitting((2, 4), [repeat(Endless(), (2, 4), 50, seed) for seed in range(3)])
    assert found.mean == math.inf and found.half_width == math.inf


def test_a_precision_is_a_part_of_the_mean():
    with pytest.raises(BadOption, match="part of the mean"):
        next(split(Chain, 1, 1, 1.5))
    assert NEVER > 10**18
