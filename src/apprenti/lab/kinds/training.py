"""Runs of a learner, with repeats, and fresh games with what each has learned."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from apprenti.lab.kinds.kind import Kind, Report, markdown
from apprenti.lab.kinds.trained import Trained, train_row
from apprenti.views.numbers import number
from apprenti.views.plots import training_curves


def spread_of(trained: list[Trained], unit: str) -> tuple[float, float, float]:
    """The mean over the repeats, and the worst and the best of them."""
    means = [one.evaluation.summary(unit).mean for one in trained]
    return float(np.mean(means)), min(means), max(means)


class Training(Kind):
    """A `[[run]]` for each configuration."""

    needs = ("unit", "test_games", "run.name")
    found: list[list[Trained]]

    @property
    def repeats(self) -> int:
        """Runs of each configuration."""
        return 1 if self.settings.short else int(self.data.get("repeats", 1))

    def run(self, report: Report) -> Iterator[None]:
        """Train and test every configuration, as often as it is to be repeated."""
        rows = self.data["run"]
        for done, row in enumerate(rows):
            self.found.append([])
            for repeat in range(self.repeats):
                said = f"{row['name']}, {repeat + 1} of {self.repeats}"
                report((done + repeat / self.repeats) / len(rows), said)
                self.found[-1].append(train_row(self.experiment, row, repeat, self.settings, self.folder))
                yield

    def numbers(self) -> list[dict[str, Any]]:
        """Every run."""
        return [one.to_json() for trained in self.found for one in trained]

    def table(self) -> str:
        """A line for each configuration."""
        spread = "95 % interval" if self.repeats == 1 else "worst … best run"
        headings = ["run", "there", "tests", "measured on fresh games", spread, "time of a run"]
        return markdown(headings, [self._cells(trained) for trained in self.found])

    def _cells(self, trained: list[Trained]) -> list[str]:
        unit, repeats, first = self.data["unit"], len(trained), trained[0]
        seconds = sum(one.run.metrics()[-1]["seconds"] for one in trained) / repeats
        mean, *spread = spread_of(trained, unit)
        low, high = first.evaluation.summary(unit).ci95 if repeats == 1 else spread
        return [
            first.label, first.there, f"{repeats} × {first.evaluation.games}", f"**{number(mean, 3)}** {unit}",
            f"{number(low, 3)} … {number(high, 3)}", f"{seconds:.1f} s",
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        """The curves of all runs."""
        curves = {trained[0].label: [one.run.metrics() for one in trained] for trained in self.found}
        training_curves(curves, self.experiment.title, path)
