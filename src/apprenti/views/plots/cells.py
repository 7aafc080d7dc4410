"""Boards in shades: how well each cell is known, where each piece is set up."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

import numpy as np
from numpy.typing import NDArray

from apprenti.views.plots.style import INK, pyplot, save


def cells_known(cells: NDArray[np.float64], title: str, path: Path, differences: int | None = None) -> None:
    """How well each cell is known, in levels of grey: how often it was full in the states met (the report's figure).

    Where states are differences of neighbouring heights, up to so much, a row is a difference and a column a pair.
    """
    plt = pyplot()
    rows, columns = cells.shape
    figure, axes = plt.subplots(figsize=(1.2 + 0.45 * columns, 1.2 + 0.45 * rows))
    share = cells / max(1.0, float(cells.max()))
    axes.imshow(share, cmap="Greys", origin="lower", vmin=0.0, vmax=1.0)
    for row in range(rows):
        for column in range(columns):
            shade = "white" if share[row, column] > 0.5 else INK
            said = f"{100 * share[row, column]:.0f}"
            axes.text(column, row, said, ha="center", va="center", fontsize=7, color=shade)
    axes.set_xticks(range(columns), [str(column + 1) for column in range(columns)])
    axes.set_yticks(range(rows), [str(row + 1 if differences is None else row - differences) for row in range(rows)])
    axes.set_xlabel("column" if differences is None else "column, and its right neighbour")
    axes.set_ylabel("row" if differences is None else "difference of their heights")
    axes.set_title(fill(f"{title} (100: the cell met most often)", 60), fontsize=9)
    save(figure, path)


def layouts(shares: NDArray[np.float64], names: Sequence[str], points: Sequence[int], title: str, path: Path) -> None:
    """How often each type of piece is set up where: a small board for each type, the front row on top.

    `shares`: (types, slots); `points`: for each slot its place on the half board, 5 · row + column.
    """
    plt = pyplot()
    rows = -(-len(names) // 4)
    figure, axes = plt.subplots(rows, min(4, len(names)), figsize=(2 * min(4, len(names)), 2.33 * rows))
    for kind, (box, name) in enumerate(zip(np.ravel(axes), names, strict=True)):
        board = np.full(30, np.nan)
        board[list(points)] = shares[kind]
        box.pcolormesh(board.reshape(6, 5), vmin=0, vmax=max(1e-9, float(shares[kind].max())), cmap="magma_r")
        box.set_aspect("equal")
        box.invert_yaxis()
        box.set_title(f"{name}, at most {shares[kind].max():.0%}", fontsize=8)
        box.set_xticks([])
        box.set_yticks([])
    figure.suptitle(fill(title, 90), fontsize=10)
    save(figure, path)
