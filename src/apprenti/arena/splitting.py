"""How long a game lasts whose end is rare: multilevel splitting (forward flux sampling, Allen, Warren, ten Wolde 2005).

A game of a good player is a long stay at low boards with climbs, of which hardly one leads to the end. Instead of
waiting for ends, the climb is cut into levels of an importance function. `leave` plays on and on and counts how often
the first level is reached from a low state; `climb` goes on from states stored at a level, until the next level is
reached or the state is low again. With S what was scored while the first level was reached N times, pᵢ the part of the
trials that come from level i to the next one, and eᵢ the part that ends before it (a trial may jump over levels),

    P = e₁ + p₁ (e₂ + p₂ (e₃ + …))        ends per unit of score   J = (N · P + ends before the first level) / S

and the mean score of a game is 1 / J. A game that has ended begins again, low: the process renews itself, and J is the
rate of its ends (Hill 1977). Trials that fall far are given up by Russian roulette; states that stand for several
trials are picked as often as their weight says, so that P has no bias whatever the levels and the weights are. Trials
that begin with the same stored state are not independent: the interval comes from whole repetitions, by Student's law.
"""

import math
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field

import numpy as np
from numpy.typing import NDArray

from apprenti.arena.many import Chunk, in_order
from apprenti.arena.statistics import interval
from apprenti.core.data import JsonData, JsonObject
from apprenti.core.errors import BadOption
from apprenti.core.rare_events import OUT_OF_REACH, Ints, Process, Reals
from apprenti.core.seeds import Stream, seed_of

SHARE = 0.3
"""The part of the trials that should come from a level to the next: levels are chosen so."""
PILOT = 2000
"""Trials of a level while levels are chosen."""
TRIALS = 1000
"""Trials of a level in a repetition, on average."""
MOST_LEVELS = 200
LEAST_REPETITIONS = 16
MOST_REPETITIONS = 100_000
ENDS = 400
"""A game that ends so often while levels are chosen is not rare: it is measured by playing."""
LONGEST = 20_000_000
"""Moves with fewer climbs than are wanted; then there is no use in waiting for more."""


class NotRare(Exception):
    """Games end so often that playing them is the better measurement."""


@dataclass(frozen=True)
class Levels:
    """Where the climb is cut, and how many trials begin at each level."""

    levels: tuple[int, ...]
    trials: tuple[int, ...]
    """From low states to the first level, then from each level."""

    def scaled(self, factor: float) -> "Levels":
        """The same with the trials multiplied by a factor."""
        return Levels(self.levels, tuple(max(2, round(factor * number)) for number in self.trials))

    @property
    def aims(self) -> Iterator[tuple[int, ...]]:
        """For each level those up to it and the one that is aimed at."""
        whole = (*self.levels, OUT_OF_REACH)
        return (whole[: number + 2] for number in range(len(self.levels)))


def choose_levels(process: Process, seed: int) -> Levels:
    """Levels such that a certain part of the trials come from each to the next, and trials where the variance is.

    They are chosen with trials that are not used for anything else: the estimate is not biased by the choice.
    """
    rng, levels = Stream.named(seed, "levels"), [process.first_level]
    pilot = process.leave(rng.bits(), levels[0], PILOT, ENDS, LONGEST)
    if pilot.ends >= ENDS:
        raise NotRare
    costs, variances = [pilot.moves / max(1, len(pilot.states))], [1.0]
    states, weights = pilot.states, np.ones(len(pilot.states))
    while len(states) and len(levels) < MOST_LEVELS:
        picks, seed = picked(weights, PILOT, rng), rng.bits()
        far = process.climb(states, picks, seed, (*levels, OUT_OF_REACH))
        if far.ended.sum() >= SHARE * PILOT / 2:
            break
        levels.append(max(levels[-1] + 1, int(np.quantile(far.peaks, 1 - SHARE, method="lower"))))
        near = process.climb(states, picks, seed, tuple(levels))
        costs.append(near.moves / PILOT)
        variances.append(_variance(near.successes))
        states, weights = near.states, near.weights
    if len(costs) == len(levels):
        costs.append(far.moves / PILOT if len(states) else 1.0)
        variances.append(_variance(far.ended) if len(states) else 1.0)
    return Levels(tuple(levels), share_out(np.array(costs), np.array(variances)))


def _variance(weights: Reals) -> float:
    """The relative variance of what one of the pilot's trials counts."""
    mean = weights.sum() / PILOT
    return float((weights**2).sum() / PILOT / mean**2 - 1) if mean else 1.0


def share_out(costs: Reals, variances: Reals) -> tuple[int, ...]:
    """Trials of each level, in proportion to √(variance / cost): the least variance for a cost (Neyman 1934)."""
    parts = np.sqrt(np.maximum(variances, 0.1) / np.maximum(costs, 1e-9))
    parts = np.clip(parts / parts.mean(), 0.2, 5.0)
    return tuple(int(number) for number in np.maximum(2, np.round(TRIALS * parts)))


def picked(weights: Reals, trials: int, rng: Stream) -> Ints:
    """Which state each trial begins with: each as often as its weight says, as nearly as that can be, from a place
    that is drawn (systematic resampling; Kitagawa 1996)."""
    reached = np.cumsum(weights)
    places = (rng.random() + np.arange(trials)) * (reached[-1] / trials)
    picks: Ints = np.minimum(np.searchsorted(reached, places, side="right"), len(weights) - 1)
    return picks


