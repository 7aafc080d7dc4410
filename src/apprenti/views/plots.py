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
    from numpy.typing import NDArray

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


def parts_by_board(parts: Mapping[str, Mapping[str, float]], title: str, path: Path) -> None:
    """Board → player → the part of the optimum it reaches."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(8, 5))
    players = list(next(iter(parts.values()), {}))
    for number, player in enumerate(players):
        points = [100 * of_players[player] for of_players in parts.values()]
        axes.plot(range(len(parts)), points, "o-", markersize=3, color=plt.cm.tab20(number % 20), label=player)
    axes.set_xticks(range(len(parts)), list(parts))
    axes.set_ylabel("% of the optimum")
    axes.set_title(fill(title, 90), fontsize=9)
    axes.legend(frameon=False, fontsize=7)
    save(figure, path)


def losses(each: Sequence[float], title: str, path: Path) -> None:
    """What the most expensive moves cost a game, one after the other and together."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(8, 4))
    axes.plot(range(1, len(each) + 1), np.cumsum(each), color=ACCENT)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("different moves, the most expensive first")
    axes.set_ylabel("lines lost a game, altogether")
    axes.set_title(fill(title, 90), fontsize=9)
    save(figure, path)


def cells_known(cells: "NDArray[np.float64]", title: str, path: Path) -> None:
    """How well each cell is known, in levels of grey: how often it was full in the states met (the report's figure)."""
    plt = _pyplot()
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
    axes.set_yticks(range(rows), [str(row + 1) for row in range(rows)])
    axes.set_title(fill(f"{title} (100: the cell met most often)", 60), fontsize=9)
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


def games_needed(rows: Sequence[tuple[str, Sequence[int], Sequence[int]]], seeds: int, title: str, path: Path) -> None:
    """Games that each configuration needed: a ring where its seeds came there first, a dot where they stayed.

    A row is a name, the games of the seeds that came there at some time, and of those that stayed. Ring and dot are
    medians, a line goes from the fastest to the slowest seed that stayed.
    """
    plt = _pyplot()
    plt.rcParams["svg.fonttype"] = "none"
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
    axes.set_title(fill(title, 90), fontsize=9)
    save(figure, path)


def strengths(shares: Mapping[str, Mapping[str, float]], title: str, path: Path) -> None:
    """Shares of the points, a group of bars for each row."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(8, 1.5 + 0.5 * len(shares)))
    names = list(next(iter(shares.values())))
    for number, (name, colour) in enumerate(zip(names, (SOFT, INK, ACCENT), strict=False)):
        places = [row + (number - 1) * 0.25 for row in range(len(shares))]
        axes.barh(places, [row[name] for row in shares.values()], 0.22, color=colour, label=name)
    axes.set_yticks(range(len(shares)), list(shares))
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the points: a win 1, a draw a half")
    axes.set_title(fill(title, 90), fontsize=9)
    axes.legend(frameon=False, fontsize=8)
    save(figure, path)


def curve_panels(curves: Mapping[str, Sequence[Sequence[float]]], title: str, path: Path) -> None:
    """A panel for each configuration, with its runs and their mean, and one with all the means (thesis, figure 2.4)."""
    plt = _pyplot()
    columns = min(3, len(curves) + 1)
    rows = -(-(len(curves) + 1) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(4.2 * columns, 3 * rows), squeeze=False, sharex=True)
    panels = list(grid.flat)
    for number, (name, runs) in enumerate(curves.items()):
        colour = plt.cm.tab10(number % 10)
        shortest = min(map(len, runs))
        mean = np.mean([run[:shortest] for run in runs], axis=0)
        for run in runs:
            panels[number].plot(range(1, len(run) + 1), run, color=colour, alpha=0.4, linewidth=0.6)
        panels[number].plot(range(1, shortest + 1), mean, color=INK, linewidth=1.6)
        panels[number].set_title(f"{name} ({len(runs)} run{'s' if len(runs) > 1 else ''})", fontsize=9)
        panels[len(curves)].plot(range(1, shortest + 1), mean, color=colour, label=name)
    panels[len(curves)].set_title("means", fontsize=9)
    panels[len(curves)].legend(fontsize=7, framealpha=0.8, edgecolor="none")
    for panel in panels[len(curves) + 1 :]:
        panel.set_visible(False)
    for panel in panels[: len(curves) + 1]:
        panel.set_ylim(bottom=0)
        panel.tick_params(labelsize=7)
    figure.supxlabel("iteration", fontsize=9)
    figure.supylabel("lines a game", fontsize=9)
    figure.suptitle(fill(title, 110), fontsize=10)
    figure.tight_layout()
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
