"""The criteria of one whole board: lanes are its columns.

Used for the board before a move, where `keep` writes down every column's share, so that a drop has to look only at the
columns around it; and for the rare board after lines were removed. A value has two parts: the linear one is a sum over
columns and can be corrected by differences, the other (maxima, unions, means) is formed anew from its parts.
"""

import numpy as np

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.columns import (
    cells_in_long_runs,
    cumulative_wells_in,
    deep_wells,
    gap,
    hard_holes_in,
    hole_burial_in,
    hole_cells,
    hole_depth_in,
    holes_in,
    longest_run,
    run_count,
    runs_under_wells,
    some,
    step_seen,
    transitions_in,
    weighted_cells_in,
    wells_in,
)
from apprenti.games.tetris.kernel.lanes import (
    any_bits,
    as_real,
    count_bits,
    flipped,
    from_bits,
    from_left,
    from_right,
    largest,
    load,
    popcount,
    select,
    smallest,
    spread,
    store,
    total,
    total_real,
)
from apprenti.games.tetris.kernel.plan import HEIGHT_TERMS, STEP_TERMS, TERM, only_with
from apprenti.games.tetris.kernel.scans import (
    common_before,
    common_from,
    largest_before,
    largest_from,
    smallest_before,
    smallest_from,
    union_before,
    union_from,
)

W_ROW_TRANSITIONS, W_COLUMN_TRANSITIONS, W_HOLES = TERM["row_transitions"], TERM["column_transitions"], TERM["holes"]
W_CUMULATIVE_WELLS, W_CUMULATIVE_WELLS_FAST = TERM["cumulative_wells"], TERM["cumulative_wells_fast"]
W_WELL_DEPTH_SUM, W_MAX_WELL_DEPTH, W_WELL_COUNT = TERM["well_depth_sum"], TERM["max_well_depth"], TERM["well_count"]
W_PIT_DEPTH, W_HOLE_DEPTH, W_ROWS_WITH_HOLES = TERM["pit_depth"], TERM["hole_depth"], TERM["rows_with_holes"]
W_PATTERN_DIVERSITY, W_MAX_HEIGHT, W_MIN_HEIGHT = TERM["pattern_diversity"], TERM["max_height"], TERM["min_height"]
W_SUM_HEIGHTS, W_BUMPINESS, W_OCCUPIED_CELLS = TERM["sum_heights"], TERM["bumpiness"], TERM["occupied_cells"]
W_WEIGHTED_CELLS, W_HARD_HOLES, W_MEAN_HOLE_DEPTH = TERM["weighted_cells"], TERM["hard_holes"], TERM["mean_hole_depth"]
KEEP, FORGET = np.bool_(True), np.bool_(False)  # plain True and False would be types of their own to Numba
TALL = 99
"""Higher than any column."""


def _nothing(*_):
    return 0.0


def _nothing_twice(*_):
    return 0.0, 0.0


@inlined
def ratio_on_grid(weight, numerator, denominator, unit):
    """A weighted mean, rounded to the grid on which all values lie; 0 when there is nothing to average."""
    if denominator == 0:
        return 0.0
    return round(weight * (numerator / denominator) / unit) * unit


@inlined
def cumulative_wells_of(well, column):
    sum_, deeper = cumulative_wells_in(well, column)
    if some(deeper):
        sum_ = deep_wells(deeper, flipped(column), sum_)
    return sum_


@inlined
def keep_unions(work, shares, left, right):
    """Write the union of the shares of all columns before each one, and from each one on."""
    store(work, left, union_before(shares))
    store(work, right, union_from(shares))


@inlined
def share(work, row, keep, shares, weight):
    """Keep what each column gives to a sum, and weigh the sum."""
    if keep:
        store(work, row, shares)
    return weight * total(shares)


@inlined
def transitions_of(plan, keep, work, weights, columns, wall, inside):
    value = 0.0
    if plan.row_transitions:
        pairs = popcount(columns ^ from_left(columns, spread(wall)))
        value += share(work, at.ROW_TRANSITIONS, keep, pairs, weights[W_ROW_TRANSITIONS])
        last = total(
            popcount(from_right(columns, spread(wall)) ^ columns) & select(from_bits(1 << 15), spread(-1), spread(0))
        )
        value += weights[W_ROW_TRANSITIONS] * last  # the right wall of a board of sixteen columns
        if keep:
            work[at.ROW_TRANSITIONS + 16] = last
    if plan.column_transitions:
        changes = select(inside, transitions_in(columns), spread(0))
        value += share(work, at.COLUMN_TRANSITIONS, keep, changes, weights[W_COLUMN_TRANSITIONS])
    return value


