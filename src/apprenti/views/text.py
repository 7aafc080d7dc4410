"""Boards as text, with colours where the terminal has them."""

from apprenti.games.tetris.board import EMPTY
from apprenti.games.tetris.state import State

COLOURS = {"I": 51, "O": 226, "T": 129, "S": 46, "Z": 196, "J": 27, "L": 208, "D": 39}
"""Terminal colours (of 256) of the pieces; others are white."""


def cell(letter: str, colour: bool, ghost: bool = False) -> str:
    """One cell, two characters wide."""
    if ghost:
        return f"\x1b[38;5;{COLOURS.get(letter, 15)}m░░\x1b[0m" if colour else "::"
    if letter == EMPTY:
        return "\x1b[38;5;238m·\x1b[0m " if colour else ". "
    return f"\x1b[48;5;{COLOURS.get(letter, 15)}m  \x1b[0m" if colour else letter * 2


def ghost_cells(state: State) -> frozenset[tuple[int, int]]:
    """Where the piece in play would come to rest if it were dropped now."""
    if state.piece is None or state.position is None or state.outcome:
        return frozenset()
    for placement in state.legal:
        if (placement.rotation, placement.column) == (state.position.rotation, state.position.column):
            return frozenset(placement.cells)
    return frozenset()


def board_lines(state: State, colour: bool = True, ghost: bool = True) -> list[str]:
    """The board with its piece in play, top row first, between walls; hidden rows are marked."""
    board, falling, shadow = state.board, frozenset[tuple[int, int]](), frozenset[tuple[int, int]]()
    if state.piece is not None and state.position is not None:
        falling = frozenset(state.position.cells(state.shape))
        shadow = ghost_cells(state) if ghost else shadow
    top = max(len(board.rows), *(row + 1 for row, _ in falling)) if falling else len(board.rows)
    lines = []
    for row in reversed(range(top)):
        cells = []
        for column in range(board.width):
            here = (row, column)
            letter = board.rows[row][column] if row < len(board.rows) else EMPTY
            if here in falling:
                cells.append(cell(state.piece or EMPTY, colour))
            elif here in shadow and letter == EMPTY:
                cells.append(cell(state.piece or EMPTY, colour, ghost=True))
            else:
                cells.append(cell(letter, colour))
        wall = "│" if row < board.height else "┆"
        lines.append(wall + "".join(cells) + wall)
    return [*lines, "└" + "──" * board.width + "┘"]


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
    lines = [f"points {tally.points}", f"lines  {tally.lines}", f"pieces {tally.pieces}"]
    if tally.last_points:
        lines.append(f"last   +{tally.last_points}")
    clears = " ".join(f"{size}×{count}" for size, count in enumerate(tally.clears, 1) if count)
    lines.append(f"clears {clears or '-'}")
    if state.rules.preview:
        lines += ["", "next", *piece_lines(state, state.next_piece, colour)]
    return lines


def screen(state: State, colour: bool = True, ghost: bool = True) -> str:
    """Board and score side by side."""
    board, side = board_lines(state, colour, ghost), side_lines(state, colour)
    side += [""] * (len(board) - len(side))
    return "\n".join(f"{left}  {right}".rstrip() for left, right in zip(board, side, strict=False))
