"""How what each column gives is joined: of the whole board, of all columns left of each one, of all from each one on.

Four steps of doubling distance instead of a walk over the columns.
"""

from typing import NamedTuple

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel.lanes import (
    any_bits,
    count_bits,
    from_left,
    from_left_2,
    from_left_4,
    from_left_8,
    from_right,
    from_right_2,
    from_right_4,
    from_right_8,
    larger,
    largest,
    popcount,
    smaller,
    smallest,
    spread,
    total,
)
from apprenti.games.tetris.kernel.plan import Function

TALL = 99
"""Higher than any column."""


@inlined
def union(v, w):
    return v | w


@inlined
def common(v, w):
    return v & w


def _before(both, nothing):
    """Lanes → what all lanes before each one give together."""

    @inlined
    def scan(v):
        edge = spread(nothing)
        v = from_left(v, edge)
        v = both(v, from_left(v, edge))
        v = both(v, from_left_2(v, edge))
        v = both(v, from_left_4(v, edge))
        return both(v, from_left_8(v, edge))

    return scan


def _from_here(both, nothing):
    """Lanes → what each one and all after it give together."""

    @inlined
    def scan(v):
        edge = spread(nothing)
        v = both(v, from_right(v, edge))
        v = both(v, from_right_2(v, edge))
        v = both(v, from_right_4(v, edge))
        return both(v, from_right_8(v, edge))

    return scan


common_before, common_from = _before(common, -1), _from_here(common, -1)
"""Bits set in every lane before this one; in this one and every one after it."""


@inlined
def size_of_union(v):
    """How many bits are set in any lane."""
    return count_bits(any_bits(v))


@inlined
def count_of_all(v):
    """How many bits are set in all lanes together."""
    return total(popcount(v))


@inlined
def itself(v):
    return v


class Join(NamedTuple):
    """A way to join what each column gives."""

    nothing: int
    """What a column gives that is none."""
    of_all: Function
    """Lanes → the number of the whole board."""
    before: Function | None = None
    """Lanes → what all before each one give; None for a sum or a count, which are corrected by differences."""
    from_here: Function | None = None
    both: Function | None = None
    """Two such lanes → what both give."""
    number: Function = itself
    """Lanes of what columns give → lanes of numbers."""


SUM = Join(0, total)
COUNT = Join(0, count_of_all, number=popcount)
UNION = Join(0, size_of_union, _before(union, 0), _from_here(union, 0), union, popcount)
LARGEST = Join(0, largest, _before(larger, -TALL), _from_here(larger, -TALL), larger)
SMALLEST = Join(TALL, smallest, _before(smaller, TALL), _from_here(smaller, TALL), smaller)
