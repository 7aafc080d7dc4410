"""Tetris in the terminal: the board as text, with colours where there are any, the score beside it, a person's keys."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import ClassVar

from apprenti.games.tetris.board import EMPTY
from apprenti.games.tetris.placement import Placement, drop
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import State
from apprenti.views.numbers import counted
from apprenti.views.thoughts import FEW
from apprenti.views.view import Look, View

COLOURS = {"I": 51, "O": 226, "T": 129, "S": 46, "Z": 196, "J": 27, "L": 208, "D": 39}
"""Terminal colours (of 256) of the pieces; others are white."""
GHOST = 242
"""Terminal colour of a shadow at half size."""

Mark = tuple[str, bool]
"""The letter of a cell, and whether it is only a shadow."""


def cell(letter: str, colour: bool, ghost: bool = False) -> str:
    """One cell, two characters wide."""
    if ghost:
        return f"\x1b[38;5;{COLOURS.get(letter, 15)}m░░\x1b[0m" if colour else "::"
    if letter.isdigit():
        return f"\x1b[1m{letter * 2}\x1b[0m" if colour else letter * 2
    if letter == EMPTY:
        return "\x1b[38;5;238m·\x1b[0m " if colour else ". "
    return f"\x1b[48;5;{COLOURS.get(letter, 15)}m  \x1b[0m" if colour else letter * 2


def ghost_cells(state: State) -> frozenset[tuple[int, int]]:
    """Where the piece in play would come to rest if it were dropped now, from where it is: also under an overhang."""
    if state.piece is None or state.position is None or state.outcome:
        return frozenset()
    piece, here = state.shape, state.position
    if state.rules.entry == "above":
        return frozenset(drop(state.board, piece, here.rotation, here.column).cells)
    while state.board.is_free(here.moved(-1, 0).cells(piece)):
        here = here.moved(-1, 0)
    return frozenset(here.cells(piece))


def rows_needed(rules: Rules, turning: bool) -> int:
    """Rows in which a piece can be seen, so that the picture does not jump while it appears and turns."""
    if rules.entry == "top":
        return rules.height + rules.hidden
    rotations = [rotation for piece in rules.pieces.pieces for rotation in piece.rotations[: None if turning else 1]]
    return rules.height + max(rotation.height for rotation in rotations)


def marks(state: State, ghost: bool = True, ranked: Sequence[Placement] = ()) -> list[list[Mark]]:
    """Every cell, the top row first, with the piece in play and its shadow, or placements by their numbers."""
    ranks = {cell: str(rank) for rank, move in reversed(list(enumerate(ranked, 1))) for cell in move.cells}
    board, falling, shadow = state.board, frozenset[tuple[int, int]](), frozenset[tuple[int, int]]()
    if state.piece is not None and state.position is not None:
        falling = frozenset(state.position.cells(state.shape))
        shadow = ghost_cells(state) if ghost else shadow
    top = max(len(board.rows), rows_needed(state.rules, turning=ghost), *(row + 1 for row, _ in falling))

    def mark(row: int, column: int) -> Mark:
        letter = board.rows[row][column] if row < len(board.rows) else EMPTY
        if (row, column) in falling:
            return state.piece or EMPTY, False
        if (row, column) in shadow and letter == EMPTY:
            return state.piece or EMPTY, True
        return (ranks.get((row, column), letter) if letter == EMPTY else letter), False

    return [[mark(row, column) for column in range(board.width)] for row in reversed(range(top))]


def board_lines(
    state: State, colour: bool = True, ghost: bool = True, ranked: Sequence[Placement] = (), numbers: bool = False
) -> list[str]:
    """The board with its piece in play, top row first, between walls; hidden rows are marked."""
    rows, lines = marks(state, ghost, ranked), []
    for row, cells in zip(reversed(range(len(rows))), rows, strict=True):
        wall = "│" if row < state.board.height else "┆"
        lines.append(wall + "".join(cell(letter, colour, shadow) for letter, shadow in cells) + wall)
    lines.append("└" + "──" * state.board.width + "┘")
    return numbered(lines, len(rows), state.board.width, 1) if numbers else lines


def numbered(lines: Sequence[str], rows: int, width: int, scale: int) -> list[str]:
    """A drawn board with the numbers of rows before it and of columns below it, as in `P:column:rotation`."""
    named = [
        f"{rows - scale * (down + 1):>2}{line}" if down < len(lines) - 1 else f"  {line}"
        for down, line in enumerate(lines)
    ]
    size = 2 if scale == 1 else 1
    return [*named, "   " + "".join(str(column)[-size:].ljust(size) for column in range(width)) + " "]


def half_cells(upper: Mark, lower: Mark, colour: bool = True) -> str:
    """Two cells, one above the other, in one character."""
    above, below = (GHOST if shadow else COLOURS.get(letter, 15) for letter, shadow in (upper, lower))
    full = upper[0] != EMPTY, lower[0] != EMPTY
    block = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "▀" if colour else "█"}[full]
    if not colour or block == " ":
        return block
    behind = f"\x1b[48;5;{below}m" if all(full) else ""
    return f"{behind}\x1b[38;5;{above if full[0] else below}m{block}\x1b[0m"


def small_board_lines(
    state: State, colour: bool = True, ghost: bool = True, ranked: Sequence[Placement] = (), numbers: bool = False
) -> list[str]:
    """The board at half its size, for small terminals. Without colours a shadow cannot be told from a piece.

    There is no room for the numbers of placements: the best one is drawn like a shadow.
    """
    marked, lines = marks(state, ghost and colour, ranked[:1] if colour else ()), []
    best = state.piece or EMPTY, True
    rows = [[best if mark[0] == "1" else mark for mark in row] for row in marked]
    if len(rows) % 2:
        rows.insert(0, [(EMPTY, False)] * state.board.width)
    for row in range(0, len(rows), 2):
        wall = "│" if len(rows) - row - 2 < state.board.height else "┆"
        pairs = zip(rows[row], rows[row + 1], strict=True)
        lines.append(wall + "".join(half_cells(upper, lower, colour) for upper, lower in pairs) + wall)
    lines.append("└" + "─" * state.board.width + "┘")
    return numbered(lines, len(rows), state.board.width, 2) if numbers else lines


def piece_lines(state: State, letter: str | None, colour: bool = True) -> list[str]:
    """A small drawing of a piece."""
    if letter is None:
        return ["?"]
    piece = state.rules.pieces[letter]
    first = piece.rotations[0]
    return [
        "".join(cell(letter, colour) if (row, column) in first.cells else "  " for column in range(first.width))
        for row in reversed(range(first.height))
    ]


def side_lines(state: State, colour: bool = True) -> list[str]:
    """What stands beside the board: the next piece and the score."""
    tally = state.tally
    last = f"+{tally.last_points}" if tally.last_points else "-"
    lines = [f"points {tally.points}", f"last   {last}", f"lines  {tally.lines}", f"pieces {tally.pieces}"]
    clears = " ".join(f"{size}×{count}" for size, count in enumerate(tally.clears, 1) if count)
    lines.append(f"clears {clears or '-'}")
    if state.rules.preview:
        drawing = piece_lines(state, state.next_piece, colour)
        tallest = max(piece.rotations[0].height for piece in state.rules.pieces.pieces)
        lines += ["", "next", *drawing, *[""] * (tallest - len(drawing))]  # what stands below keeps its place
    return lines


def screen(
    state: State, colour: bool = True, ghost: bool = True, more: Sequence[str] = (), small: bool = False,
    ranked: Sequence[Placement] = (), numbers: bool = False,
) -> str:  # fmt: skip
    """Board and score side by side, and whatever more is to be said below the score."""
    board = (small_board_lines if small else board_lines)(state, colour, ghost, ranked, numbers)
    side = [*side_lines(state, colour), *more]
    nothing = " " * ((1 if small else 2) * state.board.width + 2 + 2 * numbers)
    board += [nothing] * (len(side) - len(board))
    return "\n".join(f"{left}  {right}".rstrip() for left, right in zip_longest(board, side, fillvalue=""))


class TetrisView(View[State]):
    """The view of Tetris."""

    keys: ClassVar[Mapping[str, str]] = MappingProxyType({
        "left": "L", "a": "L", "right": "R", "d": "R", "up": "H", "x": "H", "w": "H", "z": "T", " ": "D",
        "down": "N", "n": "N", "s": "N",
    })  # fmt: skip
    key_help: ClassVar[tuple[str, ...]] = (
        "← →    move", "↑ x    turn clockwise", "z      turn back", "space  drop", "↓ n    wait",
    )  # fmt: skip
    beside: ClassVar[bool] = True
    pace: ClassVar[str] = "pieces"

    def screen(self, state: State, look: Look) -> str:
        best = sorted(look.hints, key=lambda move: -look.hints[move])
        ranked = [move for move in best if isinstance(move, Placement)][:FEW]
        return screen(state, look.colour, look.by_keys, look.words, look.small, ranked, look.numbers)

    def statistics(self, state: State) -> list[str]:
        board, heights = state.board, " ".join(map(str, state.board.column_heights))
        counts = f"L {state.tally.lines}  H {board.sum_heights}  T {board.holes}  B {board.bumpiness}"
        return [counts, f"columns {heights}"]

    def how(self, state: State) -> str:
        return "L (left), R (right), D (drop), N (nothing), H (clockwise), T (anticlockwise) or P:column:rotation"

    def score(self, state: State) -> str:
        tally = state.tally
        points = [] if state.rules.points == "lines" else [counted(tally.points, "point")]
        return ", ".join([*points, counted(tally.lines, "line"), counted(tally.pieces, "piece")])

    def shows(self, before: State | None, state: State) -> bool:
        return before is not None and before.tally.pieces != state.tally.pieces


VIEW = TetrisView()
