"""Legal moves as bits; one move with all its consequences, the same as `play.py` one room up; a new game."""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel, lent
from apprenti.games.luzhanqi.board import COLUMNS, POINTS, SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.board import (
    ACTION_OF,
    BACKWARD,
    CAMPS,
    DOWN,
    FORWARD,
    HEADQUARTERS,
    LEFT,
    NEIGHBOURS,
    OWN_HEADQUARTERS,
    RAIL,
    RIGHT,
    START,
    UP,
    lowest_bit,
    zeros_above,
)
from apprenti.games.luzhanqi.moves import DIED, MOVED, WON
from apprenti.games.luzhanqi.pieces import FLAG, MARSHAL, MINE, MOBILE, NONE, TYPES


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


@lent
def leave(game, piece):
    """Take a piece off its point."""
    point = game[at.POINT + piece]
    game[at.BOARD + point] = -1
    game[at.POINT + piece] = -1
    game[at.OCCUPIED + piece // SLOTS] &= ~(1 << point)


@lent
def enter(game, piece, point):
    """Put a piece on an empty point."""
    game[at.BOARD + point] = piece
    game[at.POINT + piece] = point
    game[at.OCCUPIED + piece // SLOTS] |= 1 << point


@lent
def result_of(rules, game, attacker, defender):
    """The result of an attack."""
    mines_left = 1 if game[at.MINES + defender // SLOTS] > 0 else 0
    kinds = game[at.TYPE + attacker] * TYPES + game[at.TYPE + defender]
    return rules[at.FIGHT + mines_left * TYPES * TYPES + kinds]


@lent
def learn_from_fight(rules, game, piece, own, own_attacks, result, fell):
    """What the enemy of `piece`, whose piece `own` met it, deduces. `fell`: whether `piece` is gone."""
    if rules[at.SHOW]:
        game[at.DEDUCED + piece] &= 1 << game[at.TYPE + piece]
        return
    types = rules[at.AFTER + (game[at.TYPE + own] * 2 + own_attacks) * 4 + result]
    if fell and rules[at.REVEAL] and game[at.FLAGS + piece // SLOTS] < 0:
        types &= (1 << MARSHAL) if game[at.TYPE + piece] == MARSHAL else ~(1 << MARSHAL)
    game[at.DEDUCED + piece] &= types


@lent
def fell(rules, game, piece):
    """A piece is gone: count mines, and show the flag for a marshal."""
    owner, kind = piece // SLOTS, game[at.TYPE + piece]
    if kind == MINE:
        game[at.MINES + owner] -= 1
    if kind == MARSHAL and rules[at.REVEAL] and game[at.FLAGS + owner] < 0:
        flag = game[at.FLAG_PIECE + owner]
        game[at.FLAGS + owner] = game[at.POINT + flag]
        if game[at.POINT + flag] >= 0:
            game[at.DEDUCED + flag] &= 1 << FLAG


@lent
def put_back(game, owner):
    """The carrier of the owner's flag fell: the flag goes back to a headquarters. Whether there was one free."""
    flag = game[at.FLAG_PIECE + owner]
    home = START[owner, flag - SLOTS * owner]
    game[at.CARRIERS + owner] = -1
    game[at.FLAGS + owner] = -1
    if game[at.BOARD + home] >= 0:
        home = lowest_bit(OWN_HEADQUARTERS[owner] & ~(1 << home))
    if game[at.BOARD + home] >= 0:
        return False
    enter(game, flag, home)
    game[at.FLAGS + owner] = home
    return True


@lent
def end(game, why, winner):
    """The game is over."""
    game[at.OUTCOME] = why
    game[at.WINNER] = winner


@lent
def attack(rules, game, attacker, defender, target):
    """A fight on `target`, all its consequences included."""
    result = result_of(rules, game, attacker, defender)
    attacker_fell, defender_fell = result != WON, result != DIED
    flag_fell = defender_fell and game[at.TYPE + defender] == FLAG
    learn_from_fight(rules, game, attacker, defender, 0, result, attacker_fell)
    if flag_fell:
        game[at.DEDUCED + defender] &= 1 << FLAG
    else:
        learn_from_fight(rules, game, defender, attacker, 1, result, defender_fell)
    leave(game, attacker)
    if defender_fell:
        leave(game, defender)
    if attacker_fell:
        fell(rules, game, attacker)
    if defender_fell:
        fell(rules, game, defender)
    if result == WON:
        enter(game, attacker, target)
        game[at.FACTS + attacker] |= at.HAS_SURVIVED
    if result == DIED:
        game[at.FACTS + defender] |= at.HAS_SURVIVED
    owner = defender // SLOTS
    if flag_fell:
        if rules[at.FLAG_RULE] == at.CARRIED and result == WON:
            game[at.CARRIERS + owner] = attacker
        else:
            game[at.FLAGS + owner] = -1
            end(game, at.FLAG_TAKEN, 1 - owner)
        return result
    if attacker_fell and game[at.CARRIERS + owner] == attacker and not put_back(game, owner):
        end(game, at.FLAG_TAKEN, 1 - owner)
    if defender_fell and game[at.CARRIERS + 1 - owner] == defender and not put_back(game, 1 - owner):
        end(game, at.FLAG_TAKEN, owner)
    return result


@lent
def follow_flags(game, mover):
    """A carried flag is where its carrier is; carried home, it wins."""
    for owner in range(2):
        carrier = game[at.CARRIERS + owner]
        if carrier >= 0:
            game[at.FLAGS + owner] = game[at.POINT + carrier]
    carrier = game[at.CARRIERS + 1 - mover]
    going_on = carrier >= 0 and game[at.OUTCOME] == at.GOING_ON
    if going_on and (OWN_HEADQUARTERS[mover] >> game[at.POINT + carrier]) & 1:
        end(game, at.FLAG_HOME, mover)


@lent
def make(rules, game, origin, target):
    """Make a legal move, all but the question whether the next player can move. Returns the result."""
    mover, other = game[at.BOARD + origin], game[at.BOARD + target]
    player = mover // SLOTS
    game[at.FACTS + mover] |= at.HAS_MOVED
    game[at.DEDUCED + mover] &= MOBILE
    if (rules[at.TURNING] >> game[at.TYPE + mover]) & 1:
        occupied = game[at.OCCUPIED] | game[at.OCCUPIED + 1] | rules[at.BLOCKED]
        if not ((NEIGHBOURS[origin] | slides(origin, occupied)) >> target) & 1:
            game[at.FACTS + mover] |= at.HAS_TURNED
            game[at.DEDUCED + mover] &= rules[at.TURNING]
    if other < 0:
        result = MOVED
        leave(game, mover)
        enter(game, mover, target)
        game[at.QUIET] += 1
    else:
        result = attack(rules, game, mover, other, target)
        game[at.QUIET] = 0
    if rules[at.FLAG_RULE] == at.CARRIED:
        follow_flags(game, player)
    game[at.OWN_FROM], game[at.OWN_TO] = game[at.FROM], game[at.TO]
    game[at.FROM], game[at.TO], game[at.RESULT] = origin, target, result
    game[at.MOVES] += 1
    game[at.TO_MOVE] = 1 - player
    limit = rules[at.QUIET_LIMIT]
    if game[at.OUTCOME] == at.GOING_ON and limit and game[at.QUIET] >= limit:
        end(game, at.QUIET_END, -1 if rules[at.QUIET_DRAW] else 1 - player)
    return result


@lent
def no_move(rules, game):
    """The player to move has no legal move."""
    player = game[at.TO_MOVE]
    end(game, at.NO_MOVE, 1 - player if can_move(rules, game, 1 - player) else -1)


@lent
def too_long(rules, game):
    """Whether the limit of moves is reached; then the game is over."""
    if rules[at.MAX_MOVES] and game[at.MOVES] >= rules[at.MAX_MOVES]:
        end(game, at.LONG, -1)
        return True
    return False


@kernel
def apply(rules, game, origin, target):
    """Make a legal move and find out whether the game is over. Returns the result."""
    result = make(rules, game, origin, target)
    if game[at.OUTCOME] == at.GOING_ON:
        if can_move(rules, game, game[at.TO_MOVE]):
            too_long(rules, game)
        else:
            no_move(rules, game)
    return result


@lent
def set_types(game, player, types):
    """Give a player's pieces these types, by slot."""
    game[at.MINES + player] = 0
    for slot in range(SLOTS):
        piece = SLOTS * player + slot
        game[at.TYPE + piece] = types[slot]
        if types[slot] == FLAG:
            game[at.FLAG_PIECE + player] = piece
        if types[slot] == MINE and game[at.POINT + piece] >= 0:
            game[at.MINES + player] += 1


@called
def begin(rules, game, first, second):
    """A new game between two layouts, given as the types of their 25 slots."""
    game[:] = -1
    for place in range(at.FACTS, at.FLAGS):
        game[place] = 0
    for player in range(2):
        types = first if player == 0 else second
        for slot in range(SLOTS):
            piece, point = SLOTS * player + slot, START[player, slot]
            if types[slot] != NONE:
                game[at.BOARD + point] = piece
                game[at.POINT + piece] = point
                game[at.OCCUPIED + player] |= 1 << point
                game[at.DEDUCED + piece] = rules[at.ALLOWED + slot]
        set_types(game, player, types)
    if not can_move(rules, game, 0):
        no_move(rules, game)


@kernel
def begun(rules, first, second):
    """A new game between two layouts, given as the types of their 25 slots."""
    game = np.empty(at.SIZE, dtype=np.int64)
    begin(rules, game, first, second)
    return game
