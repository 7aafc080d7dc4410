"""Learning curves of several runs of each configuration: all of them, their means, and where these are highest.

As in the thesis, figures 2.4 and 3.1; with published curves drawn into the same panels where a file has them.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from apprenti.lab.kinds.kind import Found, grouped, markdown
from apprenti.lab.kinds.training import File, Row, Training, tested
from apprenti.views.numbers import number
from apprenti.views.plots import curve_panels

LATE = 10
"""The last points of a curve, which are its end."""


@dataclass(frozen=True, kw_only=True)
class CurvesRow(Row):
    """A configuration."""

    published: tuple[tuple[float, ...], ...] = ()
    """The curves of the authors' own runs, where they printed numbers."""


@dataclass(frozen=True, kw_only=True)
class CurvesFile(File):
    """A `[[run]]` for each configuration."""

    run: tuple[CurvesRow, ...]
    logarithmic: bool = False
    """Whether scores are drawn on a logarithmic scale."""


def means_of(runs: list[Found]) -> list[list[float]]:
    """For each run the mean score of each iteration: of the games of its player, or of those that test it."""
    return [[one.get("test", one["mean"]) for one in run["curve"]] for run in runs]


def end_of(curves: Sequence[Sequence[float]]) -> str:
    """The mean of the last points of some runs, and its 95 % interval by Student's law, as runs differ."""
    ends = [float(np.mean(curve[-LATE:])) for curve in curves]
    mean = float(np.mean(ends))
    if len(ends) < 2:
        return number(mean)
    from scipy.stats import t

    half = float(t.ppf(0.975, len(ends) - 1)) * float(np.std(ends, ddof=1)) / math.sqrt(len(ends))
    return f"{number(mean)} ({number(max(0.0, mean - half))} … {number(mean + half)})"


def read_off(runs: list[Found], unit: str) -> Found:
    """The numbers of a configuration, and all the curves."""
    means = means_of(runs)
    curve = np.mean(means, axis=0)
    return {
        "name": runs[0]["name"],
        "there": runs[0]["there"],
        "config": runs[0]["config"],
        "first": float(curve[0]),
        "lowest_of_the_next_10": float(curve[1:11].min()),
        "peak": float(curve.max()),
        "peak_iteration": int(curve.argmax()) + 1,
        "end": float(curve[-LATE:].mean()),
        "best_peak": float(np.max(means)),
        "tested": [tested(run, unit).mean for run in runs],
        "seconds": [run["seconds"] for run in runs],
        "curves": means,
        "tests": [run["test"] for run in runs],
    }


class Curves(Training):
    """The same runs as those of `training`, and another look at them."""

    File: ClassVar[type[Any]] = CurvesFile
    headings = (
        "run", "there", "runs × iterations × games", "first", "lowest of the next 10", "mean curve's peak (iteration)",
        "last ten points (95 % interval)", "the same of their runs", "best run's peak",
        "fresh games: mean, worst … best run",
    )  # fmt: skip
    pictures = ("png", "svg")

    def row_key(self, row: Any) -> Found:
        return {name: value for name, value in asdict(row).items() if name != "published"}

    @property
    def published(self) -> dict[str, tuple[tuple[float, ...], ...]]:
        """The authors' curves by the names of the runs."""
        rows: Sequence[Any] = self.plan.run
        return {row.name: row.published for row in rows if row.published}

    def numbers(self) -> list[Found]:
        return [read_off(runs, self.plan.unit) for runs in grouped(self.found, "name")]

    def table(self) -> str:
        return markdown(self.headings, [self.cells(one) for one in self.numbers()])

    def cells(self, found: Found) -> list[str]:
        tests, config, theirs = found["tested"], found["config"], self.published.get(found["name"])
        games = config.get("episodes") or config["test_games"]
        return [
            found["name"], found["there"], f"{len(tests)} × {config['iterations']} × {games}",
            number(found["first"]), number(found["lowest_of_the_next_10"]),
            f"**{number(found['peak'])}** ({found['peak_iteration']})", end_of(found["curves"]),
            f"{end_of(theirs)}, {len(theirs)} runs" if theirs else "-",
            number(found["best_peak"]), f"{number(float(np.mean(tests)))}, {number(min(tests))} … {number(max(tests))}",
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        panels = {runs[0]["name"]: means_of(runs) for runs in grouped(self.found, "name")}
        plan: Any = self.plan
        curve_panels(panels, self.published, self.experiment.title, path, plan.logarithmic)
