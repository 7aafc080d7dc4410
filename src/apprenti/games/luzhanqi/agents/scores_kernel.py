"""One-ply players on many games at once, compiled: what every legal move is worth to its player, and features of it."""

import numpy as np

from apprenti.core.compiled import called, kernel
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.agents.one_ply_kernel import expected_value, score_moves
from apprenti.games.luzhanqi.agents.prior_kernel import balance, layout_odds
from apprenti.games.luzhanqi.agents.search_kernel import play_on
from apprenti.games.luzhanqi.agents.worth_kernel import WORTH
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.fast.primitives import (
    MOST_MOVES,
    MOVE_FROM,
    MOVE_TO,
    TURNED_ACTION,
    apply,
    at,
    copy,
    known,
    legal_moves,
)
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MARSHAL, MINE, TYPES

MOVE_FEATURES = 3
"""Of a move: its one-ply worth, what its fight is worth on average, and whether it takes back the own last move."""
POINT_FEATURES = 5
"""Of a point with an enemy: the chance of flag, mine and bomb, the entropy of its type, and its expected worth."""


@called
def first_odds(masks, weights, odds):
    """For each slot, odds in proportion to the weights of the types it allows."""
    for slot in range(SLOTS):
        total = 0.0
        for kind in range(TYPES):
            odds[slot, kind] = weights[kind] if (masks[slot] >> kind) & 1 else 0.0
            total += odds[slot, kind]
        if total > 0.0:
            odds[slot] /= total


@called
def fill_odds(rules, game, player, weights, counted, layouts, trust, masks, odds):
    """How likely each type is on each slot of the enemy: by what was seen of each piece alone, or also by counting.

    Whoever counts may know layouts that the enemy uses, and `trust` them.
    """
    counts = rules[at.COUNTS : at.COUNTS + TYPES]
    if counted:
        known(rules, game, player, masks)
        first_odds(masks, counts.astype(np.float64), odds)
        balance(counts, odds)
        if len(layouts):
            layout_odds(masks, rules[at.ALLOWED : at.ALLOWED + SLOTS], weights, layouts, trust, odds)
            balance(counts, odds)
    else:
        first = at.DEDUCED + SLOTS * (1 - player)
        masks[:] = game[first : first + SLOTS]
        first_odds(masks, weights, odds)


@kernel
def score_all(rules, games, weights, values, fear, march, counted, layouts, trust, out):
    """Write for each game what every legal move is worth, as its player sees the board; −∞ where it is not legal."""
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    masks, odds = np.empty(SLOTS, dtype=np.int64), np.zeros((SLOTS, TYPES))
    for number in range(len(games)):
        game = games[number]
        player = game[at.TO_MOVE]
        fill_odds(rules, game, player, weights, counted, layouts, trust, masks, odds)
        count = legal_moves(rules, game, moves)
        actions = moves[:count].astype(np.int64)
        scores = np.empty(count)
        score_moves(rules, game, actions, odds, values, fear, march, scores)
        out[number, :] = -np.inf
        for place in range(count):
            action = TURNED_ACTION[actions[place]] if player == 1 else actions[place]
            out[number, action] = scores[place]


@called
def fill_point_features(game, player, odds, out):
    """What is likely of each enemy piece that still stands, on its point as the player sees the board."""
    out[:, :] = 0.0
    for slot in range(SLOTS):
        point = game[at.POINT + SLOTS * (1 - player) + slot]
        if point < 0:
            continue
        here = POINTS - 1 - point if player == 1 else point
        out[0, here], out[1, here], out[2, here] = odds[slot, FLAG], odds[slot, MINE], odds[slot, BOMB]
        for kind in range(TYPES):
            share = odds[slot, kind]
            if share > 0.0:
                out[3, here] -= share * np.log(share) / np.log(TYPES)
            if kind != FLAG:
                out[4, here] += share * WORTH[kind] / WORTH[MARSHAL]


@kernel
def features_all(rules, games, weights, values, fear, march, layouts, trust, by_move, by_point):
    """Write features of every move and every point of each game, as its player sees the board; 0 where illegal."""
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    masks, odds = np.empty(SLOTS, dtype=np.int64), np.zeros((SLOTS, TYPES))
    by_move[:] = 0.0
    for number in range(len(games)):
        game = games[number]
        player = game[at.TO_MOVE]
        fill_odds(rules, game, player, weights, True, layouts, trust, masks, odds)
        fill_point_features(game, player, odds, by_point[number])
        count = legal_moves(rules, game, moves)
        actions = moves[:count].astype(np.int64)
        scores = np.empty(count)
        score_moves(rules, game, actions, odds, values, fear, march, scores)
        for place in range(count):
            origin, target = MOVE_FROM[actions[place]], MOVE_TO[actions[place]]
            out = by_move[number, TURNED_ACTION[actions[place]] if player == 1 else actions[place]]
            out[0] = scores[place]
            other = game[at.BOARD + target]
            if other >= 0:
                out[1] = expected_value(odds, values, other % SLOTS, game[at.TYPE + game[at.BOARD + origin]])
            elif origin == game[at.OWN_TO] and target == game[at.OWN_FROM]:
                out[2] = 1.0


@kernel
def add_playouts(rules, games, table, playouts, depth, march, noise, dice, out):
    """Add to what every legal move is worth what comes of it when the game is played on, on average.

    The moves of a game share their random numbers, so that they differ by the moves alone.
    """
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    after, chance = np.empty(at.SIZE, dtype=np.int64), np.empty(1, dtype=np.uint64)
    for number in range(len(games)):
        game = games[number]
        player = game[at.TO_MOVE]
        count = legal_moves(rules, game, moves)
        for _ in range(playouts):
            next_random(dice)
            for action in moves[:count]:
                copy(game, after)
                chance[0] = dice[0]
                apply(rules, after, MOVE_FROM[action], MOVE_TO[action])
                value = play_on(rules, after, player, table, depth, march, noise, chance)
                out[number, TURNED_ACTION[action] if player == 1 else action] += value / playouts
