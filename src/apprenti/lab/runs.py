"""The runs of a folder, as they are listed and looked at: what each has come to, and how long it still takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadOption, printable
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES, Registry
from apprenti.core.protocols import AnyAgent, AnyRules, Storable
from apprenti.lab.agents import game_of_run, rules_of
from apprenti.lab.train import build_config, build_learner, restored
from apprenti.learn.learner import DrawsFromGaussian, HasParents, HasPopulation
from apprenti.store.agentfile import read_agent
from apprenti.store.runs import Run, all_runs

LATEST = 10
"""Steps that say how long the next ones take."""


def planned_steps(method: str, stored: JsonData) -> int | None:
    """How many steps a run has; None if this version does not take its options."""
    try:
        return build_config(method, stored).steps
    except ApprentiError:
        return None


def summary_of(run: Run) -> JsonData:
    """A run in one line."""
    if damage := run.damage():
        return {"run": run.name, "damaged": damage}
    described, rows = run.about(), run.metrics()
    config = described["config"]
    summary = {
        "run": run.name,
        "method": described["method"],
        "rules": " ".join(str(config[name]) for name in ("game", "rules", "size") if config.get(name)),
        "criteria": config.get("criteria"),
        "generation": rows[-1]["generation"] if rows else 0,
        "of": planned_steps(described["method"], config),
        "best": max((row["best"] for row in rows if "best" in row), default=None),
        "seconds": rows[-1]["seconds"] if rows else 0.0,
    }
    return {name: printable(value) if isinstance(value, str) else value for name, value in summary.items()}


def seconds_left(rows: Sequence[dict[str, float]], steps: int) -> float:
    """How long a run still takes, if it goes on as in its last steps."""
    latest = rows[-LATEST:]
    if not latest:
        return 0.0
    first, last = latest[0], latest[-1]
    done = last["generation"] - first["generation"]
    each = (last["seconds"] - first["seconds"]) / done if done else last["seconds"] / max(1, last["generation"])
    return each * max(0, steps - last["generation"])


def weights_of(run: Run) -> Any:
    """The weights learned so far, by criterion, where it learns any; a list of such weights if there are regimes."""
    if not run.agent_path.exists():
        return {}
    return read_agent(run.agent_path).config.get("weights", {})


def flat(weights: Any) -> JsonData:
    """Weights by criterion; those of regimes by criterion and the number of the regime."""
    if not isinstance(weights, list):
        return dict(weights)
    return {f"{name} {place}": weight for place, each in enumerate(weights, 1) for name, weight in each.items()}


PICTURES: Registry[Any] = Registry("picture of a run", "pictures")
"""What only some learners have to show: each draws it into the folder of a run, or returns None."""


def own_pictures(run: Run) -> dict[str, Path]:
    """The pictures that only this run's learner has, drawn anew."""
    drawn = {name: PICTURES.load(name)(run) for name in PICTURES}
    return {name: path for name, path in drawn.items() if path}


MOST = 200
"""Players that are told of."""


def portrait_of(run: Run) -> JsonData:
    """`axes`, `players` (numbers for each axis), `parents` (ranks before), `gaussian`; what a learner has of these."""
    about, checkpoint = run.about(), run.load()
    if checkpoint is None:
        return {}
    learner = build_learner(about["method"], about["config"])
    restored(learner, checkpoint.state)
    if not isinstance(learner, HasPopulation):
        return {}
    weights = [_weights(agent) for agent in learner.candidate_agents()[:MOST]]
    portrait: JsonData = {"generation": checkpoint.generation}
    if weights and weights[0]:
        portrait |= {"axes": list(weights[0]), "players": [list(one.values()) for one in weights]}
    if isinstance(learner, HasParents):
        portrait["parents"] = learner.parents()[:MOST]
    if isinstance(learner, DrawsFromGaussian):
        mean, deviation = learner.mean_and_deviation()
        portrait["gaussian"] = {"mean": mean, "deviation": deviation}
    return portrait


def _weights(agent: AnyAgent) -> dict[str, float]:
    """The weights of a player by name; those of a group are numbered."""
    weights: Any = agent.describe()[1].get("weights", {}) if isinstance(agent, Storable) else {}
    numbers: dict[str, float] = {}
    for name, weight in flat(weights).items():
        many = weight if isinstance(weight, list | tuple) else None
        numbers |= {f"{name}[{i}]": float(w) for i, w in enumerate(many, 1)} if many else {name: float(weight)}
    return numbers


METHODS = ("ga", "ce", "cma")
"""Methods whose generations are many players."""


@dataclass(frozen=True)
class Population:
    """A generation: its number, its players, and the game they learn under its rules."""

    generation: int
    players: list[AnyAgent]
    game: AnyGame
    rules: AnyRules
    finished: bool
    """Whether no other generation comes after it."""


def runs_with_population(game: AnyGame) -> list[str]:
    """The runs here that learn this game by generations of many players."""
    return [run.name for run in all_runs() if _learns_so(run, game)]


def _learns_so(run: Run, game: AnyGame) -> bool:
    try:
        changed = (run.folder / "run.json").stat().st_mtime_ns
        return game_of_run(run) in (game.name, game.family) and _method(run, changed) in METHODS
    except (ApprentiError, OSError):  # a damaged run, or one that has just begun
        return False


@lru_cache(maxsize=4096)
def _method(run: Run, changed: int) -> str:
    """The method of a run, read again when its description has changed: a folder may hold a thousand runs."""
    return run.about()["method"]


def population_of(run: Run) -> Population:
    """The players of the newest checkpoint."""
    about = run.about()
    learner = build_learner(about["method"], about["config"])
    checkpoint = run.load()
    if not isinstance(learner, HasPopulation) or checkpoint is None:
        raise BadOption(f"{run.name} has no generation of players yet: ga, ce and cma make one after the other.")
    restored(learner, checkpoint.state)
    game = GAMES.load(learner.game)
    rules = rules_of(game, read_agent(run.agent_path))
    return Population(checkpoint.generation, learner.candidate_agents(), game, rules, learner.done)
