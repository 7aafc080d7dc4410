"""One-ply players on many games at once, compiled: what every legal move is worth to its player, and features of it.

They may know layouts that an enemy uses, or that are usual. Bayes' rule: the enemy has one of these layouts, or, at
first with probability 1 − `trust`, any layout. In a known one each piece is what the layout says, or with probability
`VARIES` what it might be in any. What was seen of the pieces, a set of types for each, makes some layouts likelier than
others, and all of them together likelier than any, or not.
"""

import numpy as np

from apprenti.core.compiled import called, kernel, lent
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.agents.one_ply_kernel import PIECE_POINTS, expected_value, score_moves
from apprenti.games.luzhanqi.agents.search_kernel import play_on
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
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MARSHAL, MINE, NONE, TYPES

VARIES = 0.1
"""How likely a piece is another one than its layout says."""
ROUNDS = 8


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


@lent
def sum_over(types, odds):
    """The sum of the odds of some types."""
    total = 0.0
    for kind in range(TYPES):
        if (types >> kind) & 1:
            total += odds[kind]
    return total


@kernel
def seen_by_chance(masks, allowed, first, chance):
    """Write how likely it is that a piece of any layout is of a type that this one can be.

    `masks` are the types that the pieces can be, `allowed` those that may begin there, `first` their odds at first.
    """
    for slot in range(SLOTS):
        chance[slot] = max(1e-3, sum_over(masks[slot], first) / sum_over(allowed[slot], first)) if masks[slot] else 1.0


@kernel
def layout_weights(masks, chance, layouts, trust, weights):
    """Write how likely each known layout is, together 1; return how likely it is that the enemy has one of them."""
    for number in range(len(layouts)):
        weights[number] = 1.0
        for slot in range(SLOTS):
            kind = layouts[number, slot]
            if kind != NONE and masks[slot]:
                weights[number] *= VARIES + ((1.0 - VARIES) / chance[slot] if (masks[slot] >> kind) & 1 else 0.0)
    ratio = weights.mean()
    weights /= weights.sum()
    return trust * ratio / (trust * ratio + 1.0 - trust)


@called
def layout_odds(masks, allowed, first, layouts, trust, odds):
    """Mix what the known layouts have on each slot, as far as the piece there can be it, into the odds of counting."""
    weights, chance, known_odds = np.empty(len(layouts)), np.empty(SLOTS), np.zeros((SLOTS, TYPES))
    seen_by_chance(masks, allowed, first, chance)
    trust = layout_weights(masks, chance, layouts, trust, weights)
    for number in range(len(layouts)):
        for slot in range(SLOTS):
            kind = layouts[number, slot]
            if kind != NONE and (masks[slot] >> kind) & 1:
                known_odds[slot, kind] += trust * weights[number]
    for slot in range(SLOTS):
        known_odds[slot] *= (1.0 - VARIES) / (1.0 - VARIES + VARIES * chance[slot])
        odds[slot] = (1.0 - known_odds[slot].sum()) * odds[slot] + known_odds[slot]


@kernel
def informed_odds(masks, allowed, first, counts, layouts, trust, odds):
    """The odds of counting, together with what known layouts say; still as many of each type as the army has."""
    layout_odds(masks, allowed, first, layouts, trust, odds)
    balance(counts, odds)


@kernel
def draw_towards(masks, layouts, weights, trust, dice, rows):
    """Exchange pieces in each row, which fits the sets, until it is as near to a known layout as exchanges bring it.

    The layout is drawn anew for each row, as likely as it is; a share of the rows, 1 − `trust`, is left as it was.
    """
    for row in rows:
        if next_random(dice) >= trust:
            continue
        number, drawn = 0, next_random(dice)
        while number < len(weights) - 1 and drawn >= weights[number]:
            drawn -= weights[number]
            number += 1
        wanted = layouts[number]
        for slot in range(SLOTS):
            kind = wanted[slot]
            if kind == NONE or row[slot] == kind or not (masks[slot] >> kind) & 1 or next_random(dice) < VARIES:
                continue
            first = int(next_random(dice) * SLOTS)
            for step in range(SLOTS):
                other = (first + step) % SLOTS
                if row[other] == kind and wanted[other] != kind and (masks[other] >> row[slot]) & 1:
                    row[slot], row[other] = kind, row[slot]
                    break


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

    A player that counts may know layouts that the enemy uses, and `trust` them.
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
                out[4, here] += share * PIECE_POINTS[kind] / PIECE_POINTS[MARSHAL]


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
