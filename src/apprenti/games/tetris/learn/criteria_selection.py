"""Which criteria? Chosen one by one, left out one by one, or thinned by a lasso (thesis, "Perspectives").

All three look at a teacher's choices, by the conditional logit model (McFadden 1974): a placement a of state s is
chosen with probability exp(w·φ(s, a)) / Σ_b exp(w·φ(s, b)). The weights with the greatest likelihood of the teacher's
placements make a linear player. Games are not needed to fit them, so hundreds of sets of criteria can be tried.

A *path* has a set of criteria for each number of them, with weights. The choice is part of the learning, so it is
judged on choices that had no part in it: for each fold a path is made from the others, the last of which decides how
many criteria are best; the fold itself says what that is worth (nested validation: Stone 1974, Varma & Simon 2006).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadOption
from apprenti.games.tetris.fast.batch import Afterstates, Batch
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.players import CompiledPlayer, actions_on
from apprenti.games.tetris.rules import Rules

Numbers = NDArray[np.float64]
Ints = NDArray[np.int64]
RIDGE = 1e-3
"""The penalty of the square of a weight, criteria scaled to a deviation of 1: so that none runs off to infinity."""

ENOUGH = 1e-6
"""A fit is done when a step changes the likelihood by less than this part."""


@dataclass(frozen=True)
class Choices:
    """States, the placements of each that do not end the game, and the teacher's among them."""

    features: Numbers
    """(placements, criteria)"""
    starts: Ints
    """Where the placements of each state begin, and the end."""
    chosen: Ints
    """For each state its teacher's placement, by its place among all."""
    before: NDArray[np.int32]
    """(states, 16): the boards, as columns of bits."""
    columns: NDArray[np.int32]
    """(placements, 16): the boards after each placement."""

    @property
    def states(self) -> int:
        """How many there are."""
        return len(self.chosen)

    @cached_property
    def scale(self) -> Numbers:
        """The deviation of each criterion among the placements of a state."""
        counts = np.diff(self.starts)
        means = np.add.reduceat(self.features, self.starts[:-1]) / counts[:, None]
        inside = self.features - np.repeat(means, counts, axis=0)
        return np.asarray(np.maximum(1e-9, np.sqrt((inside**2).mean(axis=0))))

    def only(self, first: int, last: int) -> "Choices":
        """Some of the states."""
        begin, end = self.starts[first], self.starts[last]
        return Choices(
            self.features[begin:end], self.starts[first : last + 1] - begin, self.chosen[first:last] - begin,
            self.before[first:last], self.columns[begin:end],
        )  # fmt: skip

    def with_more(self, features: Numbers) -> "Choices":
        """The same choices described by more criteria."""
        return Choices(np.hstack([self.features, features]), self.starts, self.chosen, self.before, self.columns)


@dataclass(frozen=True)
class Teacher:
    """Whose placements are to be learned, who plays meanwhile, and how often a placement is drawn instead."""

    teacher: CompiledPlayer
    player: CompiledPlayer
    epsilon: float = 0.1


def collect(rules: Rules, names: Sequence[str], teacher: Teacher, states: int, seed: int) -> Choices:
    """The teacher's choices in states of games that the player plays, some of its placements drawn by chance."""
    if states < 1:
        raise BadOption(f"there is at least one state to learn from, not {states}.")
    batch, measures = Batch(rules, 64, seed, "choices"), Measures(rules, names)
    rng, collected = np.random.Generator(np.random.PCG64(seed)), _Collected()
    batch.reset()
    while collected.states < states:
        after, every = batch.afterstates(), np.arange(batch.size)
        lives = ~after.over
        wanted = actions_on(rules, teacher.teacher, batch.all_columns)[every, batch.piece]
        phi = measures.of_afterstates(batch, after) if names else np.zeros((len(after), 0))
        collected.add(after, lives, wanted, batch.all_columns, phi)
        moves = actions_on(rules, teacher.player, batch.all_columns)[every, batch.piece]
        drawn = after.action[after.starts[:-1] + (rng.random(batch.size) * np.diff(after.starts)).astype(np.int64)]
        batch.step(np.where(rng.random(batch.size) < teacher.epsilon, drawn, moves))
        batch.renew()
    return collected.choices().only(0, states)


