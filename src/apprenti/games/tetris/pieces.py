"""Pieces: their cells in every rotation, and the sets they come in.

A piece is drawn in a matrix. A rotation keeps the tight box of its cells and where that box lies in the matrix, so that
turning is a change of rotation inside the same matrix. Cells are (row, column) with row 0 at the bottom of the box.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from apprenti.core.errors import BadNotation, BadRules, UnknownName

Cell = tuple[int, int]

WIDEST = 5
MOST_PIECES = 32


@dataclass(frozen=True)
class Rotation:
    """One orientation of a piece."""

    cells: tuple[Cell, ...]
    left: int
    """Empty columns of the matrix left of the cells."""
    down: int
    """Empty rows of the matrix above the cells."""

    @cached_property
    def width(self) -> int:
        """Columns of the tight box."""
        return 1 + max(column for _, column in self.cells)

    @cached_property
    def height(self) -> int:
        """Rows of the tight box."""
        return 1 + max(row for row, _ in self.cells)

    @cached_property
    def lowest(self) -> tuple[int, ...]:
        """The row of the lowest cell of each column."""
        return tuple(min(row for row, column in self.cells if column == c) for c in range(self.width))

    @cached_property
    def highest(self) -> tuple[int, ...]:
        """The row of the highest cell of each column."""
        return tuple(max(row for row, column in self.cells if column == c) for c in range(self.width))

    def matrix(self, size: int) -> tuple[str, ...]:
        """The rotation in its square matrix, top row first, `#` for a cell."""
        top = size - 1 - self.down - (self.height - 1)
        filled = {(row + top, column + self.left) for row, column in self.cells}
        return tuple("".join(".#"[(row, c) in filled] for c in range(size)) for row in reversed(range(size)))

    @property
    def corners(self) -> tuple[int, int, int, int]:
        """Top row, left column, bottom row, right column of the cells in the matrix, counted from its top left."""
        return self.down, self.left, self.down + self.height - 1, self.left + self.width - 1


@dataclass(frozen=True)
class Piece:
    """A piece: its letter and its rotations, the one it appears in first, the others clockwise."""

    letter: str
    rotations: tuple[Rotation, ...]
    size: int
    """Side of the square matrix."""

    def clockwise(self, rotation: int) -> int:
        """The rotation after a quarter turn clockwise (command H)."""
        return (rotation + 1) % len(self.rotations)

    def anticlockwise(self, rotation: int) -> int:
        """The rotation after a quarter turn anticlockwise (command T)."""
        return (rotation - 1) % len(self.rotations)

    def matrix(self, rotation: int = 0) -> tuple[str, ...]:
        """A rotation in the square matrix, top row first."""
        return self.rotations[rotation].matrix(self.size)


def _turned(rows: Sequence[str]) -> tuple[str, ...]:
    """A drawing after a quarter turn clockwise."""
    return tuple("".join(row[c] for row in reversed(rows)) for c in range(len(rows[0])))


def _boxed(rows: Sequence[str], in_matrix: bool) -> Rotation:
    """Read a drawing, top row first."""
    filled = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"]
    top, bottom = min(r for r, _ in filled), max(r for r, _ in filled)
    left = min(c for _, c in filled)
    cells = tuple(sorted((bottom - r, c - left) for r, c in filled))
    return Rotation(cells, left if in_matrix else 0, top if in_matrix else 0)


def rapid_piece(letter: str, drawing: Sequence[str]) -> Piece:
    """A piece with its distinct rotations only, each anchored at the top left corner of its box."""
    rotations: list[Rotation] = []
    for _ in range(4):
        rotation = _boxed(drawing, in_matrix=False)
        if rotation not in rotations:
            rotations.append(rotation)
        drawing = _turned(drawing)
    return Piece(letter, tuple(rotations), max(max(r.width, r.height) for r in rotations))


def classic_piece(letter: str, drawing: Sequence[str]) -> Piece:
    """A piece that turns about the centre of its square matrix: four rotations, or one if it fills the matrix."""
    rotations = []
    for _ in range(4):
        rotations.append(_boxed(drawing, in_matrix=True))
        drawing = _turned(drawing)
    return Piece(letter, tuple(rotations[:1] if len(set(rotations)) == 1 else rotations), len(drawing))


@dataclass(frozen=True)
class PieceSet:
    """The pieces a game is played with, in a fixed order."""

    name: str
    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.pieces) <= MOST_PIECES:
            raise BadRules(f"a set has 1 to {MOST_PIECES} pieces, and {self.name!r} has {len(self.pieces)}.")
        if len({piece.letter for piece in self.pieces}) < len(self.pieces):
            raise BadRules(f"two pieces of the set {self.name!r} have the same letter.")
        for piece in self.pieces:
            if piece.size > WIDEST:
                raise BadRules(
                    f"piece {piece.letter} is larger than {WIDEST} by {WIDEST} cells, the most we play with."
                )

    @cached_property
    def letters(self) -> str:
        """The letters of the pieces, in order."""
        return "".join(piece.letter for piece in self.pieces)

    @cached_property
    def by_letter(self) -> dict[str, Piece]:
        """The pieces by their letters."""
        return {piece.letter: piece for piece in self.pieces}

    def __getitem__(self, letter: str) -> Piece:
        try:
            return self.by_letter[letter]
        except KeyError:
            raise UnknownName("piece", letter, self.letters) from None

    def text(self) -> str:
        """The set as `PieceSet.parse` reads it: for each piece its letter, then the drawing of its first rotation."""
        blocks = []
        for piece in self.pieces:
            first = piece.rotations[0]
            rows = [
                "".join(".#"[(row, column) in first.cells] for column in range(first.width))
                for row in reversed(range(first.height))
            ]
            blocks.append("\n".join([piece.letter, *rows]))
        return "\n\n".join(blocks) + "\n"

    @classmethod
    def parse(cls, text: str, name: str = "custom") -> "PieceSet":
        """Read drawings separated by empty lines: a letter on its own line, then rows of `#` and `.`."""
        lines = [line.split("//")[0].rstrip() for line in text.splitlines()]
        blocks = [block.split("\n") for block in "\n".join(lines).strip("\n").split("\n\n") if block.strip()]
        pieces = []
        for block in blocks:
            letter, *rows = [line.strip() for line in block if line.strip()]
            if len(letter) != 1 or not letter.isalpha():
                raise BadNotation(f"a piece begins with one letter on its own line, not {letter!r}.")
            if not rows or len({len(row) for row in rows}) > 1 or set("".join(rows)) - {"#", "."}:
                raise BadNotation(f"piece {letter} is drawn in rows of equal length with # and . only.")
            if "#" not in "".join(rows):
                raise BadNotation(f"piece {letter} has no cell: draw at least one #.")
            piece = rapid_piece(letter.upper(), rows)
            if any(len({c for _, c in rotation.cells}) < rotation.width for rotation in piece.rotations):
                raise BadNotation(
                    f"piece {letter} has an empty row or column inside: its parts would fall on their own."
                )
            pieces.append(piece)
        if not pieces:
            raise BadNotation("a set of pieces needs at least one drawing: a letter, then rows of # and .")
        return cls(name, tuple(pieces))


_FLAT = {
    "I": ("####",),
    "O": ("##", "##"),
    "T": (".#.", "###"),
    "S": (".##", "##."),
    "Z": ("##.", ".##"),
    "J": ("#..", "###"),
    "L": ("..#", "###"),
}
_SQUARE = {
    "I": ("....", "####", "....", "...."),
    "O": ("##", "##"),
    **{letter: (*_FLAT[letter], "...") for letter in "TSZJL"},
}

RAPID = PieceSet("rapid", tuple(rapid_piece(letter, rows) for letter, rows in _FLAT.items()))
"""The seven tetrominoes with their distinct rotations."""
CLASSIC = PieceSet("classic", tuple(classic_piece(letter, rows) for letter, rows in _SQUARE.items()))
"""The seven tetrominoes with four rotations about the centre of their matrix (O has one)."""
DOMINO = PieceSet("domino", (rapid_piece("D", ("##",)),))
"""One domino."""
SMALL = PieceSet(
    "small",
    tuple(
        rapid_piece(letter, rows)
        for letter, rows in {
            "M": ("#",),
            "D": ("##",),
            "X": ("#.", ".#"),
            "C": ("#.", "##"),
            "O": ("##", "##"),
        }.items()
    ),
)
"""The five shapes of at most 2 by 2 cells: one cell, domino, diagonal, corner, square (Bdolah and Livnat)."""

PIECE_SETS = {pieces.name: pieces for pieces in (RAPID, CLASSIC, DOMINO, SMALL)}


@cache
def piece_set(name: str) -> PieceSet:
    """A set by its name."""
    if name not in PIECE_SETS:
        raise UnknownName("set of pieces", name, PIECE_SETS)
    return PIECE_SETS[name]
