"""Runs of a learner, with repeats, and fresh games with what each has learned."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from apprenti.arena.statistics import Summary, from_json
from apprenti.core.plugins import GAMES
from apprenti.lab.kinds.fields import Options, rules_of
from apprenti.lab.kinds.kind import Found, grouped, markdown
from apprenti.lab.kinds.runs import RunPlan, RunRow, RunsFile, TrainingKind, weights_of
from apprenti.learn.methods import learner_class
from apprenti.store.runs import Run
from apprenti.views.numbers import number
from apprenti.views.plots import training_curves


@dataclass(frozen=True, kw_only=True)
class Row(RunRow):
    """A configuration."""

    repeats: int = 0
    """How often, if not as often as the others."""


@dataclass(frozen=True, kw_only=True)
class File(RunsFile):
    """A `[[run]]` for each configuration."""

    run: tuple[Row, ...]
    unit: str
    """What is counted on fresh games."""
    test_games: int
    test_rules: Options = field(default_factory=dict)
    """Rules of the fresh games, where they are not those of the learner."""
    rare: bool = False
    """Fresh games hardly ever end: by splitting, to 5 %."""
    repeats: int = 1
    weights: bool = False
    """Whether the table has a column for each weight, divided by the norm of all."""


def tested(found: Found, unit: str) -> Summary:
    """What a run has made of its fresh games."""
    return from_json(found["test"]["statistics"][unit])


class Training(TrainingKind[File]):
    """A line for each configuration."""

    File = File

    def repeats(self, row: Row) -> int:
        return 1 if self.settings.short else row.repeats or self.plan.repeats

    def test(self, row: Row) -> Found:
        return {
            "games": self.plan.test_games,
            "rules": self.plan.test_rules,
            **({"rare": True} if self.plan.rare else {}),
        }

    def run_of(self, row: RunRow, number: int, repeat: int = 0) -> RunPlan:
        run = super().run_of(row, number, repeat)
        game = GAMES.load(learner_class(run.method).game or run.config.game)
        rules_of(game, None, self.plan.test_rules, f"test_rules of {self.where}")
        return run

    def measure(self, row: Row, run: Run) -> Found:
        metrics = run.metrics()
        return {
            "name": row.name,
            "there": row.there,
            "config": run.about()["config"],
            "seconds": metrics[-1]["seconds"],
            "games": metrics[-1]["games"],
            "curve": [{name: value for name, value in one.items() if name != "spread"} for one in metrics],
            "weights": weights_of(run),
            "test": self.fresh_games(run, row.name, self.plan.test_games, self.plan.test_rules, self.plan.rare),
        }

    def table(self) -> str:
        spread = "95 % interval" if self.plan.repeats == 1 or self.settings.short else "worst … best run"
        headings = ["run", "there", "tests", "measured on fresh games", spread, "time of a run", *self._weights]
        return markdown(headings, [self._line(runs) for runs in grouped(self.found, "name")])

    def _line(self, runs: list[Found]) -> list[str]:
        unit, first, summaries = self.plan.unit, runs[0], [tested(run, self.plan.unit) for run in runs]
        means = [summary.mean for summary in summaries]
        low, high = summaries[0].ci95 if len(runs) == 1 else (min(means), max(means))
        return [
            first["name"], first["there"], f"{len(runs)} × {summaries[0].games}",
            f"**{number(float(np.mean(means)), 3)}** {unit}", f"{number(low, 3)} … {number(high, 3)}",
            f"{np.mean([run['seconds'] for run in runs]):.1f} s", *self._spreads(runs),
        ]  # fmt: skip

    @property
    def _weights(self) -> list[str]:
        """The criteria, if their weights are shown."""
        return list(self.found[0]["weights"]) if self.plan.weights else []

    def _spreads(self, runs: list[Found]) -> list[str]:
        """The least and the greatest weight of each criterion, over the runs."""
        vectors = np.array([[run["weights"][name] for name in self._weights] for run in runs])
        vectors = vectors / np.maximum(1e-12, np.linalg.norm(vectors, axis=1, keepdims=True))
        return [f"{low:.3f} … {high:.3f}" for low, high in zip(vectors.min(axis=0), vectors.max(axis=0), strict=True)]

    def draw(self, path: Path) -> None:
        curves = {runs[0]["name"]: [run["curve"] for run in runs] for runs in grouped(self.found, "name")}
        training_curves(curves, self.experiment.title, path)
