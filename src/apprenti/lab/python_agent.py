"""A Python file as an agent: code that its user chose to run.

The file has a class with `choose(self, observation, legal, rng)`, or a function `choose(observation, legal, rng)`. It
may say `game = "tictactoe"`, and `rules = {"size": "5x5x4"}`; without `game` it plays whatever is asked for.
"""

import runpy
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apprenti.core.errors import ApprentiError, BadAgent
from apprenti.core.protocols import Game
from apprenti.core.seeds import Chance
from apprenti.games.catalogue import GAMES
from apprenti.lab.agents import NamedAgent


@dataclass
class PythonAgent:
    """The agent of a file. It is read again in every process that plays."""

    path: str

    def __post_init__(self) -> None:
        self.names = _namespace(self.path)
        self._choose = _chooser(self.path, self.names)

    def __reduce__(self) -> Any:
        return PythonAgent, (self.path,)

    def choose(self, observation: Any, legal: Sequence[Any], rng: Chance) -> Any:
        """What the file says; an error in it names the line."""
        try:
            move = self._choose(observation, legal, rng)
        except ApprentiError:
            raise
        except Exception as error:
            raise BadAgent(_where(self.path, error)) from error
        if move not in legal:
            raise BadAgent(f"{self.path} chose {move!r:.60}, which is none of the {len(legal)} legal moves.")
        return move


def _namespace(path: str) -> dict[str, Any]:
    """What running the file defines."""
    if not Path(path).is_file():
        raise BadAgent(f"there is no file {path}.")
    try:
        return runpy.run_path(path, run_name=Path(path).stem)
    except ApprentiError:
        raise
    except Exception as error:
        raise BadAgent(_where(path, error)) from error


def _chooser(path: str, names: dict[str, Any]) -> Any:
    """The function that chooses: the file's own, or that of its class."""
    if callable(names.get("choose")):
        return names["choose"]
    own = [thing for thing in names.values() if isinstance(thing, type) and thing.__module__ == Path(path).stem]
    agents = [thing for thing in own if callable(getattr(thing, "choose", None))]
    if len(agents) != 1:
        raise BadAgent(f"{path} has {len(agents)} classes with choose(self, observation, legal, rng): give it one.")
    try:
        return agents[0]().choose
    except Exception as error:
        raise BadAgent(_where(path, error)) from error


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
    named = agent.names.get("game")
    plays = GAMES.load(str(named)) if named else game
    if plays is None:
        raise BadAgent(f'{path} does not say what it plays: add a line like game = "tictactoe", or use --game.')
    rules = plays.rules(**dict(agent.names.get("rules") or {}))
    return NamedAgent(path.stem, agent, plays, rules)
