"""Where an army is set up, as a picture."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

import numpy as np
from numpy.typing import NDArray

from apprenti.views.plots.style import pyplot, save


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
