"""What one column contributes to each term, for sixteen columns at once.

A column is a number: bit r is set when the cell of row r is full. These functions do not know what their lanes are: the
columns of one board (`whole.py`, `measure.py`), or the same column after a drop at sixteen different places
(`drops.py`). A term that is joined from columns is one function here, under `@term`; those that are not have a function
of their own in these three files.
"""

from collections import namedtuple
from collections.abc import Callable
from typing import NamedTuple

from apprenti.core.compiled import inlined
from apprenti.games.tetris.criteria import FITS
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.lanes import (
    above,
    bits,
    counted,
    counts,
    different,
    flipped,
    larger,
    popcount,
    select,
    spread,
)
from apprenti.games.tetris.kernel.plan import TERM, Function
from apprenti.games.tetris.kernel.scans import COUNT, LARGEST, SMALLEST, SUM, UNION, Join

SHALLOW = 4
"""Wells this deep are counted without a branch; deeper ones are rare and take a loop."""


Column = namedtuple("Column", "cells height left inner right lower well run")
"""A column in every lane: its full cells as bits, its height, the height left of it, and whether that is a column of
the board; the height right of it, and the lower of the heights beside it, a wall being high; its empty cells whose left
and right neighbours are full, and these with every empty cell under them."""


class Reach(NamedTuple):
    """What a term looks at; which columns a piece of width w changes: from `first` to w + `more` − 1, from its left."""

    first: int
    more: int
    runs: bool = False


ITSELF, STEP, WELLS, RUNS = Reach(0, 0), Reach(0, 1), Reach(-1, 1), Reach(-1, 1, runs=True)
"""Cells and height of a column alone; the step from its left neighbour; its wells; the runs under its wells."""


class Term(NamedTuple):
    """A term that is joined from what each column gives."""

    give: Function
    join: Join
    reach: Reach
    code: int
    row: int
    """Where in `work` the shares of the columns are."""


ROW = {name: at.SHARES + 2 * code * at.STRIDE for name, code in TERM.items()}
COLUMN_TERMS: dict[str, Term] = {}
"""By name. All other terms are of the move, or take a function of their own."""


def term(name: str, join: Join = SUM, reach: Reach = ITSELF) -> Callable[[Function], object]:
    """For a function that says what a column contributes to a term."""

    def register(give: Function):
        compiled = inlined(getattr(give, "py_func", give))
        COLUMN_TERMS[name] = Term(compiled, join, reach, TERM[name], ROW[name])
        return compiled

    return register


# Cells ----------------------------------------------------------------------------------------------------------------


@inlined
def some(v):
    """Whether any lane is not zero."""
    return bits(different(v, spread(0))) != 0


@term("column_transitions", COUNT)
def transitions_in(c):
    """Changes between full and empty from the floor (full) to the sky (empty)."""
    return c.cells ^ ((c.cells << spread(1)) | spread(1))


@term("column_frontier", COUNT)
def frontier_in(c):
    """The same without the floor."""
    return c.cells ^ (c.cells >> spread(1))


@term("occupied_cells", COUNT)
def cells_in(c):
    return c.cells


@inlined
def sum_of_rows(cells):
    """Sum of the rows of some cells, counted from 1, one binary digit of the row number at a time."""
    shifted = cells << spread(1)
    sum_ = popcount(shifted & spread(-0x55555556))
    sum_ += popcount(shifted & spread(-0x33333334)) << spread(1)
    sum_ += popcount(shifted & spread(-0x0F0F0F10)) << spread(2)
    sum_ += popcount(shifted & spread(-0x00FF0100)) << spread(3)
    return sum_ + (popcount(shifted & spread(-0x00010000)) << spread(4))


@term("weighted_cells")
def weighted_cells_in(c):
    return sum_of_rows(c.cells)


# Holes ----------------------------------------------------------------------------------------------------------------


@term("holes", COUNT)
@term("rows_with_holes", UNION)
def hole_cells(c):
    """Empty cells with a full cell somewhere above."""
    return ((spread(1) << c.height) - spread(1)) & flipped(c.cells)


@inlined
def holes_in(c):
    """How many they are."""
    return c.height - popcount(c.cells)


@term("hole_depth", COUNT)
def hole_depth_in(c):
    """Full cells above an empty one: adding 1 carries through the full cells at the bottom, the others remain."""
    return c.cells & (c.cells + spread(1))


@term("hard_holes")
def hard_holes_in(c):
    """For each hole the number of full cells above it: what must go before it can be filled."""
    holes = hole_cells(c)
    sum_ = spread(0)
    while some(holes):
        lowest = holes & (spread(0) - holes)
        above = c.cells & flipped(lowest | (lowest - spread(1)))
        sum_ += select(different(holes, spread(0)), popcount(above), spread(0))
        holes &= holes - spread(1)
    return sum_


@inlined
def hole_burial_in(c):
    """For each hole the number of cells between it and the top of its column, full or not."""
    holes = hole_cells(c)
    return c.height * popcount(holes) - sum_of_rows(holes)


# Heights --------------------------------------------------------------------------------------------------------------


@term("sum_heights")
@term("max_height", LARGEST)
@term("min_height", SMALLEST)
def height_of(c):
    return c.height


@inlined
def lower_of(a, b):
    """The smaller of two."""
    return a + b - larger(a, b)


