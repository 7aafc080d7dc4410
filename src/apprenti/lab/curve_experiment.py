"""Experiments about learning curves: several runs of each configuration, point by point (thesis, figure 2.4)."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from apprenti.lab.experiments import Experiment
from apprenti.lab.training_experiment import Trained, train_row
from apprenti.views.numbers import number

LATE = 10
"""The end of a curve is its last points, so many."""

HEADINGS = [
    "run", "there", "runs × iterations × games", "first", "lowest of the next 10", "mean curve's peak (iteration)",
    "mean curve's end", "best run's peak", "fresh games: mean, worst … best run",
]  # fmt: skip


@dataclass
class Curves:
    """One configuration and its runs."""

    experiment: Experiment
    row: dict[str, Any]
    trained: list[Trained] = field(default_factory=list)

    def train(self, repeat: int, seed: int, short: bool, workers: int, folder: Path) -> None:
        """Train once more, or take up the run that is there."""
        self.trained.append(train_row(self.experiment, self.row, repeat, seed, short, workers, folder))

    @property
    def means(self) -> list[list[float]]:
        """For each run the mean score of each iteration."""
        return [[row["mean"] for row in one.run.metrics()] for one in self.trained]

    @property
    def tested(self) -> list[float]:
        """For each run the mean score of its agent on fresh games."""
        return [one.evaluation.summary(self.experiment.data["unit"]).mean for one in self.trained]

    def numbers(self) -> dict[str, Any]:
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
            **self.numbers(),
            "seconds": [one.run.metrics()[-1]["seconds"] for one in self.trained],
            "curves": self.means,
            "tests": [one.evaluation.to_json() for one in self.trained],
        }

    def line(self) -> list[str]:
        """A line of the table."""
        found, tested = self.numbers(), self.tested
        config = self.trained[0].run.about()["config"]
        return [
            self.row["name"],
            self.row.get("there", "-"),
            f"{len(tested)} × {config['iterations']} × {config['games']}",
            number(found["first"]),
            number(found["lowest_of_the_next_10"]),
            f"**{number(found['peak'])}** ({found['peak_iteration']})",
            number(found["end"]),
            number(found["best_peak"]),
            f"{number(float(np.mean(tested)))}, {number(min(tested))} … {number(max(tested))}",
        ]
