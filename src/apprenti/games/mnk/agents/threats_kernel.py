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

Search = namedtuple("Search", "lines through every weights bonus run answers tried tree moves scores counter")
"""The lines, the numbers of those through a cell and of all, what an open line is worth by its marks, what a cell is
worth beside; for each move of a run of fours the cell, the answer and how many cells were tried; a node and its moves
for each ply."""

CHILD, LOW, HIGH, BEST, COUNT, NEXT, FIELDS = range(7)
"""Fields of a node: the depth of the search after its moves, the bounds and the best value so far, the number of its
moves and of those that were made, and how many fields there are."""


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
def completing(search, position, side, numbers, but):
    """A free cell that completes a row of a side in one of these lines, other than `but`; −1 if there is none."""
    lines, counts, marks, k = search.lines, position.counts, position.marks, search.lines.shape[1]
    for line in numbers:
        if line >= 0 and counts[side, line] == k - 1 and counts[1 - side, line] == 0:
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
def next_four(search, position, side, level):
    """The next cell that makes a four and stops one of the other's; −1 if there is none or the search has to end."""
    lines, counts, marks, k = search.lines, position.counts, position.marks, search.lines.shape[1]
    must = -1
    if position.lacking[1 - side, 1]:  # by the last answer
        must = completing(search, position, 1 - side, search.through[search.answers[level - 1]], -1)
    if level == len(search.run) or search.counter[NODES] >= search.counter[LIMIT]:
        return -1
    while search.tried[level] < lines.size:
        line, place = divmod(search.tried[level], k)
        if counts[side, line] != k - 2 or counts[1 - side, line]:
            search.tried[level] += k - place
            continue
        search.tried[level] += 1
        cell = lines[line, place]
        if marks[cell] == FREE and (must < 0 or cell == must):
            search.counter[NODES] += 1
            return cell
    return -1


@called
def wins_by_fours(search, position, side):
    """Whether a run of fours, each of which forces an answer, ends in two at once."""
    run, answers, other, level, wins = search.run, search.answers, 1 - side, 0, False
    if len(run) == 0 or position.lacking[side, 2] == 0:
        return False
    search.tried[0] = 0
    while level >= 0:
        cell = -1 if wins else next_four(search, position, side, level)
        if cell < 0:  # nothing left here: back to the four before
            level -= 1
            if level >= 0:
                change(search, position, answers[level], other, -1)
                change(search, position, run[level], side, -1)
            continue
        change(search, position, cell, side, 1)
        fours = search.through[cell]
        answer = completing(search, position, side, fours, -1)
        wins = position.lacking[other, 1] == 0 and completing(search, position, side, fours, answer) >= 0
        if wins or position.lacking[other, 1]:
            change(search, position, cell, side, -1)
            continue
        change(search, position, answer, other, 1)
        run[level], answers[level] = cell, answer
        level += 1
        search.tried[level] = 0
    return wins


@called
def settled(search, position, side, ply, depth):
    """What a position is worth to the side to move, and whether that can be said without a move."""
    other, sums, lacking = 1 - side, position.sums, position.lacking
    if position.left[0] == 0:
        return 0, True
    if lacking[side, 1]:
        return WIN - ply, True
    if lacking[other, 1]:
        must = completing(search, position, other, search.every, -1)
        return ply + 1 - WIN, completing(search, position, other, search.every, must) >= 0
    if depth == 0:
        if wins_by_fours(search, position, side):
            return WIN - ply - 2, True
        return sums[side] - sums[other] + (sums[side] >> 2), True
    return 0, search.counter[NODES] >= search.counter[LIMIT]


@called
def open_node(search, position, side, ply, depth, low, high):
    """Write a node of the tree: its value, or the moves to look at; an answer that is forced costs no depth."""
    node, moves = search.tree[ply], search.moves[ply]
    value, sure = settled(search, position, side, ply, depth)
    search.counter[NODES] += 1
    node[CHILD], node[LOW], node[HIGH], node[BEST], node[COUNT], node[NEXT] = depth - 1, low, high, -WIN, 0, 0
    if sure:
        node[BEST] = value
    elif position.lacking[1 - side, 1]:
        moves[0], node[COUNT], node[CHILD] = completing(search, position, 1 - side, search.every, -1), 1, depth
    else:
        node[COUNT] = promising(position.marks, position.gains, moves, search.scores)


@called
def value_of(search, position, first, depth, low, high):
    """What a position is worth to the side to move, if that is between two bounds: alpha-beta.

    The tree is an array: compiled code that calls itself ends in a segmentation fault when it is read from the disk.
    """
    tree, moves, ply, side = search.tree, search.moves, 1, first
    open_node(search, position, side, ply, depth, low, high)
    while True:
        node = tree[ply]
        if node[NEXT] < node[COUNT] and node[LOW] < node[HIGH]:
            change(search, position, moves[ply, node[NEXT]], side, 1)
            node[NEXT] += 1
            ply, side = ply + 1, 1 - side
            open_node(search, position, side, ply, node[CHILD], -node[HIGH], -node[LOW])
            continue
        if ply == 1:
            return node[BEST]
        value = -node[BEST]
        ply, side = ply - 1, 1 - side
        node = tree[ply]
        change(search, position, moves[ply, node[NEXT] - 1], side, -1)
        node[BEST], node[LOW] = max(node[BEST], value), max(node[LOW], value)


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


@kernel
def look(search, position, marks, side, depth, width, order, values):
    """Values of the free cells in `order`: all of them one move deep, then the best ones deeper and deeper.

    What is said of others than the best is a bound from above. Ends at the depth, at a sure end, or at the limit of
    positions: then what was not looked at to the end is as it was one depth before.
    """
    begin(search, position, marks)
    deeper = values.copy()
    for deep in range(depth + 1):
        wide, low = len(order) if deep == 0 else width, -WIN
        for cell in order[:wide]:
            change(search, position, cell, side, 1)
            value = WIN
            if position.lacking[side, 0] == 0:
                value = -value_of(search, position, 1 - side, deep, -WIN, -low if deep else WIN)
            change(search, position, cell, side, -1)
            deeper[cell] = value if value > low or deep == 0 else min(value, low - 1)  # a bound: as good at most
            low = max(low, value)
        if deep and search.counter[NODES] >= search.counter[LIMIT]:
            return
        for cell in order[wide:]:
            deeper[cell] = min(deeper[cell], low - 1)
        values[:] = deeper
        if abs(low) > WIN >> 1:
            return
        best_first(order, values)
