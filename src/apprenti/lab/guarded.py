"""A Python file as an agent of a tournament, in a process of its own: whatever goes wrong loses a game, no more.

This module, run with FILE and MEMORY, is that process. It reads its file anew for every game, so that a game
depends on its seed alone.

This keeps mistakes apart: an endless loop, a crash, all of the memory. It is no wall against malice: the file runs as
its user and may do whatever its user may. Pupils' code is code.

The process that runs it is that of a module of ours, asked line by line (`EngineProcess`, which also ends whatever it
has started). What it prints itself goes nowhere; its answers are JSON, so that nothing of it is ever unpickled here.
"""

import ast
import base64
import json
import os
import pickle
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from apprenti.agents.process import OUT_OF_TIME, EngineProcess, Foul
from apprenti.core.children import command
from apprenti.core.data import JsonData, JsonObject
from apprenti.core.errors import ApprentiError, BadAgent, BadOption, Forfeit
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import AnyMove, AnyObservation, AnyRules
from apprenti.core.seeds import Chance, Stream
from apprenti.lab.agents import NamedAgent, find_own, named

MB = 1 << 20
START = 30.0
"""Seconds that Python itself may take to begin."""
SHORTER = 1500
"""Characters of a sentence in an answer."""


@dataclass(frozen=True)
class Limits:
    """What a file may take."""

    seconds: float = 2.0
    """For one answer: a move."""
    game_seconds: float = 60.0
    """For all moves of a game."""
    memory: int = 2048
    """Megabytes of address space."""

    def __post_init__(self) -> None:
        if not 0.01 <= self.seconds <= 3600 or not 0.01 <= self.game_seconds <= 86_400:
            raise BadOption(
                f"a time limit is from 0.01 s to an hour, not {self.seconds:g} s and {self.game_seconds:g} s."
            )
        if not 256 <= self.memory <= 1_000_000:
            raise BadOption(f"--memory is from 256 megabytes on, not {self.memory}.")


def started(module: str, *words: str) -> EngineProcess:
    """A process of a module of ours that will run a person's file; it finds whatever packages we find."""
    python, *rest = command(module, *words)
    return EngineProcess([python, "-W", "ignore", *rest])


def heard(process: EngineProcess, seconds: float) -> JsonObject:
    """Its next answer; Foul if there is none in time, ValueError if it cannot be understood."""
    try:
        answer = json.loads(process.hear(seconds))
    except RecursionError:  # brackets within brackets
        raise ValueError("too deep") from None
    return dict(answer) if isinstance(answer, dict) else {}


