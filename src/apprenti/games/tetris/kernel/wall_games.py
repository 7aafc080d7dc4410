"""Whole games of a player who knows the value of every wall."""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.lanes import address
from apprenti.games.tetris.kernel.play import book, deal
from apprenti.games.tetris.kernel.walls import DEAD, DROP_SIZE, MOST_COLUMNS, after, is_known, rank, write_heights


@inlined
def worth_of(index, values, gamma, lines, wall):
    """Lines now and all that is to come; a wall that play cannot lead to is taken for the end."""
    if wall == DEAD or not is_known(index, wall):
        return float(lines)
    return lines + gamma * values[rank(index, wall)]


@inlined
def best_drop(board, drops, begin, end, index, values, gamma, wall, image, heights):
    """The best drop, the lines it counts, and the wall after it with its image."""
    best, chosen, lines, reached, turned = -1.0, begin, 0, DEAD, DEAD
    for drop in range(begin, end):
        more, there, across = after(wall, image, heights, address(drops, drop * DROP_SIZE), board)
        worth = worth_of(index, values, gamma, more, max(there, across))
        if worth > best:
            best, chosen, lines, reached, turned = worth, drop, more, there, across
    return chosen, lines, reached, turned


@called
def play_one(
    board, drops, first, masks, rows_of, index, values, gamma, game, shares, sequence, chance, heights, bag, result,
    moves, room, stop,
):  # fmt: skip
    """Play one game to its end or its last allowed piece; write the result, and the first `room` moves."""
    wall, image, dealt = 0, 0, 0
    bag[0] = 0
    while result[at.R_PIECES] < game[at.MAX_PIECES] and not stop[0]:
        piece = deal(game, bag, shares, sequence, dealt, chance)
        dealt += 1
        write_heights(wall, board, masks, rows_of, heights)
        drop, lines, wall, image = best_drop(
            board, drops, first[piece], first[piece + 1], index, values, gamma, wall, image, heights
        )
        if result[at.R_MOVES] < room:
            moves[result[at.R_MOVES]] = drop
            result[at.R_MOVES] += 1
        book(game, result, lines)
        if wall == DEAD:
            result[at.R_DIED] = 1
            return


@kernel()
def play_games(
    board, drops, first, masks, rows_of, images, index, values, gamma, game, shares, sequence, seeds, results, moves,
    stop,
):  # fmt: skip
    """Play a game for each seed."""
    heights, bag = np.zeros(MOST_COLUMNS, np.int64), np.zeros(1, np.int64)
    room = len(moves) // max(1, len(seeds))
    for i in range(len(seeds)):
        play_one(
            address(board, 0), drops, address(first, 0), address(masks, 0), address(rows_of, 0), address(index, 0),
            address(values, 0), gamma, address(game, 0), address(shares, 0), address(sequence, 0), address(seeds, i),
            address(heights, 0), address(bag, 0), address(results, i * at.RESULT_SIZE), address(moves, i * room), room,
            address(stop, 0),
        )  # fmt: skip
