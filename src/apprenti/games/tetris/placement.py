"""Placements: where a piece can be brought to rest, and what that does to the board."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from apprenti.games.tetris.board import Board
from apprenti.games.tetris.pieces import RAPID, Cell, Piece, PieceSet
from apprenti.games.tetris.rules import Rules


@dataclass(frozen=True)
class Placement:
    """A piece at rest: its rotation, the column of its leftmost cells, and the cells it takes."""

    piece: str
    rotation: int
    column: int
    cells: tuple[Cell, ...]
    """(row, column), row 0 at the bottom, before lines are removed."""

    @property
    def row(self) -> int:
        """The row of its lowest cells."""
        return min(row for row, _ in self.cells)

    @property
    def top(self) -> int:
        """The row above its highest cells."""
        return 1 + max(row for row, _ in self.cells)

    def __str__(self) -> str:
        return f"P:{self.column}:{self.rotation}"


@dataclass(frozen=True)
class Position:
    """A piece in the air: its rotation and the lower left corner of its box."""

    rotation: int
    row: int
    column: int

    def cells(self, piece: Piece) -> tuple[Cell, ...]:
        """The cells it takes."""
        return tuple((self.row + row, self.column + column) for row, column in piece.rotations[self.rotation].cells)

    def turned(self, piece: Piece, rotation: int) -> "Position":
        """The same matrix with another rotation in it."""
        old, new = piece.rotations[self.rotation], piece.rotations[rotation]
        top = self.row + old.height - 1 + old.down - new.down
        return Position(rotation, top - new.height + 1, self.column - old.left + new.left)

    def moved(self, rows: int, columns: int) -> "Position":
        """The position some rows up and columns right."""
        return Position(self.rotation, self.row + rows, self.column + columns)


def drop(board: Board, piece: Piece, rotation: int, column: int) -> Placement:
    """A straight drop from above the pile."""
    shape = piece.rotations[rotation]
    row = max(board.column_heights[column + c] - low for c, low in enumerate(shape.lowest))
    return Placement(piece.letter, rotation, column, tuple((row + r, column + c) for r, c in shape.cells))


def straight_drops(board: Board, piece: Piece) -> Iterator[Placement]:
    """Every rotation at every column, in the order that breaks ties."""
    for rotation, shape in enumerate(piece.rotations):
        for column in range(board.width - shape.width + 1):
            yield drop(board, piece, rotation, column)


def entry(rules: Rules, piece: Piece) -> Position:
    """Where the player is first asked: flat, centred, to the left when it cannot be; at the top, or above everything.

    At the top means in the top row, where the piece appears, or one row below if gravity comes first.
    """
    shape = piece.rotations[0]
    top = rules.height + rules.hidden - shape.height - rules.gravity_first
    return Position(0, top if rules.entry == "top" else rules.height, (rules.width - shape.width) // 2)


def has_room(rules: Rules, board: Board, piece: Piece) -> bool:
    """Whether a piece can appear and, where gravity comes first, come down one row; above a board there is room."""
    first = entry(rules, piece)
    rows = range(rules.gravity_first + 1) if rules.entry == "top" else ()
    return all(board.is_free(first.moved(row, 0).cells(piece)) for row in rows)


def walks(board: Board, piece: Piece, start: Position) -> Iterator[Position]:
    """Every position that shifts and turns lead to at the height of `start`, through free cells, without falling."""
    if not board.is_free(start.cells(piece)):
        return
    seen, queue = {start}, deque([start])
    while queue:
        here = queue.popleft()
        yield here
        turns = {piece.clockwise(here.rotation), piece.anticlockwise(here.rotation)}
        for there in (here.moved(0, -1), here.moved(0, 1), *(here.turned(piece, rotation) for rotation in turns)):
            if there not in seen and board.is_free(there.cells(piece)):
                seen.add(there)
                queue.append(there)


def legal_placements(rules: Rules, board: Board, letter: str) -> tuple[Placement, ...]:
    """The placements the rules allow, the lowest rotation first, then the leftmost column."""
    piece = rules.pieces[letter]
    if rules.entry == "above":
        return tuple(straight_drops(board, piece))
    reached = {(there.rotation, there.column) for there in walks(board, piece, entry(rules, piece))}
    return tuple(fall(board, piece, rotation, column, rules) for rotation, column in sorted(reached))


def fall(board: Board, piece: Piece, rotation: int, column: int, rules: Rules) -> Placement:
    """A straight fall from where the player is first asked: through free cells, onto the column or a ledge in it."""
    start = entry(rules, piece)
    here = Position(0, start.row, 0).turned(piece, rotation)
    here = Position(rotation, here.row, column)
    while board.is_free(here.moved(-1, 0).cells(piece)):
        here = here.moved(-1, 0)
    return Placement(piece.letter, rotation, column, here.cells(piece))


def settle(board: Board, placement: Placement, rows: int) -> tuple[Board, int]:
    """The board after the placement and the removal of full lines, and how many lines that were."""
    return board.with_cells(placement.cells, placement.piece).without_lines(rows)


def placements(board: Board, letter: str, pieces: PieceSet = RAPID) -> tuple[Placement, ...]:
    """The straight drops of a piece on a board, also those that stick out of it at the top."""
    return tuple(straight_drops(board, pieces[letter]))
