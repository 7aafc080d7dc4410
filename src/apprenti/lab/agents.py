"""Agents by name: from the zoo, a run, a file, a package, or described on one line; programs for who types them.

`find` takes text from anywhere: it starts no program, whatever the text says. `find_own` takes what a user has typed.

The file has a class with `choose(self, observation, legal, rng)`, or a function `choose(observation, legal, rng)`. It
may say `game = "NAME"`, and `rules = {"size": "5x5x4"}`; without `game` it plays whatever is asked for. A class
may have more.
"""

import runpy
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar

from apprenti.agents.description import (
    ANY_GAME,
    DESCRIBED,
    PYTHON,
    Composed,
    Description,
    Named,
    Program,
    build,
    parse,
    parse_own,
)
from apprenti.core.data import AnyFunction, JsonData
from apprenti.core.errors import ApprentiError, BadAgent, UnknownName, printable
from apprenti.core.game import AnyGame, KnowsGame
from apprenti.core.plugins import GAMES, folders, usual_game
from apprenti.core.protocols import Agent, AnyAgent, AnyMove, AnyObservation, AnyRules, PlaysSome
from apprenti.core.seeds import Chance
from apprenti.store.agentfile import AgentFile, read_agent
from apprenti.store.files import is_there, read_json
from apprenti.store.runs import ROOT, Run

T = TypeVar("T")


class NoGame(BadAgent):
    """An agent that plays every game, where none is named."""


@dataclass(frozen=True)
class NamedAgent:
    """An agent ready to play, its name, the game it plays, and the rules it was made for."""

    name: str
    agent: AnyAgent
    game: AnyGame
    rules: AnyRules
    file: AgentFile | None = None

    def __post_init__(self) -> None:
        if isinstance(self.agent, KnowsGame):
            object.__setattr__(self, "agent", self.agent.for_game(self.game))

    def check(self, game: AnyGame, rules: AnyRules) -> None:
        check_plays(self.name, self.agent, game)
        if isinstance(self.agent, PlaysSome):
            try:
                self.agent.check(rules)
            except BadAgent as error:
                raise BadAgent(f"{self.name}: {error}") from None


@cache
def zoo() -> dict[str, Path]:
    """The shipped agents by name."""
    paths = {path.stem: path for folder in folders("zoo") for path in folder.glob("*.json")}
    return dict(sorted(paths.items()))


def zoo_of(game: AnyGame) -> list[str]:
    """The shipped agents that play a game, or another of its family."""
    return [name for name, path in zoo().items() if _game_in(path, 0) in (game.name, game.family)]


def check_plays(name: str, agent: AnyAgent, game: AnyGame) -> None:
    """Refuse an agent that plays something else."""
    if isinstance(agent, PlaysSome) and game.family not in agent.plays:
        raise BadAgent(f"{name} plays {' and '.join(agent.plays)}, not {game.name}: `apprenti agents` shows who does.")


def game_of_run(run: Run) -> str:
    """The game a run's agent plays; empty if it has stored none yet. A folder may hold a thousand runs."""
    try:
        return _game_in(run.agent_path, run.agent_path.stat().st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=4096)
def _game_in(path: Path, changed: int) -> str:
    with suppress(ApprentiError):
        return str(read_json(path, "an agent").get("game", ""))
    return ""


Find = Callable[[str, AnyGame | None], NamedAgent]
"""How text becomes an agent: `find`, or `find_own` where a user has typed it."""


def find(text: str, game: AnyGame | None = None) -> NamedAgent:
    """An agent by name, file or description, for a game if it is known which; a short name will do then.

    `learned` is short for `FAMILY-learned`, `sarsa` for `sarsa-GAME`.
    """
    return found_of(parse(text), game)


def find_own(text: str, game: AnyGame | None = None) -> NamedAgent:
    """The same for what a user has typed or written in a script, which may start programs."""
    return found_of(parse_own(text), game)


def found_of(description: Description, game: AnyGame | None = None) -> NamedAgent:
    """The agent that a description stands for."""
    named_agent = _find(description, game)
    if game is None:
        return named_agent
    check_plays(named_agent.name, named_agent.agent, game)
    if named_agent.game.family != game.family:
        raise BadAgent(f"{named_agent.name} plays {named_agent.game.name}, not {game.name}.")
    return replace(named_agent, game=game, rules=game.rules(named_agent.rules))


def _find(description: Description, game: AnyGame | None) -> NamedAgent:
    """The agent, if need be of another game than asked for."""
    if isinstance(description, Named):
        return _by_name(description.name, game)
    if isinstance(description, Program) and description.prefix == PYTHON:
        return from_python(Path(description.command), game)
    inner = None
    if isinstance(description, Composed) and description.agent:
        other = _find(description.agent, game)
        inner = other.agent, other.rules
    arguments = description.command if isinstance(description, Program) else description.arguments
    agent, name, rules = DESCRIBED.load(description.prefix)(arguments, inner)
    named_agent = named(str(description), agent, GAMES.load(name) if name else game)
    return named_agent if rules is None else replace(named_agent, rules=rules)


def _by_name(text: str, game: AnyGame | None) -> NamedAgent:
    full = full_name(text, game)
    if game is not None and full in ANY_GAME and full not in zoo_of(game):
        return named(text, ANY_GAME.load(text)(), game)
    return from_file(zoo()[full]) if full in zoo() else _from_disk(text, game)


