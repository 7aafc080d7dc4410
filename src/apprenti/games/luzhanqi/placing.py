"""Setting up an army in any order: which (point, piece) pairs are legal so that the rest still fits.

The points where flags, mines and bombs may go lie inside one another (headquarters, back rows, all but the front), so
the rest fits exactly if, in that order, what is left never needs more points than there are.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.layout import ALLOWED, REGIONS
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS, NONE, TYPES
from apprenti.games.luzhanqi.rules import Rules

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
    found = [
        slot * TYPES + kind
        for slot in rules.slots
        if placed[slot] == NONE
        for kind in range(TYPES)
        if fitting[_REGION_OF[slot]][kind] and ALLOWED[slot] >> kind & 1
    ]
    return np.array(found, np.int64)


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
