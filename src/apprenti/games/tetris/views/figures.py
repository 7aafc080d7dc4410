"""Figures that explain Tetris and its learners: a drop, parents and children, a network, the cells that are known."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from apprenti.views.plots.style import (
    ACCENT,
    COLOURS,
    INK,
    SOFT,
    entitle,
    entitle_figure,
    plain,
    pyplot,
    save,
    whole,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Rectangle

LETTERS = {
    "I": "#56b4e9", "O": "#f0e442", "T": "#cc79a7", "S": "#009e73", "Z": "#d55e00", "J": "#0072b2", "L": "#e69f00",
}  # fmt: skip
"""Colours of pieces; the letter stands in each cell, too."""
OTHER, EMPTY = "#999999", "."


@dataclass(frozen=True)
class Step:
    """A board as rows of letters, the lowest first; rows that are marked, and words for it."""

    words: str
    rows: Sequence[str]
    marked: Sequence[int] = ()
    shadow: Sequence[tuple[int, int]] = ()
    """Cells where something will come to rest."""


def board_steps(steps: Sequence[Step], title: str, path: Path) -> None:
    """A board for each step."""
    plt = pyplot()
    rows, columns = max(len(step.rows) for step in steps), len(steps[0].rows[0])
    size = (len(steps) * (0.26 * columns + 0.5), 0.26 * rows + 1.2)
    figure, grid = plt.subplots(1, len(steps), figsize=size, squeeze=False)
    for axes, step in zip(grid[0], steps, strict=True):
        _board(axes, step, plt.Rectangle)
        axes.set_xlim(-0.6, columns + 0.1)
        axes.set_ylim(-0.1, rows + 0.1)
        axes.set_aspect("equal")
        axes.set_xticks([column + 0.5 for column in range(columns)], [str(c) for c in range(columns)], fontsize=6)
        axes.set_yticks([row + 0.5 for row in range(rows)], [str(row) for row in range(rows)], fontsize=6)
        axes.tick_params(length=0)
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.set_title(step.words, fontsize=8)
    entitle_figure(figure, title)
    save(figure, path)


def _board(axes: "Axes", step: Step, square: "type[Rectangle]") -> None:
    for row, letters in enumerate(step.rows):
        for column, letter in enumerate(letters):
            colour = "white" if letter == EMPTY else LETTERS.get(letter, OTHER)
            axes.add_patch(square((column, row), 1, 1, facecolor=colour, edgecolor="#bbbbbb", linewidth=0.5))
            if letter != EMPTY:
                axes.text(column + 0.5, row + 0.5, letter, ha="center", va="center", fontsize=6, color=INK)
    for row, column in step.shadow:
        axes.add_patch(square((column, row), 1, 1, fill=False, edgecolor=INK, linewidth=1, hatch="///"))
    for row in step.marked:
        axes.add_patch(square((0, row), len(step.rows[0]), 1, fill=False, edgecolor=ACCENT, linewidth=2.5))
        axes.annotate("", (-0.05, row + 0.5), (-0.6, row + 0.5), arrowprops={"arrowstyle": "->", "color": ACCENT})


FIRST, SECOND, CHANGED = COLOURS[6], COLOURS[5], COLOURS[1]
"""Of the mother's genes, of the father's, and of those that mutated."""


def roulette(fitness: Sequence[float], drawn: Sequence[float], chosen: Sequence[int], title: str, path: Path) -> None:
    """A wheel whose sectors are as wide as the fitness is great, and where the ball has stopped (from 0 to 1)."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(5.5, 5.5))
    shares = np.array(fitness) / sum(fitness)
    colours = [(SOFT, "white")[index % 2] if index not in chosen else CHANGED for index in range(len(fitness))]
    labels = [f"{index + 1}: {share:.0%}" for index, share in enumerate(shares)]
    edge = {"edgecolor": INK, "linewidth": 0.8}
    axes.pie(shares, labels=labels, colors=colours, startangle=90, counterclock=False, wedgeprops=edge,
             textprops={"fontsize": 8})  # fmt: skip
    for ball in drawn:
        angle = np.pi / 2 - 2 * np.pi * ball
        axes.annotate("", (0.97 * np.cos(angle), 0.97 * np.sin(angle)), (0, 0),
                      arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 2})  # fmt: skip
    axes.text(0, -1.3, "numbers drawn: " + ", ".join(f"{ball:.3f}" for ball in drawn), ha="center", fontsize=9)
    entitle(axes, title)
    save(figure, path)


