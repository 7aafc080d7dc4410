"""What one column contributes to each criterion, for sixteen columns at once.

A column is a number: bit r is set when the cell of row r is full. These functions do not know what their lanes are: the
columns of one board (`whole.py`), or the same column after a drop at sixteen different places (`drops.py`).
"""

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel.lanes import bits, different, flipped, larger, popcount, select, spread

SHALLOW = 4
"""Wells this deep are counted without a branch; deeper ones are rare and take a loop."""


@inlined
def some(v):
    """Whether any lane is not zero."""
    return bits(different(v, spread(0))) != 0


@inlined
def below(height):
    """All cells under a height."""
    return (spread(1) << height) - spread(1)


@inlined
def transitions_in(column):
    """Changes between full and empty from the floor (full) to the sky (empty)."""
    return popcount(column ^ ((column << spread(1)) | spread(1)))


@inlined
def holes_in(column, height):
    """Empty cells with a full cell somewhere above."""
    return height - popcount(column)


@inlined
def hole_cells(column, height):
    """The same cells, as bits."""
    return below(height) & flipped(column)


@inlined
def hole_depth_in(column):
    """Full cells above an empty one: adding 1 carries through the full cells at the bottom, the others remain."""
    return popcount(column & (column + spread(1)))


@inlined
def weighted_cells_in(column):
    """Sum of the rows of the full cells, counted from 1, one binary digit of the row number at a time."""
    shifted = column << spread(1)
    sum_ = popcount(shifted & spread(-0x55555556))
    sum_ += popcount(shifted & spread(-0x33333334)) << spread(1)
    sum_ += popcount(shifted & spread(-0x0F0F0F10)) << spread(2)
    sum_ += popcount(shifted & spread(-0x00FF0100)) << spread(3)
    return sum_ + (popcount(shifted & spread(-0x00010000)) << spread(4))


@inlined
def hard_holes_in(column, height):
    """For each hole the number of full cells above it: what must go before it can be filled."""
    holes = hole_cells(column, height)
    sum_ = spread(0)
    while some(holes):
        lowest = holes & (spread(0) - holes)
        above = column & flipped(lowest | (lowest - spread(1)))
        sum_ += select(different(holes, spread(0)), popcount(above), spread(0))
        holes &= holes - spread(1)
    return sum_


@inlined
def hole_burial_in(column, height):
    """For each hole the number of cells between it and the top of its column, full or not."""
    holes = hole_cells(column, height)
    rows_from_one = weighted_cells_in(holes)
    return height * popcount(holes) - rows_from_one


@inlined
def wells_in(column, left, right):
    """Empty cells whose left and right neighbours are full, as bits."""
    return flipped(column) & left & right


@inlined
def deep_wells(well, empty, sum_):
    """Go on with `cumulative_wells_in` below the shallow part."""
    shifted = empty << spread(SHALLOW - 1)
    while some(well):
        shifted = shifted << spread(1)
        well &= shifted
        sum_ += popcount(well)
    return sum_


@inlined
def cumulative_wells_in(well, column):
    """For each well cell the length of the run of empty cells going down from it.

    A run is longer than k when the k cells under it are empty too: count the survivors of each shift.
    """
    empty = flipped(column)
    sum_ = popcount(well)
    well &= empty << spread(1)
    sum_ += popcount(well)
    well &= empty << spread(2)
    sum_ += popcount(well)
    well &= empty << spread(3)
    sum_ += popcount(well)
    return sum_, well


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


@inlined
def longest_run(run):
    """The length of the longest run of cells."""
    length = spread(0)
    while some(run):
        length += select(different(run, spread(0)), spread(1), spread(0))
        run &= run << spread(1)
    return length


@inlined
def run_count(run):
    """How many runs of cells there are."""
    return popcount(run & flipped(run << spread(1)))


@inlined
def cells_in_long_runs(run):
    """Cells in runs of two or more."""
    return popcount(run & ((run << spread(1)) | (run >> spread(1))))


@inlined
def gap(a, b):
    """The absolute difference."""
    return larger(a - b, b - a)


@inlined
def step_seen(from_height, to_height):
    """The difference of two neighbours as one bit of five, for −2 … 2; nothing for steeper steps."""
    step = to_height - from_height + spread(2)
    near = different(step & spread(-8), spread(0))  # negative or above 7: out of the question
    seen = (spread(1) << (step & spread(7))) & spread(31)
    return select(near, spread(0), seen)
