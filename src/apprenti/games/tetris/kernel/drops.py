"""One orientation dropped at every column at once: lane c is the drop whose leftmost column is c.

Only the columns around a drop change, from two left of it to two right of it. Every sum over columns is corrected by
what those columns gave before and give now (their shares before were kept by `whole.prepare`). A drop that fills a line
is only pointed out here; `settle.py` plays it.

`w`, the width of the piece, is a constant by the time this is compiled, and the loops over it disappear.
"""

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
    above,
    as_real,
    bits,
    different,
    flipped,
    larger,
    load,
    nearest,
    popcount,
    select,
    smaller,
    spread,
    spread_real,
    store,
)
from apprenti.games.tetris.kernel.plan import HEIGHT_TERMS, STEP_TERMS, TERM, only_with
from apprenti.games.tetris.kernel.whole import (
    W_BUMPINESS,
    W_COLUMN_TRANSITIONS,
    W_CUMULATIVE_WELLS,
    W_CUMULATIVE_WELLS_FAST,
    W_HARD_HOLES,
    W_HOLE_DEPTH,
    W_HOLES,
    W_MAX_HEIGHT,
    W_MAX_WELL_DEPTH,
    W_MEAN_HOLE_DEPTH,
    W_MIN_HEIGHT,
    W_OCCUPIED_CELLS,
    W_PATTERN_DIVERSITY,
    W_PIT_DEPTH,
    W_ROW_TRANSITIONS,
    W_ROWS_WITH_HOLES,
    W_SUM_HEIGHTS,
    W_WEIGHTED_CELLS,
    W_WELL_COUNT,
    W_WELL_DEPTH_SUM,
)

W_LANDING = TERM["landing_height"]


def _no_change(*_):
    return spread_real(0.0)


@inlined
def after(work, j):
    """Column j of the piece (−2 … w + 1) after the drop."""
    return load(work, at.AFTER + (j + 2) * at.STRIDE)


@inlined
def height_after(work, shapes, o, w, y, j):
    """The height of column j of the piece after the drop."""
    if 0 <= j < w:
        return y + spread(shapes[o + at.TOP + j])
    return load(work, at.HEIGHTS + j)


@inlined
def weigh(weight, change):
    return spread_real(weight) * as_real(change)


@inlined
def land(work, shapes, o, w):
    """The row of the lowest cell where the piece comes to rest."""
    y = load(work, at.HEIGHTS) - spread(shapes[o + at.LOW])
    for i in range(1, w):
        y = larger(y, load(work, at.HEIGHTS + i) - spread(shapes[o + at.LOW + i]))
    return y


@inlined
def lay_down(work, shapes, o, w, y):
    """Write the columns after the drop; return the rows that are now full."""
    full = load(work, at.LEFT_AND) & load(work, at.RIGHT_AND + w)
    for j in range(-2, w + 2):
        column = load(work, at.COLUMNS + j)
        if 0 <= j < w:
            column |= spread(shapes[o + at.MASK + j]) << y
            full &= column
        store(work, at.AFTER + (j + 2) * at.STRIDE, column)
    return full


@inlined
def transitions_change(plan, work, weights, w):
    value = spread_real(0.0)
    if plan.row_transitions:
        change = spread(0)
        for p in range(w + 1):
            change += popcount(after(work, p - 1) ^ after(work, p)) - load(work, at.ROW_TRANSITIONS + p)
        value += weigh(weights[W_ROW_TRANSITIONS], change)
    if plan.column_transitions:
        change = spread(0)
        for i in range(w):
            change += transitions_in(after(work, i)) - load(work, at.COLUMN_TRANSITIONS + i)
        value += weigh(weights[W_COLUMN_TRANSITIONS], change)
    return value


@only_with("mean_hole_depth", otherwise=_no_change)
def buried_value(plan, work, shapes, weights, o, w, y, holes):
    """The mean depth of the holes, which is no sum over columns but a ratio of two."""
    burial = spread(work[at.TOTALS + W_MEAN_HOLE_DEPTH])
    for i in range(w):
        height = height_after(work, shapes, o, w, y, i)
        burial += hole_burial_in(after(work, i), height) - load(work, at.HOLE_BURIAL + i)
    count = holes + spread(work[at.TOTALS + W_HOLES])
    mean = as_real(burial) / as_real(larger(count, spread(1)))
    unit = spread_real(weights[at.UNIT])
    return nearest(spread_real(weights[W_MEAN_HOLE_DEPTH]) * mean / unit) * unit


@only_with("hard_holes", otherwise=_no_change)
def hard_holes_change(plan, work, shapes, weights, o, w, y):
    change = spread(0)
    for i in range(w):
        height = height_after(work, shapes, o, w, y, i)
        change += hard_holes_in(after(work, i), height) - load(work, at.HARD_HOLES + i)
    return weigh(weights[W_HARD_HOLES], change)