@only_with("mean_hole_depth", otherwise=_nothing)
def mean_hole_depth_of(plan, keep, work, weights, columns, heights, holes, inside):
    burial = select(inside, hole_burial_in(columns, heights), spread(0))
    if keep:
        store(work, at.HOLE_BURIAL, burial)
        work[at.TOTALS + W_HOLES], work[at.TOTALS + W_MEAN_HOLE_DEPTH] = total(holes), total(burial)
    return ratio_on_grid(weights[W_MEAN_HOLE_DEPTH], total(burial), total(holes), weights[at.UNIT])


@only_with("hard_holes", otherwise=_nothing)
def hard_holes_of(plan, keep, work, weights, columns, heights, inside):
    hard = select(inside, hard_holes_in(columns, heights), spread(0))
    return share(work, at.HARD_HOLES, keep, hard, weights[W_HARD_HOLES])


@only_with("rows_with_holes", otherwise=_nothing)
def rows_with_holes_of(plan, keep, work, weights, columns, heights, inside, width):
    cells = select(inside, hole_cells(columns, heights), spread(0))
    if keep:
        keep_unions(work, cells, at.LEFT_HOLES, at.RIGHT_HOLES)
    return weights[W_ROWS_WITH_HOLES] * count_bits(any_bits(cells))


@inlined
def holes_of(plan, keep, work, weights, columns, heights, inside, width):
    value, other = 0.0, 0.0
    if plan.holes or plan.mean_hole_depth:
        holes = select(inside, holes_in(columns, heights), spread(0))
        value += share(work, at.HOLES, keep, holes, weights[W_HOLES])
        other += mean_hole_depth_of(plan, keep, work, weights, columns, heights, holes, inside)
    if plan.hole_depth:
        over = select(inside, hole_depth_in(columns), spread(0))
        value += share(work, at.HOLE_DEPTH, keep, over, weights[W_HOLE_DEPTH])
    value += hard_holes_of(plan, keep, work, weights, columns, heights, inside)
    other += rows_with_holes_of(plan, keep, work, weights, columns, heights, inside, width)
    return value, other


@only_with("wells_by_run", otherwise=_nothing_twice)
def wells_by_run_of(plan, keep, work, weights, columns, well, width):
    value, other = 0.0, 0.0
    run = runs_under_wells(well, columns)
    if plan.cumulative_wells_fast:
        value += share(
            work,
            at.CUMULATIVE_WELLS_FAST,
            keep,
            cumulative_wells_of(run, flipped(run)),
            weights[W_CUMULATIVE_WELLS_FAST],
        )
    if plan.well_depth_sum:
        value += share(work, at.WELL_DEPTH_SUM, keep, popcount(run), weights[W_WELL_DEPTH_SUM])
    if plan.well_count:
        value += share(work, at.WELL_COUNT, keep, run_count(run), weights[W_WELL_COUNT])
    if plan.pit_depth:
        value += share(work, at.PIT_DEPTH, keep, cells_in_long_runs(run), weights[W_PIT_DEPTH])
    if plan.max_well_depth:
        deepest = longest_run(run)
        other += weights[W_MAX_WELL_DEPTH] * largest(deepest)
        if keep:
            store(work, at.LEFT_WELL, largest_before(deepest))
            store(work, at.RIGHT_WELL, largest_from(deepest))
    return value, other


@only_with("cumulative_wells", "wells_by_run", otherwise=_nothing_twice)
def wells_of(plan, keep, work, weights, columns, wall, width):
    well = wells_in(columns, from_left(columns, spread(wall)), from_right(columns, spread(wall)))
    value, other = wells_by_run_of(plan, keep, work, weights, columns, well, width)
    if plan.cumulative_wells:
        wells = cumulative_wells_of(well, columns)
        value += share(work, at.CUMULATIVE_WELLS, keep, wells, weights[W_CUMULATIVE_WELLS])
    return value, other


