"""One orientation dropped at every column at once: lane c is the drop whose leftmost column is c.

Only the columns around a drop change, from two left of it to two right of it. Every sum over columns is corrected by
what those columns gave before and give now (their shares before were kept by `whole.prepare`). A drop that fills a line
is only pointed out here; `placement.py` plays it.

`w`, the width of the piece, is a constant by the time this is compiled, and the loops over it disappear.
"""

from collections import namedtuple

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.columns import (
    COLUMN_TERMS,
    Column,
    deep_wells,
    gap,
    hole_burial_in,
    holes_in,
    lower_of,
    runs_under_wells,
    shallow_wells,
    some,
    wells_in,
)
from apprenti.games.tetris.kernel.lanes import (
    above,
    as_real,
    bits,
    counted,
    counts,
    different,
    first_8,
    first_12,
    flipped,
    larger,
    load,
    nearest,
    select,
    spread,
    spread_real,
    store,
)
from apprenti.games.tetris.kernel.plan import TERM, by_plan, only_with
from apprenti.games.tetris.kernel.scans import COUNT, SUM
from apprenti.games.tetris.kernel.whole import (
    ALL_BURIAL,
    ALL_HEIGHTS,
    ALL_HOLES,
    BURIAL,
    HOLES,
    MEAN_HOLE_DEPTH,
    PAIRS,
    ROW_TRANSITIONS,
    RUN_TERMS,
    counted_as_lanes,
    sums,
    weights_of,
)

LANDING_HEIGHT = TERM["landing_height"]


Drop = namedtuple("Drop", "o w y")
"""A piece where it comes to rest: its orientation (a place in `shapes`), its width, its lowest row."""


def _no_change(*_):
    return spread_real(0.0)


@inlined
def weigh(weight, change):
    return spread_real(weight) * as_real(change)


@inlined
def places(v, w):
    """On a narrow board: only the lanes where a piece of width w can be dropped."""
    return first_8(v) if w >= 3 else first_12(v)


# The columns after the drop -------------------------------------------------------------------------------------------


@inlined
def land(work, shapes, o, w):
    """The row of the lowest cell where the piece comes to rest."""
    y = load(work, at.HEIGHTS) - spread(shapes[o + at.LOW])
    for i in range(1, w):
        y = larger(y, load(work, at.HEIGHTS + i) - spread(shapes[o + at.LOW + i]))
    return y


@inlined
def lay_down(work, shapes, drop):
    """Write the columns after the drop; return the rows that are now full."""
    full = load(work, at.LEFT_AND) & load(work, at.RIGHT_AND + drop.w)
    for j in range(-2, drop.w + 2):
        column = load(work, at.COLUMNS + j)
        if 0 <= j < drop.w:
            column |= spread(shapes[drop.o + at.MASK + j]) << drop.y
            full &= column
        store(work, at.AFTER + (j + 2) * at.STRIDE, column)
    return full


@inlined
def after(work, j):
    """Column j of the piece (−2 … w + 1) after the drop."""
    return load(work, at.AFTER + (j + 2) * at.STRIDE)


@inlined
def height_after(work, shapes, drop, j):
    """The height of column j of the piece after the drop."""
    if 0 <= j < drop.w:
        return drop.y + spread(shapes[drop.o + at.TOP + j])
    return load(work, at.HEIGHTS + j)


@inlined
def well_after(work, j):
    """The wells of column j after the drop."""
    return wells_in(after(work, j), after(work, j - 1), after(work, j + 1))


@inlined
def run_after(work, j):
    """The runs under them, once `find_runs` has written them down."""
    return load(work, at.RUNS + (j + 2) * at.STRIDE)


def _nothing(plan, work, w):
    return


