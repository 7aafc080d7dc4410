"""Exact search, and every position of a small board.

Can the player to move reach a result, whatever the other does? The answer is yes or no, so alpha and beta have no room
between them. The result is 1 for a win, 0 for a draw, −1 for a loss; two questions (a win? a draw at least?) give the
value. Answers are kept in a table under the code that all symmetric positions share, as bounds: what is reached for
certain, and what cannot be passed.

Of a small board all positions are written down: one move further, values from the end back, and what becomes of a
player against an opponent.
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


GOES_ON = 2
RANDOM, PERFECT, WORST = 0, 1, 2
"""Opponents: any legal move; any move of the greatest value; whatever makes the player lose most often."""


@kernel
def expand(board, ply, codes, after, keys, ended, views):
    """For each position its moves: the code after each and its key in a table of actions, 0 where there is none.

    `ended` is 1 for a position that is won, for the player who has just moved; its moves stay 0. `views` is the number
    of symmetries a code stands for: 1, or all. A code is never 0 after a move.
    """
    cells = len(board.bits)
    seen = np.zeros(views, np.uint64)
    for number in range(len(codes)):
        rest = codes[number]
        free = crosses = noughts = np.uint64(0)
        seen[:] = 0
        for cell in range(cells):
            digit, rest = rest % np.uint64(3), rest // np.uint64(3)
            if digit == 0:
                free |= board.bits[cell]
            elif digit == 1:
                crosses |= board.bits[cell]
            else:
                noughts |= board.bits[cell]
            for g in range(views):
                seen[g] += board.powers[g, cell] * digit
        if has_row(board, noughts if ply % 2 == 0 else crosses):
            ended[number] = 1
            continue
        for cell in range(cells):
            if not free & board.bits[cell]:
                continue
            least, key = ~np.uint64(0), ~np.uint64(0)
            for g in range(views):
                least = min(least, seen[g] + board.powers[g, cell] * np.uint64(1 + ply % 2))
                key = min(key, seen[g] * np.uint64(cells) + board.places[g, cell])
            after[number, cell], keys[number, cell] = least, key


@kernel
def values_of(after, result):
    """The value of every position, from the last ones back: the best of what the moves leave to the other player."""
    value = result.copy()
    for number in range(len(value) - 1, -1, -1):
        if result[number] == GOES_ON:
            best = -1
            for move in after[number]:
                if move >= 0:
                    best = max(best, -value[move])
            value[number] = best
    return value


@kernel
def chances(after, ply, result, value, best, side, opponent):
    """How likely a player wins, draws and loses from the empty board, playing a `side` against an opponent.

    The player chooses among its `best` moves, each as likely.
    """
    won, lost = np.zeros(len(after)), np.zeros(len(after))
    for number in range(len(after) - 1, -1, -1):
        own = ply[number] % 2 == side
        if result[number] != GOES_ON:
            if result[number] < 0:  # who is to move has lost
                won[number], lost[number] = (0.0, 1.0) if own else (1.0, 0.0)
            continue
        wins, losses, worst, count = 0.0, 0.0, -1, 0
        for cell in range(after.shape[1]):
            move = after[number, cell]
            if move < 0 or (own and not best[number, cell]):
                continue
            if not own and opponent == PERFECT and value[move] != -value[number]:
                continue
            wins, losses, count = wins + won[move], losses + lost[move], count + 1
            if worst < 0 or lost[move] > lost[worst] or (lost[move] == lost[worst] and won[move] < won[worst]):
                worst = move
        if not own and opponent == WORST:
            won[number], lost[number] = won[worst], lost[worst]
        else:
            won[number], lost[number] = wins / count, losses / count
    return won[0], 1.0 - won[0] - lost[0], lost[0]