@only_with("max_height", "min_height", otherwise=_nothing)
def extremes_of(plan, keep, work, weights, heights, inside, width):
    value = 0.0
    if plan.max_height:
        own = select(inside, heights, spread(0))
        value += weights[W_MAX_HEIGHT] * largest(own)
        if keep:
            store(work, at.LEFT_MAX, largest_before(own))
            store(work, at.RIGHT_MAX, largest_from(own))
    if plan.min_height:
        own = select(inside, heights, spread(TALL))
        value += weights[W_MIN_HEIGHT] * smallest(own)
        if keep:
            store(work, at.LEFT_MIN, smallest_before(own))
            store(work, at.RIGHT_MIN, smallest_from(own))
    return value


@only_with(*HEIGHT_TERMS, otherwise=_nothing_twice)
def heights_of(plan, keep, work, weights, columns, heights, inside, width):
    value, other = 0.0, extremes_of(plan, keep, work, weights, heights, inside, width)
    if plan.sum_heights or plan.height_table:
        sum_ = total(select(inside, heights, spread(0)))
        value += weights[W_SUM_HEIGHTS] * sum_
        if plan.height_table:
            work[at.TOTALS + W_SUM_HEIGHTS] = sum_ if keep else work[at.TOTALS + W_SUM_HEIGHTS]
            other += weights[at.OF_SUM + sum_]
    if plan.occupied_cells:
        value += weights[W_OCCUPIED_CELLS] * total(select(inside, popcount(columns), spread(0)))
    if plan.weighted_cells:
        weighted = select(inside, weighted_cells_in(columns), spread(0))
        value += share(work, at.WEIGHTED_CELLS, keep, weighted, weights[W_WEIGHTED_CELLS])
    if plan.column_heights:  # the weights beyond the edges are 0
        value += total_real(load(weights, at.OF_COLUMN) * as_real(heights))
    return value, other


@only_with(*STEP_TERMS, otherwise=_nothing_twice)
def steps_of(plan, keep, work, weights, heights, width):
    value, other = 0.0, 0.0
    pairs = from_bits((1 << width) - 2)
    before = from_left(heights, spread(0))
    if plan.bumpiness:
        bumps = select(pairs, gap(heights, before), spread(0))
        value += share(work, at.BUMPINESS, keep, bumps, weights[W_BUMPINESS])
    if plan.height_differences:
        value += total_real(load(weights, at.OF_PAIR) * as_real(gap(heights, before)))
    if plan.pattern_diversity:
        steps = select(pairs, step_seen(before, heights), spread(0))
        other += weights[W_PATTERN_DIVERSITY] * count_bits(any_bits(steps))
        if keep:
            keep_unions(work, steps, at.LEFT_STEPS, at.RIGHT_STEPS)
    return value, other


@inlined
def value_of(plan, keep, work, weights, columns, heights, width, wall):
    """The value of a board given as lanes: its linear part, and the rest."""
    inside = from_bits((1 << width) - 1)
    linear = transitions_of(plan, keep, work, weights, columns, wall, inside)
    value, other = holes_of(plan, keep, work, weights, columns, heights, inside, width)
    wells, deepest = wells_of(plan, keep, work, weights, columns, wall, width)
    sizes, extremes = heights_of(plan, keep, work, weights, columns, heights, inside, width)
    steps, patterns = steps_of(plan, keep, work, weights, heights, width)
    return linear + value + wells + sizes + steps, other + deepest + extremes + patterns


@inlined
def prepare_rows(work, width):
    """Write down which rows are full in all columns to the left, and from each column on."""
    columns = select(from_bits((1 << width) - 1), load(work, at.COLUMNS), spread(-1))
    store(work, at.LEFT_AND, common_before(columns))
    store(work, at.RIGHT_AND, common_from(columns))


@inlined
def prepare(plan, work, weights, width, wall):
    """Write down what the drops need to know of the board in `work`; return the linear part of its value."""
    prepare_rows(work, width)
    columns, heights = load(work, at.COLUMNS), load(work, at.HEIGHTS)
    linear, _ = value_of(plan, KEEP, work, weights, columns, heights, width, wall)
    return linear