@only_with(*RUN_TERMS, otherwise=_nothing)
def find_runs(plan, work, w):
    """Write the runs of empty cells under wells around the piece; mostly a run is the well itself."""
    grows = spread(0)
    for j in range(-1, w + 1):
        well = well_after(work, j)
        grows |= (well >> spread(1)) & flipped(after(work, j) | well)
        store(work, at.RUNS + (j + 2) * at.STRIDE, well)
    if some(grows):
        for j in range(-1, w + 1):
            store(work, at.RUNS + (j + 2) * at.STRIDE, runs_under_wells(run_after(work, j), after(work, j)))


@inlined
def column_after(work, shapes, drop, j):
    """Column j of the piece after the drop, for the functions of `columns.py`."""
    height, left = height_after(work, shapes, drop, j), height_after(work, shapes, drop, j - 1)
    inner = different(load(work, at.INNER + j), spread(0))
    right = height_after(work, shapes, drop, j + 1)
    lower = lower_of(left, right)  # a wall is as high as a pile may be
    right = select(different(load(work, at.INNER + j + 1), spread(0)), right, spread(at.FAR))
    return Column(after(work, j), height, left, inner, right, lower, well_after(work, j), run_after(work, j))


# Terms that are joined from columns -----------------------------------------------------------------------------------


def _sum(term):
    give, code, row, (first, more, _) = term.give, term.code, term.row, term.reach

    def value(plan, work, shapes, weights, values, drop):
        change = spread(0)
        for j in range(first, drop.w + more):
            change += give(column_after(work, shapes, drop, j)) - load(work, row + j)
        return weigh(weights[code], change)

    return value


def _count(term):
    give, code, row, (first, more, _) = term.give, term.code, term.row, term.reach

    def value(plan, work, shapes, weights, values, drop):
        now, before = spread(0), spread(0)
        for j in range(first, drop.w + more):
            now += counts(give(column_after(work, shapes, drop, j)))
            before += load(work, row + j)
        return weigh(weights[code], counted(now) - before)

    return value


def _other(term):
    give, code, row, (first, more, _) = term.give, term.code, term.row, term.reach
    both, number = term.join.both, term.join.number

    def value(plan, work, shapes, weights, values, drop):
        joined = both(load(work, row + first), load(work, row + at.STRIDE + drop.w + more))
        for j in range(first, drop.w + more):
            joined = both(joined, give(column_after(work, shapes, drop, j)))
        return weigh(weights[code], number(joined))

    return value


# Terms with a function of their own -----------------------------------------------------------------------------------


def landing_height(plan, work, shapes, weights, values, drop):
    return weigh(weights[LANDING_HEIGHT] * 0.5, drop.y + drop.y + spread(shapes[drop.o + at.HEIGHT] - 1))


def row_transitions(plan, work, shapes, weights, values, drop):
    pairs, before = spread(0), spread(0)
    for p in range(drop.w + 1):
        pairs += counts(after(work, p - 1) ^ after(work, p))
        before += load(work, PAIRS + p)
    return weigh(weights[ROW_TRANSITIONS], counted(pairs) - before)


def _cumulative(name, wells_after):
    """A sum over wells, in which only the deep ones take a loop, all columns together."""
    code, row = COLUMN_TERMS[name].code, COLUMN_TERMS[name].row

    def value(plan, work, shapes, weights, values, drop):
        sums, before, deep = spread(0), spread(0), spread(0)
        for j in range(-1, drop.w + 1):
            sum_, deeper = shallow_wells(*wells_after(work, j))
            sums += sum_
            before += load(work, row + j)
            deep |= deeper
        change = counted(sums) - before
        if plan.narrow:
            deep = places(deep, drop.w)
        if some(deep):
            for j in range(-1, drop.w + 1):
                _, deeper = shallow_wells(*wells_after(work, j))
                change = deep_wells(deeper, wells_after(work, j)[1], change)
        return weigh(weights[code], change)

    return value


@inlined
def wells_and_cells(work, j):
    return well_after(work, j), flipped(after(work, j))


@inlined
def runs_and_cells(work, j):
    return run_after(work, j), run_after(work, j)