@dataclass(frozen=True)
class Repetition:
    """One estimate."""

    climbs: int
    """How often the first level was reached."""
    at_once: int
    """Games that ended before it."""
    measures: dict[str, int]
    """What was counted meanwhile."""
    probability: float
    """That the game ends before the next low state, once the first level is reached."""
    shares: tuple[float, ...]
    """The part of the trials that came from each level to the next or to the end."""
    moves: int

    def rate(self, unit: str) -> float:
        """Ends per unit of what is counted; as if it had been one where nothing was: who scores nothing ends, too."""
        ends = self.climbs * self.probability + self.at_once
        return ends / max(1, self.measures[unit])

    @classmethod
    def from_json(cls, data: JsonData) -> "Repetition":
        """The repetition that `asdict` gave."""
        return cls(**{**data, "shares": tuple(data["shares"])})


def repeat(process: Process, levels: Levels, seed: int, longest: int = 0) -> Repetition:
    """Estimate once; `longest` is the number of moves after which there is no use in waiting for more climbs."""
    rng = Stream(seed)
    left = process.leave(rng.bits(), levels.levels[0], levels.trials[0], OUT_OF_REACH, longest or LONGEST)
    states, weights, whole = left.states, np.ones(len(left.states)), 1.0
    probability, moves, shares = 0.0, left.moves, []
    for aims, trials in zip(levels.aims, levels.trials[1:], strict=True):
        if not len(states):
            break
        climb = process.climb(states, picked(weights, trials, rng), rng.bits(), aims)
        probability += whole * float(climb.ended.sum()) / trials
        shares.append(float(climb.successes.sum()) / trials)
        states, weights, moves = climb.states, climb.weights, moves + climb.moves
        whole *= float(weights.sum()) / trials
    return Repetition(len(left.states), left.at_once, left.measures, probability, tuple(shares), moves)


@dataclass
class Splitting:
    """What is known so far."""

    levels: Levels
    repetitions: list[Repetition] = field(default_factory=list)

    def rates(self, unit: str) -> NDArray[np.float64]:
        """The rate of ends in each repetition."""
        return np.array([one.rate(unit) for one in self.repetitions])

    def mean(self, unit: str) -> float:
        """The mean of what is counted in a game."""
        rate = float(self.rates(unit).mean()) if self.repetitions else 0.0
        return 1 / rate if rate else math.inf

    def interval(self, unit: str) -> tuple[float, float]:
        """Its 95 % interval, by Student's law for the mean rate."""
        from scipy.special import stdtrit

        number, rates = len(self.repetitions), self.rates(unit)
        if number < 2:
            return 0.0, math.inf
        rate = float(rates.mean())
        half = float(stdtrit(number - 1, 0.975) * rates.std(ddof=1) / math.sqrt(number))
        without_an_end = interval(sum(one.measures[unit] for one in self.repetitions), 0)[0]
        low = 1 / (rate + half) if rate + half else without_an_end
        return low, 1 / (rate - half) if rate > half else math.inf

    def half_width(self, unit: str) -> float:
        """Half of the interval, as a part of the mean."""
        low, high = self.interval(unit)
        return (high - low) / (2 * self.mean(unit)) if math.isfinite(high) else math.inf

    def is_enough(self, unit: str, precision: float) -> bool:
        """Whether the interval is narrow enough, or nothing ends at all."""
        if len(self.repetitions) < LEAST_REPETITIONS:
            return False
        return not self.rates(unit).any() or self.half_width(unit) <= precision

    @property
    def moves(self) -> int:
        """Moves made in all repetitions."""
        return sum(one.moves for one in self.repetitions)

    def to_json(self) -> JsonObject:
        """Everything, as plain data."""
        return {**asdict(self.levels), "repetitions": [asdict(one) for one in self.repetitions]}

    @classmethod
    def from_json(cls, data: JsonData) -> "Splitting":
        """What `to_json` wrote."""
        levels = Levels(tuple(data["levels"]), tuple(data["trials"]))
        return cls(levels, [Repetition.from_json(one) for one in data["repetitions"]])


@dataclass(frozen=True)
class Repetitions:
    """Repetitions as a task: which of them is said later, and perhaps on another machine."""

    process: Process
    levels: Levels
    seed: int
    done: int
    """Those that are known already."""

    @property
    def stop(self) -> NDArray[np.int64]:
        """Set its first number to 1, and what is under way ends at the next move."""
        return self.process.stop

    def __call__(self, chunk: Chunk) -> list[Repetition]:
        """These repetitions; one that was cut short says nothing."""
        results = []
        for number in range(chunk[0], sum(chunk)):
            one = repeat(self.process, self.levels, seed_of(self.seed, "splitting", self.done + number))
            results += [] if self.stop[0] else [one]
        return results


def split(
    process: Process,
    seed: int,
    workers: int,
    precision: float,
    unit: str,
    known: Splitting | None = None,
) -> Generator[Splitting, None, None]:
    """Yield what is known after every repetition, until the interval is narrow enough.

    Repetition i depends on the seed and i alone and is counted in its turn, and none is counted when it is enough: the
    result does not depend on the workers. What is `known` already is gone on with.
    """
    if not 0 < precision < 1:
        raise BadOption(f"--precision is a part of the mean, like 0.05, not {precision:g}.")
    splitting = known or Splitting(choose_levels(process, seed))
    if splitting.is_enough(unit, precision):
        yield splitting
        return
    task = Repetitions(process, splitting.levels, seed, len(splitting.repetitions))
    with closing(in_order(task, True, MOST_REPETITIONS, workers, process.stop, None, 1)) as repetitions:
        for one in repetitions:
            splitting.repetitions.append(one)
            yield splitting
            if splitting.is_enough(unit, precision):
                return
