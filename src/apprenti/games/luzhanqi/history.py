"""A move as numbers, in the eyes of one player: what a network with a memory is given after every move of both.

125 numbers: 60 for where it came from, 60 for where it went (the own side at the bottom), 4 for what became of its
piece (it died, won, died together with the other, moved), and one that is 1 for an own move. All of it is public.
"""

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi.board import POINTS

MOVE_INPUTS = 2 * POINTS + 4 + 1


def move_inputs(moves: NDArray[np.int64], player: int) -> NDArray[np.float32]:
    """(moves, 125) from rows of origin, target, result and who moved."""
    out = np.zeros((len(moves), MOVE_INPUTS), np.float32)
    row = np.arange(len(moves))
    points = moves[:, :2] if player == 0 else POINTS - 1 - moves[:, :2]
    out[row, points[:, 0]] = 1
    out[row, POINTS + points[:, 1]] = 1
    out[row, 2 * POINTS + moves[:, 2]] = 1
    out[row, MOVE_INPUTS - 1] = moves[:, 3] == player
    return out
