"""Boards side by side: what happens to one, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from apprenti.views.plots.style import ACCENT, INK, entitle_figure, pyplot, save

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
    """A board as rows of letters, the lowest first; rows that are marked, and what is said of it."""

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
