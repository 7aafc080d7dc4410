"""The board and the rules as numbers for the compiled game."""

from functools import cache

import numpy as np

from apprenti.games.luzhanqi import board
from apprenti.games.luzhanqi.combat import fight, types_after
from apprenti.games.luzhanqi.deduction import turning_types
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.layout import ALLOWED
from apprenti.games.luzhanqi.pieces import TYPES
from apprenti.games.luzhanqi.rules import Rules


def bits_of(points):
    """A set of points as bits."""
    return sum(1 << point for point in points)


NEIGHBOURS = np.array([bits_of(points) for points in board.NEIGHBOURS], dtype=np.int64)
RAIL, CAMPS, HEADQUARTERS = bits_of(board.RAIL), bits_of(board.CAMPS), bits_of(board.HEADQUARTERS)
OWN_HEADQUARTERS = np.array([bits_of(board.HEADQUARTERS & set(side)) for side in board.START], dtype=np.int64)
START = np.array(board.START, dtype=np.int64)


def _rays(sign):
    """For each point, up to two straight railways that lead to higher (sign 1) or lower points, as bits."""
    found = np.zeros((board.POINTS, 2), dtype=np.int64)
    for point in range(board.POINTS):
        rays = [ray for ray in board.RAYS[point] if (ray[0] - point) * sign > 0]
        for number, ray in enumerate(rays):
            found[point, number] = bits_of(ray)
    return found


FORWARD, BACKWARD = _rays(1), _rays(-1)


def _linked(step):
    """The points from which a railway leads `step` points further."""
    return bits_of(first for first, second in board.RAIL_EDGES if second - first == step)


RIGHT, DOWN = _linked(1), _linked(board.COLUMNS)
"""Points with a railway to the next point on the right, and to the one below."""
LEFT, UP = RIGHT << 1, DOWN << board.COLUMNS

MOVE_FROM = np.array([origin for origin, _ in board.MOVES], dtype=np.int64)
MOVE_TO = np.array([target for _, target in board.MOVES], dtype=np.int64)
ACTION_OF = np.full((board.POINTS, board.POINTS), -1, dtype=np.int16)
for _number, (_origin, _target) in enumerate(board.MOVES):
    ACTION_OF[_origin, _target] = _number
TURNED_ACTION = np.array(board.TURNED_ACTION, dtype=np.int64)


@cache
def rules_array(rules: Rules) -> np.ndarray:
    """The rules for the compiled game, which does not count repetitions."""
    out = np.zeros(at.RULES_SIZE, dtype=np.int64)
    out[at.LOCK] = rules.headquarters == "lock"
    out[at.REVEAL] = rules.reveal_flag
    out[at.SHOW] = rules.show_fights
    out[at.FLAG_RULE] = ("wins", "carried", "mines").index(rules.flag)
    out[at.QUIET_LIMIT] = rules.quiet_limit
    out[at.QUIET_DRAW] = rules.quiet_draw
    out[at.MAX_MOVES] = rules.max_moves
    out[at.TURNING] = turning_types(rules)
    out[at.COUNTS : at.COUNTS + TYPES] = rules.counts
    out[at.GROUND] = list(board.BLOCKED).index(rules.board)
    out[at.BLOCKED] = bits_of(rules.blocked)
    for slot in rules.slots:
        out[at.ALLOWED + slot] = ALLOWED[slot]
    for mines_left in (0, 1):
        for attacker in range(TYPES):
            for defender in range(TYPES):
                place = at.FIGHT + (mines_left * TYPES + attacker) * TYPES + defender
                out[place] = fight(attacker, defender, rules, bool(mines_left))
    for own in range(TYPES):
        for attacks in (0, 1):
            for result in range(3):
                out[at.AFTER + (own * 2 + attacks) * 4 + result] = types_after(rules, own, bool(attacks), result)
    out.flags.writeable = False
    return out
