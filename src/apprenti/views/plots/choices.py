"""What came of each choice of options: squares for two rates that were varied apart, a dot for every choice."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from apprenti.views.plots.style import ACCENT, INK, entitle, entitle_figure, pyplot, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Square = Mapping[tuple[float, float], float]


def choices(
    rows: Mapping[str, tuple[float, float, float]], squares: Mapping[str, Square], title: str, path: Path
) -> None:
    """Shares of the points with their intervals, and shares by two options at a time."""
    plt = pyplot()
    height = 1.5 + 0.25 * len(rows) + (4 if squares else 0)
    figure = plt.figure(figsize=(9, height), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=[4, height - 4]) if squares else (None, figure)
    if above is not None:
        panels = above.subplots(1, len(squares), squeeze=False)[0]
        for axes, (name, square) in zip(panels, squares.items(), strict=True):
            _square(axes, square, name)
    axes = below.subplots()
    places = range(len(rows))
    for place, (share, low, high) in zip(places, rows.values(), strict=True):
        axes.plot([100 * low, 100 * high], [place, place], color=INK, linewidth=1)
        axes.plot([100 * share], [place], "o", color=ACCENT, markersize=4)
    axes.axvline(50, color=INK, linewidth=0.5, linestyle=":")
    axes.set_yticks(places, list(rows), fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("% of the points against a random player, with 95 % intervals")
    entitle_figure(figure, title)
    save(figure, path)


def _square(axes: "Axes", square: Square, title: str) -> None:
    """Shares by the values of two options."""
    rows, columns = (sorted({pair[side] for pair in square}) for side in (0, 1))
    grid = np.full((len(rows), len(columns)), np.nan)
    for (row, column), share in square.items():
        grid[rows.index(row), columns.index(column)] = 100 * share
    axes.imshow(grid, cmap="Blues", vmin=20, vmax=110, aspect="auto")
    for (row, column), share in np.ndenumerate(grid):
        if not np.isnan(share):
            axes.text(column, row, f"{share:.0f}", ha="center", va="center", fontsize=7)
    axes.set_xticks(range(len(columns)), [f"{value:g}" for value in columns], fontsize=7, rotation=60)
    axes.set_yticks(range(len(rows)), [f"{value:g}" for value in rows], fontsize=7)
    entitle(axes, f"{title}, % of the points")