class _Collected:
    """Choices, step by step of all games at once."""

    def __init__(self) -> None:
        self.states = 0
        self.parts: list[tuple[Numbers, Ints, Ints, NDArray[np.int32], NDArray[np.int32]]] = []

    def add(
        self, after: Afterstates, lives: NDArray[np.bool_], wanted: Ints, boards: NDArray[np.int32], phi: Numbers
    ) -> None:
        """Take the states in which the teacher's placement does not end the game."""
        is_wanted = lives & (after.action == wanted[after.game])
        good = np.zeros(len(wanted), np.bool_)
        good[after.game[is_wanted]] = True
        kept = lives & good[after.game]
        counts = np.bincount(after.game[kept], minlength=len(wanted))[good]
        self.parts.append(
            (phi[kept], counts, np.flatnonzero(is_wanted[kept]), boards[good].copy(), after.columns[kept])
        )
        self.states += len(counts)

    def choices(self) -> Choices:
        """All of them."""
        phi, counts, chosen, before, columns = zip(*self.parts, strict=True)
        offsets = np.cumsum([0, *map(len, phi)])[:-1]
        starts = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
        places = np.concatenate([one + offset for one, offset in zip(chosen, offsets, strict=True)])
        return Choices(np.vstack(phi), starts, places, np.vstack(before), np.vstack(columns))


def scaled(choices: Choices, which: Sequence[int]) -> Numbers:
    """Some of the criteria, each with a deviation of 1."""
    columns = np.array(which, np.int64)
    return np.asarray(choices.features[:, columns] / choices.scale[columns])


def loss(choices: Choices, phi: Numbers, weights: Numbers) -> tuple[float, Numbers]:
    """The mean −log likelihood of the teacher's choices, and its gradient; both of scaled criteria."""
    counts, firsts = np.diff(choices.starts), choices.starts[:-1]
    values = phi @ weights
    values -= np.repeat(np.maximum.reduceat(values, firsts), counts)
    odds = np.exp(values)
    totals = np.add.reduceat(odds, firsts)
    shares = odds / np.repeat(totals, counts)
    gradient = (shares @ phi - phi[choices.chosen].sum(axis=0)) / choices.states
    return float(np.mean(np.log(totals) - values[choices.chosen])), gradient


def fit(choices: Choices, which: Sequence[int], start: Numbers | None = None, lasso: float = 0.0) -> Numbers:
    """The weights of scaled criteria that make the choices likeliest; with a lasso some of them are 0."""
    from scipy.optimize import minimize

    phi, size = scaled(choices, which), len(which)

    def penalised(both: Numbers) -> tuple[float, Numbers]:
        """Weights as a difference of two numbers from 0 on, so that the lasso is smooth."""
        weights = both[:size] - both[size:]
        cost, gradient = loss(choices, phi, weights)
        gradient = gradient + RIDGE * weights
        total = cost + RIDGE / 2 * float(weights @ weights) + lasso * float(both.sum())
        return total, np.concatenate([gradient + lasso, lasso - gradient])

    first = np.zeros(size) if start is None else start
    given = np.concatenate([np.maximum(first, 0), np.maximum(-first, 0)])
    bounds = [(0, None)] * (2 * size)
    enough = {"maxiter": 200, "ftol": ENOUGH}
    best = minimize(penalised, given, jac=True, method="L-BFGS-B", bounds=bounds, options=enough).x
    return np.asarray(best[:size] - best[size:])


def joined(parts: Sequence[Choices]) -> Choices:
    """Several collections as one."""
    ends = np.cumsum([0, *(len(part.features) for part in parts)])
    starts = [part.starts[:-1] + end for part, end in zip(parts, ends, strict=False)]
    return Choices(
        np.vstack([part.features for part in parts]), np.concatenate([*starts, ends[-1:]]),
        np.concatenate([part.chosen + end for part, end in zip(parts, ends, strict=False)]),
        np.vstack([part.before for part in parts]), np.vstack([part.columns for part in parts]),
    )  # fmt: skip


