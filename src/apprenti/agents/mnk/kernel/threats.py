"""Alpha-beta over the cells that count most, with forced answers to threats and runs of threats at its leaves.

A *four* is a line that lacks one mark and has none of the other player, whatever K is: it has to be answered. A run of
fours that ends in two at once wins (threat-space search; Allis, van den Herik, Huntjens 1996). A line that is still
open to a player is worth more the more marks it has; the sum over all lines is the value of a quiet position.
"""

from collections import namedtuple

from apprenti.core.compiled import called, inlined, kernel

WIN = 1 << 60
"""The value of a won game, less one for each move until then."""
FREE = -1
NODES, LIMIT = 0, 1
"""Places in the counter: positions looked at, and how many may be."""

Position = namedtuple("Position", "marks counts gains sums lacking left")
"""Marks of cells; for each side its marks in each line, the worth of each cell, the worth of all lines, and how many
lines are open to it by how many marks they lack; the number of free cells."""

Search = namedtuple("Search", "lines through weights bonus fours moves scores counter")
"""The lines and those through a cell, what an open line is worth by its marks, what a cell is worth beside, the longest
run of fours, and room for the moves of each depth."""


@called
def change(search, position, cell, side, by):
    """Put a mark (1) or take it back (−1), and everything that depends on it."""
    lines, weights, counts, gains = search.lines, search.weights, position.counts, position.gains
    lacking, other, k = position.lacking, 1 - side, search.lines.shape[1]
    number = 0
    while search.through[cell, number] >= 0:
        line = search.through[cell, number]
        own, theirs = counts[side, line], counts[other, line]
        counts[side, line] += by
        gain, loss = 0, 0
        if theirs == 0:
            gain = weights[own + by] - weights[own]
            lacking[side, k - own] -= 1
            lacking[side, k - own - by] += 1
        if min(own, own + by) == 0:  # the line is closed to the other now, or open again
            loss = by * weights[theirs]
            lacking[other, k - theirs] -= by
        position.sums[side] += gain
        position.sums[other] -= loss
        for place in range(k):
            gains[side, lines[line, place]] += gain
            gains[other, lines[line, place]] -= loss
        number += 1
    position.sums[side] += by * search.bonus[cell]
    position.marks[cell] = side if by > 0 else FREE
    position.left[0] -= by


@called
def completing(search, position, side, but):
    """A free cell that completes a row of a side, other than `but`; −1 if there is none."""
    lines, counts, marks, k = search.lines, position.counts, position.marks, search.lines.shape[1]
    for line in range(len(lines)):
        if counts[side, line] == k - 1 and counts[1 - side, line] == 0:
            for place in range(k):
                if marks[lines[line, place]] == FREE and lines[line, place] != but:
                    return lines[line, place]
    return -1


@called
def promising(marks, gains, moves, scores):
    """Write the free cells that count most for both sides together, the best first; return how many."""
    count = 0
    for cell in range(len(marks)):
        score = gains[0, cell] + gains[1, cell]
        if marks[cell] != FREE or (count == len(moves) and score <= scores[count - 1]):
            continue
        place = min(count, len(moves) - 1)
        while place and scores[place - 1] < score:
            moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        moves[place], scores[place] = cell, score
        count = min(count + 1, len(moves))
    return count


@called
def value_of(search, position, side, depth, low, high, ply, fours):
    """What a position is worth to the side to move, if it is between two bounds.

    With `fours` above 0 only whether it wins by so many fours in a row, each of which forces an answer: WIN or 0. One
    function for both, because only one that calls nobody but itself can be stored in compiled form.
    """
    other, sums, lacking, left = 1 - side, position.sums, position.lacking, position.left[0]
    if left == 0:
        return 0
    if lacking[side, 1]:
        return WIN - ply
    lines, counts, marks, k = search.lines, position.counts, position.marks, search.lines.shape[1]
    enough = search.counter[NODES] >= search.counter[LIMIT]
    search.counter[NODES] += 1
    must = completing(search, position, other, -1) if lacking[other, 1] else -1
    if fours > 0:
        if enough or lacking[side, 2] == 0:
            return 0
        for line in range(len(lines)):
            if counts[side, line] != k - 2 or counts[other, line]:
                continue
            for place in range(k):
                cell = lines[line, place]
                if marks[cell] != FREE or (must >= 0 and cell != must):
                    continue
                change(search, position, cell, side, 1)
                wins = False
                if lacking[other, 1] == 0:
                    answer = completing(search, position, side, -1)
                    wins = completing(search, position, side, answer) >= 0
                    if not wins and fours > 1:
                        change(search, position, answer, other, 1)
                        wins = value_of(search, position, side, 0, low, high, ply, fours - 1) > 0
                        change(search, position, answer, other, -1)
                change(search, position, cell, side, -1)
                if wins:
                    return WIN - ply - 2
        return 0
    if must >= 0:
        if completing(search, position, other, must) >= 0:
            return ply + 1 - WIN
        change(search, position, must, side, 1)
        value = -value_of(search, position, other, depth, -high, -low, ply + 1, 0)
        change(search, position, must, side, -1)
        return value
    if depth == 0:
        if search.fours and value_of(search, position, side, 0, low, high, ply, search.fours) > 0:
            return WIN - ply - 2
        return sums[side] - sums[other] + (sums[side] >> 2)
    if enough:
        return 0
    best = -WIN
    for number in range(promising(marks, position.gains, search.moves[depth], search.scores[depth])):
        cell = search.moves[depth, number]
        change(search, position, cell, side, 1)
        value = -value_of(search, position, other, depth - 1, -high, -low, ply + 1, 0)
        change(search, position, cell, side, -1)
        best, low = max(best, value), max(low, value)
        if low >= high:
            break
    return best


@inlined
def best_first(order, values):
    """Put cells in the order of their values; equal ones stay as they were."""
    for number in range(1, len(order)):
        cell, place = order[number], number
        while place and values[order[place - 1]] < values[cell]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = cell


@inlined
def begin(search, position, marks):
    """From an empty board to these marks."""
    cells, lines, k = len(marks), len(search.lines), search.lines.shape[1]
    position.left[0], position.sums[:] = cells, lines * search.weights[0]
    position.lacking[:, k] = lines
    for cell in range(cells):
        position.gains[:, cell] = (search.through[cell] >= 0).sum() * search.weights[0]
    for cell in range(cells):
        if marks[cell] != FREE:
            change(search, position, cell, marks[cell], 1)


@kernel(cache=False)  # read back from the disk, this recursion ends in a segmentation fault (numba)
def look(search, position, marks, side, depth, width, order, values):
    """Values of the free cells in `order`: all of them one move deep, then the best ones deeper and deeper.

    What is said of others than the best is a bound from above. Ends at the depth, at a sure end, or at the limit of
    positions: then what was not looked at to the end is as it was one depth before.
    """
    begin(search, position, marks)
    found = values.copy()
    for deep in range(depth + 1):
        wide, low = len(order) if deep == 0 else width, -WIN
        for cell in order[:wide]:
            change(search, position, cell, side, 1)
            value = WIN
            if position.lacking[side, 0] == 0:
                value = -value_of(search, position, 1 - side, deep, -WIN, -low if deep else WIN, 1, 0)
            change(search, position, cell, side, -1)
            found[cell], low = value, max(low, value)
        if deep and search.counter[NODES] >= search.counter[LIMIT]:
            return
        for cell in order[wide:]:
            found[cell] = min(found[cell], low - 1)
        values[:] = found
        if abs(low) > WIN >> 1:
            return
        best_first(order, values)
