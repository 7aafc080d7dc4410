"""The public record of a game, and what a move makes of it.

The record is all that both players have seen. It names pieces by where they began, never by type; a move goes from one
record to the next by the rules and the types of all pieces, and one that is not legal is refused with the reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from apprenti.core.protocols import Outcome, Reason
from apprenti.games.luzhanqi.board import (
    CAMPS,
    COLUMNS,
    HEADQUARTERS,
    NAMES,
    NEIGHBOURS,
    POINTS,
    RAIL,
    SLOTS,
    START,
    move_name,
    owner_of_headquarters,
)
from apprenti.games.luzhanqi.moves import (
    BOTH_DIED,
    DIED,
    MOVED,
    NO_PIECE,
    NO_POINT,
    WON,
    fight,
    may_leave,
    ordinary_reach,
    targets,
)
from apprenti.games.luzhanqi.pieces import EMPTY, FLAG, LETTERS, MARSHAL, MINE, MOBILE
from apprenti.games.luzhanqi.pieces import NAMES as PIECE_NAMES
from apprenti.games.luzhanqi.rules import Rules


class End(Reason):
    """How a game ends."""

    FLAG_TAKEN = "flag", "the flag fell"
    FLAG_HOME = "flag_home", "the flag was carried home"
    QUIET = "quiet", "too many quiet moves"
    NO_MOVE = "no_move", "no legal move"
    LONG = "long", "the limit of moves"
    REPEATED = "repetition", "repetition"


class Move(NamedTuple):
    """A move and its result, as both players saw it."""

    origin: int
    target: int
    result: int


class Fight(NamedTuple):
    """A fight as both players saw it."""

    attacker: int
    """The piece that attacked."""
    defender: int
    result: int
    flag: bool
    """Whether the defender was a flag, and fell."""
    revealed: tuple[bool, bool]
    """For each player, whether this fight cost the marshal, so that the flag had to be shown."""
    shown: str = ""
    """The letters of attacker and defender, where the rules have them shown."""


@dataclass(frozen=True)
class Record:
    """What both players know. A piece is a number: 25·player + the slot it began on."""

    board: tuple[int, ...]
    """For each point the piece on it, or −1."""
    moves: tuple[Move, ...] = ()
    fights: tuple[Fight, ...] = ()
    moved: frozenset[int] = frozenset()
    """Pieces that have moved."""
    turned: frozenset[int] = frozenset()
    """Pieces that made a move on rails that an ordinary piece could not make."""
    flags: tuple[int, int] = (NO_POINT, NO_POINT)
    """Where each player's flag is, if that is public; −1 if not."""
    carriers: tuple[int, int] = (NO_PIECE, NO_PIECE)
    """For each player, the enemy piece that carries the flag; −1 if none does."""
    quiet: int = 0
    """Moves since the last attack."""
    since_attack: tuple[tuple[int, ...], ...] = ()
    """The boards since the last attack, where the rules count repetitions."""
    outcome: Outcome | None = None

    @classmethod
    def of_layouts(cls, layouts: tuple[str, str], count_repetitions: bool = False) -> "Record":
        """The beginning. Only where pieces stand is taken from the layouts, not what they are."""
        board = [NO_PIECE] * POINTS
        for player, layout in enumerate(layouts):
            for slot, letter in enumerate(layout):
                if letter != EMPTY:
                    board[START[player][slot]] = SLOTS * player + slot
        return cls(tuple(board), since_attack=(tuple(board),) if count_repetitions else ())

    @property
    def to_move(self) -> int:
        """Whose turn it is."""
        return len(self.moves) % 2

    @cached_property
    def alive(self) -> frozenset[int]:
        """The pieces on the board."""
        return frozenset(piece for piece in self.board if piece != NO_PIECE)

    @cached_property
    def pieces(self) -> frozenset[int]:
        """All pieces there ever were."""
        return self.alive | {piece for fight in self.fights for piece in (fight.attacker, fight.defender)}

    @cached_property
    def survivors(self) -> frozenset[int]:
        """The pieces that were left over from a fight, and may have fallen in a later one."""
        return frozenset(
            fight.attacker if fight.result == WON else fight.defender
            for fight in self.fights
            if fight.result != BOTH_DIED
        )


Types = Sequence[int]


