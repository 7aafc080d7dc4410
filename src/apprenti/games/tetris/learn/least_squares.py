"""Least squares from sums: the weights that satisfy the equations best, the shortest such vector if there are many."""

import numpy as np

from apprenti.games.tetris.learn.criteria import Vector
from apprenti.learn.learner import Diverged

SMALLEST = 1e-11
"""A direction in which criteria of length 1 move together to this part is no direction: the sums do not show it.

The matrix holds products of criteria, so its smallest true eigenvalues are squares, and its rounding is about 1e-15.
"""

LARGEST = 1e60
"""Weights beyond this are of no use to anybody."""


def solve(matrix: Vector, vector: Vector, squares: Vector) -> Vector:
    """The shortest w that satisfies matrix · w = vector best.

    The criteria have very different sizes (1, and sums of hundreds), so each is first put to length 1, by the root of
    the sum of its `squares`. A criterion that was 0 throughout gets the weight 0, and criteria that are combinations of
    others share their weight.
    """
    lengths = np.sqrt(squares)
    scale = np.where(lengths > 0, lengths, 1.0)
    if not (np.isfinite(matrix).all() and np.isfinite(vector).all()):
        raise Diverged("the values have grown beyond all bounds: choose a smaller --gamma or other --criteria.")
    found, *_ = np.linalg.lstsq(matrix / np.outer(scale, scale), vector / scale, rcond=SMALLEST)
    weights: Vector = found / scale
    if not (np.abs(weights) < LARGEST).all():
        raise Diverged("the weights have grown beyond all bounds: choose a smaller --gamma or other --criteria.")
    return weights
