"""Points between players: ratings, and shares against some opponents."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apprenti.views.plots.style import ACCENT, INK, SOFT, entitle, legend, of_curve, plain, pyplot, save

if TYPE_CHECKING:
    from apprenti.arena.statistics import Rating


def ladder(strengths: Mapping[str, "Rating"], title: str, path: Path) -> None:
    """Elo with its 95 % interval, the strongest on top."""
    names = sorted(strengths, key=lambda name: strengths[name].elo)
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 1 + 0.4 * len(names)))
    elo, errors = [strengths[name].elo for name in names], [1.96 * strengths[name].error for name in names]
    axes.errorbar(elo, range(len(names)), xerr=errors, fmt="o", color=INK, ecolor=SOFT, capsize=3)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("Elo")
    plain(axes.xaxis)
    entitle(axes, title)
    axes.grid(axis="x", alpha=0.3)
    save(figure, path)


def strengths(shares: Mapping[str, Mapping[str, float]], title: str, path: Path) -> None:
    """Shares of the points, a group of bars for each row."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 1.5 + 0.5 * len(shares)))
    names = list(next(iter(shares.values())))
    for number, (name, colour) in enumerate(zip(names, (SOFT, INK, ACCENT), strict=False)):
        places = [row + (number - 1) * 0.25 for row in range(len(shares))]
        axes.barh(places, [row[name] for row in shares.values()], 0.22, color=colour, label=name)
    axes.set_yticks(range(len(shares)), list(shares))
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the points: a win 1, a draw a half")
    entitle(axes, title)
    legend(axes)
    save(figure, path)


def practice(curves: Mapping[str, Sequence[Mapping[str, Any]]], title: str, path: Path) -> None:
    """What somebody wins who practises, by the time it has practised, with intervals."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 5))
    for number, (name, points) in enumerate(curves.items()):
        style, seconds = of_curve(number), [point["seconds"] for point in points]
        low, high = zip(*(point["ci95"] for point in points), strict=True)
        axes.plot(seconds, [100 * point["share"] for point in points], label=f"against {name}", **style)
        axes.fill_between(seconds, [100 * y for y in low], [100 * y for y in high], color=style["color"], alpha=0.15)
    axes.axhline(50, color=INK, linewidth=0.5, linestyle=":")
    axes.set_xlabel("seconds of a core")
    axes.set_ylabel("% of the points, with 95 % intervals")
    entitle(axes, title)
    legend(axes)
    save(figure, path)