def mean_hole_depth(plan, work, shapes, weights, values, drop):
    """A mean is no sum over columns but a ratio of two."""
    burial, holes = spread(work[ALL_BURIAL]), spread(work[ALL_HOLES])
    for j in range(drop.w):
        c = column_after(work, shapes, drop, j)
        burial += hole_burial_in(c) - load(work, BURIAL + j)
        holes += holes_in(c) - load(work, HOLES + j)
    mean = as_real(burial) / as_real(larger(holes, spread(1)))
    unit = spread_real(weights[at.UNIT])
    return nearest(spread_real(weights[MEAN_HOLE_DEPTH]) * mean / unit) * unit


def column_heights(plan, work, shapes, weights, values, drop):
    value = spread_real(0.0)
    for j in range(drop.w):
        change = height_after(work, shapes, drop, j) - load(work, at.HEIGHTS + j)
        value += load(weights, at.OF_COLUMN + j) * as_real(change)
    return value


def height_differences(plan, work, shapes, weights, values, drop):
    value = spread_real(0.0)
    for p in range(drop.w + 1):
        now = gap(height_after(work, shapes, drop, p - 1), height_after(work, shapes, drop, p))
        before = gap(load(work, at.HEIGHTS + p - 1), load(work, at.HEIGHTS + p))
        value += load(weights, at.OF_PAIR + p) * as_real(now - before)
    return value


def height_rbf(plan, work, shapes, weights, values, drop):
    """For each lane the table's entry for its new sum of heights."""
    sums = spread(work[ALL_HEIGHTS])
    for j in range(drop.w):
        sums += height_after(work, shapes, drop, j) - load(work, at.HEIGHTS + j)
    store(work, at.SUMS, sums)
    for c in range(16):
        values[c] = weights[at.OF_SUM + max(0, work[at.SUMS + c])]
    return load(values, 0)


_CHANGES = {SUM: _sum, COUNT: _count}
change_of_value = by_plan(
    {
        **{name: _CHANGES.get(term.join, _other)(term) for name, term in COLUMN_TERMS.items()},
        "landing_height": landing_height,
        "row_transitions": row_transitions,
        "cumulative_wells": _cumulative("cumulative_wells", wells_and_cells),
        "cumulative_wells_fast": _cumulative("cumulative_wells_fast", runs_and_cells),
        "mean_hole_depth": mean_hole_depth,
        "column_heights": column_heights,
        "height_differences": height_differences,
        "height_rbf": height_rbf,
    },
    otherwise=_no_change,
)


def _sum_after(plan, work, shapes, weights, values, drop, base):
    return spread_real(base) + change_of_value(plan, work, shapes, weights, values, drop)


@only_with("units", otherwise=_sum_after)
def value_after(plan, work, shapes, weights, values, drop, base):
    """The value of each drop, of the board and of the move, where no line is removed."""
    value = spread_real(0.0)
    for k in range(sums(weights)):
        own = weights_of(weights, k)
        sum_ = spread_real(values[at.BASES + k]) + change_of_value(plan, work, shapes, own, values, drop)
        value += counted_as_lanes(own, sum_)
    return value


@inlined
def drop_everywhere(plan, work, shapes, weights, values, o, w, base, limit, rows):
    """The value of each drop; and as bits the lanes that end the game, and the lanes that must be played to be known.

    Those fill a line, or begin their fall under a ledge.
    """
    y = land(work, shapes, o, w)
    drop = Drop(o, w, y)
    full = lay_down(work, shapes, drop)
    find_runs(plan, work, w)
    value = value_after(plan, work, shapes, weights, values, drop, base)
    if plan.narrow:
        value, y, full = places(value, w), places(y, w), places(full, w)
    top = y + spread(shapes[o + at.HEIGHT])
    sticks_out = bits(above(top, spread(rows)))
    special = bits(different(full, spread(0))) & ~sticks_out | bits(above(y, spread(shapes[o + at.ENTRY])))
    return value, bits(above(top, spread(limit))), special
