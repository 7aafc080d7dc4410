"""What pieces, fights and moves are worth at once, in points, and how far everything is from everything.

A move is worth its fight, the danger it leads into or out of, and the way to the flag.
"""

from functools import cache

import numpy as np

from apprenti.core.compiled import kernel, lent
from apprenti.games.luzhanqi import board
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.fast.primitives import (
    CAMPS,
    HEADQUARTERS,
    MOVE_FROM,
    MOVE_TO,
    NEIGHBOURS,
    RAIL,
    at,
    lowest_bit,
    slides,
)
from apprenti.games.luzhanqi.moves import BOTH_DIED, NO_PIECE, WON, fight, ordinary_reach
from apprenti.games.luzhanqi.pieces import BOMB, COUNTS, FLAG, MINE, TYPES
from apprenti.games.luzhanqi.rules import Rules

PIECE_POINTS = np.array([40.0, 32.0, 24.0, 18.0, 13.0, 9.0, 6.0, 4.0, 8.0, 6.0, 16.0, 300.0])
"""Of the types a … l; the flag is the game."""
GAME = 300.0


@cache
def attack_values(rules: Rules) -> np.ndarray:
    """What an attack is worth to the attacker, by attacker and defender: what falls there minus what falls here."""
    table = np.zeros((TYPES, TYPES))
    for attacker in range(TYPES):
        for defender in range(TYPES):
            result = fight(attacker, defender, rules)
            won, lost = PIECE_POINTS[defender], PIECE_POINTS[attacker]
            table[attacker, defender] = won if result == WON else won - lost if result == BOTH_DIED else -lost
    table.flags.writeable = False
    return table


def initial_odds() -> np.ndarray:
    """The odds of the types on a slot that allows them all; on any other slot, the same odds among those it allows.

    Exact at the beginning: in a headquarters 1/2 flag, 1/6 mine, 1/24 bomb; in the back rows 1/3 mine, 1/12 bomb.
    """
    odds = np.array(COUNTS, dtype=float) * 7 / 19
    odds[FLAG], odds[MINE], odds[BOMB] = 12, 4, 1
    return odds


@cache
def attack_values_by_set(rules: Rules) -> np.ndarray:
    """What an attack is worth on average, by the set of types the defender can be, and the attacker."""
    odds, table = initial_odds(), attack_values(rules)
    sets = np.arange(1 << TYPES)
    weights = ((sets[:, None] >> np.arange(TYPES)) & 1) * odds
    means: np.ndarray = weights @ table.T
    means /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    means.flags.writeable = False
    return means


def _distances(blocked: frozenset[int]) -> np.ndarray:
    """Moves an ordinary piece needs from each point to each, on an empty board without some of its points."""
    empty = [NO_PIECE] * board.POINTS
    far = np.full((board.POINTS, board.POINTS), 99, dtype=np.int64)
    reach = [ordinary_reach(empty, point, blocked) for point in range(board.POINTS)]
    for start in range(board.POINTS):
        far[start, start] = 0
        front, steps = {start}, 0
        while front:
            steps += 1
            front = {q for p in front for q in reach[p] if far[start, q] == 99}
            for point in front:
                far[start, point] = steps
    return far


DISTANCE = np.stack([_distances(blocked) for blocked in board.BLOCKED.values()])
"""For each board, by its number in the rules' array."""


@lent
def expected_value(odds, values, slot, kind):
    """What an attack by an own piece on the enemy of this slot is worth on average."""
    total = 0.0
    for other in range(TYPES):
        total += odds[slot, other] * values[kind, other]
    return total


@lent
def danger(game, player, odds, values, point, kind, occupied):
    """What the enemy's best attack on an own piece standing here would cost on average; 0 if none pays."""
    if (CAMPS >> point) & 1:
        return 0.0
    worst = 0.0
    attackers = NEIGHBOURS[point]
    if (RAIL >> point) & 1:
        attackers |= slides(point, occupied)
    attackers &= game[at.OCCUPIED + 1 - player] & ~HEADQUARTERS
    while attackers:
        origin = lowest_bit(attackers)
        attackers &= attackers - 1
        slot = game[at.BOARD + origin] % SLOTS
        cost = 0.0
        for other in range(TYPES):
            if other != MINE and other != FLAG:
                cost += odds[slot, other] * values[other, kind]
        worst = max(worst, cost)
    return worst


@lent
def way_to_flag(game, player, odds, point, ground):
    """Minus the moves it takes from here to the enemy's flag, wherever it may be."""
    total = 0.0
    for slot in range(SLOTS):
        if odds[slot, FLAG] > 0.0:
            where = game[at.POINT + SLOTS * (1 - player) + slot]
            if where >= 0:
                total -= odds[slot, FLAG] * DISTANCE[ground, point, where]
    return total


@kernel
def score_moves(rules, game, actions, odds, values, fear, march, scores):
    """Write what each legal move is worth. `odds`: for each slot of the enemy how likely each type is.

    `fear` weighs danger, `march` a move closer to the flag. A quiet move that loses by the clock costs the game.
    """
    player = game[at.TO_MOVE]
    occupied = game[at.OCCUPIED] | game[at.OCCUPIED + 1] | rules[at.BLOCKED]
    ground = rules[at.GROUND]
    limit = rules[at.QUIET_LIMIT]
    last_chance = limit > 0 and game[at.QUIET] + 1 >= limit
    for number in range(len(actions)):
        origin, target = MOVE_FROM[actions[number]], MOVE_TO[actions[number]]
        kind = game[at.TYPE + game[at.BOARD + origin]]
        other = game[at.BOARD + target]
        here, there = way_to_flag(game, player, odds, origin, ground), way_to_flag(game, player, odds, target, ground)
        score = march * (there - here)
        if other >= 0:
            score += expected_value(odds, values, other % SLOTS, kind)
        elif last_chance:
            score -= 150.0 if rules[at.QUIET_DRAW] else 300.0
        if fear > 0.0:
            score += fear * danger(game, player, odds, values, origin, kind, occupied)
            after = occupied & ~(1 << origin)
            score -= fear * danger(game, player, odds, values, target, kind, after)
        scores[number] = score
