"""Runs of a learner, with repeats, and fresh games with what each has learned: in numbers, as curves, in columns."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from apprenti.arena.statistics import Summary, from_json
from apprenti.core.data import JsonData
from apprenti.core.plugins import GAMES
from apprenti.lab.kinds.fields import rules_of
from apprenti.lab.kinds.kind import Finding, grouped, markdown
from apprenti.lab.kinds.runs import RunPlan, RunRow, RunsFile, TrainingKind
from apprenti.lab.kinds.scores import saying_what_is_estimated
from apprenti.lab.runs import weights_of
from apprenti.learn.methods import learner_class
from apprenti.store.runs import Run
from apprenti.views.numbers import interval, number
from apprenti.views.plots import curve_panels, learning_curve, training_curves

LATE = 10
"""The last points of a curve, which are its end."""


@dataclass(frozen=True, kw_only=True)
class Row(RunRow):
    """A configuration."""

    repeats: int = 0
    """How often, if not as often as the others."""
    published: tuple[tuple[float, ...], ...] = ()
    """The curves of the authors' own runs, where they printed numbers."""


@dataclass(frozen=True, kw_only=True)
class File(RunsFile):
    """A `[[run]]` for each configuration."""

    run: tuple[Row, ...]
    unit: str
    """What is counted on fresh games."""
    test_games: int
    test_rules: JsonData = field(default_factory=dict)
    """Rules of the fresh games, where they are not those of the learner."""
    rare: bool = False
    """Fresh games hardly ever end: by splitting, to 5 %."""
    repeats: int = 1
    weights: bool = False
    """Whether the table has a column for each weight, divided by the norm of all."""
    logarithmic: bool = False
    """Whether the scores of curves are drawn on a logarithmic scale."""


def tested(finding: Finding, unit: str) -> Summary:
    """What a run has made of its fresh games, with the mean of whole ones."""
    return from_json(finding["test"]["statistics"][unit]).whole


class Training(TrainingKind[File]):
    """A line for each configuration."""

    File = File

    def repeats(self, row: Row) -> int:
        return 1 if self.settings.short else row.repeats or self.plan.repeats

    def row_key(self, row: Row) -> Finding:
        return {name: value for name, value in asdict(row).items() if name != "published"}

    def test(self, row: Row) -> Finding:
        rare = {"rare": True} if self.plan.rare else {}
        return {"games": self.plan.test_games, "rules": self.plan.test_rules, **rare}

    def run_of(self, row: RunRow, number: int, repeat: int = 0) -> RunPlan:
        run = super().run_of(row, number, repeat)
        game = GAMES.load(learner_class(run.method).game or run.config.game)
        rules_of(game, None, self.plan.test_rules, f"test_rules of {self.where}")
        return run

    def measure(self, row: Row, run: Run) -> Finding:
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
        column = "measured on fresh games"
        headings = ["run", "there", "tests", column, spread, "time of a run", *self._weights]
        summaries = [tested(run, self.plan.unit) for run in self.findings]
        headings = saying_what_is_estimated(headings, summaries, column)
        return markdown(headings, [self._line(runs) for runs in grouped(self.findings, "name")])

    def _line(self, runs: list[Finding]) -> list[str]:
        unit, first, summaries = self.plan.unit, runs[0], [tested(run, self.plan.unit) for run in runs]
        means = [summary.mean for summary in summaries]
        bounds = summaries[0].ci95 if len(runs) == 1 else (min(means), max(means))
        return [
            first["name"], first["there"], f"{len(runs)} × {summaries[0].games}",
            f"**{number(float(np.mean(means)), 3)}** {unit}", interval(bounds),
            f"{np.mean([run['seconds'] for run in runs]):.1f} s", *self._spreads(runs),
        ]  # fmt: skip

    @property
    def _weights(self) -> list[str]:
        """The criteria, if their weights are shown."""
        return list(self.findings[0]["weights"]) if self.plan.weights else []

    def _spreads(self, runs: list[Finding]) -> list[str]:
        """The least and the greatest weight of each criterion, over the runs."""
        vectors = np.array([[run["weights"][name] for name in self._weights] for run in runs])
        vectors = vectors / np.maximum(1e-12, np.linalg.norm(vectors, axis=1, keepdims=True))
        return [f"{low:.3f} … {high:.3f}" for low, high in zip(vectors.min(axis=0), vectors.max(axis=0), strict=True)]

    def draw(self, path: Path) -> None:
        curves = {runs[0]["name"]: [run["curve"] for run in runs] for runs in grouped(self.findings, "name")}
        training_curves(curves, self.experiment.title, path)


