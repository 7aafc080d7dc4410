"""The messages between page and server, as typed values.

What the page sends is refused before anything is done if a field is unknown or of another type. What the server sends
of a game under way can have no other fields either; the page checks both by the same description (`described`).
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import UnionType
from typing import Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

from apprenti.core.data import JsonData
from apprenti.core.errors import BadOption
from apprenti.lab.kinds.fields import read
from apprenti.store.files import parse_json

T = TypeVar("T")


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
    page: JsonData = field(default_factory=dict)
    setup: str = ""
    rated: str = ""


@dataclass(frozen=True, kw_only=True)
class NewGame(Seats):
    """A new game, or one that begins as another did."""

    game: str = ""
    options: JsonData = field(default_factory=dict)
    like: str = ""


@dataclass(frozen=True, kw_only=True)
class GoOn(Seats):
    """A game that goes on from a replay, after some of its moves."""

    move: int | None = None


@dataclass(frozen=True, kw_only=True)
class RulesAsked:
    """Rules of a game."""

    game: str
    options: JsonData = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RulesOfAgent(RulesAsked):
    """The same; those of an agent where one is named, as it plays by its own."""

    agent: str = ""


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
    options: JsonData = field(default_factory=dict)
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
    options: JsonData = field(default_factory=dict)


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


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What the server sends of a game under way."""

    type: ClassVar[str]

    def to_json(self) -> JsonData:
        """The message; what is None where it may be left out, is."""
        left_out = {one.name for one in fields(self) if one.default is None and getattr(self, one.name) is None}
        return {"type": self.type, **{name: value for name, value in vars(self).items() if name not in left_out}}


@dataclass(frozen=True, kw_only=True)
class Position(Sent):
    """Everything that a page shows of a game."""

    type: ClassVar[str] = "position"
    id: str
    game: str
    family: str
    module: str
    rules: JsonData
    description: str
    players: list[str]
    names: list[str]
    sides: list[str]
    you: int | None
    eyes: int | None
    turn: int
    your_turn: bool
    thinking: bool
    number: int
    moves: list[str]
    movers: list[int]
    last: str
    legal: list[str]
    keys: list[str]
    scene: JsonData
    measures: JsonData
    outcome: JsonData | None
    undo: bool
    rated: str
    seed: int | None
    left: float | None
    standing: list[int]
    page: JsonData


@dataclass(frozen=True, kw_only=True)
class Advice(Sent):
    """What an agent says of a position: its move, and as far as it can tell what moves are worth to it, and why."""

    type: ClassVar[str] = "hint"
    agent: str
    values: bool
    contributions: bool
    explains: bool
    number: int | None
    move: str
    worth: JsonData | None = None
    parts: JsonData | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class Details(Sent):
    """More of a position."""

    type: ClassVar[str] = "details"
    details: JsonData
    number: int


@dataclass(frozen=True, kw_only=True)
class Sentence(Sent):
    """What was refused, and why."""

    type: ClassVar[str] = "refused"
    message: str


@dataclass(frozen=True, kw_only=True)
class Gone(Sentence):
    """There is no such game."""

    type: ClassVar[str] = "gone"
    why: str = ""


SENT: tuple[type[Sent], ...] = (Position, Advice, Details, Sentence, Gone)
"""The messages of the server."""

PLAIN = {str: "text", int: "number", float: "number", bool: "boolean", dict: "table", list: "list", tuple: "list"}


def described(requests: Mapping[str, type]) -> JsonData:
    """The description that the page checks by: for each message its fields, with their types."""
    return {
        "asked": {path: _fields(shape) for path, shape in requests.items()},
        "live": {kind: _fields(shape) for kind, shape in LIVE.items()},
        "sent": {shape.type: _fields(shape) for shape in SENT},
    }


def _fields(shape: type) -> dict[str, list[str]]:
    """For each field the types it may have; "missing" is one of them."""
    types = get_type_hints(shape)
    return {one.name: [*_kinds(types[one.name]), *_missing(one)] for one in fields(shape)}


def _kinds(wanted: Any) -> list[str]:
    if get_origin(wanted) is UnionType:
        return [kind for each in get_args(wanted) for kind in _kinds(each)]
    return ["null"] if wanted is type(None) else [PLAIN[get_origin(wanted) or wanted]]


def _missing(one: Any) -> list[str]:
    return [] if one.default is MISSING and one.default_factory is MISSING else ["missing"]


def message_of(shape: type[T], body: bytes) -> T:
    """A message that the page sent."""
    return read(shape, parse_json(body, "what the page sends", "this"), "a message")


def live_of(text: str) -> tuple[str, Any]:
    """The kind of a message of a game under way, and what it says."""
    message = parse_json(text.encode(errors="replace"), "a message", "this")
    kind = message.pop("type", None)
    if not isinstance(kind, str) or kind not in LIVE:
        raise BadOption(f"a message is a {', '.join(LIVE)}, not {kind!r:.40}.")
    return kind, read(LIVE[kind], message, f"the message {kind}")


def query_of(shape: type[T], query: Mapping[str, str]) -> T:
    """What a query asks for: numbers are written as numbers, and options as JSON."""
    types, known = get_type_hints(shape), {one.name for one in fields(shape)}  # type: ignore[arg-type]
    plain = {name: _typed(types[name], name, text) if name in known else text for name, text in query.items()}
    return read(shape, plain, "the address")


def _typed(wanted: Any, name: str, text: str) -> Any:
    if wanted is str:
        return text
    if wanted == JsonData:
        return parse_json(text.encode(errors="replace"), "options", name)
    try:
        return wanted(text[:30])
    except ValueError:
        raise BadOption(f"{name} is a number, not {text!r:.40}.") from None