TRIED = 4
"""Criteria that are tried by a fit of their own at each step: those that look best."""
LASSOS = 0.85 ** np.arange(1, 28)
"""The penalties, as parts of the one that lets nothing in."""


@dataclass(frozen=True)
class Step:
    """A set of criteria, by their numbers, and the weights of the scaled criteria."""

    which: tuple[int, ...]
    weights: Numbers

    def loss(self, choices: Choices, scale: Numbers) -> float:
        """The mean −log likelihood of other choices, with the scale of those it was fitted to."""
        factor = choices.scale / scale
        return loss(choices, scaled(choices, self.which), self.weights * factor[list(self.which)])[0]


Path = list[Step]


def forward(choices: Choices, most: int) -> Path:
    """Add the criterion that makes the choices likeliest, again and again; the gradient says whom to try."""
    every, step = list(range(choices.features.shape[1])), Step((), np.zeros(0))
    path: Path = []
    phi = scaled(choices, every)
    while len(path) < most:
        weights = np.zeros(len(every))
        weights[list(step.which)] = step.weights
        slopes = np.abs(loss(choices, phi, weights)[1])
        slopes[list(step.which)] = -1.0
        tried = (Step((*step.which, int(one)), np.append(step.weights, 0.0)) for one in np.argsort(-slopes)[:TRIED])
        step = _best(choices, tried)
        path.append(step)
    return path


def backward(choices: Choices, most: int) -> Path:
    """Begin with all of them, and leave out what is missed least; small weights are tried first."""
    every = tuple(range(choices.features.shape[1]))
    step = Step(every, fit(choices, every))
    path: Path = []
    while len(step.which) > 1:
        small = np.argsort(np.abs(step.weights))[:TRIED]
        kept = ([place for place in range(len(step.which)) if place != one] for one in small)
        step = _best(choices, (Step(tuple(step.which[k] for k in keep), step.weights[keep]) for keep in kept))
        if len(step.which) <= most:
            path.append(step)
    return path[::-1]


def sparse(choices: Choices, most: int) -> Path:
    """A lasso that gets weaker (Tibshirani 1996): the criteria it lets in, weighed again without it."""
    every, weights = list(range(choices.features.shape[1])), None
    path: dict[int, Step] = {}
    nothing = np.abs(loss(choices, scaled(choices, every), np.zeros(len(every)))[1]).max()
    for lasso in LASSOS * nothing:
        weights = fit(choices, every, weights, float(lasso))
        which = tuple(int(one) for one in np.flatnonzero(np.abs(weights) > 1e-6))
        if 0 < len(which) <= most and len(which) not in path:
            path[len(which)] = Step(which, fit(choices, which, weights[list(which)]))
    return [path[size] for size in sorted(path)]


METHODS: dict[str, Callable[[Choices, int], Path]] = {"forward": forward, "backward": backward, "sparse": sparse}


def _best(choices: Choices, tried: Iterator[Step]) -> Step:
    """The one of some sets that makes the choices likeliest."""
    steps = [Step(step.which, fit(choices, step.which, step.weights)) for step in tried]
    return min(steps, key=lambda step: loss(choices, scaled(choices, step.which), step.weights)[0])


@dataclass(frozen=True)
class Validation:
    """What nested validation says of a way to choose: in each fold how many criteria, which, and the loss there."""

    sizes: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]
    losses: tuple[float, ...]


def nested(folds: Sequence[Choices], method: str, most: int) -> Validation:
    """Judge a way to choose on each fold, which has no part in the choice."""
    results = []
    for number, test in enumerate(folds):
        *train, judge = [fold for other, fold in enumerate(folds) if other != number]
        data = joined(train)
        best = min(METHODS[method](data, most), key=lambda step: step.loss(judge, data.scale))
        results.append((len(best.which), best.which, best.loss(test, data.scale)))
    sizes, sets, losses = zip(*results, strict=True)
    return Validation(sizes, sets, losses)
