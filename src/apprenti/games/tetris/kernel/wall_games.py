"""Whole games of a player who knows the value of every wall."""

from collections import namedtuple

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.groups import Dealing
from apprenti.games.tetris.kernel.lanes import address, pointers_to
from apprenti.games.tetris.kernel.play import add_to_result, deal
from apprenti.games.tetris.kernel.walls import DEAD, MOST_COLUMNS, DropTables, after, is_known, rank, write_heights

Policy = namedtuple("Policy", "index values gamma")
"""The value of every reachable wall, by `index`, and the discount."""


@inlined
def worth_of(policy, lines, wall):
    """Lines now and all that is to come; a wall that play cannot lead to is taken for the end."""
    if wall == DEAD or not is_known(policy.index, wall):
        return float(lines)
    return lines + policy.gamma * policy.values[rank(policy.index, wall)]


@inlined
def best_drop(drops, policy, piece, wall, image, heights):
    """The best drop, the lines it counts, and the wall after it with its image."""
    begin, end = drops.first[piece], drops.first[piece + 1]
    best, chosen, lines, reached, turned = -1.0, begin, 0, DEAD, DEAD
    for drop in range(begin, end):
        more, there, across = after(drops, wall, image, heights, drop)
        worth = worth_of(policy, more, max(there, across))
        if worth > best:
            best, chosen, lines, reached, turned = worth, drop, more, there, across
    return chosen, lines, reached, turned


@called
def play_one(drops, policy, dealing, chance, heights, bag, result, moves, room, stop):
    """Play one game to its end or its last allowed piece; write the result, and the first `room` moves."""
    wall, image, dealt = 0, 0, 0
    bag[0] = 0
    while result[at.R_PIECES] < dealing.game[at.MAX_PIECES] and not stop[0]:
        piece = deal(dealing, bag, dealt, chance)
        dealt += 1
        write_heights(drops, wall, heights)
        drop, lines, wall, image = best_drop(drops, policy, piece, wall, image, heights)
        if result[at.R_MOVES] < room:
            moves[result[at.R_MOVES]] = drop
            result[at.R_MOVES] += 1
        add_to_result(dealing.game, result, lines)
        if wall == DEAD:
            result[at.R_DIED] = 1
            return


@kernel()
def play_games(drops, policy, dealing, seeds, results, moves, stop):
    """Play a game for each seed."""
    heights, bag = np.zeros(MOST_COLUMNS, np.int64), np.zeros(1, np.int64)
    room = len(moves) // max(1, len(seeds))
    for i in range(len(seeds)):
        play_one(
            pointers_to(DropTables, drops), pointers_to(Policy, policy),
            pointers_to(Dealing, dealing),
            address(seeds, i), address(heights, 0), address(bag, 0), address(results, i * at.RESULT_SIZE),
            address(moves, i * room), room, address(stop, 0),
        )  # fmt: skip
