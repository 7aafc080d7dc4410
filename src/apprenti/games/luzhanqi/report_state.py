"""A position as the report of the LuJunQi project describes it: own pieces with their values, enemy positions without.

780 numbers, seen by the player to move: for each of twelve types and each point whether such an own piece stands there,
then for each point whether an enemy stands there. An action is a pair (own piece, point), 25 × 60 numbers. The pieces
are in the order of their types; those of one type in the order of the points they stand on, front row first. So which
row of the matrix a piece has follows from the 780 numbers alone, and a row is always a piece of the same type.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, POINTS, SLOTS, START, parse_move, turned
from apprenti.games.luzhanqi.combat import BOTH_DIED, DIED
from apprenti.games.luzhanqi.moves import NOBODY
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import TYPES
from apprenti.games.luzhanqi.record import Record
from apprenti.games.luzhanqi.rules import Rules

INPUTS = (TYPES + 1) * POINTS
PAIRS = SLOTS * POINTS

Vector = NDArray[np.float64]
Numbers = NDArray[np.int64]


def seen_point(point: int, player: int) -> int:
    """A point as a player sees it, the own side at the bottom."""
    return point if player == 0 else turned(point)


def _own(board: Sequence[int], types: Sequence[int], player: int) -> list[tuple[int, int]]:
    """The own pieces as (type, point as the player sees it), in this order."""
    here = ((point, piece) for point, piece in enumerate(board) if piece >= 0 and piece // SLOTS == player)
    return sorted((types[piece % SLOTS], seen_point(point, player)) for point, piece in here)


def inputs(board: Sequence[int], types: Sequence[int], player: int) -> Vector:
    """The 780 numbers, from who stands where (25·player + slot, or −1) and the types of the own 25 slots."""
    out = np.zeros(INPUTS)
    out[[kind * POINTS + point for kind, point in _own(board, types, player)]] = 1.0
    enemies = [point for point, piece in enumerate(board) if piece >= 0 and piece // SLOTS != player]
    out[[TYPES * POINTS + seen_point(point, player) for point in enemies]] = 1.0
    return out


def rows(board: Sequence[int], types: Sequence[int], player: int, rules: Rules) -> dict[int, int]:
    """For each point with an own piece, as the player sees it, the row of that piece: 0 … 24."""
    first = [0, *accumulate(rules.counts)]
    found: dict[int, int] = {}
    for kind, point in _own(board, types, player):
        found[point] = first[kind]
        first[kind] += 1
    return found


def pairs(board: Sequence[int], types: Sequence[int], actions: Sequence[int], player: int, rules: Rules) -> Numbers:
    """For each legal move, by its number, its pair (own piece, point) as one number."""
    row = rows(board, types, player, rules)
    moves = ((seen_point(MOVES[a][0], player), seen_point(MOVES[a][1], player)) for a in actions)
    return np.array([row[origin] * POINTS + target for origin, target in moves], np.int64)


def of_observation(observation: Observation, legal: Sequence[str]) -> tuple[Vector, Numbers]:
    """Inputs and legal pairs of what a player knows."""
    assert observation.record is not None, "the armies are not set up yet"
    board, types, player = observation.record.board, observation.own_types, observation.player
    actions = [ACTION_OF[parse_move(move)] for move in legal]
    return inputs(board, types, player), pairs(board, types, actions, player, observation.rules)


def earlier_boards(record: Record, player: int) -> Iterator[list[int]]:
    """Who stood where before each move that a player has made; no flag may have been carried."""
    board = [NOBODY] * POINTS
    for piece in record.pieces:
        board[START[piece // SLOTS][piece % SLOTS]] = piece
    for number, (origin, target, result) in enumerate(record.moves):
        if number % 2 == player:
            yield board
        if result != DIED:
            board[target] = NOBODY if result == BOTH_DIED else board[origin]
        board[origin] = NOBODY
