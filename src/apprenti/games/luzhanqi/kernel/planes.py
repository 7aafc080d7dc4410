"""The planes of an observation, compiled; `planes.py` one room up says what each plane is."""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel, lent
from apprenti.games.luzhanqi import planes as plane
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.bits import lowest_bit
from apprenti.games.luzhanqi.kernel.knowledge import known
from apprenti.games.luzhanqi.kernel.tables import CAMPS, HEADQUARTERS, RAIL, START

_PLANES, _LONGEST = plane.PLANES, plane.LONGEST
_GROUND = (RAIL, CAMPS, HEADQUARTERS)


@inlined
def place(point, player):
    """A point as a player sees it."""
    return point if player == 0 else POINTS - 1 - point


@lent
def mark(out, first, here, types):
    """Mark each type of a set on its plane."""
    while types:
        out[first + lowest_bit(types), here] = 1
        types &= types - 1


@lent
def fill_pieces(game, player, masks, out):
    """What stands where and what is known of it; fallen enemies where they began."""
    for piece in range(at.PIECES):
        point, facts = game[at.POINT + piece], game[at.FACTS + piece]
        enemy = 1 if piece // SLOTS != player else 0
        if point < 0:
            if enemy:
                mark(out, plane.FALLEN, place(START[1 - player, piece % SLOTS], player), masks[piece % SLOTS])
            continue
        here = place(point, player)
        if enemy:
            mark(out, plane.ENEMY, here, masks[piece % SLOTS])
        else:
            out[plane.OWN + game[at.TYPE + piece], here] = 1
            out[plane.TURNED, here] = 1 if facts & at.HAS_TURNED else 0
        out[plane.MOVED + enemy, here] = 1 if facts & at.HAS_MOVED else 0
        out[plane.SURVIVED + enemy, here] = 1 if facts & at.HAS_SURVIVED else 0
        if piece == game[at.CARRIERS] or piece == game[at.CARRIERS + 1]:
            out[plane.CARRIES, here] = 1


@inlined
def fill_history(rules, game, player, out):
    """Flags, the last move and the clocks."""
    for other in range(2):
        point = game[at.FLAGS + other]
        if point >= 0:
            out[plane.FLAGS + (1 if other != player else 0), place(point, player)] = 1
    if game[at.FROM] >= 0:
        out[plane.FROM, place(game[at.FROM], player)] = 1
        out[plane.TO + game[at.RESULT], place(game[at.TO], player)] = 1
    limit = rules[at.QUIET_LIMIT] if rules[at.QUIET_LIMIT] else 100
    longest = rules[at.MAX_MOVES] if rules[at.MAX_MOVES] else _LONGEST
    out[plane.QUIET, :] = game[at.QUIET] / limit
    out[plane.PLAYED, :] = game[at.MOVES] / longest


@called
def fill_planes(rules, game, player, masks, out):
    """Write the planes of what a player knows to `out`, planes × 60; `masks` is room for 25 numbers."""
    out[:] = 0
    known(rules, game, player, masks)
    fill_pieces(game, player, masks, out)
    fill_history(rules, game, player, out)
    for number in range(3):
        ground = _GROUND[number] & ~rules[at.BLOCKED]
        for point in range(POINTS):
            if (ground >> point) & 1:
                out[plane.GROUND + number, point] = 1  # the ground looks the same from both sides


@kernel
def planes_of(rules, game, player):
    """The planes of what a player knows, planes × 60."""
    out = np.empty((_PLANES, POINTS), dtype=np.float32)
    fill_planes(rules, game, player, np.empty(SLOTS, dtype=np.int64), out)
    return out
