"""A network that values a board from its cells alone, in numpy and look-ups: no torch is needed to play.

Windows of a few cells (a convolution), two layers on each (the second again a convolution, of one cell), sums of the
outcome over the board, plain and weighted by height, counted from those of an empty board, and on the sums a linear
part and one more layer. A window of up to sixteen cells has so few patterns that its layers are computed once for each
of them: the table. A board and its mirror image are worth the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import check_array
from apprenti.core.data import AnyArray
from apprenti.games.tetris.fast.batch import Afterstates
from apprenti.games.tetris.fast.windows import FEATURES, Reals, Windows, packed_head

SCALE = 0.1
"""What a window says is multiplied by this, or the sums over a whole board would be large at first."""

HEAD = ("linear", "bias", "first", "first_bias", "second")


@dataclass(frozen=True)
class BoardNetwork:
    """The weights by name: `0.first`, `0.first_bias`, `0.second`, `0.second_bias` of the first kind of window, …

    Then those of the head: `linear`, `bias`, `first`, `first_bias`, `second`.
    """

    windows: Windows
    weights: Mapping[str, AnyArray]
    known_table: Reals | None = None
    """The table, if it has been computed already."""

    def __post_init__(self) -> None:
        for kind, (rows, columns) in enumerate(self.windows.shapes):
            hidden = self._size(f"{kind}.first_bias")
            check_array(self.weights, f"{kind}.first", (rows * columns, hidden))
            check_array(self.weights, f"{kind}.first_bias", (hidden,))
            check_array(self.weights, f"{kind}.second", (hidden, FEATURES))
            check_array(self.weights, f"{kind}.second_bias", (FEATURES,))
        hidden, sums = self._size("first_bias"), self.windows.sums
        for name, shape in zip(HEAD, ((sums,), (1,), (sums, hidden), (hidden,), (hidden,)), strict=True):
            check_array(self.weights, name, shape)

    def _size(self, name: str) -> int:
        return len(self.weights[name]) if name in self.weights and self.weights[name].ndim == 1 else 0

    @cached_property
    def table(self) -> Reals:
        """A row for each pattern of each kind of window."""
        if self.known_table is not None:
            return self.known_table
        parts = []
        for kind, (cells, mirror) in enumerate(zip(self.windows.cells(), self.windows.mirrored(), strict=True)):
            first, first_bias, second, second_bias = (
                self.weights[f"{kind}.{name}"] for name in ("first", "first_bias", "second", "second_bias")
            )
            rows = np.maximum(cells @ first + first_bias, 0) @ second + second_bias
            parts.append(0.5 * SCALE * (rows + rows[mirror]))
        return np.concatenate(parts).astype(np.float64)

    @cached_property
    def _head(self) -> Reals:
        linear, bias, first, first_bias, second = (self.weights[name].astype(np.float64) for name in HEAD)
        empty = self.windows.sums_of(self.windows.empty_board(), self.table)[0][0]
        return packed_head(linear, float(bias[0]), first, first_bias, second, empty)

    def outputs(self, before: NDArray[np.int32], after: Afterstates, threads: int = 1) -> Reals:
        """The output for each of the boards after a placement on the boards `before`."""
        hidden = len(self.weights["second"])
        return self.windows.values(before, after.starts, after.columns, self.table, hidden, self._head, threads)
