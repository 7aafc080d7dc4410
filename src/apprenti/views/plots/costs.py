"""What moves cost, added up."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from apprenti.views.plots.style import ACCENT, entitle, logarithmic, plain, pyplot, save


def losses(each: Sequence[float], title: str, path: Path) -> None:
    """What the most expensive moves cost a game, one after the other and together."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 4))
    axes.plot(range(1, len(each) + 1), np.cumsum(each), color=ACCENT)
    logarithmic(axes, "x")
    axes.set_ylim(bottom=0)
    plain(axes.yaxis)
    axes.set_xlabel("different moves, the most expensive first")
    axes.set_ylabel("lines lost a game, altogether")
    entitle(axes, title)
    save(figure, path)
