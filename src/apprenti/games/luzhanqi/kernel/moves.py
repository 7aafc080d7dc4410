"""Legal moves as bits."""

from apprenti.core.compiled import called, inlined, kernel, lent
from apprenti.games.luzhanqi.board import COLUMNS, POINTS, SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.bits import lowest_bit, zeros_above
from apprenti.games.luzhanqi.kernel.tables import (
    ACTION_OF,
    BACKWARD,
    CAMPS,
    DOWN,
    FORWARD,
    HEADQUARTERS,
    LEFT,
    NEIGHBOURS,
    RAIL,
    RIGHT,
    UP,
)
from apprenti.games.luzhanqi.pieces import MOBILE


@inlined
def slides(origin, occupied):
    """The points of straight slides from here, up to and including the first piece."""
    reach = 0
    for line in range(2):
        ahead = FORWARD[origin, line]
        stop = ahead & occupied
        reach |= ahead & (stop ^ (stop - 1))  # all up to the lowest bit; all there are, if none is set
        ahead = BACKWARD[origin, line]
        stop = ahead & occupied
        reach |= ahead & (-1 << (63 - zeros_above(stop | 1)))  # point 0 has no rail: a bit that is never met
    return reach


@called
def ways(origin, occupied):
    """The points an engineer reaches by rail: the whole component of empty posts at once, ring by ring."""
    free = RAIL & ~occupied
    front = 1 << origin
    seen = front
    while front:
        ring = ((front & RIGHT) << 1) | ((front & LEFT) >> 1) | ((front & DOWN) << COLUMNS) | ((front & UP) >> COLUMNS)
        ring &= ~seen
        seen |= ring
        front = ring & free
    return seen


@lent
def targets(rules, game, piece, origin):
    """Where a piece can go, as bits."""
    kind = game[at.TYPE + piece]
    if not (MOBILE >> kind) & 1:
        return 0
    carries = piece == game[at.CARRIERS] or piece == game[at.CARRIERS + 1]
    if (HEADQUARTERS >> origin) & 1 and rules[at.LOCK] and not carries:
        return 0
    player = piece // SLOTS
    own, enemy = game[at.OCCUPIED + player], game[at.OCCUPIED + 1 - player]
    blocked = rules[at.BLOCKED]
    reach = NEIGHBOURS[origin]
    if (RAIL >> origin) & 1:
        if (rules[at.TURNING] >> kind) & 1:
            reach |= ways(origin, own | enemy | blocked)
        else:
            reach |= slides(origin, own | enemy | blocked)
    return reach & ~(own | blocked | (enemy & CAMPS))


@lent
def can_move(rules, game, player):
    """Whether a player has a legal move."""
    for piece in range(SLOTS * player, SLOTS * player + SLOTS):
        origin = game[at.POINT + piece]
        if origin >= 0 and targets(rules, game, piece, origin):
            return True
    return False


@kernel
def legal_moves(rules, game, out):
    """Write the numbers of the legal moves to `out`, by origin and target; return how many there are."""
    count = 0
    if game[at.OUTCOME] != at.GOING_ON:
        return count
    origins = game[at.OCCUPIED + game[at.TO_MOVE]]
    while origins:
        origin = lowest_bit(origins)
        origins &= origins - 1
        reach = targets(rules, game, game[at.BOARD + origin], origin)
        while reach:
            out[count] = ACTION_OF[origin, lowest_bit(reach)]
            reach &= reach - 1
            count += 1
    return count


MOST_MOVES = 25 * (POINTS - 1)
"""Room enough for the legal moves of any position."""
