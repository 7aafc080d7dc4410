"""Multilevel splitting: no bias on chains whose answer is known, the same result whoever computes it."""

import json
import math
from itertools import pairwise

import numba
import numpy as np
import pytest

from apprenti.arena import splitting
from apprenti.arena.splitting import Levels, NotRare, Splitting, choose_levels, picked, repeat, split
from apprenti.core.errors import BadOption
from apprenti.core.rare_events import DEPTH, ODDS, OUT_OF_REACH, Climb, Departures
from apprenti.core.seeds import Stream

LEVELS = Levels((2, 4, 6), (40, 60, 60, 60))


class Chain:
    """A birth and death chain on 0 … end: up by `jump` or by 1, else down; every step scores 1, `end` is the end."""

    first_level = 2

    def __init__(self, p: float = 0.35, end: int = 9, jump: int = 3, jumps: float = 0.0, top: int = 99) -> None:
        self.p, self.end, self.jump, self.jumps = p, end, jump, jumps
        self.top = top  # it comes no further than this
        self.stop = np.zeros(1, np.int64)

    @property
    def mean(self) -> float:
        """The expected number of steps from 0 to the end, solved exactly."""
        size = self.end
        matrix, vector = np.eye(size), np.ones(size)
        for here in range(size):
            for step, chance in ((-1, 1 - self.p - self.jumps), (1, self.p), (self.jump, self.jumps)):
                if (there := max(0, here + step)) < size:
                    matrix[here, there] -= chance
        return float(np.linalg.solve(matrix, vector)[0])

    def _law(self):
        return self.p, self.jumps, self.jump, self.end, self.top

    def leave(self, seed, level, crossings, most_ends, most_moves):
        found = np.zeros((crossings, 1), np.int64)
        number, *counted = _leave(*self._law(), seed % 2**32, level, found, most_ends, most_moves)
        ends, at_once, score = counted
        return Departures(found[:number], {"steps": score}, ends, at_once, score)

    def climb(self, states, picks, seed, levels):
        trials = len(picks)
        here, peaks, weights = np.zeros(trials, np.int64), np.zeros(trials, np.int64), np.ones(trials)
        starts = states[picks, 0]
        moves = _climb(*self._law(), seed % 2**32, starts, np.array(levels), here, peaks, weights)
        ended = here == self.end
        there = (here >= levels[-1]) & ~ended
        return Climb(here[there].reshape(-1, 1), weights[there], weights[ended], peaks, moves)


@numba.njit
def _step(p, jumps, jump, end, top, here):
    drawn = np.random.random()
    step = 1 if drawn < p else jump if drawn < p + jumps else -1
    return min(end, top, max(0, here + step))


@numba.njit
def _leave(p, jumps, jump, end, top, seed, level, reached, most_ends, most_moves):
    np.random.seed(seed)
    here, low, score, ends, at_once, found = 0, True, 0, 0, 0, 0
    while found < len(reached) and ends < most_ends and score < most_moves:
        here, score = _step(p, jumps, jump, end, top, here), score + 1
        if here == end:
            at_once += low
            here, low, ends = 0, True, ends + 1
        elif here == 0:
            low = True
        elif low and here >= level:
            reached[found, 0] = here
            found, low = found + 1, False
    return found, ends, at_once, score


@numba.njit
def _climb(p, jumps, jump, end, top, seed, starts, levels, places, peaks, weights):
    np.random.seed(seed)
    moves = 0
    for i in range(len(starts)):
        here, floor = starts[i], len(levels) - 2 - DEPTH
        peaks[i] = here
        while here < levels[-1] and 0 < here < end:
            here, moves = _step(p, jumps, jump, end, top, here), moves + 1
            peaks[i] = max(peaks[i], here)
            while here and floor >= 0 and here < levels[floor]:
                floor, weights[i] = floor - 1, weights[i] * ODDS
                here = here if np.random.random() * ODDS < 1 else 0
        places[i] = here
    return moves


@pytest.mark.parametrize("chain", [Chain(), Chain(0.2, 9, 3, 0.08), Chain(0.15, 7, 7, 0.02)])
def test_the_mean_rate_of_thousands_of_runs_is_that_of_the_chain(chain):
    rates = np.array([repeat(chain, LEVELS, seed).rate("steps") for seed in range(4000)])
    error = rates.std(ddof=1) / math.sqrt(len(rates))
    bias = 1 / 40  # at most: the first way up begins at 0, and a way is counted when it is done
    assert abs(rates.mean() * chain.mean - 1) < 3.5 * error * chain.mean + bias / 2
    assert error < 0.03 * rates.mean()


