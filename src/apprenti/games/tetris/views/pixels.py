"""Boards as pictures made of pixels."""

import numpy as np
from numpy.typing import NDArray

from apprenti.games.tetris.board import EMPTY
from apprenti.games.tetris.state import State
from apprenti.games.tetris.views.svg import COLOURS, OTHER
from apprenti.games.tetris.views.text import marks, rows_needed

SIDE = 16
_BEHIND, _NOTHING, _HIDDEN = (16, 21, 28), (27, 35, 45), (21, 27, 35)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def board_pixels(state: State, ghost: bool = True) -> NDArray[np.uint8]:
    """(height, width, 3): the board with the piece in play and its shadow, always of one size for the same rules."""
    rows, needed = marks(state, ghost), rows_needed(state.rules, turning=True)
    rows = [[(EMPTY, False)] * state.board.width] * (needed - len(rows)) + rows[-needed:]
    picture = np.full((len(rows) * SIDE, state.board.width * SIDE, 3), _BEHIND, np.uint8)
    for down, cells in enumerate(rows):
        empty = _NOTHING if len(rows) - down <= state.board.height else _HIDDEN
        for column, (letter, shadow) in enumerate(cells):
            colour = np.array(empty if letter == EMPTY else _rgb(COLOURS.get(letter, OTHER)))
            if shadow:
                colour = (colour + 3 * np.array(empty)) // 4
            top, left = down * SIDE, column * SIDE
            picture[top + 1 : top + SIDE, left + 1 : left + SIDE] = colour
    return picture
