"""Learning curves of several runs of each configuration: all of them, their means, and where these are highest.

As in the thesis, figure 2.4.
"""

from pathlib import Path

import numpy as np

from apprenti.lab.kinds.kind import Found, grouped
from apprenti.lab.kinds.training import Training, tested
from apprenti.views.numbers import number
from apprenti.views.plots import curve_panels

LATE = 10
"""The last points of a curve, which are its end."""


def means_of(runs: list[Found]) -> list[list[float]]:
    """For each run the mean score of each iteration."""
    return [[one["mean"] for one in run["curve"]] for run in runs]


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

    headings = (
        "run", "there", "runs × iterations × games", "first", "lowest of the next 10", "mean curve's peak (iteration)",
        "mean curve's end", "best run's peak", "fresh games: mean, worst … best run",
    )  # fmt: skip
    pictures = ("png", "svg")

    def numbers(self) -> list[Found]:
        """What can be read off the curves of each configuration."""
        return [read_off(runs, self.plan.unit) for runs in grouped(self.found, "name")]

    def cells(self, found: Found) -> list[str]:
        """The line of a configuration."""
        tests, config = found["tested"], found["config"]
        games = config.get("episodes") or config["test_games"]
        return [
            found["name"], found["there"], f"{len(tests)} × {config['iterations']} × {games}",
            number(found["first"]), number(found["lowest_of_the_next_10"]),
            f"**{number(found['peak'])}** ({found['peak_iteration']})", number(found["end"]),
            number(found["best_peak"]), f"{number(float(np.mean(tests)))}, {number(min(tests))} … {number(max(tests))}",
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        """A panel for each configuration, and one for the means."""
        panels = {runs[0]["name"]: means_of(runs) for runs in grouped(self.found, "name")}
        curve_panels(panels, self.experiment.title, path)
