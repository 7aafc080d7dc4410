"""The best placement: of one known piece, or with a look at the next one, known or at the mean over what it may be.

With a look, a move is worth its own criteria plus the best that can be had next: the next move's criteria and the board
after it. A next piece for which every placement ends the game is *fatal*: of two moves the one with less probability of
a fatal piece is better, whatever the rest; among equals the mean over the other pieces decides (when all are fatal, the
move's own criteria).
"""

import numpy as np

from apprenti.core.compiled import called, inlined
from apprenti.core.dice import next_random
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.drops import drop_everywhere
from apprenti.games.tetris.kernel.lanes import (
    address,
    best,
    bits,
    count_bits,
    equal_real,
    from_bits,
    largest,
    load,
    lowest_bit,
    select,
    spread,
    spread_real,
    store,
)
from apprenti.games.tetris.kernel.placement import (
    entry_column,
    find_allowed,
    has_room,
    resting_row,
    settle,
    settled,
)
from apprenti.games.tetris.kernel.plan import TERM, by_plan, only_with
from apprenti.games.tetris.kernel.whole import (
    FORGET,
    counted_as,
    prepare,
    prepare_rows,
    sums,
    value_of,
    weights_of,
)

ONE, TWO, THREE, FOUR, FIVE = (np.int64(w) for w in range(1, 6))  # a plain 2 would be a type of its own to Numba
NEVER = -np.inf
"""The value of a placement that ends the game, and of one that is not allowed."""


@inlined
def landing_height(landing, lines, cells):
    return landing


@inlined
def eroded_piece_cells(landing, lines, cells):
    return lines * cells


@inlined
def lines_removed(landing, lines, cells):
    return lines


OF_THE_MOVE = {"landing_height": landing_height, "eroded_piece_cells": eroded_piece_cells, "lines": lines_removed}
"""Terms of the move, from its landing height, its lines and how many cells of the piece were in them.

`drops.py` adds those that are not 0 without lines.
"""


def _zero(*_):
    return 0.0


def _weighted(code, give):
    def value(plan, weights, landing, lines, cells):
        return weights[code] * give(landing, lines, cells)

    return value


weighted_move = by_plan({name: _weighted(TERM[name], give) for name, give in OF_THE_MOVE.items()}, otherwise=_zero)


@inlined
def move_value(plan, weights, shapes, o, y, lines, cells):
    """The criteria that speak of the move and not of the board after it."""
    return weighted_move(plan, weights, y + 0.5 * (shapes[o + at.HEIGHT] - 1), lines, cells)


def _sum_played(plan, work, weights, board, move):
    linear, other = value_of(plan, FORGET, work, weights, *board)
    return linear + other + move_value(plan, weights, *move)


@only_with("units", otherwise=_sum_played)
def value_played(plan, work, weights, board, move):
    """The value of a board that was played out, and of the move that led to it."""
    value = 0.0
    for k in range(sums(weights)):
        own = weights_of(weights, k)
        linear, other = value_of(plan, FORGET, work, own, *board)
        value += counted_as(own, own[at.BIAS] + linear + other + move_value(plan, own, *move))
    return value


@inlined
def played_value(plan, game, work, shapes, weights, o, c):
    """The value of a placement that has to be played to be known."""
    width, limit = game[at.BOARD_WIDTH], game[at.LIMIT]
    wall = (1 << limit) - 1
    columns, heights, lines, cells = settled(work, shapes, o, c, wall, width)
    if largest(select(from_bits((1 << width) - 1), heights, spread(0))) > limit:
        return NEVER
    move = shapes, o, resting_row(work, shapes, o, c), lines, cells
    return value_played(plan, work, weights, (columns, heights, width, wall), move)


@inlined
def drops_of_width(plan, work, shapes, weights, values, o, base, limit, rows):
    """Branch on the width, so that it is a constant in each branch."""
    w = shapes[o + at.WIDTH]
    if w == 2:
        return drop_everywhere(plan, work, shapes, weights, values, o, TWO, base, limit, rows)
    if w == 3:
        return drop_everywhere(plan, work, shapes, weights, values, o, THREE, base, limit, rows)
    if w == 1:
        return drop_everywhere(plan, work, shapes, weights, values, o, ONE, base, limit, rows)
    if plan.slim or w == 4:
        return drop_everywhere(plan, work, shapes, weights, values, o, FOUR, base, limit, rows)
    return drop_everywhere(plan, work, shapes, weights, values, o, FIVE, base, limit, rows)


