"""A multilayer perceptron in plain numpy, with its gradient: x ↦ ω·[x, 1] in each layer, ReLU between them.

Small networks that learn from one example at a time spend their time in Python and memory, not in arithmetic: here a
framework would only be slower.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Arrays
from apprenti.core.errors import BadAgent

Vector = NDArray[np.float64]


@dataclass
class Mlp:
    """The matrices [weights, bias] of each layer."""

    layers: list[Vector]

    @classmethod
    def random(cls, sizes: Sequence[int], rng: np.random.Generator, scheme: str = "he") -> "Mlp":
        """He's initialisation (variance 2 / inputs) or Xavier's (2 / (inputs + outputs)); biases 0."""
        layers = []
        for inputs, outputs in pairwise(sizes):
            variance = 2 / inputs if scheme == "he" else 2 / (inputs + outputs)
            weights = rng.standard_normal((outputs, inputs)) * np.sqrt(variance)
            layers.append(np.hstack([weights, np.zeros((outputs, 1))]))
        return cls(layers)

    @classmethod
    def from_arrays(cls, arrays: Arrays, name: str) -> "Mlp":
        """The network kept under a name; BadAgent if it is none."""
        count = sum(key.startswith(f"{name}/") for key in arrays)
        if not count or any(f"{name}/{number}" not in arrays for number in range(count)):
            raise BadAgent(f"these arrays hold no network called {name}.")
        layers = [np.array(arrays[f"{name}/{number}"], np.float64) for number in range(count)]
        if any(layer.ndim != 2 or not np.isfinite(layer).all() for layer in layers) or not all(
            a.shape[0] + 1 == b.shape[1] for a, b in pairwise(layers)
        ):
            raise BadAgent(f"the layers of the network called {name} do not fit together, or are not finite.")
        return cls(layers)

    @property
    def shape(self) -> tuple[int, int]:
        """Inputs and outputs."""
        return self.layers[0].shape[1] - 1, self.layers[-1].shape[0]

    def arrays(self, name: str) -> dict[str, Vector]:
        return {f"{name}/{number}": layer.copy() for number, layer in enumerate(self.layers)}

    def forward(self, x: Vector) -> list[Vector]:
        """The values of all layers, the inputs first; the last is the output."""
        values = [x]
        for number, layer in enumerate(self.layers):
            y = layer[:, :-1] @ values[-1] + layer[:, -1]
            values.append(np.maximum(y, 0) if number < len(self.layers) - 1 else y)
        return values

    def gradient(self, values: Sequence[Vector], back: Vector) -> list[Vector]:
        """∂(back · output)/∂ω for each layer, from what `forward` gave."""
        gradients: list[Vector] = []
        for number in range(len(self.layers) - 1, -1, -1):
            gradients.append(np.outer(back, np.append(values[number], 1.0)))
            if number:
                back = (self.layers[number][:, :-1].T @ back) * (values[number] > 0)
        return gradients[::-1]

    def add(self, scale: float, direction: Sequence[Vector]) -> None:
        """ω + scale · direction, in place."""
        for layer, change in zip(self.layers, direction, strict=True):
            layer += scale * change


def draw(chances: Vector, luck: float) -> int:
    """A place in a list of probabilities, by a number from 0 to 1."""
    edges = np.cumsum(chances)
    return min(int(np.searchsorted(edges, luck * edges[-1], side="right")), len(chances) - 1)


def softmax(logits: Vector) -> Vector:
    """Probabilities from logits."""
    shifted = np.exp(logits - logits.max())
    return np.asarray(shifted / shifted.sum())


def restricted(logits: Vector, legal: NDArray[np.int64], twice: bool = False) -> Vector:
    """The policy over the legal actions: softmax on those alone; or, `twice`, softmax of the softmax of all."""
    return softmax(softmax(logits)[legal]) if twice else softmax(logits[legal])


def log_gradient(logits: Vector, legal: NDArray[np.int64], chosen: int, twice: bool = False) -> Vector:
    """∂ ln π(chosen)/∂ logits, through the restriction; `chosen` is a place in `legal`."""
    policy = restricted(logits, legal, twice)
    inner = -policy
    inner[chosen] += 1.0
    back = np.zeros_like(logits)
    back[legal] = inner
    if not twice:
        return back
    whole = softmax(logits)
    return np.asarray(whole * (back - whole @ back))
