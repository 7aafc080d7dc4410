"""Placements drawn by chance, the better the likelier."""

import numpy as np

from apprenti.games.tetris.fast.batch import Afterstates, Ints
from apprenti.games.tetris.learn.criteria import Vector


def probabilities(after: Afterstates, logits: Vector) -> Vector:
    """The softmax of the placements of each game; one that ends the game only where all do."""
    firsts, counts = after.starts[:-1], np.diff(after.starts)
    living = np.where(after.over, -np.inf, logits)
    most = np.repeat(np.maximum.reduceat(living, firsts), counts)
    weights = np.where(np.isinf(most), 1.0, np.exp(living - np.where(np.isinf(most), 0.0, most)))
    return np.asarray(weights / np.repeat(np.add.reduceat(weights, firsts), counts))


def drawn(after: Afterstates, chances: Vector, luck: Vector) -> Ints:
    """For each game the place of a placement, drawn by its probabilities with a number from 0 to 1."""
    upto = np.cumsum(chances)
    before = upto[after.starts[:-1]] - chances[after.starts[:-1]]
    places = np.searchsorted(upto, before + luck * (upto[after.starts[1:] - 1] - before), side="right")
    return np.clip(places, after.starts[:-1], after.starts[1:] - 1)
