"""What a player knows of the enemy's pieces, all together. The same as `possible` in `deduction.py`."""

import numpy as np

from apprenti.core.compiled import called, lent
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.bits import lowest_bit
from apprenti.games.luzhanqi.pieces import TYPES


@lent
def assign(slot, masks, left, kind_of, came_from, holder):
    """Give a slot one of its types by a shortest augmenting path. `left`: how many of each type are free.

    `came_from[u] = t`: a slot that holds t, `holder[u]`, could change to u. −1: the new slot itself takes it.
    """
    seen = masks[slot]
    waiting = seen
    for kind in range(TYPES):
        came_from[kind] = -1
    while waiting:
        kind = lowest_bit(waiting)
        waiting &= waiting - 1
        if left[kind] > 0:
            left[kind] -= 1
            while came_from[kind] >= 0:
                kind_of[holder[kind]] = kind
                kind = came_from[kind]
            kind_of[slot] = kind
            return True
        for other in range(SLOTS):
            if kind_of[other] == kind:
                fresh = masks[other] & ~seen
                seen |= fresh
                waiting |= fresh
                while fresh:
                    new = lowest_bit(fresh)
                    fresh &= fresh - 1
                    came_from[new] = kind
                    holder[new] = other
    return False


@called
def possible(masks, counts, out):
    """For each slot the types it has in at least one layout that fits the sets and the counts."""
    left = counts.copy()
    kind_of = np.full(SLOTS, -1, dtype=np.int64)
    came_from, holder = np.empty(TYPES, dtype=np.int64), np.empty(TYPES, dtype=np.int64)
    reach = np.zeros(TYPES, dtype=np.int64)
    for slot in range(SLOTS):
        out[slot] = 0
        if masks[slot] and not assign(slot, masks, left, kind_of, came_from, holder):
            return False
    for slot in range(SLOTS):
        if kind_of[slot] >= 0:
            reach[kind_of[slot]] |= masks[slot]
    for middle in range(TYPES):
        for kind in range(TYPES):
            if (reach[kind] >> middle) & 1:
                reach[kind] |= reach[middle]
    for slot in range(SLOTS):
        kind = kind_of[slot]
        if kind >= 0:
            for other in range(TYPES):
                if other == kind or (reach[other] >> kind) & 1:
                    out[slot] |= masks[slot] & (1 << other)
    return True


@called
def known(rules, game, player, out):
    """What a player knows of the enemy's 25 slots, as sets of types."""
    first = at.DEDUCED + SLOTS * (1 - player)
    possible(game[first : first + SLOTS], rules[at.COUNTS : at.COUNTS + TYPES], out)