def after(rules: Rules, record: Record, types: Types, origin: int, target: int) -> Record:
    """The record after a legal move."""
    mover, other = record.board[origin], record.board[target]
    result = MOVED if other == NO_PIECE else _result(rules, record, types, mover, other)
    new = stepped(rules, record, origin, target, result)
    if result != MOVED:
        new = _after_fight(rules, new, types, Fight(mover, other, result, False, (False, False)))
    new = with_repetition(rules, record, _flags_followed(new))
    return replace(new, outcome=_outcome(rules, new, types))


def stepped(rules: Rules, record: Record, origin: int, target: int, result: int) -> Record:
    """The part of a move that needs no types: what stands where, who has moved, and how."""
    mover, board = record.board[origin], list(record.board)
    ordinary = target in ordinary_reach(record.board, origin, rules.blocked)
    board[origin] = NO_PIECE
    if result in (MOVED, WON):
        board[target] = mover
    elif result == BOTH_DIED:
        board[target] = NO_PIECE
    return replace(
        record,
        board=tuple(board),
        moves=(*record.moves, Move(origin, target, result)),
        moved=record.moved | {mover},
        turned=record.turned if ordinary else record.turned | {mover},
        quiet=record.quiet + 1 if result == MOVED else 0,
    )


def with_repetition(rules: Rules, before: Record, after: Record) -> Record:
    """The record with the boards since the last attack, where the rules count repetitions."""
    if not rules.repetition:
        return after
    return replace(after, since_attack=(*(before.since_attack if after.quiet else ()), after.board))


