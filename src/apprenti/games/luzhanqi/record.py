"""The public record of a game: all that both players have seen. It names pieces by where they began, never by type."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from apprenti.core.protocols import Outcome, Reason
from apprenti.games.luzhanqi.board import POINTS, SLOTS, START
from apprenti.games.luzhanqi.combat import BOTH_DIED, WON
from apprenti.games.luzhanqi.moves import NOBODY
from apprenti.games.luzhanqi.pieces import EMPTY


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
    flags: tuple[int, int] = (NOBODY, NOBODY)
    """Where each player's flag is, if that is public; −1 if not."""
    carriers: tuple[int, int] = (NOBODY, NOBODY)
    """For each player, the enemy piece that carries the flag; −1 if none does."""
    quiet: int = 0
    """Moves since the last attack."""
    since_attack: tuple[tuple[int, ...], ...] = ()
    """The boards since the last attack, where the rules count repetitions."""
    outcome: Outcome | None = None

    @classmethod
    def of_layouts(cls, layouts: tuple[str, str], count_repetitions: bool = False) -> "Record":
        """The beginning. Only where pieces stand is taken from the layouts, not what they are."""
        board = [NOBODY] * POINTS
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
        return frozenset(piece for piece in self.board if piece != NOBODY)

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