def test_the_probability_of_the_end_has_no_bias_at_all():
    chain = Chain(0.2, 9, 3, 0.08)
    states = np.full((50, 1), 2, np.int64)
    exact = _committor(chain)[2]

    def estimate(seed):
        rng, weights, whole, found = Stream(seed), np.ones(50), 1.0, 0.0
        here = states
        for aims in Levels((2, 4, 6), ()).aims:
            if not len(here):
                break
            climb = chain.climb(here, picked(weights, 20, rng), rng.bits(), aims)
            found += whole * climb.ended.sum() / 20
            here, weights = climb.states, climb.weights
            whole *= weights.sum() / 20
        return found

    estimates = np.array([estimate(seed) for seed in range(4000)])
    assert abs(estimates.mean() - exact) < 3.5 * estimates.std() / math.sqrt(len(estimates))
    assert estimates.std() / math.sqrt(len(estimates)) < 0.03 * exact


def _committor(chain):
    """From each place the probability of the end before 0."""
    size = chain.end
    matrix, vector = np.eye(size), np.zeros(size)
    for here in range(1, size):
        for step, chance in ((-1, 1 - chain.p - chain.jumps), (1, chain.p), (chain.jump, chain.jumps)):
            if here + step >= size:
                vector[here] += chance
            elif here + step > 0:
                matrix[here, here + step] -= chance
    return np.linalg.solve(matrix, vector)


def test_one_interval_in_twenty_misses():
    chain, hits, tries = Chain(), 0, 150
    for seed in range(tries):
        found = Splitting(LEVELS, [repeat(chain, LEVELS, 1000 * seed + n) for n in range(10)])
        low, high = found.interval("steps")
        hits += low <= chain.mean <= high
    assert 0.89 <= hits / tries <= 0.99  # 95 % nominal; three standard errors of 150 tries


def test_levels_are_such_that_a_certain_part_comes_to_the_next():
    levels = choose_levels(Chain(p=0.3, end=14), 1)
    assert levels.levels[0] == 2 and all(a < b for a, b in pairwise(levels.levels))
    assert len(levels.trials) == len(levels.levels) + 1
    shares = repeat(Chain(p=0.3, end=14), levels, 3).shares
    assert all(0.1 < share < 0.7 for share in shares)


def test_more_trials_begin_where_they_cost_less_and_vary_more():
    more, same, fewer = splitting.share_out(np.array([1.0, 4.0, 16.0]), np.array([4.0, 4.0, 4.0]))
    assert more > same > fewer and splitting.share_out(np.ones(2), np.array([1.0, 4.0])) == (667, 1333)


def last(*arguments, **named):
    *_, found = split(*arguments, **named)
    return found


def test_the_result_does_not_depend_on_the_workers():
    one, two, three = (last(Chain(), 1, workers, 0.02, "steps") for workers in (1, 2, 3))
    assert one == two == three
    assert one.half_width("steps") <= 0.02 < Splitting(one.levels, one.repetitions[:-1]).half_width("steps")


def test_what_is_known_is_gone_on_with_to_the_bit():
    whole = last(Chain(), 1, 1, 0.02, "steps")
    part = Splitting(whole.levels, whole.repetitions[:7])
    again = last(Chain(), 1, 2, 0.02, "steps", Splitting.from_json(json.loads(json.dumps(part.to_json()))))
    assert again == whole
    assert last(Chain(), 1, 1, 0.02, "steps", again) == whole  # nothing is left to do


def test_a_game_that_ends_all_the_time_is_not_rare():
    with pytest.raises(NotRare):
        choose_levels(Chain(p=0.6, end=4), 1)


def test_a_game_that_never_ends_has_no_finite_mean():
    for chain in (Chain(top=6), Chain(top=1)):
        splitting.LONGEST, before = 20_000, splitting.LONGEST
        try:
            found = last(chain, 1, 1, 0.1, "steps")
        finally:
            splitting.LONGEST = before
        low, high = found.interval("steps")
        assert found.mean("steps") == high == math.inf and 0 < low < math.inf
        assert len(found.repetitions) == splitting.LEAST_REPETITIONS


def test_states_are_picked_as_their_weights_say():
    counts = np.bincount(picked(np.array([1.0, 3.0, 4.0]), 800, Stream(1)))
    assert counts.tolist() == [100, 300, 400]


def test_a_precision_is_a_part_of_the_mean():
    with pytest.raises(BadOption, match="part of the mean"):
        next(split(Chain(), 1, 1, 1.5, "steps"))
    assert OUT_OF_REACH > 10**18
