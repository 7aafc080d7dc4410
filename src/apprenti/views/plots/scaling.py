"""How well many cores are used."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from apprenti.views.plots.style import pyplot, save

Points = Sequence[tuple[float, float]]
"""Seconds of a task, and the share of the time that the cores are at work."""


def cores_at_work(panels: Mapping[str, Mapping[int, Points]], title: str, path: Path) -> None:
    """A panel for each kind of work, a line for each number of cores."""
    plt = pyplot()
    figure, row = plt.subplots(1, len(panels), figsize=(5 * len(panels), 4), sharey=True, squeeze=False)
    for axes, (name, lines) in zip(row[0], panels.items(), strict=True):
        shades = plt.get_cmap("viridis")
        for number, (cores, points) in enumerate(lines.items()):
            tasks, shares = zip(*points, strict=True)
            axes.plot(tasks, shares, "o-", ms=3, color=shades(number / len(lines)), label=f"{cores} cores")
        axes.set_xscale("log")
        axes.set_xlabel("seconds of a task")
        axes.set_title(name, fontsize=9)
    row[0][0].set_ylim(0, 1.02)
    row[0][0].set_ylabel("share of the time that the cores play")
    row[0][-1].legend(frameon=False, fontsize=8)
    figure.suptitle(title, fontsize=10)
    save(figure, path)
