"""Figures: histograms with box plots, comparisons with intervals, curves. The only file that knows matplotlib."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from apprenti.core.errors import BadOption
from apprenti.store.files import replacing
from apprenti.views.metrics import CURVES

if TYPE_CHECKING:
    from apprenti.arena.ratings import Rating
    from apprenti.arena.statistics import Summary

INK, ACCENT, SOFT = "#22313f", "#c0392b", "#5d8aa8"
FORMATS = (".png", ".svg", ".pdf")


def check_path(path: Path) -> Path:
    """Refuse a picture that cannot be written, before the work and not after it."""
    if path.suffix not in FORMATS:
        raise BadOption(f"a picture is written as {', '.join(FORMATS)}, and {path.name} has another ending.")
    return path


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {"axes.spines.top": False, "axes.spines.right": False, "figure.dpi": 120, "svg.hashsalt": "apprenti"}
    )
    return plt


def save(figure: Any, path: Path) -> None:
    """Write a figure, whole or not at all."""
    check_path(path)
    with replacing(path) as temporary:
        figure.savefig(temporary, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)
    _pyplot().close(figure)


def histogram(scores: Sequence[float], summary: "Summary", title: str, unit: str, path: Path) -> None:
    """The report's figure: histogram with mean and deviation, box plot below."""
    plt = _pyplot()
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, height_ratios=(5, 1))
    top.hist(scores, bins=min(40, max(5, len(scores) // 4)), color=SOFT, edgecolor="white")
    raw = float(np.mean(scores))
    top.axvline(raw, color=ACCENT, label=f"mean {raw:,.0f}")
    low, high = max(min(scores), raw - summary.deviation), raw + summary.deviation
    top.axvspan(low, high, color=ACCENT, alpha=0.1, label=f"± deviation {summary.deviation:,.0f}")
    top.set_ylabel("games")
    top.set_title(fill(title, 90), fontsize=9)
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
    plt = _pyplot()
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
    axes.set_title(fill(title, 90), fontsize=9)
    save(figure, path)


def by_size(means: Mapping[tuple[int, int], float], title: str, path: Path) -> None:
    """Mean scores by columns and rows, on a logarithmic scale (the thesis' figure 1.2)."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(8, 5))
    widths = sorted({width for width, _ in means})
    for width in widths:
        points = sorted((height, mean) for (w, height), mean in means.items() if w == width)
        shade = plt.cm.viridis((width - widths[0]) / max(1, widths[-1] - widths[0]) * 0.9)
        axes.plot(*zip(*points, strict=True), "o-", markersize=3, color=shade, label=f"{width} columns")
    axes.set_yscale("log")
    axes.set_xlabel("rows")
    axes.set_ylabel("mean lines a game")
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False, fontsize=8)
    save(figure, path)


def learning_curve(rows: Sequence[Mapping[str, Any]], title: str, path: Path) -> None:
    """Best, mean and tested scores, or whatever else the method measures, by generation."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(8, 4.5))
    for name, colour in CURVES.items():
        points = [(row["generation"], row[name]) for row in rows if name in row]
        if points:
            axes.plot(
                *zip(*points, strict=True),
                color=colour,
                label=name.replace("_", " "),
                marker="o" if len(points) < 2 else None,
            )
    top = max((row.get("best", 0.0) for row in rows), default=0.0)
    axes.set_yscale("symlog", linthresh=10) if top > 1000 else None
    axes.set_xlabel("generation")
    axes.set_ylabel("score a game")
    axes.set_title(title, fontsize=10)
    if axes.get_lines():  # a method may measure nothing that is shown here
        axes.legend(frameon=False)
    save(figure, path)


def training_curves(curves: Mapping[str, Sequence[Sequence[Mapping[str, Any]]]], title: str, path: Path) -> None:
    """The curves of several runs: tested score where there is one, else the best; repeats share a colour."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(8, 5))
    for number, (name, runs) in enumerate(curves.items()):
        for repeat, rows in enumerate(runs):
            key = "test" if rows and "test" in rows[-1] else "best"
            points = [(row["generation"], max(row[key], 0.1)) for row in rows if key in row]
            colour = plt.cm.tab10(number % 10)
            axes.plot(*zip(*points, strict=True), color=colour, alpha=0.8, label=name if repeat == 0 else None)
    axes.set_yscale("log")
    axes.set_xlabel("generation")
    axes.set_ylabel("score a game")
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False, fontsize=8)
    save(figure, path)


def ladder(strengths: Mapping[str, "Rating"], title: str, path: Path) -> None:
    """Elo with its 95 % interval, the strongest on top."""
    names = sorted(strengths, key=lambda name: strengths[name].elo)
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(7, 1 + 0.4 * len(names)))
    elo, errors = [strengths[name].elo for name in names], [1.96 * strengths[name].error for name in names]
    axes.errorbar(elo, range(len(names)), xerr=errors, fmt="o", color=INK, ecolor=SOFT, capsize=3)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("Elo")
    axes.set_title(fill(title, 90), fontsize=9)
    axes.grid(axis="x", alpha=0.3)
    save(figure, path)


def layouts(shares: Any, names: Sequence[str], points: Sequence[int], title: str, path: Path) -> None:
    """How often each type of piece is set up where: a small board for each type, the front row on top.

    `shares`: (types, slots); `points`: for each slot its place on the half board, 5 · row + column.
    """
    plt = _pyplot()
    figure, axes = plt.subplots(3, 4, figsize=(8, 7))
    for kind, (box, name) in enumerate(zip(axes.flat, names, strict=True)):
        board = np.full(30, np.nan)
        board[list(points)] = shares[kind]
        box.imshow(board.reshape(6, 5), vmin=0, vmax=max(1e-9, float(shares[kind].max())), cmap="magma_r")
        box.set_title(f"{name}, at most {shares[kind].max():.0%}", fontsize=8)
        box.set_xticks([])
        box.set_yticks([])
    figure.suptitle(fill(title, 90), fontsize=10)
    save(figure, path)
