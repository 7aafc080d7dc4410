"""The LuJunQi report's plan for its hyper-parameters: one option changed at a time, and what the actor then reaches."""

from dataclasses import dataclass
from pathlib import Path

from apprenti.arena.ratings import wilson
from apprenti.lab.kinds.kind import Found
from apprenti.lab.kinds.runs import RunPlan, RunRow, RunsFile, TrainingKind, learner_of
from apprenti.learn.learner import Diverged
from apprenti.store.runs import Run
from apprenti.views.plots import strengths


@dataclass(frozen=True, kw_only=True)
class File(RunsFile):
    """A `[[run]]` for each choice of options."""

    method: str = "actor-critic"
    tests: int
    """Games against the random player."""
    repeats: int = 1
    """Runs of each choice; each has a seed of its own."""


class Rates(TrainingKind[File]):
    """A line for each choice of options."""

    File = File
    headings = ("options", "games", "time", "moves a game", "flags taken", "points against random (95 % interval)")

    def repeats(self, row: RunRow) -> int:
        """Runs of a choice."""
        return self.plan.repeats

    def test(self, row: RunRow) -> int:
        """Games against the random player."""
        return 4 if self.settings.short else self.plan.tests

    def learn(self, row: RunRow, plan: RunPlan) -> Found:
        """Learn with these options, then meet the random player."""
        try:
            return self.measure(row, plan.trained(self.root))
        except Diverged:  # the plan goes up to rates at which this is to be expected
            return self.rated(row, Run(plan.folder(self.root)), None)

    def measure(self, row: RunRow, run: Run) -> Found:
        """The share of the points against the random player."""
        return self.rated(row, run, learner_of(run).test(self.test(row)))

    def rated(self, row: RunRow, run: Run, share: float | None) -> Found:
        """What a choice has come to; no share where the weights grew beyond all bounds."""
        last = (run.metrics() or [{"games": 0, "seconds": 0.0, "length": 0.0, "flags": 0.0}])[-1]
        tests = self.test(row)
        interval = None if share is None else wilson(share * tests, tests)
        told = {name: last[name] for name in ("games", "seconds", "length", "flags")}
        name = row.name if self.plan.repeats == 1 else f"{row.name}, seed {run.about()['config']['seed']}"
        return {"name": name, **told, "tests": tests, "share": share, "ci95": interval}

    def cells(self, found: Found) -> list[str]:
        """The line of a choice."""
        if found["share"] is None:
            reached = "the weights grew beyond all bounds"
        else:
            low, high = found["ci95"]
            reached = f"**{found['share']:.1%}** ({low:.1%} … {high:.1%})"
        return [
            found["name"], str(found["games"]), f"{found['seconds']:.0f} s", f"{found['length']:.0f}",
            f"{found['flags']:.0%}", reached,
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        """The points of each choice."""
        strengths({one["name"]: {"random": one["share"] or 0.0} for one in self.found}, self.experiment.title, path)
