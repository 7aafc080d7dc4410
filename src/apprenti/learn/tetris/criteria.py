"""Named sets of criteria, and vectors as weights."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadOption
from apprenti.games.tetris.features import is_group, size_of

Vector = NDArray[np.float64]

_DELLACHERIE = (
    "landing_height", "eroded_piece_cells", "row_transitions", "column_transitions", "holes", "cumulative_wells",
)  # fmt: skip
_BERTSEKAS = ("column_heights", "height_differences", "max_height", "holes")
_LAGOUDAKIS = ("max_height", "holes", "bumpiness", "mean_height")
SETS: dict[str, tuple[str, ...]] = {
    "tetrisbot": ("lines", "sum_heights", "holes", "bumpiness"),
    "dellacherie": _DELLACHERIE,
    "bertsekas": (*_BERTSEKAS, "constant"),
    "bcts": (*_DELLACHERIE, "hole_depth", "rows_with_holes"),
    "dt": (*_DELLACHERIE[:-1], "cumulative_wells_fast", "hole_depth", "rows_with_holes", "pattern_diversity"),
    "rv": (*_DELLACHERIE, "hole_depth", "rows_with_holes", "pattern_diversity"),
    "apprenti": (
        *_DELLACHERIE,
        "hole_depth",
        "rows_with_holes",
        "pattern_diversity",
        "lines",
        "pit_depth",
        "bumpiness",
        "max_height",
        "height_rbf",
    ),
    "lagoudakis": (
        *_LAGOUDAKIS,
        *(f"{name}_change" for name in _LAGOUDAKIS),
        "lines",
        "constant",
    ),
    "tsitsiklis": ("max_height", "holes", "constant"),
    "thesis": (*_BERTSEKAS, *(name for name in _DELLACHERIE if name != "holes"), "hole_depth"),
}
"""Criteria of the literature, and our own; any other set is a list of names with commas."""


def parse(text: str) -> tuple[str, ...]:
    """A named set, or names with commas."""
    names = SETS.get(text) or tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise BadOption(f"--criteria is a set ({', '.join(SETS)}) or names with commas.")
    if len(set(names)) < len(names):
        raise BadOption("--criteria names a criterion twice.")
    for name in names:
        size_of(name, 10)
    return names


@dataclass(frozen=True)
class Layout:
    """Which components of a vector belong to which criterion."""

    names: tuple[str, ...]
    width: int

    @property
    def size(self) -> int:
        """The length of a vector."""
        return sum(size_of(name, self.width) for name in self.names)

    def labels(self) -> list[str]:
        """A name for each component."""
        labels: list[str] = []
        for name in self.names:
            size = size_of(name, self.width)
            labels += [f"{name}[{i}]" for i in range(1, size + 1)] if is_group(name) else [name]
        return labels

    def weights(self, vector: Sequence[float] | Vector) -> dict[str, float | list[float]]:
        """A vector as a player's weights."""
        found: dict[str, float | list[float]] = {}
        first = 0
        for name in self.names:
            size = size_of(name, self.width)
            part = [float(number) for number in vector[first : first + size]]
            found[name] = part if is_group(name) else part[0]
            first += size
        return found


def unit(vector: Vector) -> Vector:
    """The vector with length 1; a player is the same when all its weights are multiplied."""
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0 else vector
