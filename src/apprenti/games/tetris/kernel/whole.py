"""The value of one whole board: lanes are its columns.

Used for the board before a move, where `keep` writes down every column's share, so that a drop has to look only at the
columns around it; and for the rare board after lines were removed. A value has two parts: the linear one is a sum over
columns and can be corrected by differences, the other (maxima, unions, means) is formed anew from its parts.

With units the value of a placement is s₀ + Σ ± max(0, sₖ + bias), where every s is a weighted sum of the same criteria.
These do not depend on weights: LLVM computes them once for the sum and all units.
"""

import numpy as np

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.columns import (
    COLUMN_TERMS,
    ROW,
    Column,
    gap,
    height_of,
    hole_burial_in,
    holes_in,
    lower_of,
    runs_under_wells,
    wells_in,
)
from apprenti.games.tetris.kernel.lanes import (
    above_real,
    address,
    as_real,
    from_bits,
    from_left,
    from_right,
    load,
    popcount,
    select,
    spread,
    spread_real,
    store,
    total,
    total_real,
)
from apprenti.games.tetris.kernel.plan import TERM, by_plan, only_with
from apprenti.games.tetris.kernel.scans import COUNT, SUM, common_before, common_from

KEEP, FORGET = np.bool_(True), np.bool_(False)  # plain True and False would be types of their own to Numba
SUMS = SUM, COUNT
RUN_TERMS = [name for name, term in COLUMN_TERMS.items() if term.reach.runs]

ROW_TRANSITIONS, MEAN_HOLE_DEPTH = TERM["row_transitions"], TERM["mean_hole_depth"]
PAIRS, BURIAL, HOLES = ROW["row_transitions"], ROW["mean_hole_depth"], ROW["mean_hole_depth"] + at.STRIDE
# Places in `at.TOTALS`
ALL_BURIAL, ALL_HOLES, ALL_HEIGHTS = (at.TOTALS + place for place in range(3))


def _zero(*_):
    return 0.0


# Terms that are joined from columns -----------------------------------------------------------------------------------


def _sum(term):
    give, code, row, number = term.give, term.code, term.row, term.join.number

    def value(plan, keep, work, weights, c, inside, wall):
        shares = number(select(inside, give(c), spread(0)))
        if keep:
            store(work, row, shares)
        return weights[code] * total(shares)

    return value


def _other(term):
    give, code, left, right = term.give, term.code, term.row, term.row + at.STRIDE
    nothing, of_all, before, from_here = term.join[:4]

    def value(plan, keep, work, weights, c, inside, wall):
        shares = select(inside, give(c), spread(nothing))
        if keep:
            store(work, left, before(shares))
            store(work, right, from_here(shares))
        return weights[code] * of_all(shares)

    return value


# Terms with a function of their own -----------------------------------------------------------------------------------


def row_transitions(plan, keep, work, weights, c, inside, wall):
    pairs = popcount(c.cells ^ from_left(c.cells, spread(wall)))
    last = total(select(from_bits(1 << 15), popcount(c.cells ^ spread(wall)), spread(0)))  # of a board of 16 columns
    if keep:
        store(work, PAIRS, pairs)
        work[PAIRS + 16] = last
    return weights[ROW_TRANSITIONS] * (total(pairs) + last)


def column_heights(plan, keep, work, weights, c, inside, wall):
    return total_real(load(weights, at.OF_COLUMN) * as_real(c.height))  # the weights beyond the edges are 0


def height_differences(plan, keep, work, weights, c, inside, wall):
    return total_real(load(weights, at.OF_PAIR) * as_real(gap(c.height, c.left)))


@inlined
def ratio_on_grid(weight, numerator, denominator, unit):
    """A weighted mean, rounded to the grid on which all values lie; 0 when there is nothing to average."""
    if denominator == 0:
        return 0.0
    return round(weight * (numerator / denominator) / unit) * unit


def mean_hole_depth(plan, keep, work, weights, c, inside, wall):
    burial, holes = select(inside, hole_burial_in(c), spread(0)), select(inside, holes_in(c), spread(0))
    if keep:
        store(work, BURIAL, burial)
        store(work, HOLES, holes)
        work[ALL_BURIAL], work[ALL_HOLES] = total(burial), total(holes)
    return ratio_on_grid(weights[MEAN_HOLE_DEPTH], total(burial), total(holes), weights[at.UNIT])


