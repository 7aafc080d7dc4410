"""What layouts that an enemy is known to use, or that are usual, say of its pieces, compiled.

Bayes' rule: the enemy has one of these layouts, or, at first with probability 1 − `trust`, any layout. In a known one
each piece is what the layout says, or with probability `VARIES` what it might be in any. What was seen of the pieces, a
set of types for each, makes some layouts likelier than others, and all of them together likelier than any, or not.
"""

import numpy as np

from apprenti.core.compiled import called, kernel, lent
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.pieces import NONE, TYPES

VARIES = 0.1
"""How likely a piece is another one than its layout says."""
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


@lent
def sum_over(types, odds):
    """The sum of the odds of some types."""
    total = 0.0
    for kind in range(TYPES):
        if (types >> kind) & 1:
            total += odds[kind]
    return total


@kernel
def seen_by_chance(masks, allowed, first, chance):
    """Write how likely it is that a piece of any layout is of a type that this one can be.

    `masks` are the types that the pieces can be, `allowed` those that may begin there, `first` their odds at first.
    """
    for slot in range(SLOTS):
        chance[slot] = max(1e-3, sum_over(masks[slot], first) / sum_over(allowed[slot], first)) if masks[slot] else 1.0


@kernel
def layout_weights(masks, chance, layouts, trust, weights):
    """Write how likely each known layout is, together 1; return how likely it is that the enemy has one of them."""
    for number in range(len(layouts)):
        weights[number] = 1.0
        for slot in range(SLOTS):
            kind = layouts[number, slot]
            if kind != NONE and masks[slot]:
                weights[number] *= VARIES + ((1.0 - VARIES) / chance[slot] if (masks[slot] >> kind) & 1 else 0.0)
    ratio = weights.mean()
    weights /= weights.sum()
    return trust * ratio / (trust * ratio + 1.0 - trust)


@called
def layout_odds(masks, allowed, first, layouts, trust, odds):
    """Mix what the known layouts have on each slot, as far as the piece there can be it, into the odds of counting."""
    weights, chance, told = np.empty(len(layouts)), np.empty(SLOTS), np.zeros((SLOTS, TYPES))
    seen_by_chance(masks, allowed, first, chance)
    trust = layout_weights(masks, chance, layouts, trust, weights)
    for number in range(len(layouts)):
        for slot in range(SLOTS):
            kind = layouts[number, slot]
            if kind != NONE and (masks[slot] >> kind) & 1:
                told[slot, kind] += trust * weights[number]
    for slot in range(SLOTS):
        told[slot] *= (1.0 - VARIES) / (1.0 - VARIES + VARIES * chance[slot])
        odds[slot] = (1.0 - told[slot].sum()) * odds[slot] + told[slot]


@kernel
def informed_odds(masks, allowed, first, counts, layouts, trust, odds):
    """The odds of counting, together with what known layouts say; still as many of each type as the army has."""
    layout_odds(masks, allowed, first, layouts, trust, odds)
    balance(counts, odds)


@kernel
def draw_towards(masks, layouts, weights, trust, dice, rows):
    """Exchange pieces in each row, which fits the sets, until it is as near to a known layout as exchanges bring it.

    The layout is drawn anew for each row, as likely as it is; a share of the rows, 1 − `trust`, is left as it was.
    """
    for row in rows:
        if next_random(dice) >= trust:
            continue
        number, drawn = 0, next_random(dice)
        while number < len(weights) - 1 and drawn >= weights[number]:
            drawn -= weights[number]
            number += 1
        wanted = layouts[number]
        for slot in range(SLOTS):
            kind = wanted[slot]
            if kind == NONE or row[slot] == kind or not (masks[slot] >> kind) & 1 or next_random(dice) < VARIES:
                continue
            first = int(next_random(dice) * SLOTS)
            for step in range(SLOTS):
                other = (first + step) % SLOTS
                if row[other] == kind and wanted[other] != kind and (masks[other] >> row[slot]) & 1:
                    row[slot], row[other] = kind, row[slot]
                    break
