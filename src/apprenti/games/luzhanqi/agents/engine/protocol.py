"""The engine protocol 1.0 of the Chinese computer-game championship (2012), and a game as an engine can follow it.

Lines of text, one order or answer each. Referee to engine: `INFO 1.0`, `START first time steps`, `GO move result flag`,
`RESULT result flag`, `END win`. Engine to referee: `NAME x`, `ARRAY` and 25 letters, `BESTMOVE G2F2`.

Every engine sees itself at the bottom: its own points are in rows G to L whichever side it plays. So orders to the
player who moves second, and its answers, are turned by half. An engine never sees the enemy's layout. Results and flags
are enough to keep the very record both players share, so that its observation is the one the referee's `State` gives.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from apprenti.core.errors import BadNotation, BadRules
from apprenti.games.luzhanqi import layout as layouts_
from apprenti.games.luzhanqi.board import NAMES, SLOTS, move_name, parse_move, parse_point, turned
from apprenti.games.luzhanqi.moves import MOVED, NO_PIECE, NO_POINT, RESULTS
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import FLAG, LETTERS, MARSHAL, TYPE_OF
from apprenti.games.luzhanqi.play import Fight, Record, fallen_in, stepped, with_repetition
from apprenti.games.luzhanqi.rules import Rules

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
    """Where the opponent's flag is, or NO_POINT."""


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
    return turned(point) if player == 1 and point != NO_POINT else point


def write_move(origin: int, target: int, player: int) -> str:
    """A move as a player sees it."""
    return move_name(_own(origin, player), _own(target, player))


def read_move(text: str, player: int) -> tuple[int, int]:
    """A move that a player sees so."""
    origin, target = parse_move(text)
    return _own(origin, player), _own(target, player)


def write_flag(point: int, player: int) -> str:
    """Where a flag is, as a player sees it; `00` if that is not known."""
    return NO_FLAG if point == NO_POINT else NAMES[_own(point, player)]


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
    return NO_POINT if text == NO_FLAG else _own(parse_point(text), player)


def _number(text: str, line: str, most: int = 10**9) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= most):
        raise BadNotation(f"a number from 0 to {most} was expected, not {text[:20]!r}, in {line.strip()[:60]!r}.")
    return int(text)


def read_answer(line: str, word: str) -> str:
    """What an engine says after the word that was asked for; BadNotation if it says anything else."""
    first, _, rest = line.strip().partition(" ")
    if first.upper() != word or not rest.strip():
        raise BadNotation(f"{word} was expected, not {line.strip()[:60]!r}")
    return rest.strip()


def check_rules(rules: Rules) -> Rules:
    """The rules, if results and flags are all that has to be told; BadRules otherwise."""
    if rules.show_fights or rules.flag == "carried":
        raise BadRules("engines are told results and nothing else: rules that show or carry pieces cannot be played.")
    if sum(rules.counts) != SLOTS:
        raise BadRules("engines begin with all 25 pieces: a reduced army cannot be played.")
    return rules


@dataclass(frozen=True)
class OneSide:
    """A game so far, from one side."""

    rules: Rules
    player: int
    """The own side: 0 moves first."""
    layout: str
    record: Record

    @classmethod
    def start(cls, layout: str, player: int, rules: Rules) -> Self:
        """The beginning; of the enemy it is only known that every point is filled."""
        check_rules(rules)
        layouts_.check(layout, rules)
        full = LETTERS[0] * SLOTS  # only that something stands there is taken from it
        return cls(rules, player, layout, Record.of_layouts((full, full), rules.repetition > 0))

    @property
    def observation(self) -> Observation:
        """What the player knows."""
        return Observation(self.rules, self.player, self.layout, (SLOTS, SLOTS), self.record)

    def after(self, origin: int, target: int, result: int, flag: int = NO_POINT) -> Self:
        """The game after a move of either player with this result; `flag` is where the enemy's is, if it is shown."""
        self._check(origin, target, result)
        before = self.record
        mover, other = before.board[origin], before.board[target]
        new = stepped(self.rules, before, origin, target, result)
        if result != MOVED:
            new = self._after_fight(new, Fight(mover, other, result, False, (False, False)), flag)
        elif flag not in (NO_POINT, before.flags[1 - self.player]):
            raise BadNotation(f"a flag is shown when a marshal falls, but {move_name(origin, target)} was no fight.")
        return replace(self, record=with_repetition(self.rules, before, new))

    def _check(self, origin: int, target: int, result: int) -> None:
        """Refuse what cannot have happened on this board."""
        move, board, player = move_name(origin, target), self.record.board, self.record.to_move
        if board[origin] == NO_PIECE or board[origin] // SLOTS != player:
            raise BadNotation(f"{move} was told, but no piece of the player to move stands on {NAMES[origin]}.")
        if board[target] != NO_PIECE and board[target] // SLOTS == player:
            raise BadNotation(f"{move} was told, but a piece of the same player stands on {NAMES[target]}.")
        if (board[target] == NO_PIECE) != (result == MOVED):
            what = "nothing" if board[target] == NO_PIECE else "a piece"
            raise BadNotation(f"{move} was told with result {result}, but {what} stands on {NAMES[target]}.")

    def _after_fight(self, record: Record, seen: Fight, flag: int) -> Record:
        """Write a fight down; a fallen marshal shows its flag: the own one is known, the enemy's is told."""
        own, enemy, types = self.player, 1 - self.player, [TYPE_OF[letter] for letter in self.layout]
        flags, revealed = list(record.flags), [False, False]
        lost = [types[piece % SLOTS] for piece in fallen_in(seen) if piece // SLOTS == own]
        if MARSHAL in lost and self.rules.reveal_flag and flags[own] == NO_POINT:
            home = SLOTS * own + types.index(FLAG)
            flags[own], revealed[own] = record.board.index(home), True
        if flag != NO_POINT and flags[enemy] == NO_POINT:
            flags[enemy], revealed[enemy] = flag, True
        written = seen._replace(revealed=(revealed[0], revealed[1]))
        return replace(record, fights=(*record.fights, written), flags=(flags[0], flags[1]))