def means_of(runs: list[Finding]) -> list[list[float]]:
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
    return f"{number(mean)} ({interval((max(0.0, mean - half), mean + half), 4)})"


def read_off(runs: list[Finding], unit: str) -> Finding:
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
    """Point by point: all runs of a configuration, their mean, and where this is highest, beside published curves.

    As in the thesis, figures 2.4 and 3.1.
    """

    headings = (
        "run", "there", "runs × iterations × games", "first", "lowest of the next 10", "mean curve's peak (iteration)",
        "last ten points (95 % interval)", "the same of their runs", "best run's peak",
        "fresh games: mean, worst … best run",
    )  # fmt: skip
    pictures = ("png", "svg")

    @property
    def published(self) -> dict[str, tuple[tuple[float, ...], ...]]:
        """The authors' curves by the names of the runs."""
        return {row.name: row.published for row in self.plan.run if row.published}

    def numbers(self) -> list[Finding]:
        return [read_off(runs, self.plan.unit) for runs in grouped(self.findings, "name")]

    def table(self) -> str:
        return markdown(self.headings, [self.cells(one) for one in self.numbers()])

    def cells(self, finding: Finding) -> list[str]:
        tests, config, theirs = finding["tested"], finding["config"], self.published.get(finding["name"])
        games = config.get("episodes") or config["test_games"]
        return [
            finding["name"], finding["there"], f"{len(tests)} × {config['iterations']} × {games}",
            number(finding["first"]), number(finding["lowest_of_the_next_10"]),
            f"**{number(finding['peak'])}** ({finding['peak_iteration']})", end_of(finding["curves"]),
            f"{end_of(theirs)}, {len(theirs)} runs" if theirs else "-", number(finding["best_peak"]),
            f"{number(float(np.mean(tests)))}, {interval((min(tests), max(tests)), 4)}",
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        panels = {runs[0]["name"]: means_of(runs) for runs in grouped(self.findings, "name")}
        curve_panels(panels, self.published, self.experiment.title, path, self.plan.logarithmic)


@dataclass(frozen=True, kw_only=True)
class ColumnsFile(RunsFile):
    """A `[[run]]` for each configuration."""

    columns: tuple[str, ...]
    """The metrics that are shown."""


def cell(name: str, value: float) -> str:
    """A metric as people read it; what is reached against somebody is a share."""
    return f"{value:.0%}" if name.startswith("against_") else number(value)


class Columns(TrainingKind[ColumnsFile]):
    """Some metrics of the learners: a line for each step of each run that has them all."""

    File = ColumnsFile

    def measure(self, row: RunRow, run: Run) -> Finding:
        return {"name": row.name, "config": run.about()["config"], "metrics": run.metrics()}

    def shown(self, finding: Finding) -> list[Finding]:
        """The steps that have them all."""
        return [one for one in finding["metrics"] if all(name in one for name in self.plan.columns)]

    def table(self) -> str:
        names = self.plan.columns
        lines = [
            [run["name"], *(cell(name, one[name]) for name in names)]
            for run in self.findings
            for one in self.shown(run)
        ]
        return markdown(("run", *(name.replace("_", " ") for name in names)), lines)

    def draw(self, path: Path) -> None:
        learning_curve(self.shown(self.findings[0]), self.experiment.title, path)
