"""Experiments that train: each row a configuration, some repeats, and fresh games with what was learned."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from apprenti.agents.linear import LinearAgent
from apprenti.arena.statistics import summarise
from apprenti.lab.agents import Known, find
from apprenti.lab.evaluate import Effort, Evaluation, evaluate
from apprenti.lab.experiments import Experiment
from apprenti.lab.train import train
from apprenti.learn.methods import learner_class
from apprenti.store.runs import Run, find_run


@dataclass(frozen=True)
class Trained:
    """One run of an experiment and what it scored on fresh games."""

    label: str
    there: str
    run: Run
    evaluation: Evaluation

    @property
    def weights(self) -> dict[str, Any]:
        """What was learned."""
        agent: LinearAgent = find(str(self.run.agent_path)).agent
        return dict(agent.weights)

    def to_json(self) -> dict[str, Any]:
        """Everything that belongs beside the score."""
        return {
            "name": self.label,
            "there": self.there,
            "config": self.run.about()["config"],
            "seconds": self.run.metrics()[-1]["seconds"],
            "games": self.run.metrics()[-1]["games"],
            "curve": [{k: v for k, v in row.items() if k != "spread"} for row in self.run.metrics()],
            "weights": self.weights,
            "test": self.evaluation.to_json(),
        }


def config_of(experiment: Experiment, row: dict[str, Any], seed: int, short: bool) -> Any:
    """The options of a run: the experiment's, then the row's, then the short ones."""
    data = experiment.data
    options = {**data.get("config", {}), **row.get("config", {}), "seed": seed}
    if short:
        options |= {"nb_generations": 2, "population_size": 10} if data["method"] == "ga" else {}
        options |= data.get("short_config", {}) | row.get("short_config", {})
    return learner_class(data["method"]).Config(**options)


def train_row(
    experiment: Experiment, row: dict[str, Any], repeat: int, seed: int, short: bool, workers: int, folder: Path
) -> Trained:
    """Train once, or take up the run if it is there already, and test what was learned."""
    data = experiment.data
    stem = "".join(c if c.isalnum() else "-" for c in row["name"].split(":")[0].split(",")[0])
    name = f"{stem.strip('-')}-{repeat}"
    root = folder / "runs"
    if (root / name / "agent.json").exists():
        run = find_run(name, root)
    else:
        run = train(data["method"], config_of(experiment, row, seed + repeat, short), name, root)
    known = find(str(run.agent_path))
    rules = known.rules.changed(data.get("test_size", "") if not short else "")
    games = 4 if short else data["test_games"]
    if short:
        rules = rules.changed(max_pieces=5000)
    evaluation = evaluate(Known(row["name"], known.agent, rules), rules, Effort(games, 1000 + seed, workers))
    return Trained(row["name"], row.get("there", "-"), run, evaluation)


def spread_of(trained: list[Trained], unit: str) -> tuple[float, float, float]:
    """The mean over the repeats, and the worst and the best of them."""
    means = [one.evaluation.summary(unit).mean for one in trained]
    return float(np.mean(means)), min(means), max(means)


def pooled(trained: list[Trained], unit: str) -> Any:
    """All test games of the repeats together."""
    games = [game for one in trained for game in one.evaluation.games]
    return summarise([getattr(game.tally, unit) for game in games], sum(game.died for game in games))
