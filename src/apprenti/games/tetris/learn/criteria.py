"""Which criteria a learner takes, and vectors of weights."""

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadOption
from apprenti.games.tetris.criteria import SETS, find

Vector = NDArray[np.float64]


def parse(text: str) -> tuple[str, ...]:
    """A named set, or names with commas."""
    names = SETS.get(text) or tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise BadOption(f"--criteria is a set ({', '.join(SETS)}) or names with commas.")
    if len(set(names)) < len(names):
        raise BadOption("--criteria names a criterion twice.")
    for name in names:
        find(name)
    return names


def unit(vector: Vector) -> Vector:
    """The vector with length 1; a player is the same when all its weights are multiplied."""
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0 else vector
