"""The board: rows of cells, row 0 at the bottom, immutable."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from apprenti.core.errors import BadNotation, BadRules
from apprenti.games.tetris.pieces import Cell

EMPTY = "."
SMALLEST, WIDEST_BOARD, TALLEST_BOARD = 1, 64, 128


@dataclass(frozen=True)
class Board:
    """A board of `width` columns and `height` rows, and `hidden` more above them where pieces appear.

    A cell is a letter: `.` when empty, otherwise the piece that left it there.
    """

    rows: tuple[str, ...]
    hidden: int = 0

    def __post_init__(self) -> None:
        width = len(self.rows[0]) if self.rows else 0
        if not SMALLEST <= width <= WIDEST_BOARD or not SMALLEST <= len(self.rows) - self.hidden <= TALLEST_BOARD:
            raise BadRules(
                f"a board has 1 to {WIDEST_BOARD} columns and 1 to {TALLEST_BOARD} rows, not "
                f"{width} by {len(self.rows) - self.hidden}."
            )

    @classmethod
    def empty(cls, width: int = 10, height: int = 22, hidden: int = 2) -> "Board":
        """A board with nothing on it."""
        return cls((EMPTY * width,) * (height + hidden), hidden)

    @classmethod
    def parse(cls, rows: Sequence[str] | str, hidden: int = 0) -> "Board":
        """Read rows, the top one first: `.` is empty, anything else full. In a string, `/` or line ends part them."""
        if isinstance(rows, str):
            rows = rows.strip().replace("/", "\n").split("\n")
        rows = [row.strip() for row in rows]
        if not rows or len({len(row) for row in rows}) != 1 or not rows[0]:
            raise BadNotation("a board is written as rows of equal length, the top one first, '.' for an empty cell.")
        return cls(tuple(reversed(rows)), hidden)

    def __str__(self) -> str:
        return "\n".join(reversed(self.rows))

    @property
    def notation(self) -> str:
        """The board on one line: rows from the top, `/` between them."""
        return "/".join(reversed(self.rows))

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """Rows, without the hidden ones."""
        return len(self.rows) - self.hidden

    def is_full(self, row: int, column: int) -> bool:
        """Whether a cell is taken. Cells above everything are empty."""
        return row < len(self.rows) and self.rows[row][column] != EMPTY

    def is_free(self, cells: Iterable[Cell]) -> bool:
        """Whether all these cells are inside the board and empty."""
        return all(
            0 <= column < self.width and 0 <= row < len(self.rows) and self.rows[row][column] == EMPTY
            for row, column in cells
        )

    @cached_property
    def column_heights(self) -> tuple[int, ...]:
        """For each column, the row above its highest full cell."""
        return tuple(
            max((row + 1 for row, cells in enumerate(self.rows) if cells[column] != EMPTY), default=0)
            for column in range(self.width)
        )

    @property
    def highest(self) -> int:
        """The height of the highest column."""
        return max(self.column_heights)

    @property
    def sum_heights(self) -> int:
        """The sum of the column heights."""
        return sum(self.column_heights)

    @property
    def bumpiness(self) -> int:
        """The sum of the differences between neighbouring columns."""
        heights = self.column_heights
        return sum(abs(a - b) for a, b in itertools.pairwise(heights))

    @cached_property
    def hole_cells(self) -> tuple[Cell, ...]:
        """The empty cells with a full cell somewhere above: the dominated ones."""
        return tuple(
            (row, column)
            for column, height in enumerate(self.column_heights)
            for row in range(height)
            if self.rows[row][column] == EMPTY
        )

    @property
    def holes(self) -> int:
        """How many cells are dominated."""
        return len(self.hole_cells)

    @property
    def full_rows(self) -> tuple[int, ...]:
        """The rows with no empty cell."""
        return tuple(row for row, cells in enumerate(self.rows) if EMPTY not in cells)

    def with_cells(self, cells: Iterable[Cell], letter: str) -> "Board":
        """The board with more cells taken. Cells above it make it grow: a piece that sticks out can be seen."""
        rows = list(self.rows)
        for row, column in cells:
            while row >= len(rows):
                rows.append(EMPTY * self.width)
            rows[row] = rows[row][:column] + letter + rows[row][column + 1 :]
        return Board(tuple(rows), self.hidden + len(rows) - len(self.rows))

    def without_lines(self, rows: int) -> tuple["Board", int]:
        """The board of `rows` rows after its full lines are removed, and how many they were."""
        kept = [row for row in self.rows if EMPTY in row]
        lines = len(self.rows) - len(kept)
        size = max(rows, max((r + 1 for r, row in enumerate(kept) if row.strip(EMPTY)), default=0))
        kept = (kept + [EMPTY * self.width] * size)[:size]
        return Board(tuple(kept), self.hidden + size - len(self.rows)), lines

    def encode(self) -> int:
        """The board as a number: bit (row × width + column) is set when the cell is full."""
        bits = "".join("0" if cell == EMPTY else "1" for row in self.rows for cell in row)
        return int(bits[::-1], 2)

    @classmethod
    def decode(cls, code: int, width: int = 10, height: int = 22, hidden: int = 2, letter: str = "#") -> "Board":
        """The board of a number; every full cell gets the same letter."""
        size = width * (height + hidden)
        if code < 0 or code >> size:
            raise BadNotation(f"a board of {width} by {height + hidden} cells is a number from 0 to 2^{size} - 1.")
        cells = "".join(letter if code >> i & 1 else EMPTY for i in range(size))
        return cls(tuple(cells[i : i + width] for i in range(0, size, width)), hidden)
