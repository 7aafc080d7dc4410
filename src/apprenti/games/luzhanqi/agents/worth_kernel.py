"""What pieces and fights are worth, in points, and how far everything is from everything."""

from functools import cache

import numpy as np

from apprenti.games.luzhanqi import board
from apprenti.games.luzhanqi.moves import BOTH_DIED, NOBODY, WON, fight, ordinary_reach
from apprenti.games.luzhanqi.pieces import BOMB, COUNTS, FLAG, MINE, TYPES
from apprenti.games.luzhanqi.rules import Rules

WORTH = np.array([40.0, 32.0, 24.0, 18.0, 13.0, 9.0, 6.0, 4.0, 8.0, 6.0, 16.0, 300.0])
"""Of the types a … l; the flag is the game."""
GAME = 300.0


@cache
def attack_values(rules: Rules) -> np.ndarray:
    """What an attack is worth to the attacker, by attacker and defender: what falls there minus what falls here."""
    table = np.zeros((TYPES, TYPES))
    for attacker in range(TYPES):
        for defender in range(TYPES):
            result = fight(attacker, defender, rules)
            won, lost = WORTH[defender], WORTH[attacker]
            table[attacker, defender] = won if result == WON else won - lost if result == BOTH_DIED else -lost
    table.flags.writeable = False
    return table


def prior() -> np.ndarray:
    """The odds of the types on a slot that allows them all; on any other slot, the same odds among those it allows.

    Exact at the beginning: in a headquarters 1/2 flag, 1/6 mine, 1/24 bomb; in the back rows 1/3 mine, 1/12 bomb.
    """
    odds = np.array(COUNTS, dtype=float) * 7 / 19
    odds[FLAG], odds[MINE], odds[BOMB] = 12, 4, 1
    return odds


@cache
def attack_values_by_set(rules: Rules) -> np.ndarray:
    """What an attack is worth on average, by the set of types the defender can be, and the attacker."""
    odds, table = prior(), attack_values(rules)
    sets = np.arange(1 << TYPES)
    weights = ((sets[:, None] >> np.arange(TYPES)) & 1) * odds
    means: np.ndarray = weights @ table.T
    means /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    means.flags.writeable = False
    return means


def _distances(blocked: frozenset[int]) -> np.ndarray:
    """Moves an ordinary piece needs from each point to each, on an empty board without some of its points."""
    nobody = [NOBODY] * board.POINTS
    far = np.full((board.POINTS, board.POINTS), 99, dtype=np.int64)
    reach = [ordinary_reach(nobody, point, blocked) for point in range(board.POINTS)]
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
