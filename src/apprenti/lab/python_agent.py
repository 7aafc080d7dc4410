"""A Python file as an agent: code that its user chose to run.

The file has a class with `choose(self, observation, legal, rng)`, or a function `choose(observation, legal, rng)`. It
may say `game = "tictactoe"`, and `rules = {"size": "5x5x4"}`; without `game` it plays whatever is asked for. A class
may have more.
"""

import runpy
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any

from apprenti.core.catalogue import GAMES
from apprenti.core.errors import ApprentiError, BadAgent
from apprenti.core.protocols import Game, Move, Observation
from apprenti.core.seeds import Chance
from apprenti.lab.agents import NamedAgent, named

ABILITIES = {"plays", "check", "presses_keys", "arrange", "arrange_as", "values", "contributions", "explain"}
"""What a class may have beside `choose`: protocols of `core/protocols.py`."""


@dataclass
class PythonAgent:
    """The agent of a file. It is read again in every process that plays."""

    path: str

    def __post_init__(self) -> None:
        self.names = _namespace(self.path)
        agent = _agent(self.path, self.names)
        self._choose = _located(self.path, agent.choose if agent else self.names["choose"])
        for name in ABILITIES & set(dir(agent)):
            ability = getattr(agent, name)
            setattr(self, name, _located(self.path, ability) if callable(ability) else ability)

    def __reduce__(self) -> tuple[object, ...]:
        return PythonAgent, (self.path,)

    def choose(self, observation: Observation, legal: Sequence[Move], rng: Chance) -> Move:
        """What the file says; an error in it names the line."""
        move = self._choose(observation, legal, rng)
        if move not in legal:
            raise BadAgent(f"{self.path} chose {move!r:.60}, which is none of the {len(legal)} legal moves.")
        return move


def _namespace(path: str) -> dict[str, Any]:
    """What running the file defines."""
    if not Path(path).is_file():
        raise BadAgent(f"there is no file {path}.")
    return _run(path, Path(path).stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _run(path: str, changed: int) -> dict[str, Any]:
    """Run the file, once for as long as it stays as it is: an agent is looked up again when its game is known."""
    return dict(_located(path, runpy.run_path)(path, run_name=Path(path).stem))


def _agent(path: str, names: dict[str, Any]) -> Any:
    """An object of the class that chooses; None if a function of the file does."""
    if callable(names.get("choose")):
        return None
    own = [thing for thing in names.values() if isinstance(thing, type) and thing.__module__ == Path(path).stem]
    agents = [thing for thing in own if callable(getattr(thing, "choose", None))]
    if len(agents) != 1:
        raise BadAgent(f"{path} has {len(agents)} classes with choose(self, observation, legal, rng): give it one.")
    return _located(path, agents[0])()


def _located(path: str, act: Callable[..., Any]) -> Callable[..., Any]:
    """The same, with errors that name the file and the line."""

    @wraps(act, updated=())
    def located(*arguments: object, **options: object) -> object:
        try:
            return act(*arguments, **options)
        except ApprentiError:
            raise
        except Exception as error:
            raise BadAgent(_where(path, error)) from error

    return located


def _where(path: str, error: BaseException) -> str:
    """The error with the last line of the file that led to it."""
    if isinstance(error, SyntaxError):
        return f"{error.filename or path}, line {error.lineno}: {error.msg}."
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == Path(path)]
    line = f", line {lines[-1]}" if lines else ""
    return f"{path}{line}: {type(error).__name__}: {error}"


def from_python(path: Path, game: Game | None) -> NamedAgent:
    """The agent of a Python file, for the game it names or the one that is asked for."""
    agent = PythonAgent(str(path))
    says = agent.names.get("game")
    found = named(path.stem, agent, GAMES.load(str(says)) if says else game)
    return replace(found, rules=found.game.rules(**dict(agent.names.get("rules") or {})))
