"""A recipe: stages of learning, each on its own board and from where the last one stopped, then fresh games."""

from pathlib import Path
from typing import Any

import numpy as np

from apprenti.arena.statistics import as_json
from apprenti.lab.agents import Known, find
from apprenti.lab.evaluate import Effort, evaluate
from apprenti.lab.experiments import Experiment
from apprenti.lab.training_experiment import runs_folder, trained_run
from apprenti.learn.methods import learner_class
from apprenti.store.runs import Run


def flat(weights: dict[str, Any]) -> list[float]:
    """Weights as a vector of length 1."""
    numbers = [w for weight in weights.values() for w in (weight if isinstance(weight, list | tuple) else [weight])]
    return [float(w) for w in np.array(numbers) / np.linalg.norm(numbers)]


def train_stage(
    experiment: Experiment, number: int, before: Run | None, seed: int, workers: int, short: bool, folder: Path
) -> Run:
    """One stage, beginning with what the stage before has learned; a finished one is taken up as it is."""
    data = experiment.data
    options = {**data.get("config", {}), **data["stage"][number], "seed": seed, "workers": workers}
    options.pop("tests", None)
    method = options.pop("method", "cma")
    if short:
        options |= data["short_config"]
    if before:
        options["first"] = tuple(flat(dict(find(str(before.agent_path)).agent.weights)))
    config = learner_class(method).Config(**options)
    return trained_run(method, config, f"stage-{number + 1}", runs_folder(folder, seed, short))


def test(known: Known, row: dict[str, Any], seed: int, workers: int, short: bool) -> dict[str, Any]:
    """Fresh games, with seeds that no stage has seen."""
    rules = known.rules.changed(row["size"], max_pieces=20_000 if short else 0)
    effort = Effort(20 if short else row["games"], seed + 100_000, workers, seconds=row.get("seconds", 0.0))
    evaluation = evaluate(known, rules, effort)
    return {
        "size": row["size"],
        "record": row["record"],
        "seconds": evaluation.seconds,
        **as_json(evaluation.summary("lines")),
    }
