"""Runs of an experiment: begun, gone on with or taken as they are; then fresh games with what was learned."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apprenti.core.errors import BadFile
from apprenti.lab.agents import Known, find
from apprenti.lab.evaluate import Effort, Evaluation, evaluate
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.train import resume, train
from apprenti.learn.former_options import renamed
from apprenti.learn.methods import config_class
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
        """What was learned, if it is a weight for each criterion."""
        return dict(getattr(find(str(self.run.agent_path)).agent, "weights", {}))

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


def runs_folder(folder: Path, settings: Settings) -> Path:
    """Where the runs of an experiment are: no short run is taken for a whole one, nor one seed for another."""
    return folder / (f"runs-short-{settings.seed}" if settings.short else f"runs-{settings.seed}")


def trained_run(method: str, config: Any, name: str, root: Path) -> Run:
    """A finished run with these options: begun, gone on with, or taken as it is."""
    if not (root / name / "run.json").exists():
        return train(method, config, name, root)
    run = find_run(name, root)
    said = {**renamed(method, run.about()["config"]), "workers": config.workers}
    if json.loads(json.dumps(asdict(config))) != said:
        raise BadFile(f"{run.folder} was made with other options than this experiment has: remove it, or choose --out.")
    return resume(run)


def config_of(experiment: Experiment, row: dict[str, Any], settings: Settings, repeat: int = 0) -> Any:
    """The options of a run: the experiment's, then the row's, then the short ones."""
    data = experiment.data
    method = method_of(experiment, row)
    options = {**data.get("config", {}), **row.get("config", {}), "seed": settings.seed + repeat}
    options["workers"] = settings.workers
    if settings.short:
        options |= data.get("short_config", {}) | row.get("short_config", {})
    return config_class(method)(**options)


def method_of(experiment: Experiment, row: dict[str, Any]) -> str:
    """The method of a run: its own, or the experiment's."""
    return str(row.get("method") or experiment.data["method"])


def train_row(experiment: Experiment, row: dict[str, Any], repeat: int, settings: Settings, folder: Path) -> Trained:
    """Train once, or go on with the run that is there already, and test what was learned."""
    data, short = experiment.data, settings.short
    stem = "".join(c if c.isalnum() else "-" for c in row["name"].split(":")[0].split(",")[0])
    config = config_of(experiment, row, settings, repeat)
    name = f"{stem.strip('-')}-{repeat}"
    run = trained_run(method_of(experiment, row), config, name, runs_folder(folder, settings))
    known = find(str(run.agent_path))
    rules = known.rules.changed(data.get("test_size", "") if not short else "")
    games = 4 if short else data["test_games"]
    if short or "test_pieces" in data:
        rules = rules.changed(max_pieces=5000 if short else data["test_pieces"])
    effort = Effort(games, 1000 + settings.seed, settings.workers)
    evaluation = evaluate(Known(row["name"], known.agent, rules), rules, effort)
    return Trained(row["name"], row.get("there", "-"), run, evaluation)
