"""Which criteria? Chosen one by one, left out one by one, or thinned by a lasso (thesis, "Perspectives").

All three look at a teacher's choices (`choice_model.py`). A *path* has a set of criteria for each number of them, with
weights. The choice is part of the learning, so it is judged on choices that had no part in it: for each fold a path is
made from the others, the last of which decides how many criteria are best; the fold itself says what that is worth
(nested validation: Stone 1974, Varma & Simon 2006).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from apprenti.games.tetris.learn.choice_model import Choices, Numbers, fit, joined, loss, scaled

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
    every, found = list(range(choices.features.shape[1])), Step((), np.zeros(0))
    path: Path = []
    phi = scaled(choices, every)
    while len(path) < most:
        weights = np.zeros(len(every))
        weights[list(found.which)] = found.weights
        slopes = np.abs(loss(choices, phi, weights)[1])
        slopes[list(found.which)] = -1.0
        tried = (Step((*found.which, int(one)), np.append(found.weights, 0.0)) for one in np.argsort(-slopes)[:TRIED])
        found = _best(choices, tried)
        path.append(found)
    return path


def backward(choices: Choices, most: int) -> Path:
    """Begin with all of them, and leave out what is missed least; small weights are tried first."""
    every = tuple(range(choices.features.shape[1]))
    found = Step(every, fit(choices, every))
    path: Path = []
    while len(found.which) > 1:
        small = np.argsort(np.abs(found.weights))[:TRIED]
        kept = ([place for place in range(len(found.which)) if place != one] for one in small)
        found = _best(choices, (Step(tuple(found.which[k] for k in keep), found.weights[keep]) for keep in kept))
        if len(found.which) <= most:
            path.append(found)
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
    found = []
    for number, test in enumerate(folds):
        *train, judge = [fold for other, fold in enumerate(folds) if other != number]
        data = joined(train)
        best = min(METHODS[method](data, most), key=lambda step: step.loss(judge, data.scale))
        found.append((len(best.which), best.which, best.loss(test, data.scale)))
    sizes, sets, losses = zip(*found, strict=True)
    return Validation(sizes, sets, losses)
