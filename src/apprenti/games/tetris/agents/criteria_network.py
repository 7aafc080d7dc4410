"""A network that values a placement by its criteria, in numpy: a linear part, and one layer of rectified units.

Criteria are counted from those of an empty board: some of them are larger on a taller board for no other reason (every
empty row has two transitions), and a network that learned on a low board would be lost there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import check_array
from apprenti.games.tetris.fast.batch import Afterstates
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.weights import Layout


@cache
def empty_board(measures: Measures) -> NDArray[np.float64]:
    """The criteria of a board with nothing on it."""
    return measures.of_boards(np.zeros((1, measures.rules.width), np.int32))


LAYERS = ("linear", "bias", "first", "first_bias", "second")


@dataclass(frozen=True)
class CriteriaNetwork:
    """The weights by name: `shift` and `scale` of each criterion, then `linear`, `bias`, `first`, `first_bias`,
    `second`."""

    measures: Measures
    weights: Mapping[str, NDArray[Any]]

    def __post_init__(self) -> None:
        size = self.measures.size
        hidden = len(self.weights.get("second", ()))
        shapes = ((size,), (1,), (size, hidden), (hidden,), (hidden,))
        for name, shape in (("shift", (size,)), ("scale", (size,)), *zip(LAYERS, shapes, strict=True)):
            check_array(self.weights, name, shape)

    @cached_property
    def _layers(self) -> tuple[NDArray[np.float64], ...]:
        return tuple(self.weights[name].astype(np.float64) for name in ("shift", "scale", *LAYERS))

    def of_criteria(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The output for rows of criteria, counted from those of an empty board."""
        shift, scale, linear, bias, first, first_bias, second = self._layers
        x = (values - shift) * scale
        z: NDArray[np.float64] = x @ linear + bias[0]
        return z + np.maximum(x @ first + first_bias, 0.0) @ second if len(second) else z

    @property
    def is_linear(self) -> bool:
        """Whether there is a linear part alone."""
        return not len(self.weights["second"])

    def linear_weights(self) -> dict[str, float | list[float]]:
        """The weights of the criteria of a network that is linear, by name: they order placements as it does."""
        layout = Layout(self.measures.names, self.measures.rules.width)
        return layout.weights(self.weights["linear"] * self.weights["scale"])

    def outputs(self, before: NDArray[np.int32], after: Afterstates, threads: int = 1) -> NDArray[np.float64]:
        """The output for each placement on the boards `before`."""
        values = self.measures.of_moves(before, after.game, after.columns, after.move)
        return self.of_criteria(values - empty_board(self.measures))