@inlined
def holes_change(plan, work, shapes, weights, o, w, y):
    value = spread_real(0.0)
    if plan.holes or plan.mean_hole_depth:
        change = spread(0)
        for i in range(w):
            change += holes_in(after(work, i), height_after(work, shapes, o, w, y, i)) - load(work, at.HOLES + i)
        value += weigh(weights[W_HOLES], change)
        value += buried_value(plan, work, shapes, weights, o, w, y, change)
    if plan.hole_depth:
        change = spread(0)
        for i in range(w):
            change += hole_depth_in(after(work, i)) - load(work, at.HOLE_DEPTH + i)
        value += weigh(weights[W_HOLE_DEPTH], change)
    value += hard_holes_change(plan, work, shapes, weights, o, w, y)
    if plan.rows_with_holes:
        cells = load(work, at.LEFT_HOLES) | load(work, at.RIGHT_HOLES + w)
        for i in range(w):
            cells |= hole_cells(after(work, i), height_after(work, shapes, o, w, y, i))
        value += weigh(weights[W_ROWS_WITH_HOLES], popcount(cells))
    return value


@only_with("cumulative_wells", otherwise=_no_change)
def cumulative_wells_change(plan, work, weights, w):
    change, deep = spread(0), spread(0)
    for j in range(-1, w + 1):
        column = after(work, j)
        sum_, deeper = cumulative_wells_in(wells_in(column, after(work, j - 1), after(work, j + 1)), column)
        change += sum_ - load(work, at.CUMULATIVE_WELLS + j)
        deep |= deeper
    if some(deep):
        for j in range(-1, w + 1):
            column = after(work, j)
            _, deeper = cumulative_wells_in(wells_in(column, after(work, j - 1), after(work, j + 1)), column)
            change = deep_wells(deeper, flipped(column), change)
    return weigh(weights[W_CUMULATIVE_WELLS], change)


@inlined
def find_runs(work, w):
    """Write the runs of empty cells under wells around the piece; mostly a run is the well itself."""
    grows = spread(0)
    for j in range(-1, w + 1):
        column = after(work, j)
        well = wells_in(column, after(work, j - 1), after(work, j + 1))
        grows |= (well >> spread(1)) & flipped(column | well)
        store(work, at.RUNS + (j + 2) * at.STRIDE, well)
    if some(grows):
        for j in range(-1, w + 1):
            well = load(work, at.RUNS + (j + 2) * at.STRIDE)
            store(work, at.RUNS + (j + 2) * at.STRIDE, runs_under_wells(well, after(work, j)))


@inlined
def run_at(work, j):
    return load(work, at.RUNS + (j + 2) * at.STRIDE)


@only_with("cumulative_wells_fast", otherwise=_no_change)
def cumulative_wells_fast_change(plan, work, weights, w):
    change, deep = spread(0), spread(0)
    for j in range(-1, w + 1):
        run = run_at(work, j)
        sum_, deeper = cumulative_wells_in(run, flipped(run))
        change += sum_ - load(work, at.CUMULATIVE_WELLS_FAST + j)
        deep |= deeper
    if some(deep):
        for j in range(-1, w + 1):
            run = run_at(work, j)
            _, deeper = cumulative_wells_in(run, flipped(run))
            change = deep_wells(deeper, run, change)
    return weigh(weights[W_CUMULATIVE_WELLS_FAST], change)


@only_with("wells_by_run", otherwise=_no_change)
def wells_by_run_change(plan, work, weights, w):
    find_runs(work, w)
    value = cumulative_wells_fast_change(plan, work, weights, w)
    depth, count, pits = spread(0), spread(0), spread(0)
    deepest = larger(load(work, at.LEFT_WELL - 1), load(work, at.RIGHT_WELL + w + 1))
    for j in range(-1, w + 1):
        run = run_at(work, j)
        if plan.well_depth_sum:
            depth += popcount(run) - load(work, at.WELL_DEPTH_SUM + j)
        if plan.well_count:
            count += run_count(run) - load(work, at.WELL_COUNT + j)
        if plan.pit_depth:
            pits += cells_in_long_runs(run) - load(work, at.PIT_DEPTH + j)
        if plan.max_well_depth:
            deepest = larger(deepest, longest_run(run))
    if plan.well_depth_sum:
        value += weigh(weights[W_WELL_DEPTH_SUM], depth)
    if plan.well_count:
        value += weigh(weights[W_WELL_COUNT], count)
    if plan.pit_depth:
        value += weigh(weights[W_PIT_DEPTH], pits)
    if plan.max_well_depth:
        value += weigh(weights[W_MAX_WELL_DEPTH], deepest)
    return value


