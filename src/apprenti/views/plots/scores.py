"""Scores of agents: the games of one with their box plot, the means of many, their ratings and shares of the points."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from apprenti.views.numbers import interval, number
from apprenti.views.plots.style import (
    ACCENT,
    INK,
    SOFT,
    entitle,
    legend,
    logarithmic,
    of_curve,
    plain,
    pyplot,
    save,
    whole,
)  # fmt: skip

if TYPE_CHECKING:
    from apprenti.arena.statistics import Rating, Summary


def histogram(scores: Sequence[float], summary: "Summary", title: str, unit: str, path: Path) -> None:
    """The report's figure: histogram with mean and deviation, box plot below."""
    plt = pyplot()
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, height_ratios=(5, 1))
    top.set_zorder(1)  # its legend lies between the two
    top.hist(scores, bins=min(40, max(5, len(scores) // 4)), color=SOFT, edgecolor=INK, linewidth=0.5)
    raw = float(np.mean(scores))
    top.axvline(raw, color=ACCENT, linewidth=2, label=f"mean {number(raw)}")
    low, high = max(min(scores), raw - summary.deviation), raw + summary.deviation
    top.axvspan(low, high, color=ACCENT, alpha=0.12, label=f"± deviation {number(summary.deviation)}")
    top.set_ylabel("games")
    whole(top.yaxis)
    entitle(top, title)
    top.legend(frameon=False, fontsize=8, ncols=2, loc="lower right", bbox_to_anchor=(1.0, -0.14), borderpad=0)
    names = ("whislo", "q1", "med", "q3", "whishi")
    box, middle = dict(zip(names, summary.five, strict=True)), {"color": ACCENT, "linewidth": 2}
    bottom.bxp(
        [box],
        orientation="horizontal",
        widths=0.6,
        showfliers=False,
        boxprops={"color": INK},
        medianprops=middle,
    )
    bottom.set_yticks([])
    plain(bottom.xaxis)
    five = zip(("min", "Q1", "median", "Q3", "max"), summary.five, strict=True)
    words = f"{unit} a game: " + " · ".join(f"{name} {number(value)}" for name, value in five)
    bottom.set_xlabel(words + _estimate(summary), fontsize=9)
    save(figure, path)


def _estimate(summary: "Summary") -> str:
    """What whole games are estimated to score, on a line of its own, where some were cut short."""
    if not summary.is_cut:
        return ""
    cut = f"{summary.games - summary.deaths} of {summary.games} games were cut"
    bounds = interval(summary.estimated_ci95)
    return f"\n{cut}; estimated whole game: {number(summary.estimated_mean)}, 95 % interval {bounds}"


def comparison(summaries: Mapping[str, "Summary"], unit: str, title: str, path: Path) -> None:
    """Means with their intervals, one agent a row, on a logarithmic scale."""
    plt = pyplot()
    names = list(summaries)[::-1]
    figure, axes = plt.subplots(figsize=(8, 1.4 + 0.45 * len(names)))
    bars = [bar for summary in summaries.values() for bar in _bars(summary)]
    finite = [x for _, bounds, _, _ in bars for x in bounds if 0 < x < float("inf")] or [1.0]
    left, right = min(finite) / 2, max(finite) * 3
    for row, name in enumerate(names):
        for shift, bounds, words, colour in _bars(summaries[name]):
            place = row + shift
            mean, low, high = (min(max(x, left), right) for x in bounds)
            axes.plot([low, high], [place, place], color=SOFT, linewidth=6 if not shift else 4, solid_capstyle="butt")
            axes.plot(mean, place, "|", color=colour, markersize=14, markeredgewidth=2)
            axes.annotate(words, (mean, place), (6, 7), textcoords="offset points", fontsize=8)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.6, len(names) - 0.2)
    axes.set_xlim(left, right)
    logarithmic(axes, "x")
    axes.set_xlim(left, right)
    axes.set_xlabel(f"{unit} a game, mean and 95 % interval")
    entitle(axes, title)
    save(figure, path)


Bar = tuple[float, tuple[float, float, float], str, str]
"""How far below its row it is drawn, mean and bounds, what is written beside it, and the colour of the mean."""


def _bars(summary: "Summary") -> list[Bar]:
    """The mean of what was played; below it the estimated whole game, if some were cut short."""
    played: Bar = (0.0, (summary.mean, *summary.ci95), number(summary.mean), ACCENT)
    if not summary.is_cut:
        return [played]
    words = f"{number(summary.estimated_mean)}, estimated whole game" if summary.deaths else "no game ended"
    return [played, (-0.35, (summary.estimated_mean, *summary.estimated_ci95), words, INK)]


def dots(rows: Mapping[str, Mapping[str, float]], unit: str, title: str, path: Path) -> None:
    """A number for each row and each of a few choices, on a logarithmic scale; a choice has a mark of its own."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 1.4 + 0.3 * len(rows)))
    names = list(rows)[::-1]
    for index, choice in enumerate(next(iter(rows.values()), {})):
        points = [(rows[name][choice], row) for row, name in enumerate(names) if rows[name].get(choice, 0) > 0]
        style = {**of_curve(index), "linestyle": "none", "markersize": 7}
        axes.plot(*zip(*points, strict=True), label=choice, **style) if points else None
    axes.set_yticks(range(len(names)), names)
    axes.grid(axis="y", alpha=0.3)
    logarithmic(axes, "x")
    axes.set_xlabel(unit)
    entitle(axes, title)
    legend(axes)
    save(figure, path)


def ladder(strengths: Mapping[str, "Rating"], title: str, path: Path) -> None:
    """Elo with its 95 % interval, the strongest on top."""
    names = sorted(strengths, key=lambda name: strengths[name].elo)
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 1 + 0.4 * len(names)))
    elo, errors = [strengths[name].elo for name in names], [strengths[name].half for name in names]
    axes.errorbar(elo, range(len(names)), xerr=errors, fmt="o", color=INK, ecolor=SOFT, capsize=3)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("Elo and its 95 % interval")
    plain(axes.xaxis)
    entitle(axes, title)
    axes.grid(axis="x", alpha=0.3)
    save(figure, path)


def strengths(shares: Mapping[str, Mapping[str, float]], title: str, path: Path) -> None:
    """Shares of the points, a group of bars for each row."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 1.5 + 0.5 * len(shares)))
    names = list(next(iter(shares.values())))
    for place, (name, colour) in enumerate(zip(names, (SOFT, INK, ACCENT), strict=False)):
        places = [row + (place - 1) * 0.25 for row in range(len(shares))]
        axes.barh(places, [row[name] for row in shares.values()], 0.22, color=colour, label=name)
    axes.set_yticks(range(len(shares)), list(shares))
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the points: a win 1, a draw a half")
    entitle(axes, title)
    legend(axes)
    save(figure, path)
