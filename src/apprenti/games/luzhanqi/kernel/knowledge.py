"""What a player knows: sets of types for all enemy pieces together, the planes of an observation, and drawn worlds.

The same as `observation.py` and `planes.py`, which says what each plane is. A world is a game as it may be, with types
drawn for the enemy's pieces and all that follows for what each player knows.
"""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel, lent
from apprenti.games.luzhanqi import planes as plane
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.board import CAMPS, HEADQUARTERS, RAIL, START, copy, lowest_bit
from apprenti.games.luzhanqi.kernel.play import set_types
from apprenti.games.luzhanqi.moves import DIED, WON
from apprenti.games.luzhanqi.pieces import FLAG, MARSHAL, MOBILE, NONE, TYPES


@lent
def assign(slot, masks, left, kind_of, came_from, holder):
    """Give a slot one of its types by a shortest augmenting path. `left`: how many of each type are free.

    `came_from[u] = t`: a slot that holds t, `holder[u]`, could change to u. −1: the new slot itself takes it.
    """
    seen = masks[slot]
    waiting = seen
    for kind in range(TYPES):
        came_from[kind] = -1
    while waiting:
        kind = lowest_bit(waiting)
        waiting &= waiting - 1
        if left[kind] > 0:
            left[kind] -= 1
            while came_from[kind] >= 0:
                kind_of[holder[kind]] = kind
                kind = came_from[kind]
            kind_of[slot] = kind
            return True
        for other in range(SLOTS):
            if kind_of[other] == kind:
                fresh = masks[other] & ~seen
                seen |= fresh
                waiting |= fresh
                while fresh:
                    new = lowest_bit(fresh)
                    fresh &= fresh - 1
                    came_from[new] = kind
                    holder[new] = other
    return False


@called
def possible(masks, counts, out):
    """For each slot the types it has in at least one layout that fits the sets and the counts."""
    left = counts.copy()
    kind_of = np.full(SLOTS, -1, dtype=np.int64)
    came_from, holder = np.empty(TYPES, dtype=np.int64), np.empty(TYPES, dtype=np.int64)
    reach = np.zeros(TYPES, dtype=np.int64)
    for slot in range(SLOTS):
        out[slot] = 0
        if masks[slot] and not assign(slot, masks, left, kind_of, came_from, holder):
            return False
    for slot in range(SLOTS):
        if kind_of[slot] >= 0:
            reach[kind_of[slot]] |= masks[slot]
    for middle in range(TYPES):
        for kind in range(TYPES):
            if (reach[kind] >> middle) & 1:
                reach[kind] |= reach[middle]
    for slot in range(SLOTS):
        kind = kind_of[slot]
        if kind >= 0:
            for other in range(TYPES):
                if other == kind or (reach[other] >> kind) & 1:
                    out[slot] |= masks[slot] & (1 << other)
    return True


@called
def known(rules, game, player, out):
    """What a player knows of the enemy's 25 slots, as sets of types."""
    first = at.DEDUCED + SLOTS * (1 - player)
    possible(game[first : first + SLOTS], rules[at.COUNTS : at.COUNTS + TYPES], out)


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


ATTACKER, DEFENDER, RESULT, FLAG_FELL, SHOWN_FLAGS = range(5)
"""The columns of a table of fights; the last two numbers are for player 0 and 1."""


@lent
def deduce_again(rules, game, owner, fights):
    """What the enemy of `owner` knows of the owner's pieces, once the types of both are there."""
    for slot in range(SLOTS):
        piece = SLOTS * owner + slot
        types = rules[at.ALLOWED + slot] if game[at.TYPE + piece] != NONE else 0
        if game[at.FACTS + piece] & at.HAS_MOVED:
            types &= MOBILE
        if game[at.FACTS + piece] & at.HAS_TURNED:
            types &= rules[at.TURNING]
        game[at.DEDUCED + piece] = types
    public = False
    for number in range(len(fights)):
        attacks = fights[number, ATTACKER] // SLOTS == owner
        piece = fights[number, ATTACKER if attacks else DEFENDER]
        other = fights[number, DEFENDER if attacks else ATTACKER]
        result = fights[number, RESULT]
        if rules[at.SHOW]:
            types = 1 << game[at.TYPE + piece]
        elif fights[number, FLAG_FELL] and not attacks:
            types = 1 << FLAG
        else:
            types = rules[at.AFTER + (game[at.TYPE + other] * 2 + (0 if attacks else 1)) * 4 + result]
            fell = result != WON if attacks else result != DIED
            if fell and rules[at.REVEAL] and not public and not fights[number, FLAG_FELL]:
                types &= (1 << MARSHAL) if fights[number, SHOWN_FLAGS + owner] else ~(1 << MARSHAL)
        game[at.DEDUCED + piece] &= types
        public |= fights[number, SHOWN_FLAGS + owner] or (fights[number, FLAG_FELL] and not attacks)
    if game[at.FLAGS + owner] >= 0 and game[at.CARRIERS + owner] < 0:
        game[at.DEDUCED + game[at.BOARD + game[at.FLAGS + owner]]] &= 1 << FLAG


@kernel
def fill_worlds(rules, game, player, layouts, fights, out):
    """A copy of the game for each layout of the player's enemy, with what both then know."""
    for number in range(len(layouts)):
        world = out[number]
        copy(game, world)
        set_types(world, 1 - player, layouts[number])
        deduce_again(rules, world, player, fights)