@only_with("max_height", "min_height", otherwise=_no_change)
def extremes_value(plan, work, shapes, weights, o, w, y):
    value = spread_real(0.0)
    if plan.max_height:
        most = larger(load(work, at.LEFT_MAX), load(work, at.RIGHT_MAX + w))
        for i in range(w):
            most = larger(most, height_after(work, shapes, o, w, y, i))
        value += weigh(weights[W_MAX_HEIGHT], most)
    if plan.min_height:
        least = smaller(load(work, at.LEFT_MIN), load(work, at.RIGHT_MIN + w))
        for i in range(w):
            least = smaller(least, height_after(work, shapes, o, w, y, i))
        value += weigh(weights[W_MIN_HEIGHT], least)
    return value


@only_with("height_table", otherwise=_no_change)
def height_table_value(plan, work, weights, change, values):
    """Add to each lane the table's entry for its new sum of heights."""
    sums = change + spread(work[at.TOTALS + W_SUM_HEIGHTS])
    store(work, at.SUMS, sums)
    for c in range(16):
        values[c] = weights[at.OF_SUM + max(0, work[at.SUMS + c])]
    return load(values, 0)


@only_with(*HEIGHT_TERMS, otherwise=_no_change)
def heights_change(plan, work, shapes, weights, values, o, w, y):
    value = extremes_value(plan, work, shapes, weights, o, w, y)
    if plan.sum_heights or plan.height_table:
        change = spread(0)
        for i in range(w):
            change += height_after(work, shapes, o, w, y, i) - load(work, at.HEIGHTS + i)
        value += weigh(weights[W_SUM_HEIGHTS], change)
        value += height_table_value(plan, work, weights, change, values)
    if plan.occupied_cells:
        value += spread_real(weights[W_OCCUPIED_CELLS] * shapes[o + at.CELLS])
    if plan.weighted_cells:
        change = spread(0)
        for i in range(w):
            change += weighted_cells_in(after(work, i)) - load(work, at.WEIGHTED_CELLS + i)
        value += weigh(weights[W_WEIGHTED_CELLS], change)
    if plan.column_heights:
        for i in range(w):
            change = height_after(work, shapes, o, w, y, i) - load(work, at.HEIGHTS + i)
            value += load(weights, at.OF_COLUMN + i) * as_real(change)
    return value


@only_with(*STEP_TERMS, otherwise=_no_change)
def steps_change(plan, work, shapes, weights, o, w, y):
    """What depends on the heights of two neighbours."""
    value = spread_real(0.0)
    bumps = spread(0)
    steps = load(work, at.LEFT_STEPS) | load(work, at.RIGHT_STEPS + w + 1)
    for p in range(w + 1):
        left, right = height_after(work, shapes, o, w, y, p - 1), height_after(work, shapes, o, w, y, p)
        if plan.bumpiness:  # a pair with a wall has been kept as 0 and must stay 0
            inner = different(load(work, at.INNER + p), spread(0))
            bumps += select(inner, gap(left, right), spread(0)) - load(work, at.BUMPINESS + p)
        if plan.height_differences:
            change = gap(left, right) - gap(load(work, at.HEIGHTS + p - 1), load(work, at.HEIGHTS + p))
            value += load(weights, at.OF_PAIR + p) * as_real(change)
        if plan.pattern_diversity:
            inner = different(load(work, at.INNER + p), spread(0))
            steps |= select(inner, step_seen(left, right), spread(0))
    if plan.bumpiness:
        value += weigh(weights[W_BUMPINESS], bumps)
    if plan.pattern_diversity:
        value += weigh(weights[W_PATTERN_DIVERSITY], popcount(steps))
    return value


@inlined
def drop_everywhere(plan, work, shapes, weights, values, o, w, base, limit, rows):
    """The value of each drop; and as bits the lanes that end the game, and the lanes that must be played to be known.

    Those fill a line, or begin their fall under a ledge.
    """
    y = land(work, shapes, o, w)
    full = lay_down(work, shapes, o, w, y)
    store(work, at.FULL, full)
    top = y + spread(shapes[o + at.HEIGHT])
    value = spread_real(base)
    if plan.landing_height:
        value += weigh(weights[W_LANDING] * 0.5, y + y + spread(shapes[o + at.HEIGHT] - 1))
    value += transitions_change(plan, work, weights, w)
    value += holes_change(plan, work, shapes, weights, o, w, y)
    value += cumulative_wells_change(plan, work, weights, w)
    value += wells_by_run_change(plan, work, weights, w)
    value += heights_change(plan, work, shapes, weights, values, o, w, y)
    value += steps_change(plan, work, shapes, weights, o, w, y)
    sticks_out = bits(above(top, spread(rows)))
    special = bits(different(full, spread(0))) & ~sticks_out | bits(above(y, spread(shapes[o + at.ENTRY])))
    return value, bits(above(top, spread(limit))), special
