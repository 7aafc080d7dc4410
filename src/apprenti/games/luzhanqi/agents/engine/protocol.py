"""The engine protocol 1.0 of the Chinese computer-game championship (2012): lines of text, one order or answer each.

Referee to engine: `INFO 1.0`, `START first time steps`, `GO move result flag`, `RESULT result flag`, `END win`.
Engine to referee: `NAME x`, `ARRAY` and 25 letters, `BESTMOVE G2F2`.

Every engine sees itself at the bottom: its own points are in rows G to L whichever side it plays. So what is said to
the player who moves second, and by it, is turned by half.
"""

from typing import NamedTuple

from apprenti.core.errors import BadNotation
from apprenti.games.luzhanqi.board import NAMES, move_name, parse_move, parse_point, turned
from apprenti.games.luzhanqi.moves import NOBODY, RESULTS

VERSION = "1.0"
NO_MOVE, NO_FLAG = "0000", "00"
LOST, WON, OTHERWISE = 0, 1, 2
"""What `END` says: the last is for draws and for games that were broken off."""


class Info(NamedTuple):
    """Who are you?"""

    version: str


class Start(NamedTuple):
    """A game begins: set up your army."""

    first: int
    """0 if the engine moves first, 1 if second."""
    time: int
    """Seconds it has for the whole game."""
    steps: int
    """This quiet move in a row ends the game."""


class Go(NamedTuple):
    """It is your move, after this one of the opponent; None at the beginning."""

    move: tuple[int, int] | None
    result: int
    flag: int
    """Where the opponent's flag is, or NOBODY."""


class Result(NamedTuple):
    """What came of your move."""

    result: int
    flag: int


class End(NamedTuple):
    """The game is over."""

    win: int


Order = Info | Start | Go | Result | End


def _own(point: int, player: int) -> int:
    """A point as a player sees it, or back."""
    return turned(point) if player == 1 and point != NOBODY else point


def write_move(origin: int, target: int, player: int) -> str:
    """A move as a player sees it."""
    return move_name(_own(origin, player), _own(target, player))


def read_move(text: str, player: int) -> tuple[int, int]:
    """A move that a player sees so."""
    origin, target = parse_move(text)
    return _own(origin, player), _own(target, player)


def write_flag(point: int, player: int) -> str:
    """Where a flag is, as a player sees it; `00` if that is not known."""
    return NO_FLAG if point == NOBODY else NAMES[_own(point, player)]


def write_order(order: Order, player: int) -> str:
    """An order to a player, in its own frame: `GO F4G4 1 00`."""
    match order:
        case Info():
            return f"INFO {order.version}"
        case Start():
            return f"START {order.first} {order.time} {order.steps}"
        case Go():
            move = NO_MOVE if order.move is None else write_move(*order.move, player)
            return f"GO {move} {order.result} {write_flag(order.flag, player)}"
        case Result():
            return f"RESULT {order.result} {write_flag(order.flag, player)}"
    return f"END {order.win}"


def read_order(line: str, player: int) -> Order | None:
    """An order of the referee to this player; None for a word the protocol does not have."""
    word, *rest = line.split() or [""]
    wanted = {"INFO": 1, "INFORMATION": 1, "START": 3, "GO": 3, "RESULT": 2, "END": 1}
    if word.upper() not in wanted:
        return None
    if len(rest) != wanted[word.upper()]:
        raise BadNotation(f"{word} has {wanted[word.upper()]} words after it, not {len(rest)}: {line.strip()!r}.")
    match word.upper():
        case "START":
            first, time, steps = _number(rest[0], line, 1), _number(rest[1], line), _number(rest[2], line)
            return Start(first, time, steps)
        case "GO":
            move = None if rest[0] == NO_MOVE else read_move(rest[0], player)
            return Go(move, _number(rest[1], line, len(RESULTS) - 1), _flag(rest[2], player))
        case "RESULT":
            return Result(_number(rest[0], line, len(RESULTS) - 1), _flag(rest[1], player))
        case "END":
            return End(_number(rest[0], line, OTHERWISE))
    return Info(rest[0])


def _flag(text: str, player: int) -> int:
    return NOBODY if text == NO_FLAG else _own(parse_point(text), player)


def _number(text: str, line: str, most: int = 10**9) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= most):
        raise BadNotation(f"a number from 0 to {most} was expected, not {text[:20]!r}, in {line.strip()[:60]!r}.")
    return int(text)


def read_answer(line: str, word: str) -> str:
    """What an engine says after the word that was asked for; BadNotation if it says anything else."""
    said, _, rest = line.strip().partition(" ")
    if said.upper() != word or not rest.strip():
        raise BadNotation(f"{word} was expected, not {line.strip()[:60]!r}")
    return rest.strip()
