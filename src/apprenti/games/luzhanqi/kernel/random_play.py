"""Random games, and counting all games of a given length."""

import numpy as np

from apprenti.core.compiled import kernel, lent
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.bits import count_bits, lowest_bit
from apprenti.games.luzhanqi.kernel.moves import MOST_MOVES, legal_moves, targets
from apprenti.games.luzhanqi.kernel.play import apply, make, no_move, too_long
from apprenti.games.luzhanqi.kernel.tables import MOVE_FROM, MOVE_TO


@lent
def reaches(rules, game, out):
    """For each slot of the player to move, where its piece can go, as bits; how many moves that makes."""
    player = game[at.TO_MOVE]
    count = 0
    for slot in range(SLOTS):
        piece = SLOTS * player + slot
        origin = game[at.POINT + piece]
        out[slot] = targets(rules, game, piece, origin) if origin >= 0 else 0
        count += count_bits(out[slot])
    return count


@lent
def random_move(rules, game, reach, count, dice):
    """Make one of the `count` moves in `reach`, each as likely."""
    skip = int(next_random(dice) * count)
    slot = 0
    here = count_bits(reach[0])
    while skip >= here:
        skip -= here
        slot += 1
        here = count_bits(reach[slot])
    bits = reach[slot]
    while skip:
        bits &= bits - 1
        skip -= 1
    make(rules, game, game[at.POINT + SLOTS * game[at.TO_MOVE] + slot], lowest_bit(bits))


@kernel
def playout(rules, game, dice, most):
    """Random moves until the game is over or `most` moves were made; returns how many."""
    reach = np.empty(SLOTS, dtype=np.int64)
    made = 0
    while game[at.OUTCOME] == at.GOING_ON:
        count = reaches(rules, game, reach)
        if not count:
            no_move(rules, game)
            break
        if (made and too_long(rules, game)) or made == most:
            break
        random_move(rules, game, reach, count, dice)
        made += 1
    return made


@kernel
def perft(rules, game, depth):
    """How many lines of play there are of this length."""
    if depth == 0:
        return 1
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    count = legal_moves(rules, game, moves)
    if depth == 1:
        return count
    total = 0
    for number in range(count):
        after = game.copy()
        apply(rules, after, MOVE_FROM[moves[number]], MOVE_TO[moves[number]])
        total += perft(rules, after, depth - 1)
    return total
