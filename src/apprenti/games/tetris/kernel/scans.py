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

FAR_BELOW = -99
TALL = 99
"""Higher than any column."""


@inlined
def common_before(v):
    """Bits set in every lane before this one."""
    ones = spread(-1)
    v = from_left(v, ones)
    v &= from_left(v, ones)
    v &= from_left_2(v, ones)
    v &= from_left_4(v, ones)
    return v & from_left_8(v, ones)


@inlined
def common_from(v):
    """Bits set in this lane and every one after it."""
    ones = spread(-1)
    v &= from_right(v, ones)
    v &= from_right_2(v, ones)
    v &= from_right_4(v, ones)
    return v & from_right_8(v, ones)


@inlined
def union_before(v):
    """Bits set in any lane before this one."""
    none = spread(0)
    v = from_left(v, none)
    v |= from_left(v, none)
    v |= from_left_2(v, none)
    v |= from_left_4(v, none)
    return v | from_left_8(v, none)


@inlined
def union_from(v):
    """Bits set in this lane or any after it."""
    none = spread(0)
    v |= from_right(v, none)
    v |= from_right_2(v, none)
    v |= from_right_4(v, none)
    return v | from_right_8(v, none)


@inlined
def largest_before(v):
    """The largest of the lanes before this one."""
    least = spread(FAR_BELOW)
    v = from_left(v, least)
    v = larger(v, from_left(v, least))
    v = larger(v, from_left_2(v, least))
    v = larger(v, from_left_4(v, least))
    return larger(v, from_left_8(v, least))


@inlined
def largest_from(v):
    """The largest of this lane and all after it."""
    least = spread(FAR_BELOW)
    v = larger(v, from_right(v, least))
    v = larger(v, from_right_2(v, least))
    v = larger(v, from_right_4(v, least))
    return larger(v, from_right_8(v, least))


@inlined
def smallest_before(v):
    """The smallest of the lanes before this one."""
    most = spread(-FAR_BELOW)
    v = from_left(v, most)
    v = smaller(v, from_left(v, most))
    v = smaller(v, from_left_2(v, most))
    v = smaller(v, from_left_4(v, most))
    return smaller(v, from_left_8(v, most))


@inlined
def smallest_from(v):
    """The smallest of this lane and all after it."""
    most = spread(-FAR_BELOW)
    v = smaller(v, from_right(v, most))
    v = smaller(v, from_right_2(v, most))
    v = smaller(v, from_right_4(v, most))
    return smaller(v, from_right_8(v, most))


@inlined
def union(v, w):
    return v | w


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
UNION = Join(0, size_of_union, union_before, union_from, union, popcount)
LARGEST = Join(0, largest, largest_before, largest_from, larger)
SMALLEST = Join(TALL, smallest, smallest_before, smallest_from, smaller)
