"""Scores of agents: the games of one with their box plot, the means of many with their intervals."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from apprenti.views.plots.style import ACCENT, INK, SOFT, entitle, pyplot, save

if TYPE_CHECKING:
    from apprenti.arena.statistics import Summary


def histogram(scores: Sequence[float], summary: "Summary", title: str, unit: str, path: Path) -> None:
    """The report's figure: histogram with mean and deviation, box plot below."""
    plt = pyplot()
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, height_ratios=(5, 1))
    top.hist(scores, bins=min(40, max(5, len(scores) // 4)), color=SOFT, edgecolor="white")
    raw = float(np.mean(scores))
    top.axvline(raw, color=ACCENT, label=f"mean {raw:,.0f}")
    low, high = max(min(scores), raw - summary.deviation), raw + summary.deviation
    top.axvspan(low, high, color=ACCENT, alpha=0.1, label=f"± deviation {summary.deviation:,.0f}")
    top.set_ylabel("games")
    entitle(top, title)
    top.legend(frameon=False)
    box = {"color": INK}
    bottom.boxplot(
        scores, orientation="horizontal", widths=0.6, whis=(0, 100), boxprops=box, medianprops={"color": ACCENT}
    )
    bottom.set_yticks([])
    bottom.set_xlabel(f"{unit} a game: " + " · ".join(f"{value:,.0f}" for value in summary.five))
    save(figure, path)


def comparison(summaries: Mapping[str, "Summary"], unit: str, title: str, path: Path) -> None:
    """Means with their intervals, one agent a row, on a logarithmic scale."""
    plt = pyplot()
    names = list(summaries)[::-1]
    figure, axes = plt.subplots(figsize=(8, 1.4 + 0.45 * len(names)))
    finite = [x for s in summaries.values() for x in (s.mean, *s.ci95) if 0 < x < float("inf")] or [1.0]
    left, right = min(finite) / 2, max(finite) * 3
    for row, name in enumerate(names):
        summary = summaries[name]
        mean, low, high = (min(max(x, left), right) for x in (summary.mean, *summary.ci95))
        axes.plot([low, high], [row, row], color=SOFT, linewidth=6, solid_capstyle="butt")
        axes.plot(mean, row, "|", color=ACCENT, markersize=14, markeredgewidth=2)
        shown = f"{summary.mean:,.0f}" if summary.deaths else "no game ended"
        axes.annotate(shown, (mean, row), (6, 7), textcoords="offset points", fontsize=8)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.6, len(names) - 0.2)
    axes.set_xscale("log")
    axes.set_xlim(left, right)
    axes.set_xlabel(f"{unit} a game, mean and 95 % interval")
    entitle(axes, title)
    save(figure, path)
