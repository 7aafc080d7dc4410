"""A position, and an army half set up, as the report of the LuJunQi project describes them.

780 numbers, seen by the player to move: for each of twelve types and each point whether such an own piece stands there,
then for each point whether an enemy stands there. An action is a pair (own piece, point), 25 × 60 numbers. The pieces
are in the order of their types; those of one type in the order of the points they stand on, front row first. So which
row of the matrix a piece has follows from the 780 numbers alone, and a row is always a piece of the same type.

An army is set up in any order. The points where flags, mines and bombs may go lie inside one another (headquarters,
back rows, all but the front), so the rest fits exactly if, in that order, what is left never needs more points than
there are.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, POINTS, SLOTS, START, parse_move, turned
from apprenti.games.luzhanqi.layout import ALLOWED, REGIONS
from apprenti.games.luzhanqi.moves import BOTH_DIED, DIED, NO_PIECE
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS, NONE, TYPES
from apprenti.games.luzhanqi.play import Record
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
    numbers: dict[int, int] = {}
    for kind, point in _own(board, types, player):
        numbers[point] = first[kind]
        first[kind] += 1
    return numbers


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
    board = [NO_PIECE] * POINTS
    for piece in record.pieces:
        board[START[piece // SLOTS][piece % SLOTS]] = piece
    for number, (origin, target, result) in enumerate(record.moves):
        if number % 2 == player:
            yield board
        if result != DIED:
            board[target] = NO_PIECE if result == BOTH_DIED else board[origin]
        board[origin] = NO_PIECE


PLACES = SLOTS * TYPES
"""Pairs (slot, type), slot · 12 + type."""

_REGION_OF = tuple(next((n for n, (_, region, _) in enumerate(REGIONS) if slot in region), 3) for slot in range(SLOTS))
"""For each slot the narrowest region it is in: 0 headquarters, 1 back rows, 2 behind the front, 3 the front row."""


def _fits(free: Sequence[int], left: Sequence[int]) -> bool:
    """Whether what is left can still be placed; `free`: free slots by narrowest region."""
    needed = room = 0
    for number, (kind, _, _) in enumerate(REGIONS):
        needed += left[kind]
        room += free[number]
        if needed > room:
            return False
    return sum(left) <= sum(free)


def legal_places(placed: Sequence[int], rules: Rules) -> NDArray[np.int64]:
    """The legal pairs in order, given the type on each slot so far (12 for none)."""
    left, free = [*rules.counts], [0, 0, 0, 0]
    for slot in rules.slots:
        kind = placed[slot]
        if kind == NONE:
            free[_REGION_OF[slot]] += 1
        else:
            left[kind] -= 1
    fitting = [[False] * TYPES for _ in free]
    for region in range(len(free)):
        for kind in range(TYPES):
            if free[region] and left[kind]:
                free[region], left[kind] = free[region] - 1, left[kind] - 1
                fitting[region][kind] = _fits(free, left)
                free[region], left[kind] = free[region] + 1, left[kind] + 1
    places = [
        slot * TYPES + kind
        for slot in rules.slots
        if placed[slot] == NONE
        for kind in range(TYPES)
        if fitting[_REGION_OF[slot]][kind] and ALLOWED[slot] >> kind & 1
    ]
    return np.array(places, np.int64)


def half_board(placed: Sequence[int]) -> NDArray[np.float64]:
    """300 numbers: for each slot and type whether such a piece stands there."""
    out = np.zeros(PLACES)
    for slot, kind in enumerate(placed):
        if kind != NONE:
            out[slot * TYPES + kind] = 1.0
    return out


def letters_of_layout(placed: Sequence[int]) -> str:
    """The types of the slots as a layout."""
    return "".join(EMPTY if kind == NONE else LETTERS[kind] for kind in placed)
