"""How long a game lasts whose end is rare: multilevel splitting (forward flux sampling, Allen, Warren, ten Wolde 2005).

A game of a good player is a long stay at low boards with climbs, of which hardly one leads to the end. Instead of
waiting for ends, the climb is cut into levels of an importance function. `leave` plays on and on and counts how often
the first level is reached from a low state; `climb` goes on from states stored at a level, until the next level is
reached or the state is low again. With Φ the rate at which the first level is reached, per unit of score, and pᵢ the
probability of coming from level i to the next one and not back,

    ends per unit of score   J = Φ · p₁ · p₂ · … · pₙ        mean score of a game = 1 / J

A game that has ended begins again, low: the process renews itself, and J is the rate of its ends (Hill 1977). Trials
that begin with the same stored state are not independent, so that the interval comes from whole repetitions, by
Student's law.
"""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadOption
from apprenti.core.rare_events import NEVER, Ints, Process
from apprenti.core.seeds import Stream, seed_of

SHARE = 0.2
"""The part of the trials that should come from a level to the next: levels are chosen so."""
PILOT = 1000
"""Trials of a level while levels are chosen."""
TRIALS = 3000
"""Trials of a level in a repetition."""
MOST_LEVELS = 200
LEAST_REPETITIONS = 8
DEATHS = 400
"""A game that ends so often while levels are chosen is not rare: it is measured by playing."""


class NotRare(Exception):
    """Games end so often that playing them is the better measurement."""


def choose_levels(process: Process, seed: int) -> tuple[int, ...]:
    """Levels such that about a fifth of the trials come from each to the next, and of the last to the end.

    They are chosen with trials that are not used for anything else: the estimate is not biased by the choice.
    """
    rng, levels = Stream.named(seed, "levels"), [process.first_level]
    found = process.leave(rng.bits(), levels[0], PILOT)
    if found.ends >= DEATHS or len(found.states) < PILOT:
        raise NotRare
    states = found.states
    while len(levels) < MOST_LEVELS:
        climb = process.climb(states, _picks(rng, len(states), PILOT), rng.bits(), NEVER)
        if climb.ended >= SHARE * PILOT / 2:
            break
        levels.append(max(levels[-1] + 1, int(np.quantile(climb.peaks, 1 - SHARE, method="lower"))))
        states = process.climb(states, _picks(rng, len(states), PILOT), rng.bits(), levels[-1]).states
        if not len(states):
            break
    return tuple(levels)


def _picks(rng: Stream, states: int, trials: int) -> Ints:
    """Which state each trial begins with: all as often, as nearly as that can be, the first of them by chance."""
    first = int(rng.random() * states)
    return (first + np.arange(trials, dtype=np.int64)) % states


@dataclass(frozen=True)
class Repetition:
    """One estimate of the rate of ends."""

    rate: float
    """Ends per unit of score."""
    shares: tuple[float, ...]
    """The part of the trials that came from each level to the next, from the last to the end."""
    moves: int


def repeat(process: Process, levels: tuple[int, ...], trials: int, seed: int) -> Repetition:
    """Estimate the rate of ends once."""
    rng = Stream(seed)
    found = process.leave(rng.bits(), levels[0], trials)
    states, ended, rate, moves, shares = found.states, 0, found.rate, found.moves, []
    for level in (*levels[1:], NEVER):
        dead = round(trials * ended / (len(states) + ended))  # those that jumped over this level are over it
        climb = process.climb(states, _picks(rng, max(1, len(states)), trials - dead), rng.bits(), level)
        states, ended = climb.states, dead + climb.ended
        moves += climb.moves
        shares.append((len(states) + ended) / trials)
        if not shares[-1]:
            break
    return Repetition(rate * math.prod(shares), tuple(shares), moves)


@dataclass
class Splitting:
    """What is known of the mean score so far."""

    levels: tuple[int, ...]
    repetitions: list[Repetition] = field(default_factory=list)

    @property
    def rates(self) -> NDArray[np.float64]:
        """The rate of ends in each repetition."""
        return np.array([one.rate for one in self.repetitions])

    @property
    def mean(self) -> float:
        """The mean score of a game."""
        rate = float(self.rates.mean()) if self.repetitions else 0.0
        return 1 / rate if rate else math.inf

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, by Student's law for the mean rate."""
        from scipy.special import stdtrit

        number = len(self.repetitions)
        if number < 2:
            return 0.0, math.inf
        rate = float(self.rates.mean())
        half = float(stdtrit(number - 1, 0.975) * self.rates.std(ddof=1) / math.sqrt(number))
        low = 1 / (rate + half) if rate + half else math.inf
        return low, 1 / (rate - half) if rate > half else math.inf

    @property
    def half_width(self) -> float:
        """Half of the interval of the rate, as a part of it."""
        low, high = self.interval
        return math.inf if not math.isfinite(high) else (high - low) / (2 * self.mean)

    @property
    def moves(self) -> int:
        """Moves made in all repetitions."""
        return sum(one.moves for one in self.repetitions)


def split(
    process: Callable[[], Process],
    seed: int,
    workers: int,
    precision: float,
    most: int = 1000,
    trials: int = TRIALS,
) -> Iterator[Splitting]:
    """Yield what is known after every repetition, until the interval is narrow enough.

    Repetition i depends on the seed and i alone, and is counted in its turn, whoever was faster.
    """
    if not 0 < precision < 1:
        raise BadOption(f"--precision is a part of the mean, like 0.05, not {precision:g}.")
    first = process()
    found = Splitting(choose_levels(first, seed))
    task = partial(repeat, levels=found.levels, trials=trials)
    own = [first, *(process() for _ in range(workers - 1))]
    with ThreadPoolExecutor(workers) as pool:
        try:
            for start in range(0, most, workers):
                seeds = [seed_of(seed, "splitting", start + number) for number in range(workers)]
                waiting = [pool.submit(task, one, seed=each) for one, each in zip(own, seeds, strict=True)]
                for each in waiting:
                    found.repetitions.append(each.result())
                    yield found
                    if len(found.repetitions) >= LEAST_REPETITIONS and found.half_width <= precision:
                        return
        finally:
            for one in own:
                one.stop[0] = 1
