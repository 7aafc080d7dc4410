"""What each legal move is worth at once: the fight, the danger it leads into or out of, and the way to the flag."""

from apprenti.core.compiled import kernel, lent
from apprenti.games.luzhanqi.agents.worth_kernel import DISTANCE
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
from apprenti.games.luzhanqi.pieces import FLAG, MINE, TYPES


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
