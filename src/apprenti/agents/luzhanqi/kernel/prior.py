"""What layouts that an enemy is known to use say of its pieces, compiled."""

import numpy as np

from apprenti.core.compiled import called, kernel
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.pieces import NONE, TYPES

MISFIT = 0.1
"""How much less likely a known layout is for each piece that cannot be what it has there: the enemy may vary."""
DOUBT = 0.1
"""What counting alone still weighs beside the known layouts."""
ROUNDS = 8


@called
def balance(counts, odds):
    """Scale types and slots in turn until there are as many pieces of each type as the army has (almost)."""
    for _ in range(ROUNDS):
        for kind in range(TYPES):
            total = odds[:, kind].sum()
            if total > 0.0:
                odds[:, kind] *= counts[kind] / total
        for slot in range(SLOTS):
            total = odds[slot].sum()
            if total > 0.0:
                odds[slot] /= total


@kernel
def layout_weights(masks, layouts, weights):
    """How likely each known layout is, given the sets of types that the pieces can be."""
    for number in range(len(layouts)):
        weights[number] = 1.0
        for slot in range(SLOTS):
            kind = layouts[number, slot]
            if kind != NONE and not (masks[slot] >> kind) & 1:
                weights[number] *= MISFIT
    weights /= weights.sum()


@called
def layout_odds(masks, layouts, odds):
    """Mix into the odds of counting what the known layouts have on each slot, as far as the piece there can be it."""
    weights = np.empty(len(layouts))
    layout_weights(masks, layouts, weights)
    odds *= DOUBT
    for number in range(len(layouts)):
        for slot in range(SLOTS):
            kind = layouts[number, slot]
            if kind != NONE and (masks[slot] >> kind) & 1:
                odds[slot, kind] += (1.0 - DOUBT) * weights[number]
    for slot in range(SLOTS):
        total = odds[slot].sum()
        if total > 0.0:
            odds[slot] /= total


@kernel
def informed_odds(masks, counts, layouts, odds):
    """The odds of counting, together with what known layouts say; still as many of each type as the army has."""
    layout_odds(masks, layouts, odds)
    balance(counts, odds)


@kernel
def draw_towards(masks, layouts, weights, dice, rows):
    """Exchange pieces in each row, which fits the sets, until it is as near to a known layout as exchanges bring it.

    The layout is drawn anew for each row, as likely as it is; a share of the rows is left as it was.
    """
    for row in rows:
        if next_random(dice) < DOUBT:
            continue
        number, drawn = 0, next_random(dice)
        while number < len(weights) - 1 and drawn >= weights[number]:
            drawn -= weights[number]
            number += 1
        wanted = layouts[number]
        for slot in range(SLOTS):
            kind = wanted[slot]
            if kind == NONE or row[slot] == kind or not (masks[slot] >> kind) & 1:
                continue
            first = int(next_random(dice) * SLOTS)
            for step in range(SLOTS):
                other = (first + step) % SLOTS
                if row[other] == kind and wanted[other] != kind and (masks[other] >> row[slot]) & 1:
                    row[slot], row[other] = kind, row[slot]
                    break
