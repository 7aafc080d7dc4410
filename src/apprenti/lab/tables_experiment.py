"""Experiments with tables: how much of a small game is learned, how long games then last, and what the table knows."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.arena.ratings import wilson
from apprenti.lab.agents import Known, find
from apprenti.lab.evaluate import Effort, Evaluation, evaluate
from apprenti.lab.experiments import Experiment
from apprenti.lab.train import build_learner
from apprenti.lab.training_experiment import config_of, runs_folder, trained_run
from apprenti.store.runs import Run


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
        return len(self.evaluation.games) - self.evaluation.deaths

    @property
    def share(self) -> tuple[float, float, float]:
        """The part of the games that lasted, and its interval (Wilson)."""
        games = len(self.evaluation.games)
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


def fill_table(experiment: Experiment, number: int, seed: int, short: bool, workers: int, folder: Path) -> Tabled:
    """Learn a row's table, or take the one that is there, and play fresh games by it."""
    data, row = experiment.data, experiment.data["run"][number]
    config = config_of(experiment, row, seed, short, workers)
    run = trained_run(data["method"], config, f"table-{number}", runs_folder(folder, seed, short))
    known = find(str(run.agent_path))
    games, pieces = (4, 200) if short else (row.get("test_games", data["test_games"]), data["test_pieces"])
    rules = known.rules.changed(max_pieces=pieces)
    return Tabled(
        row, run, evaluate(Known(row["name"], known.agent, rules), rules, Effort(games, 1000 + seed, workers))
    )


def cells_of(run: Run) -> NDArray[np.float64]:
    """How often each cell was full in the states that were met."""
    about, checkpoint = run.about(), run.load()
    learner: Any = build_learner(about["method"], about["config"])
    if checkpoint:
        learner.restore(checkpoint.state)
    cells: NDArray[np.float64] = learner.cells()
    return cells
