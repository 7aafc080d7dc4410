"""A network that values a placement by its criteria, in numpy: a linear part, and one layer of rectified units."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadAgent
from apprenti.games.tetris.batch import Afterstates
from apprenti.games.tetris.measures import Measures

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
            found = self.weights.get(name)
            if found is None or found.shape != shape or not np.isfinite(found).all():
                raise BadAgent(f"this network needs finite weights {name!r} of shape {shape} for these criteria.")

    @cached_property
    def _layers(self) -> tuple[NDArray[np.float64], ...]:
        return tuple(self.weights[name].astype(np.float64) for name in ("shift", "scale", *LAYERS))

    def of_criteria(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The output for rows of criteria."""
        shift, scale, linear, bias, first, first_bias, second = self._layers
        x = (values - shift) * scale
        z: NDArray[np.float64] = x @ linear + bias[0]
        return z + np.maximum(x @ first + first_bias, 0.0) @ second if len(second) else z

    def outputs(self, before: NDArray[np.int32], after: Afterstates, threads: int = 1) -> NDArray[np.float64]:
        """The output for each placement on the boards `before`."""
        return self.of_criteria(self.measures.of_moves(before, after.game, after.columns, after.move))
