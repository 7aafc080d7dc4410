"""The players of a run's newest generation, while it learns or afterwards."""

from dataclasses import dataclass
from functools import lru_cache

from apprenti.core.catalogue import GAMES
from apprenti.core.errors import ApprentiError, BadOption
from apprenti.core.protocols import Agent, Game, Rules
from apprenti.lab.agents import game_of_run, rules_of
from apprenti.lab.train import build_learner, restored
from apprenti.learn.learner import HasPopulation
from apprenti.store.agentfile import read_agent
from apprenti.store.runs import Run, all_runs

METHODS = ("ga", "ce", "cma")
"""Methods whose generations are many players."""


@dataclass(frozen=True)
class Population:
    """A generation: its number, its players, and the game they learn under its rules."""

    generation: int
    players: list[Agent]
    game: Game
    rules: Rules
    finished: bool
    """Whether no other generation comes after it."""


def runs_with_population(game: Game) -> list[str]:
    """The runs here that learn this game by generations of many players."""
    return [run.name for run in all_runs() if _learns_so(run, game)]


def _learns_so(run: Run, game: Game) -> bool:
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
