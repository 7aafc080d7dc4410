"""What functions of the kernel are given together: flat arrays where Python calls, inside places where these begin.

What is called for every step takes plain tuples from Python: Numba needs 1 µs more to look at a named one.
"""

from typing import Any, NamedTuple

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.lanes import LANES, address


class Tables(NamedTuple):
    """A set of rules."""

    game: Any
    """The rules as numbers."""
    shapes: Any
    """A row for each orientation of each piece."""
    pieces: Any
    """For each piece its first orientation and how many it has."""
    open_: Any
    """For each orientation the columns it may be dropped at when nothing is in the way, as bits."""
    shares: Any
    """For each piece the share of it and of all before it, if they are weighted."""
    sequence: Any
    """The pieces in their order, if it is fixed."""


@inlined
def places_of_tables(tables):
    game, shapes, pieces, open_, shares, sequence = tables
    return Tables(
        address(game, 0), address(shapes, 0), address(pieces, 0), address(open_, 0), address(shares, 0),
        address(sequence, 0),
    )  # fmt: skip


class Dealing(NamedTuple):
    """What of a set of rules says how pieces are dealt and counted."""

    game: Any
    shares: Any
    sequence: Any


class Scratch(NamedTuple):
    """Space to work in; what is in it means nothing to the next call."""

    work: Any
    """The board, and what is known of it."""
    allowed: Any
    """For each orientation the columns it may be dropped at, as bits."""
    reach: Any
    """For `entry.py`."""


@inlined
def scratch_in(arrays):
    boards, marks = arrays
    return Scratch(address(boards, 0), address(marks, 0), address(marks, 2 * at.MOST_ORIENTATIONS))


class PlayerScratch(NamedTuple):
    """The same for a player of whole games."""

    work: Any
    ahead: Any
    """Another board."""
    allowed: Any
    answers: Any
    """What is allowed to the next piece."""
    reach: Any
    bag: Any
    """A bit for each piece still in the bag."""
    values: Any
    """For each column the value of a drop."""
    odds: Any
    """For each piece the probability that it comes next."""


MARKS = 2 * at.MOST_ORIENTATIONS + 16
NUMBERS = LANES + at.MOST_PIECES


@inlined
def player_scratch_in(arrays):
    boards, marks, numbers = arrays
    return PlayerScratch(
        address(boards, 0), address(boards, at.WORK_SIZE), address(marks, 0), address(marks, at.MOST_ORIENTATIONS),
        address(marks, 2 * at.MOST_ORIENTATIONS), address(marks, 2 * at.MOST_ORIENTATIONS + 8), address(numbers, 0),
        address(numbers, LANES),
    )  # fmt: skip


class Game(NamedTuple):
    """One of many games side by side."""

    columns: Any
    """Sixteen, walls beyond the edge."""
    before: Any
    """The same before the last piece came to rest."""
    own: Any
    """All else that is known of it."""
    chance: Any
    """Two streams: one for the pieces, one for the seeds of games to come."""
    move: Any
    """What the last move was."""


@inlined
def game_in(games, i):
    boards, before, own, chances, moves = games
    return Game(
        address(boards, i * LANES), address(before, i * LANES), address(own, i * at.BATCH_SIZE),
        address(chances, 2 * i), address(moves, i * at.MOVE_SIZE),
    )  # fmt: skip


class AfterstateArrays(NamedTuple):
    """What placements lead to, one after the other."""

    boards: Any
    moves: Any
    over: Any
    """1 if it ends the game."""
    owner: Any
    """Its game."""
    action: Any


@inlined
def places_of_afterstates(arrays):
    boards, moves, over, owner, action = arrays
    return AfterstateArrays(
        address(boards, 0), address(moves, 0), address(over, 0), address(owner, 0), address(action, 0)
    )
