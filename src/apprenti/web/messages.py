"""What the page sends, as typed values: a field that is unknown or of another type is refused before anything is done.

Each address that takes a message names its class here, so a test finds every field that a request has.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, get_type_hints

from apprenti.core.errors import BadOption
from apprenti.lab.kinds.fields import read
from apprenti.store.files import parse_json

T = TypeVar("T")
Options = dict[str, Any]
"""Options of rules or of a learner; what they may be, the game or the learner says."""


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """An address says it all."""


@dataclass(frozen=True, kw_only=True)
class ByPupil:
    """What a pupil of a class asks for."""

    who: str = ""


@dataclass(frozen=True, kw_only=True)
class Seats:
    """Who plays, and how."""

    players: tuple[str, ...] = ()
    seed: int | None = None
    undo: bool = False
    minutes: float = 0.0
    page: Options = field(default_factory=dict)
    setup: str = ""
    rated: str = ""


@dataclass(frozen=True, kw_only=True)
class NewGame(Seats):
    """A new game, or one that begins as another did."""

    game: str = ""
    options: Options = field(default_factory=dict)
    like: str = ""


@dataclass(frozen=True, kw_only=True)
class GoOn(Seats):
    """A game that goes on from a replay, after some of its moves."""

    move: int | None = None


@dataclass(frozen=True, kw_only=True)
class RulesAsked:
    """Rules of a game."""

    game: str
    options: Options = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Army(RulesAsked):
    """An army that a person sets up; one is proposed where it is empty."""

    side: int = 0
    setup: str = ""


@dataclass(frozen=True, kw_only=True)
class Opening:
    """A replay of the folder, or the text of one."""

    id: str = ""
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class AtOnce:
    """How many jobs go on at once."""

    number: int


@dataclass(frozen=True, kw_only=True)
class MeasureAsked(RulesAsked, ByPupil):
    """A measurement."""

    agents: tuple[str, ...]
    against: str = ""
    games: int = 100
    seed: int = 1
    precision: float = 0.0
    rare: bool = False


@dataclass(frozen=True, kw_only=True)
class SolveAsked(RulesAsked, ByPupil):
    """A small game that is solved."""

    gamma: float = 1.0
    residual: float = 1e-6
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class RunAsked(ByPupil):
    """A run of a learner."""

    method: str
    options: Options = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Longer(ByPupil):
    """A run that goes on, perhaps to more iterations."""

    iterations: int = 0


@dataclass(frozen=True, kw_only=True)
class ExperimentAsked(ByPupil):
    """An experiment."""

    short: bool = False


@dataclass(frozen=True, kw_only=True)
class WallAsked:
    """A wall of games, of an agent or of a run; it is asked for in a query."""

    game: str = ""
    agent: str = ""
    against: str = ""
    run: str = ""
    games: int = 16
    seed: int = 1
    speed: float = 5.0
    options: Options = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Move:
    """A move of the person."""

    move: str = ""


@dataclass(frozen=True, kw_only=True)
class Step:
    """Moves of the agents in a game that is watched."""

    moves: int = 1


@dataclass(frozen=True, kw_only=True)
class Hint:
    """What an agent says of the position."""

    agent: str = ""


@dataclass(frozen=True, kw_only=True)
class Eyes:
    """Whose knowledge is shown where one watches."""

    eyes: int | None = None


LIVE: dict[str, type] = {"move": Move, "step": Step, "hint": Hint, "details": Nothing, "undo": Nothing,
                         "resign": Nothing, "flag": Nothing, "eyes": Eyes}  # fmt: skip
"""The messages of a game under way, by their `type`."""


def message_of(shape: type[T], body: bytes) -> T:
    """A message that the page sent."""
    return read(shape, parse_json(body, "what the page sends", "this"), "a message")


def live_of(text: str) -> tuple[str, Any]:
    """The kind of a message of a game under way, and what it says."""
    said = parse_json(text.encode(errors="replace"), "a message", "this")
    kind = said.pop("type", None)
    if not isinstance(kind, str) or kind not in LIVE:
        raise BadOption(f"a message is a {', '.join(LIVE)}, not {kind!r:.40}.")
    return kind, read(LIVE[kind], said, f"the message {kind}")


def query_of(shape: type[T], query: Mapping[str, str]) -> T:
    """What a query asks for: numbers are written as numbers, and options as JSON."""
    types, known = get_type_hints(shape), {one.name for one in fields(shape)}  # type: ignore[arg-type]
    plain = {name: _typed(types[name], name, text) if name in known else text for name, text in query.items()}
    return read(shape, plain, "the address")


def _typed(wanted: Any, name: str, text: str) -> Any:
    if wanted is str:
        return text
    if wanted == Options:
        return parse_json(text.encode(errors="replace"), "options", name)
    try:
        return wanted(text[:30])
    except ValueError:
        raise BadOption(f"{name} is a number, not {text!r:.40}.") from None
