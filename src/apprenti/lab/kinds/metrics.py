"""What learners say of themselves on the way: some of their metrics, at every step that has all of these."""

from dataclasses import dataclass
from pathlib import Path

from apprenti.lab.kinds.kind import Found, markdown
from apprenti.lab.kinds.runs import RunRow, RunsFile, TrainingKind
from apprenti.store.runs import Run
from apprenti.views.numbers import number
from apprenti.views.plots import learning_curve


@dataclass(frozen=True, kw_only=True)
class File(RunsFile):
    """A `[[run]]` for each configuration."""

    columns: tuple[str, ...]
    """The metrics that are shown."""


def cell(name: str, value: float) -> str:
    """A metric as people read it; what is reached against somebody is a share."""
    return f"{value:.0%}" if name.startswith("against_") else number(value)


class Metrics(TrainingKind[File]):
    """A line for each of those steps of each run."""

    File = File

    def measure(self, row: RunRow, run: Run) -> Found:
        return {"name": row.name, "config": run.about()["config"], "metrics": run.metrics()}

    def shown(self, found: Found) -> list[Found]:
        """The steps that have them all."""
        return [one for one in found["metrics"] if all(name in one for name in self.plan.columns)]

    def table(self) -> str:
        names = self.plan.columns
        lines = [
            [run["name"], *(cell(name, one[name]) for name in names)] for run in self.found for one in self.shown(run)
        ]
        return markdown(("run", *(name.replace("_", " ") for name in names)), lines)

    def draw(self, path: Path) -> None:
        learning_curve(self.shown(self.found[0]), self.experiment.title, path)
