"""Boards as SVG pictures."""

from xml.sax.saxutils import escape

from apprenti.games.tetris.board import EMPTY
from apprenti.games.tetris.state import State
from apprenti.games.tetris.views.text import ghost_cells

COLOURS = {
    "I": "#00bcd4", "O": "#fbc02d", "T": "#8e24aa", "S": "#43a047", "Z": "#e53935", "J": "#1e5fbf", "L": "#fb8c00",
}  # fmt: skip
OTHER = "#607d8b"
SIDE = 20


def _square(row: int, column: int, rows: int, colour: str, opacity: float = 1.0) -> str:
    x, y = column * SIDE, (rows - 1 - row) * SIDE
    return (
        f'<rect x="{x + 0.5}" y="{y + 0.5}" width="{SIDE - 1}" height="{SIDE - 1}" rx="3" fill="{colour}"'
        f' opacity="{opacity:g}"/>'
    )


def board_svg(state: State, caption: str = "") -> str:
    """A picture of a position, the piece in play with its shadow."""
    board = state.board
    falling = state.position.cells(state.shape) if state.piece and state.position else ()
    rows = max(len(board.rows), *(row + 1 for row, _ in falling)) if falling else len(board.rows)
    width, height = board.width * SIDE, rows * SIDE
    parts = [f'<rect width="{width}" height="{height}" fill="#10151c"/>']
    for row, cells in enumerate(board.rows):
        for column, letter in enumerate(cells):
            if letter == EMPTY:
                parts.append(_square(row, column, rows, "#1b232d"))
            else:
                parts.append(_square(row, column, rows, COLOURS.get(letter, OTHER)))
    colour = COLOURS.get(state.piece or "", OTHER)
    parts += [_square(row, column, rows, colour, 0.25) for row, column in ghost_cells(state) if row < rows]
    parts += [_square(row, column, rows, colour) for row, column in falling]
    label = 24 if caption else 0
    if caption:
        parts.append(
            f'<text x="{width / 2}" y="{height + 17}" text-anchor="middle" font-family="sans-serif" font-size="13"'
            f' fill="#555">{escape(caption)}</text>'
        )
    size = f'width="{width}" height="{height + label}" viewBox="0 0 {width} {height + label}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n' + "\n".join(parts) + "\n</svg>\n"
