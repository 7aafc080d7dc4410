"""Q-tables of small games: how large they are, how many games by them last, and what the first of them knows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.arena.ratings import wilson
from apprenti.lab.agents import find
from apprenti.lab.effort import Effort
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.kinds.kind import Kind, Report, markdown
from apprenti.lab.kinds.trained import config_of, runs_folder, trained_run
from apprenti.lab.train import build_learner
from apprenti.store.runs import Run
from apprenti.views.numbers import number
from apprenti.views.plots import cells_known


@dataclass(frozen=True)
class Tabled:
    """One run of an experiment, and the fresh games played by its table."""

    row: dict[str, Any]
    run: Run
    evaluation: Evaluation

    @property
    def last(self) -> dict[str, Any]:
        """What was said of the last generation."""
        return self.run.metrics()[-1]

    @property
    def lasted(self) -> int:
        """Games that were still going on at their last piece."""
        return self.evaluation.games - self.evaluation.deaths

    @property
    def share(self) -> tuple[float, float, float]:
        """The part of the games that lasted, and its interval (Wilson)."""
        games = self.evaluation.games
        return self.lasted / games, *wilson(self.lasted, games)

    def to_json(self) -> dict[str, Any]:
        """Everything that belongs beside the score."""
        return {
            "name": self.row["name"],
            "config": self.run.about()["config"],
            "seconds": self.last["seconds"],
            "states": self.last["states"],
            "moves": self.last["moves"],
            "lasted": self.share,
            "test": self.evaluation.to_json(),
        }

    def cells(self) -> list[str]:
        """The line of the table."""
        summary, (share, low, high) = self.evaluation.summary("lines"), self.share
        return [
            self.row["name"], f"{self.last['games']:,}", f"{self.last['states']:,}", f"{self.last['seconds']:.1f} s",
            f"{self.lasted} of {summary.games}", f"**{share:.0%}** ({low:.0%} … {high:.0%})",
            f"{number(summary.mean, 3)} ({number(summary.ci95[0], 3)} … {number(summary.ci95[1], 3)})",
            self.row.get("there", "-"),
        ]  # fmt: skip


def cells_of(run: Run) -> NDArray[np.float64]:
    """How often each cell was full in the states that were met."""
    about, checkpoint = run.about(), run.load()
    learner: Any = build_learner(about["method"], about["config"])
    if checkpoint:
        learner.restore(checkpoint.state)
    cells: NDArray[np.float64] = learner.cells()
    return cells


class Tables(Kind):
    """A `[[run]]` for each table."""

    needs = ("method", "test_games", "test_pieces", "run.name")
    found: list[Tabled]

    @property
    def pieces(self) -> int:
        """After which a test is over."""
        return 200 if self.settings.short else int(self.data["test_pieces"])

    def run(self, report: Report) -> Iterator[None]:
        """Fill every table and play by it."""
        rows = self.settings.first(self.data["run"])
        for done, row in enumerate(rows):
            report(done / len(rows), row["name"])
            self.found.append(self.fill(row, f"table-{done}"))
            yield

    def fill(self, row: dict[str, Any], name: str) -> Tabled:
        """Learn a row's table, or take the one that is there, and play fresh games by it."""
        config, settings = config_of(self.experiment, row, self.settings), self.settings
        run = trained_run(self.data["method"], config, name, runs_folder(self.folder, settings))
        known = find(str(run.agent_path))
        games = 4 if settings.short else row.get("test_games", self.data["test_games"])
        rules = known.rules.changed(max_pieces=self.pieces)
        effort = Effort(games, 1000 + settings.seed, settings.workers)
        return Tabled(row, run, evaluate(replace(known, name=row["name"]), rules, effort))

    def table(self) -> str:
        """A line for each table."""
        headings = [
            "game", "episodes", "states known", "time", f"games that reach {self.pieces:,} pieces",
            "share (95 % interval)", "lines a game (95 % interval)", "there",
        ]  # fmt: skip
        return markdown(headings, [one.cells() for one in self.found])

    def draw(self, path: Path) -> None:
        """What the first table knows of each cell."""
        first = self.found[0]
        cells_known(cells_of(first.run), f"{self.experiment.title}: {first.row['name']}", path)
