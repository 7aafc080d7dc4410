"""Every position of a small board: one move further, values from the end back, and what becomes of a player."""

import numpy as np

from apprenti.core.compiled import kernel
from apprenti.games.mnk.kernel.board import has_row

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
