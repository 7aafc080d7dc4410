"""Setting up an army in any order: which (point, piece) pairs are legal so that the rest still fits.

The points where flags, mines and bombs may go lie inside one another (headquarters, back rows, all but the front), so
the rest fits exactly if, in that order, what is left never needs more points than there are.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi.board import BACK_SLOTS, FRONT_SLOTS, HEADQUARTERS_SLOTS, SLOTS
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MINE, NONE, TYPES
from apprenti.games.luzhanqi.rules import Rules

PLACES = SLOTS * TYPES
"""Pairs (slot, type), slot · 12 + type."""

_NESTED = (
    (FLAG, HEADQUARTERS_SLOTS),
    (MINE, BACK_SLOTS),
    (BOMB, frozenset(range(SLOTS)) - FRONT_SLOTS),
)


def _fits(free: frozenset[int], left: Sequence[int]) -> bool:
    """Whether what is left can still be placed."""
    needed = 0
    for kind, region in _NESTED:
        needed += left[kind]
        if needed > len(free & region):
            return False
    return sum(left) <= len(free)


def legal_places(placed: Sequence[int], rules: Rules) -> NDArray[np.int64]:
    """The legal pairs, given the type on each slot so far (12 for none)."""
    left = list(rules.counts)
    for kind in placed:
        if kind != NONE:
            left[kind] -= 1
    free = frozenset(slot for slot in range(SLOTS) if placed[slot] == NONE)
    regions = dict(_NESTED)
    found = []
    for kind in range(TYPES):
        if not left[kind]:
            continue
        left[kind] -= 1
        found += [s * TYPES + kind for s in free & regions.get(kind, free) if _fits(free - {s}, left)]
        left[kind] += 1
    return np.array(sorted(found), np.int64)


def half_board(placed: Sequence[int]) -> NDArray[np.float64]:
    """300 numbers: for each slot and type whether such a piece stands there."""
    out = np.zeros(PLACES)
    for slot, kind in enumerate(placed):
        if kind != NONE:
            out[slot * TYPES + kind] = 1.0
    return out
