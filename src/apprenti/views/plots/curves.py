"""Learning curves: of one run, of several, and of many runs of each configuration."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from apprenti.views.metrics import CURVES
from apprenti.views.plots.style import INK, log_scale, pyplot, save


def learning_curve(rows: Sequence[Mapping[str, Any]], title: str, path: Path) -> None:
    """Best, mean and tested scores, or whatever else the method measures, by generation."""
    plt = pyplot()
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
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 5))
    for number, (name, runs) in enumerate(curves.items()):
        for repeat, rows in enumerate(runs):
            key = "test" if rows and "test" in rows[-1] else "best"
            points = [(row["generation"], max(row[key], 0.1)) for row in rows if key in row]
            colour = plt.cm.tab10(number % 10)
            axes.plot(*zip(*points, strict=True), color=colour, alpha=0.8, label=name if repeat == 0 else None)
    log_scale(axes, "generation", "score a game", title)
    save(figure, path)


def curve_panels(curves: Mapping[str, Sequence[Sequence[float]]], title: str, path: Path) -> None:
    """A panel for each configuration, with its runs and their mean, and one with all the means (thesis, figure 2.4)."""
    plt = pyplot()
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
