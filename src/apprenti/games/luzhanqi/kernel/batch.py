"""Many games at once: layouts drawn for them, a move in each, legal moves and planes as their players see them."""

import numpy as np

from apprenti.core.compiled import called, kernel, lent
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.begin import begin
from apprenti.games.luzhanqi.kernel.bits import copy
from apprenti.games.luzhanqi.kernel.moves import MOST_MOVES, legal_moves
from apprenti.games.luzhanqi.kernel.planes import fill_planes
from apprenti.games.luzhanqi.kernel.play import apply
from apprenti.games.luzhanqi.kernel.tables import MOVE_FROM, MOVE_TO, TURNED_ACTION
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MINE, NONE, TYPES


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
