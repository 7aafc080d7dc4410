"""The LuJunQi report's plan for its hyper-parameters: one option changed at a time, and what the actor then reaches."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from apprenti.arena.statistics import wilson
from apprenti.lab.kinds.kind import Finding, grouped, markdown
from apprenti.lab.kinds.runs import RunPlan, RunRow, RunsFile, TrainingKind, learner_of
from apprenti.learn.learner import Diverged
from apprenti.store.runs import Run
from apprenti.views.plots.style import ACCENT, INK, entitle, entitle_figure, pyplot, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAIRS = {
    "α: actor (rows) and critic": ("learning_rate_actor", "learning_rate_critic"),
    "λ: actor (rows) and critic": ("lam_actor", "lam_critic"),
}
"""Options of which the picture shows every pair that was tried."""


@dataclass(frozen=True, kw_only=True)
class File(RunsFile):
    """A `[[run]]` for each choice of options."""

    method: str = "actor-critic"
    tests: int
    """Games against the random player."""
    repeats: int = 1
    """Runs of each choice; each has a seed of its own."""


class Rates(TrainingKind[File]):
    """A line for each choice of options: all its seeds together, and each of them."""

    File = File
    headings = (
        "options", "seeds × games", "moves a game", "flags taken", "points against random", "95 % (Wilson)",
        "each seed", "lost by the quiet limit",
    )  # fmt: skip

    def repeats(self, row: RunRow) -> int:
        return self.plan.repeats

    def test(self, row: RunRow) -> int:
        return 4 if self.settings.short else self.plan.tests

    def learn(self, row: RunRow, plan: RunPlan) -> Finding:
        try:
            return self.measure(row, plan.trained(self.root))
        except Diverged:  # the plan goes up to rates at which this is to be expected
            return self.rated(row, Run(plan.folder(self.root)))

    def measure(self, row: RunRow, run: Run) -> Finding:
        games = learner_of(run).test_games(self.test(row))
        lost = sum(one.quiet and not one.points for one in games)
        return {**self.rated(row, run), "points": sum(one.points for one in games), "quiet": lost}

    def rated(self, row: RunRow, run: Run) -> Finding:
        """What is known of a run; it has no points where the weights grew beyond all bounds."""
        last = (run.metrics() or [{"games": 0, "seconds": 0.0, "length": 0.0, "flags": 0.0}])[-1]
        metrics = {name: last[name] for name in ("games", "seconds", "length", "flags")}
        return {"name": row.name, "config": run.about()["config"], **metrics, "tests": self.test(row), "points": None}

    def table(self) -> str:
        return markdown(self.headings, [self._line(runs) for runs in grouped(self.findings, "name")])

    def _line(self, runs: list[Finding]) -> list[str]:
        whole = [one for one in runs if one["points"] is not None]
        means = [
            f"{sum(one[name] for one in runs) / len(runs):{form}}"
            for name, form in (("length", ".0f"), ("flags", ".0%"))
        ]
        begins = [runs[0]["name"], f"{len(runs)} × {max(one['games'] for one in runs)}", *means]
        if not whole:
            return [*begins, "the weights grew beyond all bounds", "-", "-", "-"]
        tests = sum(one["tests"] for one in whole)
        share, low, high = _share(whole)
        each = [f"{one['points'] / one['tests']:.0%}" if one["points"] is not None else "diverged" for one in runs]
        quiet = sum(one["quiet"] for one in whole) / tests
        return [*begins, f"**{share:.1%}**", f"{100 * low:.1f} … {100 * high:.1f}", ", ".join(each), f"{quiet:.0%}"]

    def draw(self, path: Path) -> None:
        rows = {runs[0]["name"]: _share(runs) for runs in self._measured()}
        usual = self.run_of(RunRow(name="usual"), 0).config
        squares = {title: self._square(pair, vars(usual)) for title, pair in PAIRS.items()}
        choices(rows, {title: one for title, one in squares.items() if len(one) > 1}, self.experiment.title, path)

    def _measured(self) -> list[list[Finding]]:
        """The runs of each choice whose weights did not grow beyond all bounds."""
        whole = [one for one in self.findings if one["points"] is not None]
        return grouped(whole, "name")

    def _square(self, pair: tuple[str, str], usual: Finding) -> dict[tuple[float, float], float]:
        """The share of the points by the values of two options, where nothing else differs from what is usual."""
        same = [name for name in usual if name not in (*pair, "seed", "workers")]
        square: dict[tuple[float, float], float] = {}
        for runs in self._measured():
            config = runs[0]["config"]
            if all(_plain(config[name]) == _plain(usual[name]) for name in same):
                square[config[pair[0]], config[pair[1]]] = _share(runs)[0]
        return square


def _plain(value: object) -> object:
    """Options as they are stored."""
    return list(value) if isinstance(value, tuple) else value


def _share(runs: list[Finding]) -> tuple[float, float, float]:
    """The share of the points of all runs together, with its interval."""
    tests, points = sum(one["tests"] for one in runs), sum(one["points"] for one in runs)
    return points / tests, *wilson(points, tests)


Square = Mapping[tuple[float, float], float]


def choices(
    rows: Mapping[str, tuple[float, float, float]], squares: Mapping[str, Square], title: str, path: Path
) -> None:
    """Shares of the points with their intervals, and shares by two options at a time."""
    plt = pyplot()
    height = 1.5 + 0.25 * len(rows) + (4 if squares else 0)
    figure = plt.figure(figsize=(9, height), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=[4, height - 4]) if squares else (None, figure)
    if above is not None:
        panels = above.subplots(1, len(squares), squeeze=False)[0]
        for axes, (name, square) in zip(panels, squares.items(), strict=True):
            _square(axes, square, name)
    axes = below.subplots()
    places = range(len(rows))
    for place, (share, low, high) in zip(places, rows.values(), strict=True):
        axes.plot([100 * low, 100 * high], [place, place], color=INK, linewidth=1)
        axes.plot([100 * share], [place], "o", color=ACCENT, markersize=4)
    axes.axvline(50, color=INK, linewidth=0.5, linestyle=":")
    axes.set_yticks(places, list(rows), fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel("% of the points against a random player, with 95 % intervals")
    entitle_figure(figure, title)
    save(figure, path)


def _square(axes: "Axes", square: Square, title: str) -> None:
    """Shares by the values of two options."""
    rows, columns = (sorted({pair[side] for pair in square}) for side in (0, 1))
    grid = np.full((len(rows), len(columns)), np.nan)
    for (row, column), share in square.items():
        grid[rows.index(row), columns.index(column)] = 100 * share
    axes.imshow(grid, cmap="Blues", vmin=20, vmax=110, aspect="auto")
    for (row, column), share in np.ndenumerate(grid):
        if not np.isnan(share):
            axes.text(column, row, f"{share:.0f}", ha="center", va="center", fontsize=7)
    axes.set_xticks(range(len(columns)), [f"{value:g}" for value in columns], fontsize=7, rotation=60)
    axes.set_yticks(range(len(rows)), [f"{value:g}" for value in rows], fontsize=7)
    entitle(axes, f"{title}, % of the points")