def _result(rules: Rules, record: Record, types: Types, attacker: int, defender: int) -> int:
    owner = defender // SLOTS
    mines_left = any(types[piece] == MINE and piece // SLOTS == owner for piece in record.alive)
    return fight(types[attacker], types[defender], rules, mines_left)


def fallen_in(seen: Fight) -> list[int]:
    """The pieces a fight removed."""
    return ([seen.attacker] if seen.result != WON else []) + ([seen.defender] if seen.result != DIED else [])


def _after_fight(rules: Rules, record: Record, types: Types, seen: Fight) -> Record:
    """Write a fight down; a fallen marshal reveals the flag, a fallen flag is carried, a fallen carrier loses it."""
    fallen = fallen_in(seen)
    flags, revealed = list(record.flags), [False, False]
    for piece in fallen:
        owner = piece // SLOTS
        if types[piece] == MARSHAL and rules.reveal_flag and flags[owner] == NO_POINT:
            flags[owner] = next(
                (point for point, other in enumerate(record.board) if other // SLOTS == owner and types[other] == FLAG),
                NO_POINT,
            )
            revealed[owner] = flags[owner] != NO_POINT
    flag_fell = types[seen.defender] == FLAG and seen.defender in fallen
    shown = LETTERS[types[seen.attacker]] + LETTERS[types[seen.defender]] if rules.show_fights else ""
    written = seen._replace(flag=flag_fell, revealed=(revealed[0], revealed[1]), shown=shown)
    record = replace(record, fights=(*record.fights, written), flags=(flags[0], flags[1]))
    if flag_fell and rules.flag == "carried" and seen.result == WON:
        owner = seen.defender // SLOTS
        return replace(record, carriers=_set(record.carriers, owner, seen.attacker))
    if flag_fell:
        return replace(record, flags=_set(record.flags, seen.defender // SLOTS, NO_POINT))
    return _flags_put_back(record, types, fallen)


def _set(pair: tuple[int, int], player: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if player == 0 else (pair[0], value)


def _flags_put_back(record: Record, types: Types, fallen: list[int]) -> Record:
    """A flag whose carrier fell goes back to its headquarters, or to the other one if a piece stands there."""
    for owner in (0, 1):
        if record.carriers[owner] in fallen:
            flag = next(piece for piece in range(SLOTS * owner, SLOTS * owner + SLOTS) if types[piece] == FLAG)
            home = START[owner][flag % SLOTS]
            both = sorted(HEADQUARTERS & set(START[owner]), key=lambda point: point != home)
            free = [point for point in both if record.board[point] == NO_PIECE]
            board = list(record.board)
            if free:
                board[free[0]] = flag
            point = free[0] if free else NO_POINT
            carriers, flags = _set(record.carriers, owner, NO_PIECE), _set(record.flags, owner, point)
            record = replace(record, board=tuple(board), carriers=carriers, flags=flags)
    return record


def _flags_followed(record: Record) -> Record:
    """A flag that is carried is where its carrier is, and both players see it."""
    for owner, carrier in enumerate(record.carriers):
        if carrier != NO_PIECE:
            record = replace(record, flags=_set(record.flags, owner, record.board.index(carrier)))
    return record


def _flag_gone(record: Record, types: Types) -> int | None:
    """The player whose flag is neither on the board nor carried."""
    for owner in (0, 1):
        flag = next(piece for piece in range(SLOTS * owner, SLOTS * owner + SLOTS) if types[piece] == FLAG)
        if flag not in record.board and record.carriers[owner] == NO_PIECE:
            return owner
    return None


def _outcome(rules: Rules, record: Record, types: Types) -> Outcome | None:
    """Whether the move just made ended the game: the flag first, then the quiet clock, then who cannot move."""
    mover = 1 - record.to_move
    loser = _flag_gone(record, types)
    if loser is not None:
        return Outcome.between_two(End.FLAG_TAKEN, 1 - loser)
    carried = record.flags[1 - mover] if record.carriers[1 - mover] != NO_PIECE else NO_POINT
    if carried in HEADQUARTERS and owner_of_headquarters(carried) == mover:
        return Outcome.between_two(End.FLAG_HOME, mover)
    if rules.quiet_limit and record.quiet >= rules.quiet_limit:
        return Outcome.between_two(End.QUIET, None if rules.quiet_draw else 1 - mover)
    over = stuck(rules, record, types, record.to_move)
    if over:
        return over
    if rules.max_moves and len(record.moves) >= rules.max_moves:
        return Outcome.between_two(End.LONG, truncated=True)
    if rules.repetition and record.since_attack[::-2].count(record.board) >= rules.repetition:
        return Outcome.between_two(End.REPEATED)
    return None


def stuck(rules: Rules, record: Record, types: Types, player: int) -> Outcome | None:
    """The end, if the player has no legal move: a loss, or a draw if the other one has none either."""
    if _can_move(rules, record, types, player):
        return None
    return Outcome.between_two(End.NO_MOVE, 1 - player if _can_move(rules, record, types, 1 - player) else None)


def _can_move(rules: Rules, record: Record, types: Types, player: int) -> bool:
    return any(
        targets(record.board, origin, types[piece], piece in record.carriers, rules)
        for origin, piece in enumerate(record.board)
        if piece != NO_PIECE and piece // SLOTS == player
    )


def why_not(rules: Rules, record: Record, types: Sequence[int], origin: int, target: int) -> str:
    """The reason for which this move cannot be played here."""
    move, player = move_name(origin, target), record.to_move
    piece, other = record.board[origin], record.board[target]
    if record.outcome:
        return f"{move} cannot be played: the game is over ({record.outcome.reason})."
    if piece == NO_PIECE:
        return f"{move} cannot be played: nothing stands on {NAMES[origin]}."
    if piece // SLOTS != player:
        return f"{move} cannot be played: the piece on {NAMES[origin]} is the opponent's."
    if not may_leave(origin, types[piece], piece in record.carriers, rules):
        kind = PIECE_NAMES[types[piece]]
        why = "a piece in headquarters" if MOBILE >> types[piece] & 1 else f"a {kind}"
        return f"{move} cannot be played: {why} does not move."
    if origin == target:
        return f"{move} cannot be played: a piece has to move, there is no pass."
    if other != NO_PIECE and other // SLOTS == player:
        return f"{move} cannot be played: an own piece stands on {NAMES[target]}."
    if other != NO_PIECE and target in CAMPS:
        return f"{move} cannot be played: a piece in a camp cannot be attacked."
    if abs(origin - target) == COLUMNS and target not in NEIGHBOURS[origin]:
        return f"{move} cannot be played: a mountain lies between {NAMES[origin]} and {NAMES[target]}."
    if origin in RAIL and target in RAIL:
        return f"{move} cannot be played: no free railway leads a {PIECE_NAMES[types[piece]]} there."
    return f"{move} cannot be played: no road links {NAMES[origin]} and {NAMES[target]}."
