"""A position of an m,n,k-game as data, with its one-line notation: `X.O/.X./..O x`; turned and mirrored positions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from apprenti.core.errors import BadNotation, BadRules, IllegalMove
from apprenti.core.game import StateBase
from apprenti.core.protocols import Outcome, Reason
from apprenti.games.mnk.rules import Rules

MARKS = "XO"
FREE = "."


class End(Reason):
    """How a game ends."""

    ROW = "row", "enough in a row"
    FULL = "full", "board full"


def has_row(rules: Rules, cells: str, mark: str) -> bool:
    """Whether K of a mark are in a row. A board is a number here, with a column of zeros after its last one."""
    width = rules.columns
    lines = (cells[first : first + width] for first in range(0, len(cells), width))
    bits = int("".join("1" if cell == mark else "0" for cell in "/".join(lines)), 2)
    for step in (1, width, width + 1, width + 2):  # to the right, and down: left, straight, right
        run = bits
        for _ in range(rules.k - 1):
            run &= run >> step
        if run:
            return True
    return False


@dataclass(frozen=True)
class State(StateBase[int, "State"]):
    """A position. X, player 0, moves first; cells are numbered row by row from 0."""

    rules: Rules
    cells: str
    """X, O or . for each cell."""

    @classmethod
    def start(cls, rules: Rules) -> "State":
        """The empty board."""
        return cls(rules, FREE * rules.cells)

    @classmethod
    def parse(cls, text: str, k: int = 3) -> "State":
        """Read `X.O/.X./..O x`: the rows, the top one first, and whose turn it is; refuse what no game reaches."""
        board, _, turn = text.strip().partition(" ")
        rows = board.split("/")
        if not rows[0] or {len(row) for row in rows} != {len(rows[0])} or not set(board) <= {*MARKS, FREE, "/"}:
            raise BadNotation(
                f"a position is rows of X, O and . and whose turn it is, like X.O/.X./..O x, not {text!r}."
            )
        try:
            state = cls(Rules(len(rows), len(rows[0]), k), "".join(rows))
        except BadRules as error:
            raise BadNotation(f"{text!r} is no position: {error}") from None
        state._check(turn.strip())
        return state

    def _check(self, turn: str) -> None:
        """Refuse a position that no game reaches."""
        crosses, noughts = map(self.cells.count, MARKS)
        if crosses - noughts not in (0, 1):
            raise BadNotation(f"X begins, so there cannot be {crosses} X and {noughts} O in {self.notation!r}.")
        if turn != MARKS[self.to_move].lower():
            raise BadNotation(f"it is {MARKS[self.to_move].lower()}'s turn in {self.notation!r}, not {turn!r}.")
        last = MARKS[1 - self.to_move]
        if has_row(self.rules, self.cells, MARKS[self.to_move]) or (
            has_row(self.rules, self.cells, last) and not any(True for _ in self._before(last))
        ):
            raise BadNotation(f"no game reaches {self.notation!r}: it was over before.")

    def _before(self, last: str) -> Iterator[str]:
        """The boards before the last move on which the game was not over yet."""
        for cell, mark in enumerate(self.cells):
            board = self.cells[:cell] + FREE + self.cells[cell + 1 :]
            if mark == last and not has_row(self.rules, board, last):
                yield board

    @property
    def notation(self) -> str:
        """The position on one line."""
        width = self.rules.columns
        rows = [self.cells[first : first + width] for first in range(0, len(self.cells), width)]
        return f"{'/'.join(rows)} {MARKS[self.to_move].lower()}"

    @cached_property
    def to_move(self) -> int:
        """Whose turn it is, or would be if the game were not over: 0 for X, 1 for O."""
        return (len(self.cells) - self.cells.count(FREE)) % 2

    @cached_property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on. Only the player who has just moved can have won."""
        last = 1 - self.to_move
        if has_row(self.rules, self.cells, MARKS[last]):
            return Outcome.between_two(End.ROW, last)
        return None if FREE in self.cells else Outcome.between_two(End.FULL)

    def legal_moves(self) -> tuple[int, ...]:
        """The free cells; none when the game is over."""
        return () if self.outcome else tuple(cell for cell, mark in enumerate(self.cells) if mark == FREE)

    def play(self, cell: int) -> "State":
        if not 0 <= cell < len(self.cells):
            raise IllegalMove(f"there is no cell {cell}: the last one is {self.rules.name_of(len(self.cells) - 1)}.")
        self.refuse_if_over()
        if self.cells[cell] != FREE:
            raise IllegalMove(f"{self.rules.name_of(cell)} is taken: choose a free cell.")
        return State(self.rules, self.cells[:cell] + MARKS[self.to_move] + self.cells[cell + 1 :])


Symmetry = tuple[int, ...]
"""For each cell of the new board the cell of the old one that comes there."""


@cache
def symmetries(rules: Rules) -> tuple[Symmetry, ...]:
    """Every symmetry of a board, the one that changes nothing first; on a single row or column some are equal."""
    rows, columns = rules.rows, rules.columns
    board = [[row * columns + column for column in range(columns)] for row in range(rows)]
    ways: dict[Symmetry, None] = {}
    for transposed in (False, True) if rows == columns else (False,):
        base = [list(line) for line in zip(*board, strict=True)] if transposed else board
        for upside_down in (False, True):
            for mirrored in (False, True):
                lines = base[::-1] if upside_down else base
                turned = [line[::-1] if mirrored else line for line in lines]
                ways[tuple(cell for line in turned for cell in line)] = None
    return tuple(ways)


def seen_by(state: State, symmetry: Symmetry) -> State:
    """The position, turned or mirrored."""
    return State(state.rules, "".join(state.cells[cell] for cell in symmetry))


def orbit(state: State) -> tuple[State, ...]:
    """The position seen in every way, one for each symmetry; some may be equal."""
    return tuple(seen_by(state, symmetry) for symmetry in symmetries(state.rules))


def canonical(state: State) -> State:
    """The one of its orbit that stands for all: the first in the order of the alphabet."""
    return min(orbit(state), key=lambda seen: seen.cells)