def full_name(text: str, game: AnyGame | None) -> str:
    """The name of an agent of the zoo that a short one stands for in a game; any other as it is."""
    shorts = (f"{game.family}-{text}", f"{text}-{game.name}") if game else ()
    return next((name for name in shorts if name in zoo()), text)


def find_first(
    players: Sequence[T], game: AnyGame | None, find: Callable[[T, AnyGame | None], NamedAgent]
) -> NamedAgent:
    """The first of some agents, for the game asked for or its own, that of the next who has one, or the usual one."""
    for player in players:
        with suppress(NoGame):
            named_agent = find(player, game)
            return named_agent if player is players[0] else find(players[0], named_agent.game)
    return find(players[0], GAMES.load(usual_game()))


def named(name: str, agent: AnyAgent, game: AnyGame | None) -> NamedAgent:
    """An agent object with its name, for a game or for the one it says it plays."""
    if not isinstance(agent, Agent):
        raise BadAgent(f"{name} is no agent: it needs a method choose(observation, legal, rng).")
    if game is None and isinstance(agent, PlaysSome):
        game = GAMES.load(agent.plays[0])
    if game is None:
        raise NoGame(f"{name} does not say what it plays: name the game, like game='tetris' or --game tetris.")
    return NamedAgent(name, agent, game, game.rules())


def _from_disk(text: str, game: AnyGame | None) -> NamedAgent:
    """An agent of a run (`RUN`, `RUN@STEP` as it was then, `RUN/NAME` for one of its players), or from a file."""
    run, path = ROOT / text / "agent.json", Path(text)
    if is_there(run):
        return from_file(run)
    name, at, step = text.rpartition("@")
    if at and is_step(step) and is_there(Run(ROOT / name).past_path(int(step))):
        return from_file(Run(ROOT / name).past_path(int(step)))
    several = Run(ROOT / path.parent)
    if is_there(several.player_path(path.name)):
        return from_file(several.player_path(path.name))
    if "/" in text and not is_there(path) and several.players():
        raise UnknownName(f"player of {several.name}", path.name, several.players())
    if path.suffix == ".json" or (text and is_there(path)) or "/" in text:
        return from_file(path / "agent.json" if is_there(path) and path.is_dir() else path)
    if text in ANY_GAME:
        return named(text, ANY_GAME.load(text)(), game)
    raise UnknownName("agent", text, [*zoo_of(game), *ANY_GAME] if game else zoo())


def is_step(text: str) -> bool:
    """Whether it is the number of a step: no run has a million million of them."""
    return text.isdecimal() and len(text) <= 12


def from_file(path: Path) -> NamedAgent:
    """An agent from its file."""
    file = read_agent(path)
    if file.game not in GAMES:
        raise BadAgent(f"agent {file.name} plays {file.game}, which is not installed here.")
    try:
        game, name = GAMES.load(file.game), printable(file.name)
        agent = build(file.kind, file.config, file.arrays)
        if isinstance(agent, PlaysSome) and game.family not in agent.plays:
            raise BadAgent(f"an agent of kind {file.kind} does not play {file.game}.")
        return NamedAgent(name, agent, game, rules_of(game, file), file)
    except ApprentiError as error:
        raise BadAgent(f"{path} cannot be used: {error}") from None


def rules_of(game: AnyGame, file: AgentFile) -> AnyRules:
    """The rules an agent file was made for: a preset, or a preset and what is different."""
    options = {"name": file.rules} if isinstance(file.rules, str) else file.rules
    name = str(options.get("name") or "")
    preset = game.rules(rules=name) if name else game.rules()
    return game.rules_from_json({**game.rules_to_json(preset), **{k: v for k, v in options.items() if v != ""}})


def load_agent(text: str, game: str = "") -> Any:
    """An agent that can `choose`: a name from the zoo, a file, or a description on one line."""
    return find(text, GAMES.load(game) if game else None).agent


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

    def choose(self, observation: AnyObservation, legal: Sequence[AnyMove], rng: Chance) -> AnyMove:
        move = self._choose(observation, legal, rng)
        if move not in legal:
            raise BadAgent(f"{self.path} chose {move!r:.60}, which is none of the {len(legal)} legal moves.")
        return move


def _namespace(path: str) -> JsonData:
    """What running the file defines."""
    if not Path(path).is_file():
        raise BadAgent(f"there is no file {path}.")
    return _run(path, Path(path).stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _run(path: str, changed: int) -> JsonData:
    """Run the file, once for as long as it stays as it is: an agent is looked up again when its game is known."""
    return dict(_located(path, runpy.run_path)(path, run_name=Path(path).stem))


def _agent(path: str, names: JsonData) -> Any:
    """An object of the class that chooses; None if a function of the file does."""
    if callable(names.get("choose")):
        return None
    own = [thing for thing in names.values() if isinstance(thing, type) and thing.__module__ == Path(path).stem]
    agents = [thing for thing in own if callable(getattr(thing, "choose", None))]
    if len(agents) != 1:
        raise BadAgent(f"{path} has {len(agents)} classes with choose(self, observation, legal, rng): give it one.")
    return _located(path, agents[0])()


def _located(path: str, act: AnyFunction) -> AnyFunction:
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


def from_python(path: Path, game: AnyGame | None) -> NamedAgent:
    """The agent of a Python file, for the game it names or the one that is asked for."""
    agent = PythonAgent(str(path))
    says = agent.names.get("game")
    named_agent = named(path.stem, agent, GAMES.load(str(says)) if says else game)
    return replace(named_agent, rules=named_agent.game.rules(**dict(agent.names.get("rules") or {})))
