"""Boards as pictures: SVG, a game that plays by itself in SVG, and pixels.

The moving picture shows what its player thinks of every piece.
"""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from apprenti.games.tetris.board import EMPTY
from apprenti.games.tetris.state import State
from apprenti.games.tetris.views.text import ghost_cells, marks, rows_needed
from apprenti.views.thoughts import Thoughts, ValuedMove

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLOURS = {
    "I": "#00bcd4", "O": "#fbc02d", "T": "#8e24aa", "S": "#43a047", "Z": "#e53935", "J": "#1e5fbf", "L": "#fb8c00",
}  # fmt: skip
OTHER = "#607d8b"
SIDE = 20
"""The side of a cell in an SVG."""


def colour_of(letter: str) -> str:
    """The colour of a piece."""
    return COLOURS.get(letter, OTHER)


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
                parts.append(_square(row, column, rows, colour_of(letter)))
    colour = colour_of(state.piece or "")
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


SECONDS = 0.5
"""How long a piece is shown."""
TINTS = 5
"""Shades of what placements are worth."""
ABOVE = 3
"""Rows above the board, where the piece waits."""
PANEL = 12
"""Width of what is said beside the board, in cells."""
STYLE = """svg{{background:#f6f7fb;font-family:sans-serif;font-size:.62px}}text,.bar{{fill:#1c2030}}.bar{{opacity:.55}}
.board{{fill:#e9ecf7}}.tint{{fill:#2a9d76}}.best{{fill:none;stroke:#4f46e5;stroke-width:.16}}.small{{fill:#6b7080;font-size:.5px}}
@media(prefers-color-scheme:dark){{svg{{background:#14171f}}text,.bar{{fill:#e6e8f0}}.board{{fill:#1d2230}}}}
@keyframes turn{{0%{{visibility:visible}}{share:.4g}%{{visibility:hidden}}}}
.frame{{visibility:hidden;animation:turn {seconds:g}s step-end infinite}}
@media(prefers-reduced-motion:reduce){{.frame{{animation:none}}.frame:last-child{{visibility:visible}}}}"""

Cells = Iterable[tuple[int, int]]


class Frame(NamedTuple):
    """A piece that waits, and what the player thinks of its placements."""

    state: State
    thoughts: Thoughts


def moving_svg(frames: Sequence[Frame], title: str) -> str:
    """The frames one after the other, for ever; the last one alone where nothing should move."""
    board = frames[0].state.board
    rows, width = len(board.rows) + ABOVE, board.width + PANEL
    style = STYLE.format(share=100 / len(frames), seconds=SECONDS * len(frames))
    widest = max(abs(term) for frame in frames for term in frame.thoughts.moves[0].terms.values())
    drawn = (
        f'<g class="frame" style="animation-delay:{SECONDS * number:g}s">'
        f"{_position(frame, rows)}{_words(frame, board.width + 1, widest)}</g>"
        for number, frame in enumerate(frames)
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 0 {width + 1} {rows + 1}" width="{26 * (width + 1)}">'
        f"<style>{style}</style>"
        f'<rect class="board" y="{ABOVE}" width="{board.width}" height="{rows - ABOVE}"/>'
        f'<text x="{board.width + 1}" y="{ABOVE + 0.6}" font-weight="bold">{escape(title)}</text>'
    )
    return head + "\n" + "\n".join(drawn) + "\n</svg>\n"


def _path(cells: Cells, rows: int, more: str) -> str:
    squares = "".join(f"M{column} {rows - 1 - row}h1v1h-1z" for row, column in cells)
    return f'<path d="{squares}" {more}/>' if squares else ""


def _position(frame: Frame, rows: int) -> str:
    """The board, the piece above it, and all its placements, the better the stronger."""
    state, moves = frame.state, frame.thoughts.moves
    by_letter: dict[str, list[tuple[int, int]]] = {}
    for row, letters in enumerate(state.board.rows):
        for column, letter in enumerate(letters):
            if letter != EMPTY:
                by_letter.setdefault(letter, []).append((row, column))
    parts = [_path(cells, rows, f'fill="{colour_of(letter)}"') for letter, cells in sorted(by_letter.items())]
    for tint, cells in enumerate(_tints(moves)):
        parts.append(_path(cells, rows, f'class="tint" opacity="{(tint + 1) / (TINTS + 2):.2f}"'))
    parts.append(_path(moves[0].move.cells, rows, 'class="best"'))
    shape = state.shape.rotations[moves[0].move.rotation]
    waits = [(rows - ABOVE + row, moves[0].move.column + column) for row, column in shape.cells]
    return "".join([*parts, _path(waits, rows, f'fill="{colour_of(state.piece or "")}"')])


def _tints(moves: Sequence[ValuedMove]) -> list[list[tuple[int, int]]]:
    """The cells of all placements by the best that each is part of: five parts from the worst to the best."""
    values = sorted(one.value for one in moves if math.isfinite(one.value))
    groups: list[list[tuple[int, int]]] = [[] for _ in range(TINTS)]
    seen: set[tuple[int, int]] = set()
    for one in (one for one in moves if math.isfinite(one.value)):  # the best first
        share = (one.value - values[0]) / max(values[-1] - values[0], 1e-9)
        fresh = [cell for cell in one.move.cells if cell not in seen]
        groups[round(share * (TINTS - 1))] += fresh
        seen.update(fresh)
    return groups


def _words(frame: Frame, left: int, widest: float) -> str:
    """The score, and what the value of the best placement is made of."""
    tally, terms, top = frame.state.tally, frame.thoughts.moves[0].terms, ABOVE + 2
    parts = [
        f'<text class="small" x="{left + 4 * place}" y="{top}">{word}</text>'
        f'<text x="{left + 4 * place}" y="{top + 0.9}" font-weight="bold">{number}</text>'
        for place, (word, number) in enumerate((("lines", tally.lines), ("pieces", tally.pieces)))
    ]
    for place, (name, term) in enumerate(terms.items()):
        y = top + 2.4 + 1.5 * place
        parts.append(f'<text class="small" x="{left}" y="{y}">{escape(name.replace("_", " "))}</text>')
        parts.append(f'<text class="small" x="{left + 10}" y="{y}" text-anchor="end">{_number(term)}</text>')
        parts.append(
            f'<rect class="bar" x="{left}" y="{y + 0.2:g}" height=".35" width="{10 * abs(term) / widest:.2f}"/>'
        )
    return "".join(parts)


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")


PIXELS = 16
"""The side of a cell."""
_BEHIND, _NOTHING, _HIDDEN = (16, 21, 28), (27, 35, 45), (21, 27, 35)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def board_pixels(state: State, ghost: bool = True) -> "NDArray[np.uint8]":
    """(height, width, 3): the board with the piece in play and its shadow, always of one size for the same rules."""
    import numpy as np

    rows, needed = marks(state, ghost), rows_needed(state.rules, turning=True)
    rows = [[(EMPTY, False)] * state.board.width] * (needed - len(rows)) + rows[-needed:]
    picture = np.full((len(rows) * PIXELS, state.board.width * PIXELS, 3), _BEHIND, np.uint8)
    for down, cells in enumerate(rows):
        empty = _NOTHING if len(rows) - down <= state.board.height else _HIDDEN
        for column, (letter, shadow) in enumerate(cells):
            colour = np.array(empty if letter == EMPTY else _rgb(colour_of(letter)))
            if shadow:
                colour = (colour + 3 * np.array(empty)) // 4
            top, left = down * PIXELS, column * PIXELS
            picture[top + 1 : top + PIXELS, left + 1 : left + PIXELS] = colour
    return picture