def tournament(
    fitness: Sequence[float], entered: Sequence[int], won: Sequence[int], unit: str, title: str, path: Path
) -> None:
    """The fitness of all; those drawn at random, and the two best of these."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 4))
    kinds = (("not drawn", "white", ""), ("drawn", SOFT, "//"), ("parents", CHANGED, ""))
    for kind, (name, colour, hatch) in enumerate(kinds):
        who = [index for index in range(len(fitness)) if (index in entered) + (index in won) == kind]
        bars = [fitness[index] for index in who]
        places = [index + 1 for index in who]
        axes.bar(places, bars, color=colour, edgecolor=INK, linewidth=0.8, hatch=hatch, label=name)
    axes.set_xlabel("individual")
    axes.set_ylabel(f"fitness: {unit} a game")
    whole(axes.xaxis)
    plain(axes.yaxis)
    entitle(axes, title)
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.16))
    save(figure, path)


Row = tuple[str, Sequence[Sequence[str]], Sequence[Sequence[str]]]
"""What it is, the texts of its cells and their colours, component by component."""


def genes(rows: Sequence[Row], names: Sequence[str], notes: Sequence[str], title: str, path: Path) -> None:
    """Vectors one below the other, a box for each gene; `notes` stand at the end of the rows."""
    plt = pyplot()
    widths = [len(component) for component in rows[0][1]]
    figure, axes = plt.subplots(figsize=(3.4 + 0.27 * sum(widths) + 0.3 * len(widths), 0.9 + 0.5 * len(rows)))
    for down, (name, cells, colours) in enumerate(rows):
        axes.text(-0.4, -down + 0.5, name, ha="right", va="center", fontsize=9)
        left = 0.0
        for texts, inks in zip(cells, colours, strict=True):
            left = _component(axes, left, -down, texts, inks, plt.Rectangle)
        axes.text(left, -down + 0.5, notes[down], va="center", fontsize=8)
    left = 0.0
    for name, width in zip(names, widths, strict=True):
        size = _size(rows[0][1][names.index(name)])
        axes.text(left + width * size / 2, 1.35, name, ha="center", fontsize=8)
        left += width * size + 0.8
    axes.set_xlim(-4.5, left + 6)
    axes.set_ylim(-len(rows) + 0.7, 1.8)
    axes.axis("off")
    entitle_figure(figure, title)
    save(figure, path)


def _size(texts: Sequence[str]) -> float:
    """How wide a box has to be."""
    return max(1.0, 0.55 * max(map(len, texts)))


def _component(
    axes: "Axes", left: float, low: float, texts: Sequence[str], inks: Sequence[str], square: "type[Rectangle]"
) -> float:
    """The boxes of one component; where the next one begins."""
    size = _size(texts)
    for text, ink in zip(texts, inks, strict=True):
        axes.add_patch(square((left, low + 0.08), size, 0.84, facecolor=ink, edgecolor=INK, linewidth=0.8))
        axes.text(left + size / 2, low + 0.5, text, ha="center", va="center", fontsize=8)
        left += size
    return left + 0.8


POSITIVE, NEGATIVE = COLOURS[0], COLOURS[1]


@dataclass(frozen=True)
class Layer:
    """The number of units, what they are, and the weights that lead to them: (units before, units), or None."""

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


def cells_known(cells: NDArray[np.float64], title: str, path: Path, differences: int | None = None) -> None:
    """How well each cell is known, in levels of grey: how often it was full in the states met (the report's figure).

    Where states are differences of neighbouring heights, up to a bound, a row is a difference and a column a pair.
    """
    plt = pyplot()
    rows, columns = cells.shape
    figure, axes = plt.subplots(figsize=(1.2 + 0.45 * columns, 1.2 + 0.45 * rows))
    share = cells / max(1.0, float(cells.max()))
    axes.imshow(share, cmap="Greys", origin="lower", vmin=0.0, vmax=1.0)
    for row in range(rows):
        for column in range(columns):
            shade = "white" if share[row, column] > 0.5 else INK
            words = f"{100 * share[row, column]:.0f}"
            axes.text(column, row, words, ha="center", va="center", fontsize=7, color=shade)
    axes.set_xticks(range(columns), [str(column + 1) for column in range(columns)])
    axes.set_yticks(range(rows), [str(row + 1 if differences is None else row - differences) for row in range(rows)])
    axes.set_xlabel("column" if differences is None else "column, and its right neighbour")
    axes.set_ylabel("row" if differences is None else "difference of their heights")
    axes.set_title(fill(f"{title} (100: the cell met most often)", 60), fontsize=9)
    save(figure, path)
