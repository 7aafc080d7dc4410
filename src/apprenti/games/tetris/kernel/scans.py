"""What all columns to the left of each one have together, and all from each one on to the right.

Four steps of doubling distance instead of a walk over the columns.
"""

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel.lanes import (
    from_left,
    from_left_2,
    from_left_4,
    from_left_8,
    from_right,
    from_right_2,
    from_right_4,
    from_right_8,
    larger,
    smaller,
    spread,
)

FAR_BELOW = -99


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
