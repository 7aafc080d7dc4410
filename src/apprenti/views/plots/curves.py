"""Curves: any, with intervals; of one run as it learns, of several, and of many runs of each configuration."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from apprenti.core.data import JsonData
from apprenti.views.numbers import CURVES
from apprenti.views.plots.style import FEW, INK, entitle, legend, logarithmic, of_curve, plain, pyplot, save, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, ...]
"""Where it is, how high, and the bounds of its interval where it has one."""
Runs = Sequence[Sequence[float]]
"""The curve of each run."""
LEAST = 0.1
"""The lowest score that is drawn by its logarithm."""


def curves(
    named: Mapping[str, Sequence[Sequence[Point]]], x: str, y: str, title: str, path: Path,
    log: str = "", level: float | None = None, ticks: Sequence[str] = (),
) -> None:  # fmt: skip
    """Curves by name, repeats in the same colour, with bands for intervals.

    `log` names the logarithmic axes, `level` is a dotted line, `ticks` stand for 0, 1, 2 …
    """
    figure, axes = pyplot().subplots(figsize=(8, 5))
    for index, (name, repeats) in enumerate(named.items()):
        for repeat, points in enumerate(repeats):
            if points:
                places, *heights = zip(*points, strict=True)
                rows = [[max(one, LEAST) if "y" in log else one for one in row] for row in heights]
                style = of_curve(index, len(points))
                axes.plot(places, rows[0], alpha=0.8, label=None if repeat else name, **style)
                if rows[1:]:
                    axes.fill_between(places, rows[1], rows[2], color=style["color"], alpha=0.15)
    if level is not None:
        axes.axhline(level, color=INK, linewidth=0.5, linestyle=":")
    _scales(axes, log, ticks)
    _named(axes, x, y, title)
    save(figure, path)


def _scales(axes: "Axes", log: str, ticks: Sequence[str]) -> None:
    """Logarithmic axes, else whole numbers from left to right, and heights from 0 on."""
    for axis in log:
        logarithmic(axes, axis)
    if "y" not in log:
        axes.set_ylim(0, 1.03 * axes.get_ylim()[1])
        plain(axes.yaxis)
    if ticks:
        axes.set_xticks(range(len(ticks)), ticks)
    elif "x" not in log:
        whole(axes.xaxis)


def _named(axes: "Axes", x: str, y: str, title: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    entitle(axes, title)
    legend(axes)


def learning_curve(rows: Sequence[Mapping[str, float]], title: str, path: Path) -> None:
    """Best, mean and tested scores, or whatever else the method measures, by generation."""
    figure, axes = pyplot().subplots(figsize=(8, 4.5))
    for index, (name, colour) in enumerate(CURVES.items()):
        points = [(row["generation"], row[name]) for row in rows if name in row]
        if points:
            style = {**of_curve(index, len(points)), "color": colour}
            axes.plot(*zip(*points, strict=True), label=name.replace("_", " "), **style)
    top = max((row.get("best", 0.0) for row in rows), default=0.0)
    axes.set_yscale("symlog", linthresh=10) if top > 1000 else None
    plain(axes.yaxis)
    whole(axes.xaxis)
    _named(axes, "generation", "score a game", title)
    save(figure, path)


def training_curves(named: Mapping[str, Sequence[Sequence[Mapping[str, float]]]], title: str, path: Path) -> None:
    """The curves of several runs: tested score where there is one, else the best."""
    scores = {name: [_scores(rows) for rows in runs] for name, runs in named.items()}
    curves(scores, "generation", "score a game", title, path, log="y")


def _scores(rows: Sequence[Mapping[str, float]]) -> list[Point]:
    key = "test" if rows and "test" in rows[-1] else "best"
    return [(row["generation"], row[key]) for row in rows if key in row]


def curve_panels(
    ours: Mapping[str, Runs], published: Mapping[str, Runs], title: str, path: Path, log: bool = False
) -> None:
    """A panel for each configuration, with its runs and their mean, and one with all the means (thesis, figure 2.4).

    Published runs are drawn in grey, and their mean is dashed.
    """
    plt = pyplot()
    count = len(ours) + 1
    columns = 2 if count == 4 else min(3, count)
    rows = -(-count // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(4.2 * columns, 3 * rows), squeeze=False, sharex=True)
    panels = list(grid.flat)
    means = panels[len(ours)]
    for panel, (number, (name, runs)) in zip(panels, enumerate(ours.items()), strict=False):
        style = of_curve(number, FEW + 1)
        if name in published:
            _runs(panel, published[name], "#999999", {"color": "#666666", "linestyle": "--"}, "published")
        mean = _runs(panel, runs, style["color"], {"color": INK}, "mean")
        panel.set_title(f"{name} ({len(runs)} run{'s' if len(runs) > 1 else ''})", fontsize=9)
        means.plot(range(1, len(mean) + 1), mean, label=name, **style)
        if name in published:
            legend(panel, columns=1)
    means.set_title("means", fontsize=9)
    legend(means, columns=1)
    for panel in panels[count:]:
        panel.set_visible(False)
    for panel in panels[:count]:
        _scale(panel, log)
    for panel in panels[max(0, count - columns) : count]:
        panel.tick_params(labelbottom=True)  # the lowest of its column, also where there is room for one more below it
    figure.supxlabel("iteration", fontsize=9)
    figure.supylabel("lines a game", fontsize=9)
    figure.suptitle(fill(title, 110), fontsize=10)
    figure.tight_layout()
    save(figure, path)


def _runs(panel: "Axes", runs: Runs, colour: Any, of_mean: JsonData, label: str) -> Sequence[float]:
    """Some runs, thin, and their mean; that is returned."""
    for run in runs:
        panel.plot(range(1, len(run) + 1), run, color=colour, alpha=0.5, linewidth=0.6)
    shortest = min(map(len, runs))
    mean = np.mean([run[:shortest] for run in runs], axis=0)
    panel.plot(range(1, shortest + 1), mean, linewidth=1.6, label=label, **of_mean)
    return [float(point) for point in mean]


def _scale(panel: "Axes", log: bool) -> None:
    """Scores from 0 on, or by their logarithm."""
    panel.tick_params(labelsize=7)
    whole(panel.xaxis)
    if log:
        logarithmic(panel, "y")
    else:
        panel.set_ylim(bottom=0)
        plain(panel.yaxis)
