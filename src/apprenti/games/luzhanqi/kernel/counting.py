"""Counting and drawing assignments of types to slots, where each slot allows some types and each type has a number.

Types that the same slots allow are one class. A state is how many of each class are still to be given, as one number:
the sum of count × stride over the classes. The slots are filled in a fixed order, so the number of pieces left says
which slot is next, and no more than ∏ (count + 1) states exist: at most 497 664 for a whole army, mostly a few hundred.
"""

import numpy as np

from apprenti.core.compiled import kernel, lent
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.kernel.board import copy


@lent
def next_digits(digits, counts):
    """The digits of the next state; returns by how much their sum changed."""
    change = 0
    for place in range(len(counts)):
        if digits[place] < counts[place]:
            digits[place] += 1
            return change + 1
        change -= digits[place]
        digits[place] = 0
    return change


@kernel
def count_ways(allowed, counts, strides):
    """For each state, in how many ways the slots that are left can be filled. `allowed`: classes of a slot, as bits."""
    size = 1
    for place in range(len(counts)):
        size *= counts[place] + 1
    ways = np.zeros(size)
    ways[0] = 1.0
    digits = np.zeros(len(counts), dtype=np.int64)
    left = 0
    for state in range(1, size):
        left += next_digits(digits, counts)
        if left > len(allowed):
            continue
        here = allowed[len(allowed) - left]
        total = 0.0
        for place in range(len(counts)):
            if digits[place] and (here >> place) & 1:
                total += ways[state - strides[place]]
        ways[state] = total
    return ways


@kernel
def count_by_class(allowed, counts, strides, ways):
    """For each slot and class, in how many assignments the slot has that class."""
    size, slots = len(ways), len(allowed)
    reached = np.zeros(size)
    reached[size - 1] = 1.0
    counted = np.zeros((slots, len(counts)))
    digits = counts.copy()
    for state in range(size - 1, 0, -1):
        if reached[state]:
            left = 0
            for place in range(len(counts)):
                left += digits[place]
            slot = slots - left
            for place in range(len(counts)):
                if digits[place] and (allowed[slot] >> place) & 1:
                    after = state - strides[place]
                    reached[after] += reached[state]
                    counted[slot, place] += reached[state] * ways[after]
        for place in range(len(counts)):  # the digits of the state before
            if digits[place]:
                digits[place] -= 1
                break
            digits[place] = counts[place]
    return counted


@lent
def draw_class(here, state, left_of, strides, ways, dice):
    """The class of the next slot, as likely as there are ways to go on from it."""
    drawn = next_random(dice) * ways[state]
    last = -1
    for place in range(len(left_of)):
        if left_of[place] and (here >> place) & 1:
            more = ways[state - strides[place]]
            if more > 0:
                last = place
                if drawn < more:
                    return place
                drawn -= more
    return last


@lent
def draw_type(members, place, left_of_class, left, dice):
    """One of the types of a class, as likely as it has pieces left."""
    skip = int(next_random(dice) * left_of_class)
    kind = -1
    while skip >= 0:
        kind += 1
        if members[kind] == place:
            skip -= left[kind]
    return kind


@kernel
def draw(allowed, counts, strides, ways, members, numbers, dice, out):
    """Fill each row of `out` with the types of the slots, every assignment as likely.

    `members`: the class of each type; `numbers`: how many pieces of each type.
    """
    left_of, left = counts.copy(), numbers.copy()
    for row in range(len(out)):
        copy(counts, left_of)
        copy(numbers, left)
        state = len(ways) - 1
        for slot in range(len(allowed)):
            place = draw_class(allowed[slot], state, left_of, strides, ways, dice)
            kind = draw_type(members, place, left_of[place], left, dice)
            out[row, slot] = kind
            left[kind] -= 1
            left_of[place] -= 1
            state -= strides[place]
