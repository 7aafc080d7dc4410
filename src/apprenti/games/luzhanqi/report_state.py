"""A position as the report of the LuJunQi project describes it: own pieces with their values, enemy positions without.

780 numbers, seen by the player to move: for each of twelve types and each point whether such an own piece stands there,
then for each point whether an enemy stands there. An action is a pair (own piece, point): 25 × 60 numbers.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, POINTS, SLOTS, parse_move, turned
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import TYPES

INPUTS = (TYPES + 1) * POINTS
PAIRS = SLOTS * POINTS

Vector = NDArray[np.float64]
Numbers = NDArray[np.int64]


def seen_point(point: int, player: int) -> int:
    """A point as a player sees it, the own side at the bottom."""
    return point if player == 0 else turned(point)


def inputs(board: Sequence[int], types: Sequence[int], player: int) -> Vector:
    """The 780 numbers, from who stands where (25·player + slot, or −1) and the types of the own 25 slots."""
    out = np.zeros(INPUTS)
    for point, piece in enumerate(board):
        if piece < 0:
            continue
        here = seen_point(point, player)
        out[(types[piece % SLOTS] if piece // SLOTS == player else TYPES) * POINTS + here] = 1.0
    return out


def pairs(board: Sequence[int], actions: Sequence[int], player: int) -> Numbers:
    """For each legal move, by its number, its pair (own piece, point) as one number."""
    found = [board[MOVES[action][0]] % SLOTS * POINTS + seen_point(MOVES[action][1], player) for action in actions]
    return np.array(found, np.int64)


def of_observation(observation: Observation, legal: Sequence[str]) -> tuple[Vector, Numbers]:
    """Inputs and legal pairs of what a player knows."""
    assert observation.record is not None, "the armies are not set up yet"
    board = observation.record.board
    actions = [ACTION_OF[parse_move(move)] for move in legal]
    x = inputs(board, observation.own_types, observation.player)
    return x, pairs(board, actions, observation.player)
