"""The best placement when one looks further: with the next piece known, or at the mean over the pieces it may be.

A move is worth its own criteria plus the best that can be had next: the next move's criteria and the board after it. A
next piece for which every placement ends the game is *fatal*: of two moves the one with less probability of a fatal
piece is better, whatever the rest; among equals the mean over the other pieces decides (when all are fatal, the move's
own criteria).
"""

from apprenti.core.compiled import called, inlined
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.choose import NEVER, choose, move_value
from apprenti.games.tetris.kernel.entry import find_allowed, has_room
from apprenti.games.tetris.kernel.lanes import address, from_bits, largest, load, select, spread
from apprenti.games.tetris.kernel.plan import only_with
from apprenti.games.tetris.kernel.settle import resting_row, settle
from apprenti.games.tetris.kernel.whole import prepare_rows


@inlined
def pile_height(work, width):
    return largest(select(from_bits((1 << width) - 1), load(work, at.HEIGHTS), spread(0)))


def _the_same(plan, game, work, weights):
    return weights


@only_with("regimes", otherwise=_the_same)
def weights_now(plan, game, work, weights):
    """The weights of the regime: it depends on the height of the pile before the move."""
    return address(weights, int(weights[pile_height(work, game[at.BOARD_WIDTH])]))


@inlined
def allow(rules, work, piece, allowed, reach):
    """Find where a piece may be dropped; False if there is no room for it at the top."""
    game, shapes, first, count = rules.game, rules.shapes, rules.pieces[2 * piece], rules.pieces[2 * piece + 1]
    if not game[at.WALKS] or pile_height(work, game[at.BOARD_WIDTH]) <= game[at.SAFE_HEIGHT]:
        for k in range(first, first + count):
            allowed[k] = rules.open_[k]
        return True
    start = first * at.SHAPE_SIZE
    if not has_room(game, work, shapes, start):
        return False
    find_allowed(game, work, shapes, first, count, allowed, reach)
    return True


@inlined
def best_answer(plan, rules, weights, space, piece, luck):
    """The value of the best placement of a piece on the board ahead."""
    if not allow(rules, space.ahead, piece, space.answers, space.reach):
        return NEVER
    _, _, value = choose(plan, rules, weights, space.ahead, piece, space.answers, space.values, luck)
    return value


@inlined
def prospect(plan, rules, weights, space, luck):
    """The probability of a fatal next piece on the board ahead, and the mean value of the best answer to the others."""
    fatal, sum_, mass = 0.0, 0.0, 0.0
    for piece in range(rules.game[at.PIECES]):
        odds = space.odds[piece]
        if odds > 0.0:
            value = best_answer(plan, rules, weights, space, piece, luck)
            if value == NEVER:
                fatal += odds
            else:
                sum_ += odds * value
                mass += odds
    return fatal, sum_ / mass if mass > 0.0 else 0.0


@called
def look_ahead(plan, rules, weights, space, piece, luck):
    """Orientation, column and value of the best placement, one more piece ahead.

    `space` has the probabilities of the next piece (one of them is 1 when it is known) and where this one may go. If
    every placement ends the game, it is the first.
    """
    game, shapes, work, ahead = rules.game, rules.shapes, space.work, space.ahead
    first, count = rules.pieces[2 * piece], rules.pieces[2 * piece + 1]
    chosen, column, least, most = -1, 0, 1e300, NEVER
    width, limit = game[at.BOARD_WIDTH], game[at.LIMIT]
    prepare_rows(work, width)
    for k in range(first, first + count):
        o = k * at.SHAPE_SIZE
        for c in range(width):
            if not (space.allowed[k] >> c) & 1:
                continue
            if chosen < 0:
                chosen, column = o, c
            y = resting_row(work, shapes, o, c)
            if y + shapes[o + at.HEIGHT] > game[at.ROWS]:
                continue
            lines, cells = settle(work, ahead, shapes, o, c, (1 << limit) - 1, width)
            if pile_height(ahead, width) > limit:
                continue
            fatal, value = prospect(plan, rules, weights, space, luck)
            value += move_value(plan, weights, shapes, o, y, lines, cells)
            if fatal < least or (fatal == least and value > most):
                chosen, column, least, most = o, c, fatal, value
    return chosen, column, most