@inlined
def values_of(plan, game, work, shapes, weights, values, o, allowed, base):
    """The value of orientation o at every column, as lanes; NEVER where it ends the game or is not allowed."""
    limit, rows = game[at.LIMIT], game[at.ROWS]
    value, lost, special = drops_of_width(plan, work, shapes, weights, values, o, base, limit, rows)
    special &= allowed
    value = select(from_bits(allowed & ~lost), value, spread_real(NEVER))
    if special:
        store(values, 0, value)
        while special:
            c = lowest_bit(special)
            values[c] = played_value(plan, game, work, shapes, weights, o, c)
            special &= special - 1
        value = load(values, 0)
    return value


@inlined
def drawn(candidates, luck):
    """One of the bits of a number, drawn at random."""
    skip = int(next_random(luck) * count_bits(candidates))
    while skip:
        candidates &= candidates - 1
        skip -= 1
    return lowest_bit(candidates)


@inlined
def priority(game, shapes, first, k, c):
    """Dellacherie's priority: 100 for each column away from where the piece appears, 10 if left, less the rotation."""
    start, o = first * at.SHAPE_SIZE, k * at.SHAPE_SIZE
    away = c - entry_column(game, shapes, start) + shapes[start + at.LEFT] - shapes[o + at.LEFT]
    return (100 * away if away >= 0 else 10 - 100 * away) - (k - first)


@inlined
def farthest(game, shapes, first, k, candidates):
    """Of some columns, as bits, the one with the greatest priority, and that."""
    column, most = 0, -at.FAR
    while candidates:
        c = lowest_bit(candidates)
        here = priority(game, shapes, first, k, c)
        if here > most:
            column, most = c, here
        candidates &= candidates - 1
    return column, most


@inlined
def choose(plan, rules, weights, work, piece, allowed, values, luck):
    """Orientation (as a place in `shapes`), column and value of the best placement of a piece.

    Ties go to the lowest orientation, then the leftmost column; or, if the plan says so, to chance or to Dellacherie's
    priority. When every placement ends the game it is the first one allowed, with the value NEVER.
    """
    game, shapes, first, count = rules.game, rules.shapes, rules.pieces[2 * piece], rules.pieces[2 * piece + 1]
    base = prepare(plan, work, weights, values, game[at.BOARD_WIDTH], (1 << game[at.LIMIT]) - 1)
    chosen, column, most, tied, far = -1, 0, NEVER, 0, -at.FAR
    for k in range(first, first + count):
        o = k * at.SHAPE_SIZE
        value = values_of(plan, game, work, shapes, weights, values, o, allowed[k], base)
        here = best(value)
        if here > most or (chosen < 0 and allowed[k]):
            most, chosen, tied, far = here, o, 0, -at.FAR
            column = lowest_bit(bits(equal_real(value, spread_real(here))) & allowed[k])
        if plan.random_ties and here == most and allowed[k]:
            candidates = bits(equal_real(value, spread_real(here))) & allowed[k]
            tied += count_bits(candidates)
            if next_random(luck) * tied < count_bits(candidates):
                chosen, column = o, drawn(candidates, luck)
        if plan.far_ties and here == most and allowed[k]:
            candidate, reach = farthest(game, shapes, first, k, bits(equal_real(value, spread_real(here))) & allowed[k])
            if reach > far:
                chosen, column, far = o, candidate, reach
    return chosen, column, most


# One more piece ahead -------------------------------------------------------------------------------------------------


@inlined
def pile_height(work, width):
    return largest(select(from_bits((1 << width) - 1), load(work, at.HEIGHTS), spread(0)))


@inlined
def weights_now(game, work, weights):
    """The weights that count: with regimes they depend on the height of the pile before the move."""
    return address(weights, int(weights[at.REGIMES + pile_height(work, game[at.BOARD_WIDTH])]))


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
