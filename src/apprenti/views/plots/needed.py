"""How many games each configuration needed to come somewhere, and to stay there."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from apprenti.views.plots.style import ACCENT, INK, SOFT, entitle, pyplot, save


def games_needed(rows: Sequence[tuple[str, Sequence[int], Sequence[int]]], seeds: int, title: str, path: Path) -> None:
    """Games that each configuration needed: a ring where its seeds came there first, a dot where they stayed.

    A row is a name, the games of the seeds that came there at some time, and of those that stayed. Ring and dot are
    medians, a line goes from the fastest to the slowest seed that stayed.
    """
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 1.4 + 0.24 * len(rows)))
    for number, (_, came, stayed) in enumerate(reversed(rows)):
        colour = SOFT if len(stayed) == seeds else ACCENT
        if came:
            axes.plot(np.median(came), number, "o", color=INK, markerfacecolor="none", markersize=5)
        if stayed:
            axes.plot([min(stayed), max(stayed)], [number, number], color=colour, linewidth=3, alpha=0.5)
            axes.plot(np.median(stayed), number, "o", color=colour, markersize=5)
        axes.annotate(
            f"{len(stayed)} of {seeds}", (1.01, number), xycoords=("axes fraction", "data"), fontsize=7,
            va="center", color=colour,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), [name for name, _, _ in reversed(rows)], fontsize=7)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xscale("log")
    ticks = [n * 10**power for power in range(2, 7) for n in (1, 2, 5)]
    axes.set_xlim(500, 600_000)
    axes.set_xticks(ticks, [f"{tick:,}".replace(",", " ") for tick in ticks], fontsize=7, rotation=30)
    axes.set_xlim(500, 600_000)
    axes.minorticks_off()
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("games until no opponent could win: for the first time (ring), until the end (dot)", fontsize=8)
    entitle(axes, title)
    save(figure, path)
