"""Learning curves of several runs of each configuration: all of them, their means, and where these are highest.

As in the thesis, figure 2.4.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from apprenti.lab.kinds.kind import Kind, Report
from apprenti.lab.kinds.trained import Trained, train_row
from apprenti.views.numbers import number
from apprenti.views.plots import curve_panels

LATE = 10
"""The end of a curve is its last points, so many."""


@dataclass
class Repeated:
    """One configuration and its runs."""

    row: dict[str, Any]
    unit: str
    """Of the scores on fresh games."""
    trained: list[Trained] = field(default_factory=list)

    @property
    def means(self) -> list[list[float]]:
        """For each run the mean score of each iteration."""
        return [[row["mean"] for row in one.run.metrics()] for one in self.trained]

    @property
    def tested(self) -> list[float]:
        """For each run the mean score of its agent on fresh games."""
        return [one.evaluation.summary(self.unit).mean for one in self.trained]

    def read_off(self) -> dict[str, Any]:
        """What can be read off the curves."""
        means = self.means
        curve = np.mean(means, axis=0)
        return {
            "first": float(curve[0]),
            "lowest_of_the_next_10": float(curve[1:11].min()),
            "peak": float(curve.max()),
            "peak_iteration": int(curve.argmax()) + 1,
            "end": float(curve[-LATE:].mean()),
            "best_peak": float(np.max(means)),
            "tested": self.tested,
        }

    def to_json(self) -> dict[str, Any]:
        """The numbers and all the curves."""
        return {
            "name": self.row["name"],
            "there": self.row.get("there", "-"),
            "config": self.trained[0].run.about()["config"],
            **self.read_off(),
            "seconds": [one.run.metrics()[-1]["seconds"] for one in self.trained],
            "curves": self.means,
            "tests": [one.evaluation.to_json() for one in self.trained],
        }

    def cells(self) -> list[str]:
        """The line of the table."""
        found, tested = self.read_off(), self.tested
        config = self.trained[0].run.about()["config"]
        return [
            self.row["name"],
            self.row.get("there", "-"),
            f"{len(tested)} × {config['iterations']} × {config.get('episodes') or config['test_games']}",
            number(found["first"]),
            number(found["lowest_of_the_next_10"]),
            f"**{number(found['peak'])}** ({found['peak_iteration']})",
            number(found["end"]),
            number(found["best_peak"]),
            f"{number(float(np.mean(tested)))}, {number(min(tested))} … {number(max(tested))}",
        ]


class Curves(Kind):
    """A `[[run]]` for each configuration."""

    needs = ("unit", "test_games", "run.name")
    headings = (
        "run", "there", "runs × iterations × games", "first", "lowest of the next 10", "mean curve's peak (iteration)",
        "mean curve's end", "best run's peak", "fresh games: mean, worst … best run",
    )  # fmt: skip
    pictures = ("png", "svg")
    found: list[Repeated]

    def run(self, report: Report) -> Iterator[None]:
        """Train and test every configuration, as often as it is to be repeated."""
        rows = self.settings.first(self.data["run"])
        for done, row in enumerate(rows):
            part = Repeated(row, self.data["unit"])
            self.found.append(part)
            repeats = 1 if self.settings.short else row.get("repeats") or self.data.get("repeats", 1)
            for repeat in range(repeats):
                report((done + repeat / repeats) / len(rows), f"{row['name']}, {repeat + 1} of {repeats}")
                part.trained.append(train_row(self.experiment, row, repeat, self.settings, self.folder))
                yield

    def draw(self, path: Path) -> None:
        """A panel for each configuration, and one for the means."""
        curve_panels({part.row["name"]: part.means for part in self.found}, self.experiment.title, path)