def height_rbf(plan, keep, work, weights, c, inside, wall):
    sum_ = total(select(inside, height_of(c), spread(0)))
    if keep:
        work[ALL_HEIGHTS] = sum_
    return weights[at.OF_SUM + sum_]


linear_value = by_plan(
    {
        **{name: _sum(term) for name, term in COLUMN_TERMS.items() if term.join in SUMS},
        "row_transitions": row_transitions,
        "column_heights": column_heights,
        "height_differences": height_differences,
    },
    otherwise=_zero,
)
other_value = by_plan(
    {
        **{name: _other(term) for name, term in COLUMN_TERMS.items() if term.join not in SUMS},
        "mean_hole_depth": mean_hole_depth,
        "height_rbf": height_rbf,
    },
    otherwise=_zero,
)


# Several sums ---------------------------------------------------------------------------------------------------------


@inlined
def sums(weights):
    """How many weighted sums there are: the plain one is the first, then that of each unit."""
    return int(weights[at.UNITS]) + 1


@inlined
def weights_of(weights, k):
    """The weights of the kth sum."""
    return address(weights, k * at.WEIGHTS_SIZE)


@inlined
def counted_as(own, sum_):
    """What a sum adds to the value; the plain one is never too small."""
    return max(sum_, own[at.LEAST]) * own[at.SIGN]


@inlined
def counted_as_lanes(own, sums_):
    """The same for the drops at all columns."""
    least = spread_real(own[at.LEAST])
    return select(above_real(sums_, least), sums_, least) * spread_real(own[at.SIGN])


# The board ------------------------------------------------------------------------------------------------------------


def _no_runs(plan, well, columns):
    return spread(0)


@only_with(*RUN_TERMS, otherwise=_no_runs)
def runs_of(plan, well, columns):
    return runs_under_wells(well, columns)


@inlined
def column_of(plan, columns, heights, width, wall):
    """Each column of a board in its lane; `wall` is what lies beyond the edges."""
    well = wells_in(columns, from_left(columns, spread(wall)), from_right(columns, spread(wall)))
    inner, run = from_bits((1 << width) - 2), runs_of(plan, well, columns)
    beside = select(from_bits((1 << width) - 1), heights, spread(at.FAR))
    right = from_right(beside, spread(at.FAR))
    lower = lower_of(from_left(beside, spread(at.FAR)), right)
    return Column(columns, heights, from_left(heights, spread(0)), inner, right, lower, well, run)


@inlined
def value_of(plan, keep, work, weights, columns, heights, width, wall):
    """The value of a board given as lanes: its linear part, and the rest."""
    c, inside = column_of(plan, columns, heights, width, wall), from_bits((1 << width) - 1)
    return (
        linear_value(plan, keep, work, weights, c, inside, wall),
        other_value(plan, keep, work, weights, c, inside, wall),
    )


@inlined
def prepare_rows(work, width):
    """Write down which rows are full in all columns to the left, and from each column on."""
    columns = select(from_bits((1 << width) - 1), load(work, at.COLUMNS), spread(-1))
    store(work, at.LEFT_AND, common_before(columns))
    store(work, at.RIGHT_AND, common_from(columns))


def _linear_part(plan, work, weights, values, width, wall):
    columns, heights = load(work, at.COLUMNS), load(work, at.HEIGHTS)
    linear, _ = value_of(plan, KEEP, work, weights, columns, heights, width, wall)
    return linear


@only_with("units", otherwise=_linear_part)
def linear_part(plan, work, weights, values, width, wall):
    """The linear part of the value of a board; with units there are several, which are written down."""
    columns, heights = load(work, at.COLUMNS), load(work, at.HEIGHTS)
    for k in range(sums(weights)):
        own = weights_of(weights, k)
        linear, _ = value_of(plan, KEEP, work, own, columns, heights, width, wall)
        values[at.BASES + k] = own[at.BIAS] + linear
    return 0.0


@inlined
def prepare(plan, work, weights, values, width, wall):
    """Write down what the drops need to know of the board in `work`; return the linear part of its value."""
    prepare_rows(work, width)
    return linear_part(plan, work, weights, values, width, wall)
