"""A network: its layers, and its weights as lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from apprenti.views.plots.style import COLOURS, INK, entitle, pyplot, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POSITIVE, NEGATIVE = COLOURS[0], COLOURS[1]


@dataclass(frozen=True)
class Layer:
    """So many units, what they are, and the weights that lead to them: (units before, units), or None."""

    units: int
    words: str
    weights: NDArray[np.generic] | None = None
    names: Sequence[str] = ()
    """Of the units, where they have names."""


def network(layers: Sequence[Layer], title: str, path: Path) -> None:
    """Layers from left to right. A line is as wide as its weight is great: full above 0, dashed below."""
    plt = pyplot()
    tallest = max(layer.units for layer in layers)
    figure, axes = plt.subplots(figsize=(2.2 * len(layers) + 1.5, max(3.5, 0.16 * tallest + 1.5)))
    before: list[float] = []
    letters = 8 if tallest < 20 else 12  # the figure is larger, too
    for place, layer in enumerate(layers):
        heights = _heights(layer.units, tallest)
        if layer.weights is not None:
            _lines(axes, place, before, heights, layer.weights)
        elif place:
            axes.annotate("", (place - 0.12, tallest / 2), (place - 0.88, tallest / 2),
                          arrowprops={"arrowstyle": "->", "color": INK, "linewidth": 1.5})  # fmt: skip
        axes.scatter([place] * layer.units, heights, s=28, color="white", edgecolor=INK, zorder=3)
        for height, name in zip(heights, layer.names, strict=False):
            axes.text(place - 0.06, height, name, ha="right", va="center", fontsize=8)
        axes.text(place, -0.03 * tallest - 0.4, layer.words, ha="center", va="top", fontsize=letters)
        before = heights
    for words, colour, style in (("weight above 0", POSITIVE, "-"), ("weight below 0", NEGATIVE, "--")):
        axes.plot([], [], color=colour, linestyle=style, label=words)
    axes.legend(frameon=False, fontsize=letters, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.04))
    axes.set_xlim(-0.9 if layers[0].names else -0.3, len(layers) - 0.7)
    axes.axis("off")
    entitle(axes, title)
    save(figure, path)


def _heights(units: int, tallest: int) -> list[float]:
    """Where the units of a layer are, in the middle of the tallest layer."""
    step = tallest / units if units > 1 else 0.0
    middle = (tallest - 1) / 2
    return [middle + (unit - (units - 1) / 2) * step for unit in reversed(range(units))]


def _lines(axes: "Axes", place: int, before: list[float], heights: list[float], weights: NDArray[np.generic]) -> None:
    """The weights between two layers, as parts of the greatest of them; the least are left out."""
    parts = weights.astype(np.float64) / max(1e-12, float(np.abs(weights).max()))
    for (i, j), part in np.ndenumerate(parts):
        if abs(part) >= 0.05:
            colour, line = (POSITIVE, "-") if part > 0 else (NEGATIVE, "--")
            width, ends = 2.5 * abs(float(part)), [before[i], heights[j]]
            axes.plot([place - 1, place], ends, line, color=colour, linewidth=width, alpha=0.6, zorder=1)
