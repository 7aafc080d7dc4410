"""What functions of the kernel are given together: flat arrays where Python calls, pointers to them inside.

What is called for every step takes plain tuples from Python: Numba needs 1 µs more to look at a named one.
"""

from collections import namedtuple

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.lanes import LANES, address
from apprenti.games.tetris.weights import MOST_UNITS

Tables = namedtuple("Tables", "game shapes pieces open_ shares sequence")
"""A set of rules: as numbers; a row for each orientation of each piece; for each piece its first orientation and how
many it has; for each orientation the columns it may be dropped at when nothing is in the way, as bits; for each piece
the share of it and of all before it, if they are weighted; the pieces in their order, if it is fixed."""

Dealing = namedtuple("Dealing", "game shares sequence")
"""What of a set of rules says how pieces are dealt and counted."""

Scratch = namedtuple("Scratch", "work allowed reach")
"""Space to work in: a board and what is known of it; for each orientation the columns it may be dropped at, as bits;
marks for `entry.py`. What is in it means nothing to the next call."""

PlayerScratch = namedtuple("PlayerScratch", "work ahead allowed answers reach bag values odds")
"""The same for a player of whole games, and another board with what is allowed there; a bit for each piece still in the
bag; for each column the value of a drop; for each piece the probability that it comes next."""

Game = namedtuple("Game", "columns before own chance move")
"""One of many games side by side: sixteen columns, walls beyond the edge; the same before the last piece came to rest;
all else that is known of it; two streams, one for the pieces and one for the seeds of games to come; the last move."""

AfterstateArrays = namedtuple("AfterstateArrays", "boards moves over owner action")
"""What placements lead to: the board, what the move was, 1 if it ends the game; whose it was, and the action."""

MARKS = 2 * at.MOST_ORIENTATIONS + 16
BASES = LANES + at.MOST_PIECES
"""In the numbers, behind values and odds: for the sum and each unit the linear part of the board before a move."""
NUMBERS = BASES + MOST_UNITS + 1


@inlined
def scratch_in(arrays):
    boards, marks = arrays
    return Scratch(address(boards, 0), address(marks, 0), address(marks, 2 * at.MOST_ORIENTATIONS))


@inlined
def player_scratch_in(arrays):
    boards, marks, numbers = arrays
    return PlayerScratch(
        address(boards, 0), address(boards, at.WORK_SIZE), address(marks, 0), address(marks, at.MOST_ORIENTATIONS),
        address(marks, 2 * at.MOST_ORIENTATIONS), address(marks, 2 * at.MOST_ORIENTATIONS + 8), address(numbers, 0),
        address(numbers, LANES),
    )  # fmt: skip


@inlined
def game_in(games, i):
    boards, before, own, chances, moves = games
    return Game(
        address(boards, i * LANES), address(before, i * LANES), address(own, i * at.BATCH_SIZE),
        address(chances, 2 * i), address(moves, i * at.MOVE_SIZE),
    )  # fmt: skip
