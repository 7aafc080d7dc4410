"""Whole games: random ones, all of a given length, given moves again, and many side by side for learning."""

import numpy as np

from apprenti.core.compiled import called, kernel, lent
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.board import MOVE_FROM, MOVE_TO, TURNED_ACTION, copy, count_bits, lowest_bit
from apprenti.games.luzhanqi.kernel.knowledge import fill_planes
from apprenti.games.luzhanqi.kernel.play import MOST_MOVES, apply, begin, legal_moves, make, no_move, targets, too_long
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MINE, NONE, TYPES


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


SEEN = 7
"""What is seen of a move: its result, both flags if public, the outcome, the winner, and the fighters if shown."""


@kernel
def replay(rules, game, moves, seen):
    """Make moves, rows of (from, to), while they are legal, and write down what is seen; returns how many were."""
    for number in range(len(moves)):
        origin, target = moves[number, 0], moves[number, 1]
        mover, met = game[at.BOARD + origin], game[at.BOARD + target]
        if game[at.OUTCOME] != at.GOING_ON or mover < 0 or mover // 25 != game[at.TO_MOVE]:
            return number
        if not (targets(rules, game, mover, origin) >> target) & 1:
            return number
        shown = rules[at.SHOW] and met >= 0
        seen[number, 5] = game[at.TYPE + mover] if shown else -1
        seen[number, 6] = game[at.TYPE + met] if shown else -1
        seen[number, 0] = apply(rules, game, origin, target)
        for other in range(2):
            seen[number, 1 + other] = game[at.FLAGS + other]
            seen[number, 3 + other] = game[at.OUTCOME + other]
    return len(moves)


@lent
def fill_region(rules, kind, count, out, dice):
    """Put `count` pieces of a type on free slots that allow it, each choice as likely."""
    for _ in range(count):
        free = 0
        for slot in range(SLOTS):
            free += out[slot] < 0 and (rules[at.ALLOWED + slot] >> kind) & 1
        skip = int(next_random(dice) * free)
        slot = 0
        while True:
            if out[slot] < 0 and (rules[at.ALLOWED + slot] >> kind) & 1:
                if skip == 0:
                    break
                skip -= 1
            slot += 1
        out[slot] = kind


@called
def random_layout(rules, out, dice):
    """A layout, every legal one as likely: the most restricted pieces first, the rest shuffled."""
    for slot in range(SLOTS):
        out[slot] = -1 if rules[at.ALLOWED + slot] else NONE
    for kind in (FLAG, MINE, BOMB):
        fill_region(rules, kind, rules[at.COUNTS + kind], out, dice)
    rest = np.full(SLOTS, NONE, dtype=np.int64)
    count = 0
    for kind in range(TYPES):
        if kind not in (FLAG, MINE, BOMB):
            for _ in range(rules[at.COUNTS + kind]):
                rest[count] = kind
                count += 1
    free = 0
    for slot in range(SLOTS):
        free += out[slot] < 0
    for slot in range(SLOTS):
        if out[slot] < 0:
            drawn = int(next_random(dice) * free)
            out[slot] = rest[drawn]
            free -= 1
            rest[drawn] = rest[free]


@called
def draw_layout(rules, pool, out, dice):
    """One of the layouts of the pool; any legal one if the pool is empty."""
    if len(pool):
        copy(pool[int(next_random(dice) * len(pool))], out)
    else:
        random_layout(rules, out, dice)


@called
def restart(rules, game, pool, dice):
    """Begin a new game with two drawn layouts."""
    both = np.empty((2, SLOTS), dtype=np.int64)
    for player in range(2):
        draw_layout(rules, pool, both[player], dice)
    begin(rules, game, both[0], both[1])


@kernel
def restart_all(rules, games, pool, dice):
    for number in range(len(games)):
        restart(rules, games[number], pool, dice[number : number + 1])


@kernel
def step_all(rules, games, actions, pool, dice, ended, winner):
    """One move in every game; returns the number of the first game whose move is illegal, or −1."""
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    for number in range(len(games)):
        game, action = games[number], actions[number]
        if game[at.TO_MOVE] == 1:
            action = TURNED_ACTION[action]
        legal = False
        for other in moves[: legal_moves(rules, game, moves)]:
            legal |= other == action
        if not legal:
            return number
        apply(rules, game, MOVE_FROM[action], MOVE_TO[action])
        ended[number], winner[number] = game[at.OUTCOME], game[at.WINNER]
        while game[at.OUTCOME] != at.GOING_ON:
            restart(rules, game, pool, dice[number : number + 1])
    return -1


@kernel
def legal_all(rules, games, out):
    """Mark the legal moves of every game, as the player to move sees them."""
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    for number in range(len(games)):
        game = games[number]
        out[number, :] = False
        for action in moves[: legal_moves(rules, game, moves)]:
            out[number, TURNED_ACTION[action] if game[at.TO_MOVE] == 1 else action] = True


@kernel
def planes_all(rules, games, out):
    """The planes of every game, as the player to move sees it."""
    masks = np.empty(SLOTS, dtype=np.int64)
    for number in range(len(games)):
        fill_planes(rules, games[number], games[number][at.TO_MOVE], masks, out[number])