@inlined
def gap(a, b):
    """The absolute difference."""
    return larger(a - b, b - a)


@term("bumpiness", reach=STEP)
def bump_in(c):
    """The step from the left neighbour, up or down."""
    return select(c.inner, gap(c.left, c.height), spread(0))


@term("pattern_diversity", UNION, STEP)
def step_in(c):
    """The difference from the left neighbour as one bit of five, for −2 … 2; nothing for steeper steps."""
    step = c.height - c.left + spread(2)
    near = different(step & spread(-8), spread(0))  # negative or above 7: out of the question
    seen = (spread(1) << (step & spread(7))) & spread(31)
    return select(c.inner, select(near, spread(0), seen), spread(0))


def _bits(*steps: int) -> int:
    return sum(1 << "OSZTLJ".index(piece) for piece in FITS[steps])


ON_TWO = sum(_bits(step) << 6 * (step + 2) for step in range(-2, 3))
"""The pieces that stand on two columns, six bits for each step from −2 to 2."""
FLAT_FLAT, FLAT_UP, DOWN_FLAT = _bits(0, 0), _bits(0, 1), _bits(-1, 0)


@term("fitting_pieces", UNION, WELLS)
def fitting_in(c):
    """The pieces that fit on a column and its left neighbour, or also its right one, as bits; I fits everywhere."""
    step, next_step = c.height - c.left, c.right - c.height
    steep = above(gap(c.left, c.height), spread(2))
    place = select(c.inner, select(steep, spread(5), step + spread(2)), spread(5))
    on_two = (spread(ON_TWO) >> (place + place + place + place + place + place)) & spread(63)
    flat, rises = different(next_step, spread(0)), different(next_step, spread(1))
    after_flat = select(flat, select(rises, spread(0), spread(FLAT_UP)), spread(FLAT_FLAT))
    after_fall = select(flat, spread(0), spread(DOWN_FLAT))
    level, falls = different(step, spread(0)), different(step, spread(-1))
    on_three = select(level, select(falls, spread(0), after_fall), after_flat)
    return on_two | select(c.inner, on_three, spread(0))


# Wells ----------------------------------------------------------------------------------------------------------------


@inlined
def wells_in(column, left, right):
    """Empty cells whose left and right neighbours are full, as bits."""
    return flipped(column) & left & right


@inlined
def shallow_wells(well, empty):
    """For each well cell the length of the run of empty cells going down from it, as far as it is shallow; the rest.

    A run is longer than k when the k cells under it are empty too: count the survivors of each shift.
    """
    sum_ = counts(well)
    well &= empty << spread(1)
    sum_ += counts(well)
    well &= empty << spread(2)
    sum_ += counts(well)
    well &= empty << spread(3)
    sum_ += counts(well)
    return sum_, well


@inlined
def deep_wells(well, empty, sum_):
    """Go on with `shallow_wells` below the shallow part."""
    shifted = empty << spread(SHALLOW - 1)
    while some(well):
        shifted = shifted << spread(1)
        well &= shifted
        sum_ += popcount(well)
    return sum_


@inlined
def all_wells(well, empty):
    """The same to the bottom."""
    sum_, deeper = shallow_wells(well, empty)
    sum_ = counted(sum_)
    if some(deeper):
        sum_ = deep_wells(deeper, empty, sum_)
    return sum_


@term("cumulative_wells", reach=WELLS)
def cumulative_wells_in(c):
    return all_wells(c.well, flipped(c.cells))


@inlined
def runs_under_wells(well, column):
    """Well cells and every empty cell under them down to the next full one, as bits."""
    empty = flipped(column)
    run = well | ((well >> spread(1)) & empty)
    empty &= empty >> spread(1)
    run |= (run >> spread(2)) & empty
    empty &= empty >> spread(2)
    run |= (run >> spread(4)) & empty
    empty &= empty >> spread(4)
    run |= (run >> spread(8)) & empty
    empty &= empty >> spread(8)
    return run | ((run >> spread(16)) & empty)


@term("cumulative_wells_fast", reach=RUNS)
def cumulative_runs_in(c):
    return all_wells(c.run, c.run)


@term("cumulative_open_wells", reach=WELLS)
def cumulative_open_wells_in(c):
    """Above the column the depth of a cell is its row, counted from 1, less the height."""
    well = c.well & flipped((spread(1) << c.height) - spread(1))
    return sum_of_rows(well) - c.height * popcount(well)


@term("well_depth_sum", reach=WELLS)
def depth_between_neighbours(c):
    return larger(c.lower - c.height, spread(0))


@term("well_cells", COUNT, RUNS)
def run_cells_in(c):
    return c.run


@term("max_well_depth", LARGEST, RUNS)
def longest_run_in(c):
    """The length of the longest run."""
    length, run = spread(0), c.run
    while some(run):
        length += select(different(run, spread(0)), spread(1), spread(0))
        run &= run << spread(1)
    return length


@term("well_count", COUNT, RUNS)
def runs_in(c):
    """The lowest cell of every run."""
    return c.run & flipped(c.run << spread(1))


@term("pit_depth", COUNT, RUNS)
def long_run_cells_in(c):
    """Cells in runs of two or more."""
    return c.run & ((c.run << spread(1)) | (c.run >> spread(1)))
