"""One-ply players on many games at once, compiled: what every legal move is worth to its player."""

import numpy as np

from apprenti.agents.luzhanqi.kernel.one_ply import score_moves
from apprenti.agents.luzhanqi.kernel.search import play_on
from apprenti.core.compiled import called, kernel
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.board import SLOTS
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
from apprenti.games.luzhanqi.pieces import TYPES

ROUNDS = 8


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
def balance(counts, odds):
    """Scale types and slots in turn until there are as many pieces of each type as the army has (almost)."""
    for _ in range(ROUNDS):
        for kind in range(TYPES):
            total = odds[:, kind].sum()
            if total > 0.0:
                odds[:, kind] *= counts[kind] / total
        for slot in range(SLOTS):
            total = odds[slot].sum()
            if total > 0.0:
                odds[slot] /= total


@called
def fill_odds(rules, game, player, weights, counted, masks, odds):
    """How likely each type is on each slot of the enemy: by what was seen of each piece alone, or also by counting."""
    counts = rules[at.COUNTS : at.COUNTS + TYPES]
    if counted:
        known(rules, game, player, masks)
        first_odds(masks, counts.astype(np.float64), odds)
        balance(counts, odds)
    else:
        first = at.DEDUCED + SLOTS * (1 - player)
        masks[:] = game[first : first + SLOTS]
        first_odds(masks, weights, odds)


@kernel
def score_all(rules, games, weights, values, fear, march, counted, out):
    """Write for each game what every legal move is worth, as its player sees the board; −∞ where it is not legal."""
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    masks, odds = np.empty(SLOTS, dtype=np.int64), np.zeros((SLOTS, TYPES))
    for number in range(len(games)):
        game = games[number]
        player = game[at.TO_MOVE]
        fill_odds(rules, game, player, weights, counted, masks, odds)
        count = legal_moves(rules, game, moves)
        actions = moves[:count].astype(np.int64)
        scores = np.empty(count)
        score_moves(rules, game, actions, odds, values, fear, march, scores)
        out[number, :] = -np.inf
        for place in range(count):
            action = TURNED_ACTION[actions[place]] if player == 1 else actions[place]
            out[number, action] = scores[place]


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
