"""Exact search: can the player to move reach a result, whatever the other does?

A question has the answer yes or no, so alpha and beta have no room between them. The result is 1 for a win, 0 for a
draw, −1 for a loss; two questions (a win? a draw at least?) give the value. Answers are kept in a table under the code
that all symmetric positions share, as bounds: what is reached for certain, and what cannot be passed.
"""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.games.mnk.kernel.board import completing, count_bits, has_row

NO, YES, UNKNOWN = 0, 1, 2
NODES, LIMIT = 0, 1
"""Places in the counter: positions looked at, and how many may be."""
WAYS = 4
"""Entries that one position may be kept in."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
_S32, _ONE = np.uint64(32), np.uint64(1)
_ANY = 0 << 2 | 2
"""Nothing known: from a loss to a win."""


@inlined
def bucket(keys, key):
    """The first of the entries for a key."""
    mixed = key * _MIX
    return np.int64((mixed ^ (mixed >> _S32)) & np.uint64(len(keys) - WAYS))


@inlined
def look_up(keys, entries, key):
    """What is known of a position: the lower bound in bits 2 and 3, the upper in bits 0 and 1, both plus one."""
    first = bucket(keys, key)
    for place in range(first, first + WAYS):
        if keys[place] == key:
            return entries[place] & 15
    return _ANY


@inlined
def store(keys, entries, key, bounds, weight):
    """Keep bounds; the position with the fewest free cells makes room."""
    first = bucket(keys, key)
    chosen = first
    for place in range(first, first + WAYS):
        if keys[place] == key or keys[place] == 0:
            chosen = place
            break
        if entries[place] < entries[chosen]:
            chosen = place
    keys[chosen] = key
    entries[chosen] = weight << 4 | bounds


@inlined
def order_moves(board, own, other, cells, free, moves, scores):
    """Write the cells of a mask, the most promising first: those in many open rows that are far on their way."""
    count = 0
    for cell in range(cells):
        if not board.bits[cell] & free:
            continue
        score, number = 0, 0
        while board.through[cell, number] >= 0:
            line = board.lines[board.through[cell, number]]
            if not line & other:
                score += 1 << np.int64(2 * count_bits(line & own))
            if not line & own:
                score += 1 << np.int64(2 * count_bits(line & other))
            number += 1
        place = count
        while place and scores[place - 1] < score:
            moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        moves[place], scores[place] = cell, score
        count += 1
    return count


@called
def reaches(board, own, other, free, target, ply, codes, work, keys, entries, counter):
    """Whether the player to move gets `target` (1 or 0) or more; UNKNOWN when the limit was reached."""
    if free == 0:
        return YES if target == 0 else NO
    if completing(board, own) & free:
        return YES
    threats = completing(board, other) & free
    if threats & (threats - _ONE):  # two cells to block at once
        return NO
    if target == 1 and not has_row(board, own | free):
        return NO
    if target == 0 and not has_row(board, other | free):
        return YES
    key = codes[ply].min() + _ONE  # 0 is an empty entry
    known = look_up(keys, entries, key)
    if (known >> 2) - 1 >= target:
        return YES
    if (known & 3) - 1 < target:
        return NO
    if counter[NODES] >= counter[LIMIT]:
        return UNKNOWN
    counter[NODES] += 1
    moves, scores = work[ply, 0], work[ply, 1]
    count = order_moves(board, own, other, len(board.bits), threats if threats else free, moves, scores)
    mark, answer = np.uint64(1 + ply % 2), NO
    for number in range(count):
        cell = moves[number]
        for g in range(len(board.powers)):
            codes[ply + 1, g] = codes[ply, g] + board.powers[g, cell] * mark
        bit = board.bits[cell]
        theirs = reaches(
            board, other, own | bit, free ^ bit, 1 - target, ply + 1, codes, work, keys, entries, counter
        )  # fmt: skip
        if theirs == UNKNOWN:
            return UNKNOWN
        if theirs == NO:
            answer = YES
            break
    known = look_up(keys, entries, key)
    if answer == YES:
        known = (known & 3) | (target + 1) << 2
    else:
        known = (known & 12) | target
    store(keys, entries, key, known, np.int64(count_bits(free)))
    return answer


@kernel
def ask(board, own, other, free, target, ply, codes, work, keys, entries, counter):
    """The question, from Python."""
    return reaches(board, own, other, free, target, ply, codes, work, keys, entries, counter)
