"""Learning curves: of one run, of several, and of many runs of each configuration."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from apprenti.views.numbers import CURVES
from apprenti.views.plots.style import (
    FEW,
    INK,
    boxed,
    entitle,
    legend,
    log_scale,
    logarithmic,
    of_curve,
    plain,
    pyplot,
    save,
    whole,
)  # fmt: skip

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Runs = Sequence[Sequence[float]]
"""The curve of each run."""


def learning_curve(rows: Sequence[Mapping[str, float]], title: str, path: Path) -> None:
    """Best, mean and tested scores, or whatever else the method measures, by generation."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 4.5))
    for index, (name, colour) in enumerate(CURVES.items()):
        points = [(row["generation"], row[name]) for row in rows if name in row]
        if points:
            style = {**of_curve(index, len(points)), "color": colour}
            axes.plot(*zip(*points, strict=True), label=name.replace("_", " "), **style)
    top = max((row.get("best", 0.0) for row in rows), default=0.0)
    axes.set_yscale("symlog", linthresh=10) if top > 1000 else None
    plain(axes.yaxis)
    whole(axes.xaxis)
    axes.set_xlabel("generation")
    axes.set_ylabel("score a game")
    entitle(axes, title)
    legend(axes)
    save(figure, path)


def evolution(
    rows: Sequence[Mapping[str, float]], parameters: Mapping[str, object], unit: str, title: str, path: Path
) -> None:
    """The report's figure: maximum and average of every generation, and the parameters in a box."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for index, (name, said) in enumerate((("best", "maximum"), ("mean", "average"))):
        points = [(row["generation"], row[name]) for row in rows]
        axes.plot(*zip(*points, strict=True), label=said, **of_curve(index, len(points)))
    axes.set_ylim(bottom=0)
    plain(axes.yaxis)
    whole(axes.xaxis)
    axes.set_xlabel("generation")
    axes.set_ylabel(f"{unit} a game")
    entitle(axes, title)
    legend(axes)
    boxed(axes, [f"{name}: {value}" for name, value in parameters.items()])
    save(figure, path)


def training_curves(curves: Mapping[str, Sequence[Sequence[Mapping[str, float]]]], title: str, path: Path) -> None:
    """The curves of several runs: tested score where there is one, else the best; repeats share a colour."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 5))
    for number, (name, runs) in enumerate(curves.items()):
        for repeat, rows in enumerate(runs):
            key = "test" if rows and "test" in rows[-1] else "best"
            points = [(row["generation"], max(row[key], 0.1)) for row in rows if key in row]
            style = of_curve(number, len(points))
            axes.plot(*zip(*points, strict=True), alpha=0.8, label=name if repeat == 0 else None, **style)
    log_scale(axes, "generation", "score a game", title)
    save(figure, path)


def curve_panels(
    curves: Mapping[str, Runs], published: Mapping[str, Runs], title: str, path: Path, log: bool = False
) -> None:
    """A panel for each configuration, with its runs and their mean, and one with all the means (thesis, figure 2.4).

    Published runs are drawn in grey, and their mean is dashed.
    """
    plt = pyplot()
    count = len(curves) + 1
    columns = 2 if count == 4 else min(3, count)
    rows = -(-count // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(4.2 * columns, 3 * rows), squeeze=False, sharex=True)
    panels = list(grid.flat)
    means = panels[len(curves)]
    for panel, (number, (name, runs)) in zip(panels, enumerate(curves.items()), strict=False):
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


def _runs(panel: "Axes", runs: Runs, colour: Any, of_mean: dict[str, Any], label: str) -> Sequence[float]:
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
