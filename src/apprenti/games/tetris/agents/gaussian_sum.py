"""A sum of Gaussians about examples, in numpy: what kernel regression knows of the criteria of a placement."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import check_array
from apprenti.core.errors import BadAgent
from apprenti.games.tetris.fast.batch import Afterstates
from apprenti.games.tetris.fast.measures import Measures

Reals = NDArray[np.float64]


def gaussians(rows: Reals, examples: Reals) -> Reals:
    """(rows, examples): exp(−½ ‖x − e‖²)."""
    squares = (rows**2).sum(axis=1)[:, None] + (examples**2).sum(axis=1) - 2 * rows @ examples.T
    return np.asarray(np.exp(-0.5 * np.maximum(squares, 0.0)))


@dataclass(frozen=True)
class GaussianSum:
    """The arrays by name: `examples`, in units of the `widths` of the criteria, and the `heights` of their bumps."""

    measures: Measures
    weights: Mapping[str, NDArray[Any]]

    def __post_init__(self) -> None:
        number, size = len(self.weights.get("heights", ())), self.measures.size
        for name, shape in (("heights", (number,)), ("examples", (number, size)), ("widths", (size,))):
            check_array(self.weights, name, shape)
        if not (self.weights["widths"] > 0).all():
            raise BadAgent("the widths of Gaussians are above 0.")

    def of_criteria(self, values: Reals) -> Reals:
        """The sum for rows of criteria."""
        bumps = gaussians(values / self.weights["widths"], self.weights["examples"])
        return np.asarray(bumps @ self.weights["heights"])

    def outputs(self, before: NDArray[np.int32], after: Afterstates, threads: int = 1) -> Reals:
        """The sum for each placement on the boards `before`."""
        return self.of_criteria(self.measures.of_moves(before, after.game, after.columns, after.move))
