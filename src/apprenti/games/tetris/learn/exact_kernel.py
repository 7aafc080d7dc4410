"""Sweeps over all reachable walls: Bellman's equation, once for each wall.

Walls are swept in the order of `walls`, from full to empty; `places` says where the value of each is. A *successor* is
what a policy makes of a wall and a piece: the lines in the three highest bits of 32, the place of the wall after it in
the others. The place after the last is the dead board's; its value stays 0.
"""

import numpy as np

from apprenti.core.compiled import kernel
from apprenti.games.tetris.fast.primitives import (
    DEAD,
    MOST_COLUMNS,
    PIECES,
    DropTables,
    address,
    after,
    image_of,
    pointers_to,
    rank,
    write_heights,
)
from apprenti.games.tetris.fast.reachable import PLACE_BITS

_PLACE = (1 << PLACE_BITS) - 1


@kernel()
def improve(drops, index, walls, values, shares, gamma, begin, end, successors, backed_up):
    """Write the greedy successors of some walls and their backed-up values; return the greatest Bellman residual.

    `backed_up` may be empty. The values themselves are left alone, so the result does not depend on the order.
    """
    room, tables, first = np.zeros(MOST_COLUMNS, np.int64), pointers_to(DropTables, drops), drops.first
    heights, v, ranks, dead = address(room, 0), address(values, 0), address(index, 0), len(values) - 1
    pieces, greatest = drops.board[PIECES], 0.0
    for j in range(begin, end):
        wall = np.int64(walls[j])
        image = image_of(tables, wall)
        write_heights(tables, wall, heights)
        value = 0.0
        for piece in range(pieces):
            best, chosen = -1.0, 0
            for drop in range(first[piece], first[piece + 1]):
                lines, reached, turned = after(tables, wall, image, heights, drop)
                place = dead if reached == DEAD else rank(ranks, max(reached, turned))
                worth = lines + gamma * v[place]
                if worth > best:
                    best, chosen = worth, (lines << PLACE_BITS) | place
            successors[j * pieces + piece] = chosen
            value += shares[piece] * best
        greatest = max(greatest, abs(value - v[rank(ranks, wall)]))
        if len(backed_up):
            backed_up[j] = value
    return greatest


@kernel()
def evaluate(values, successors, shares, gamma, lambda_, base, begin, end, fresh):
    """The values of some walls under a policy, from the values of the walls after them.

    λ-policy iteration takes only the part λ of that and adds `base`, which may be empty.
    """
    v, s, pieces = address(values, 0), address(successors, 0), len(shares)
    for j in range(begin, end):
        value = 0.0
        for piece in range(pieces):
            successor = np.int64(s[j * pieces + piece])
            value += shares[piece] * ((successor >> PLACE_BITS) + gamma * v[successor & _PLACE])
        fresh[j] = base[j] + lambda_ * value if len(base) else value


@kernel()
def commit(values, places, begin, end, fresh):
    """Let fresh values take the place of the old, and keep the changes; return the greatest one and their sum."""
    greatest, sum_ = 0.0, 0.0
    for j in range(begin, end):
        place = places[j]
        change = fresh[j] - values[place]
        values[place], fresh[j] = fresh[j], change
        greatest = max(greatest, abs(change))
        sum_ += change
    return greatest, sum_


@kernel()
def go_further(values, places, begin, end, changes, factor):
    """Add the last changes once more, times a factor."""
    for j in range(begin, end):
        values[places[j]] += factor * changes[j]


@kernel()
def follow(drops, index, walls, begin, end, starts, chosen, dead, successors):
    """Write the successor of each drop that a policy may choose on some walls."""
    room, tables, ranks = np.zeros(MOST_COLUMNS, np.int64), pointers_to(DropTables, drops), address(index, 0)
    heights = address(room, 0)
    for j in range(begin, end):
        wall = np.int64(walls[j])
        image = image_of(tables, wall)
        write_heights(tables, wall, heights)
        for k in range(starts[j], starts[j + 1]):
            lines, reached, turned = after(tables, wall, image, heights, np.int64(chosen[k]))
            place = dead if reached == DEAD else rank(ranks, max(reached, turned))
            successors[k] = (lines << PLACE_BITS) | place


@kernel()
def evaluate_law(values, starts, successors, probabilities, gamma, begin, end, fresh):
    """The values of some walls under a policy that draws its drops."""
    v, s = address(values, 0), address(successors, 0)
    for j in range(begin, end):
        value = 0.0
        for k in range(starts[j], starts[j + 1]):
            successor = np.int64(s[k])
            value += probabilities[k] * ((successor >> PLACE_BITS) + gamma * v[successor & _PLACE])
        fresh[j] = value


@kernel()
def visit(places, starts, successors, probabilities, waiting, visits):
    """Let what waits on each wall, from empty ones to full, be a visit there and go on; return how much is left.

    What a line carries to an emptier wall waits for the next pass.
    """
    for j in range(len(places) - 1, -1, -1):
        here = waiting[places[j]]
        waiting[places[j]] = 0.0
        visits[places[j]] += here
        if here:
            for k in range(starts[j], starts[j + 1]):
                waiting[np.int64(successors[k]) & _PLACE] += here * probabilities[k]
    waiting[len(waiting) - 1] = 0.0
    return waiting.sum()
