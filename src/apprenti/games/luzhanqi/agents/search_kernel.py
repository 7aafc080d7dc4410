"""Playing on from sampled worlds: both players greedy by what each of them knows, a few moves deep, then counting."""

import numpy as np

from apprenti.core.compiled import inlined, kernel, lent
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.agents.one_ply_kernel import DISTANCE, GAME, PIECE_POINTS
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.fast.primitives import (
    HEADQUARTERS,
    MOVE_FROM,
    MOVE_TO,
    OWN_HEADQUARTERS,
    apply,
    at,
    copy,
    lowest_bit,
    make,
    no_move,
    targets,
    too_long,
)
from apprenti.games.luzhanqi.pieces import FLAG, MOBILE

PRESSURE = 20.0
"""Points for a movable piece beside the enemy's flag."""


@lent
def flag_candidates(game, player):
    """The two headquarters of the player's enemy, as far as they may hold the flag for all the player knows, or −1."""
    first, second = -1, -1
    points = OWN_HEADQUARTERS[1 - player]
    for _ in range(2):
        point = lowest_bit(points)
        points &= points - 1
        piece = game[at.BOARD + point]
        if piece >= 0 and piece // SLOTS != player and (game[at.DEDUCED + piece] >> FLAG) & 1:
            first, second = point, first
    public = game[at.FLAGS + 1 - player]
    if public >= 0:
        first, second = public, -1
    return first, second


@inlined
def nearness(ground, first, second, point):
    """Minus the moves to the nearer of the points where the flag may be."""
    if first < 0:
        return 0
    if second < 0:
        return -DISTANCE[ground, first, point]
    return -min(DISTANCE[ground, first, point], DISTANCE[ground, second, point])


@lent
def greedy_move(rules, game, table, dice, march, noise):
    """The move that seems best to the player to move, by what it knows of each piece; −1 if there is none."""
    player = game[at.TO_MOVE]
    enemies = game[at.OCCUPIED + 1 - player]
    limit = rules[at.QUIET_LIMIT]
    quiet_loses = limit > 0 and game[at.QUIET] + 1 >= limit
    ground = rules[at.GROUND]
    first, second = flag_candidates(game, player)
    best, chosen = -1e9, -1
    for slot in range(SLOTS):
        piece = SLOTS * player + slot
        origin = game[at.POINT + piece]
        if origin < 0:
            continue
        reach = targets(rules, game, piece, origin)
        kind = game[at.TYPE + piece]
        here = nearness(ground, first, second, origin)
        while reach:
            target = lowest_bit(reach)
            reach &= reach - 1
            score = noise * next_random(dice)
            if (enemies >> target) & 1:
                score += table[game[at.DEDUCED + game[at.BOARD + target]], kind]
            elif quiet_loses:
                score -= 1e6
            else:
                score += march * (nearness(ground, first, second, target) - here)
            if score > best:
                best, chosen = score, origin * POINTS + target
    return chosen


@lent
def pressure(ground, game, player):
    """How near the player's movable pieces are to the enemy's flag: 1 beside it, 1/2 two moves away."""
    flag = game[at.POINT + game[at.FLAG_PIECE + 1 - player]]
    nearest = 99
    for piece in range(SLOTS * player, SLOTS * player + SLOTS):
        point = game[at.POINT + piece]
        if point >= 0 and (MOBILE >> game[at.TYPE + piece]) & 1 and not (HEADQUARTERS >> point) & 1:
            nearest = min(nearest, DISTANCE[ground, flag, point])
    return 1.0 / nearest if flag >= 0 else 0.0


@lent
def standing(rules, game, player):
    """What a world is worth to a player: the game if it is over, otherwise the pieces that are left."""
    if game[at.OUTCOME] != at.GOING_ON:
        if game[at.WINNER] < 0:
            return 0.0
        return GAME if game[at.WINNER] == player else -GAME
    ground, total = rules[at.GROUND], 0.0
    for piece in range(at.PIECES):
        kind = game[at.TYPE + piece]
        if game[at.POINT + piece] >= 0 and kind != FLAG:
            total += PIECE_POINTS[kind] if piece // SLOTS == player else -PIECE_POINTS[kind]
    return total + PRESSURE * (pressure(ground, game, player) - pressure(ground, game, 1 - player))


@kernel
def play_on(rules, game, player, table, depth, march, noise, dice):
    """Play `depth` greedy moves and return what the player then has. The game is changed."""
    for _ in range(depth):
        if game[at.OUTCOME] != at.GOING_ON:
            break
        move = greedy_move(rules, game, table, dice, march, noise)
        if move < 0:
            no_move(rules, game)
        elif game[at.MOVES] and too_long(rules, game):
            break
        else:
            make(rules, game, move // POINTS, move % POINTS)
    return standing(rules, game, player)


@kernel
def try_moves(rules, worlds, actions, table, depth, march, noise, dice, sums):
    """Make each of the moves in each of the worlds, play on, and add what comes of it to `sums`.

    In one world the moves share their random numbers, so that they differ by the moves alone.
    """
    game = np.empty(at.SIZE, dtype=np.int64)
    chance = np.empty(1, dtype=np.uint64)
    for number in range(len(worlds)):
        next_random(dice)
        for move in range(len(actions)):
            copy(worlds[number], game)
            player = game[at.TO_MOVE]
            chance[0] = dice[0]
            apply(rules, game, MOVE_FROM[actions[move]], MOVE_TO[actions[move]])
            sums[move] += play_on(rules, game, player, table, depth, march, noise, chance)
