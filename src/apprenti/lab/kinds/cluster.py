"""A model of a cluster: what a generation of candidates takes on many cores, by the length of a task.

One driver hands out tasks one after another, each costs it a moment, and each core plays one task at a time. Lengths of
games are exponential. What a task costs was measured (`apprenti bench --cluster local:2`).
"""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadOption
from apprenti.lab.kinds.kind import Finding, Kind, Part
from apprenti.views.numbers import apart
from apprenti.views.plots.style import pyplot, save


@dataclass(frozen=True, kw_only=True)
class Generation:
    """A number of candidates, their games, and the mean seconds of one."""

    name: str
    candidates: int
    games: int
    game_seconds: float

    def __post_init__(self) -> None:
        if min(self.candidates, self.games, self.game_seconds) <= 0:
            raise BadOption("a generation has candidates, games and game_seconds above 0.")


@dataclass(frozen=True, kw_only=True)
class File:
    """What was measured, and a `[[row]]` for each generation."""

    row: tuple[Generation, ...]
    cores: tuple[int, ...]
    task_seconds: tuple[float, ...]
    """Lengths of a task to try, the shortest first."""
    driver_ms: float
    """What the driver needs for a task."""
    trip_ms: float
    """What a core waits for its next task."""

    def __post_init__(self) -> None:
        if not self.cores or not self.task_seconds or min(*self.cores, 1) < 1 or min(self.task_seconds) <= 0:
            raise BadOption("cores and task_seconds are lists of numbers above 0.")


def makespan(tasks: Iterable[float], cores: int, driver: float, trip: float) -> float:
    """Seconds until the last task is done, if they are handed out in their order to the core that is free first."""
    free, now, end = [0.0] * cores, 0.0, 0.0
    for length in tasks:
        now = max(now, free[0]) + driver
        done = now + trip + length
        heapq.heapreplace(free, done)
        end = max(end, done)
    return end


def lengths(row: Generation, task: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Seconds of each task: as many games as make up its length, at least one."""
    games = row.candidates * row.games
    each = max(1, round(task / row.game_seconds))
    sizes = np.full(-(-games // each), each)
    sizes[-1] = games - each * (len(sizes) - 1)
    return rng.gamma(sizes, row.game_seconds)


class Cluster(Kind[File]):
    """A line for each generation and number of cores."""

    File = File
    headings = ("generation", "cores", "games", "best task", "it takes", "cores at work", "with tasks of a second")
    pictures = ("png", "svg")

    def divide(self) -> list[Part]:
        rows, numbers = self.settings.first(self.plan.row), self.settings.first(self.plan.cores)
        return [self._part(row, cores) for row in rows for cores in numbers]

    def _part(self, row: Generation, cores: int) -> Part:
        key = {**asdict(self.plan), "row": asdict(row), "cores": cores}
        return Part(f"{row.name}, {cores} cores", key, partial(self._work, row, cores))

    def _work(self, row: Generation, cores: int) -> Finding:
        points = [self._point(row, cores, task) for task in self.plan.task_seconds]
        return {"row": row.name, "cores": cores, "games": row.candidates * row.games, "points": points}

    def _point(self, row: Generation, cores: int, task: float) -> Finding:
        rng = np.random.Generator(np.random.PCG64(self.settings.seed))
        tasks = lengths(row, task, rng)
        seconds = makespan(tasks, cores, self.plan.driver_ms / 1000, self.plan.trip_ms / 1000)
        return {"task": task, "seconds": seconds, "share": float(tasks.sum() / (cores * seconds))}

    def cells(self, finding: Finding) -> list[str]:
        points = finding["points"]
        best = min(points, key=lambda point: point["seconds"])
        usual = min(points, key=lambda point: abs(point["task"] - 1))
        return [
            finding["row"], apart(finding["cores"]), apart(finding["games"]),
            f"{best['task']:g} s", f"**{best['seconds']:.1f} s**", f"{best['share']:.0%}",
            f"{usual['seconds']:.1f} s, {usual['share']:.0%}",
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        panels: dict[str, dict[int, list[tuple[float, float]]]] = {}
        for finding in self.findings:
            points = [(point["task"], point["share"]) for point in finding["points"]]
            panels.setdefault(finding["row"], {})[finding["cores"]] = points
        cores_at_work(panels, self.experiment.title, path)


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