def confined(memory: int) -> Callable[[JsonObject], None]:
    """In the process: take the limit of memory, and keep the way to answer to ourselves; how to answer."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory * MB, memory * MB))
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)

    def answer(words: JsonObject) -> None:
        short: JsonData = {k: v[:SHORTER] if isinstance(v, str) else v for k, v in words.items()}
        answers.write(json.dumps(short) + "\n")
        answers.flush()

    return answer


@dataclass
class GuardedAgent:
    """The agent of a file; Forfeit for a crash, an illegal move, or an answer that comes too late."""

    path: str
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        self._process: EngineProcess | None = None
        self._luck: Chance | None = None
        self._taken = 0.0

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path, self.limits)

    def choose(self, observation: AnyObservation, legal: Sequence[AnyMove], rng: Chance) -> AnyMove:
        answer = self._ask("choose", rng, observation, tuple(legal))
        place = answer.get("place")
        if type(place) is not int or not 0 <= place < len(legal):
            raise self._forfeit("gave no answer that could be understood")
        return legal[place]

    def _ask(self, method: str, rng: Chance, *arguments: object) -> JsonObject:
        """Ask the process; each game brings a stream of its own, and begins with all its time."""
        new = rng is not self._luck
        if new:
            self._luck, self._taken = rng, 0.0
        assert isinstance(rng, Stream)
        process, began = self._running(arguments), perf_counter()
        try:
            process.say(_written(new, method, rng.state, arguments))
            answer = heard(process, min(self.limits.seconds, self.limits.game_seconds - self._taken))
            luck = rng.state if "error" in answer else _luck(answer)
        except Foul as foul:
            late = f"took more than {self.limits.seconds:g} s for a move, or {self.limits.game_seconds:g} s for a game"
            raise self._forfeit(
                late if foul.reason == OUT_OF_TIME else "ended its process, or took all of its memory"
            ) from None
        except ValueError:
            raise self._forfeit("gave no answer that could be understood") from None
        self._taken += perf_counter() - began
        if "error" in answer:
            raise self._forfeit(str(answer["error"]))
        rng.state = luck
        return answer

    def _running(self, arguments: Sequence[object]) -> EngineProcess:
        """The process, begun if there is none; to import what it is asked of takes none of its time."""
        if self._process is None:
            self._process = started("apprenti.lab.guarded", self.path, str(self.limits.memory))
            try:
                heard(self._process, START)
                self._process.say(_written(False, "", 0, arguments))
                message = heard(self._process, START)
            except (Foul, ValueError):
                raise self._forfeit("could not be started within its memory") from None
            if "error" in message:
                raise self._forfeit(str(message["error"]))
        return self._process

    def _forfeit(self, why: str) -> Forfeit:
        """The game is lost; the next one begins with a new process."""
        self.close()
        name = Path(self.path).name
        return Forfeit(why if name in why else f"{name} {why}")

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            process, self._process = self._process, None
            process.close()

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()


def _luck(answer: JsonObject) -> int:
    """Where its stream is now; ValueError for an answer that the file has made up."""
    state = answer.get("rng")
    if type(state) is not int or not 0 <= state < 2**64:
        raise ValueError(state)
    return state


def _written(new: bool, method: str, luck: int, arguments: Sequence[object]) -> str:
    """A question as a line."""
    return base64.b64encode(pickle.dumps((new, method, luck, arguments))).decode()


class ArrangingAgent(GuardedAgent):
    """The same, of a file that also sets up its army."""

    def arrange(self, rules: AnyRules, rng: Chance) -> str:
        return str(self._ask("arrange", rng, rules).get("text"))


def _game_and_setup(path: Path) -> tuple[str, bool]:
    """The game that a file names, and whether it has `arrange`: read, not run."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # it will lose its games, and be told why
        return "", False
    except OSError as error:
        raise BadAgent(f"cannot read {path}: {error.strerror}.") from None
    game = ""
    for line in tree.body:
        match line:
            case ast.Assign(targets=[ast.Name(id="game")], value=ast.Constant(value=str(said))):
                game = said
    return game, any(isinstance(part, ast.FunctionDef) and part.name == "arrange" for part in ast.walk(tree))


def find_guarded(text: str, game: AnyGame | None, limits: Limits | None = None) -> NamedAgent:
    """An agent as everywhere, but Python files play in processes of their own, by the tournament's rules."""
    path = Path(text)
    if path.suffix != ".py":
        return find_own(text, game)
    says, arranges = _game_and_setup(path)
    own = GAMES.load(says) if says else None
    if own and game and own.family != game.family:
        raise BadAgent(f"{path} plays {own.name}, not {game.name}.")
    kind = ArrangingAgent if arranges else GuardedAgent
    return named(path.stem, kind(str(path), limits or Limits()), game or own)


def main(path: str, memory: str) -> None:
    """The process: read the file, then answer one question a line."""
    from apprenti.lab.agents import PythonAgent, _run

    answer = confined(int(memory))
    answer({"ready": True})
    agent: PythonAgent | None = None
    for line in sys.stdin.buffer:
        try:
            new, method, luck, arguments = pickle.loads(base64.b64decode(line))
            rng = Stream(luck)
            if not method:
                answer({"ready": True})
                continue
            if new or agent is None:
                _run.cache_clear()
                agent = PythonAgent(path)
            answer(_answered(agent, method, arguments, rng))
        except ApprentiError as error:
            answer({"error": str(error)})
        except MemoryError:
            answer({"error": f"{Path(path).name} took more memory than it may"})
        except BaseException as error:  # exit() and the like end a game, too
            answer({"error": f"{Path(path).name}: {type(error).__name__}: {error}"})


def _answered(agent: object, method: str, arguments: Sequence[object], rng: Stream) -> JsonObject:
    """What the file says, as plain data."""
    result = getattr(agent, method)(*arguments, rng)
    if method != "choose":
        return {"text": str(result), "rng": rng.state}
    legal: Sequence[AnyMove] = arguments[1]  # type: ignore[assignment]
    return {"place": list(legal).index(result), "rng": rng.state}


if __name__ == "__main__":
    main(*sys.argv[1:])
