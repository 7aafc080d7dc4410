"""The criteria of many boards, each as a number of its own: for learners that weigh them elsewhere.

`whole.py` weighs all criteria of a player into one number and leaves out what moves no choice; this gives them singly,
from the same functions of a column.
"""

from apprenti.core.compiled import called, inlined, kernel
from apprenti.games.tetris.kernel.columns import (
    cells_in_long_runs,
    gap,
    hard_holes_in,
    hole_burial_in,
    hole_cells,
    hole_depth_in,
    holes_in,
    longest_run,
    run_count,
    runs_under_wells,
    step_seen,
    transitions_in,
    weighted_cells_in,
    wells_in,
)
from apprenti.games.tetris.kernel.lanes import (
    LANES,
    address,
    any_bits,
    bit_length,
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
    total,
)
from apprenti.games.tetris.kernel.plan import TERM
from apprenti.games.tetris.kernel.whole import TALL, cumulative_wells_of

ROW_TRANSITIONS, COLUMN_TRANSITIONS = TERM["row_transitions"], TERM["column_transitions"]
HOLES, HOLE_DEPTH, HARD_HOLES = TERM["holes"], TERM["hole_depth"], TERM["hard_holes"]
ROWS_WITH_HOLES, MEAN_HOLE_DEPTH = TERM["rows_with_holes"], TERM["mean_hole_depth"]
CUMULATIVE_WELLS, CUMULATIVE_WELLS_FAST = TERM["cumulative_wells"], TERM["cumulative_wells_fast"]
WELL_DEPTH_SUM, MAX_WELL_DEPTH = TERM["well_depth_sum"], TERM["max_well_depth"]
WELL_COUNT, PIT_DEPTH = TERM["well_count"], TERM["pit_depth"]
MAX_HEIGHT, MIN_HEIGHT, SUM_HEIGHTS = TERM["max_height"], TERM["min_height"], TERM["sum_heights"]
BUMPINESS, PATTERN_DIVERSITY = TERM["bumpiness"], TERM["pattern_diversity"]
OCCUPIED_CELLS, WEIGHTED_CELLS = TERM["occupied_cells"], TERM["weighted_cells"]


@inlined
def row_transitions(columns, wall):
    right_wall = select(from_bits(1 << (LANES - 1)), popcount(columns ^ spread(wall)), spread(0))
    return total(popcount(columns ^ from_left(columns, spread(wall)))) + total(right_wall)


@inlined
def of_holes(term, columns, heights, inside):
    """The terms that speak of holes."""
    if term == HOLES:
        return float(total(select(inside, holes_in(columns, heights), spread(0))))
    if term == HOLE_DEPTH:
        return float(total(select(inside, hole_depth_in(columns), spread(0))))
    if term == HARD_HOLES:
        return float(total(select(inside, hard_holes_in(columns, heights), spread(0))))
    if term == ROWS_WITH_HOLES:
        return float(count_bits(any_bits(select(inside, hole_cells(columns, heights), spread(0)))))
    holes = total(select(inside, holes_in(columns, heights), spread(0)))
    burial = total(select(inside, hole_burial_in(columns, heights), spread(0)))
    return burial / holes if holes else 0.0


@inlined
def of_wells(term, columns, wall):
    """The terms that speak of wells; walls are full and have none."""
    well = wells_in(columns, from_left(columns, spread(wall)), from_right(columns, spread(wall)))
    if term == CUMULATIVE_WELLS:
        return total(cumulative_wells_of(well, columns))
    run = runs_under_wells(well, columns)
    if term == CUMULATIVE_WELLS_FAST:
        return total(cumulative_wells_of(run, flipped(run)))
    if term == WELL_DEPTH_SUM:
        return total(popcount(run))
    if term == WELL_COUNT:
        return total(run_count(run))
    if term == PIT_DEPTH:
        return total(cells_in_long_runs(run))
    return largest(longest_run(run))


@inlined
def of_heights(term, columns, heights, inside, width):
    """The terms that speak of heights, steps and cells."""
    own, before, pairs = select(inside, heights, spread(0)), from_left(heights, spread(0)), from_bits((1 << width) - 2)
    if term == MAX_HEIGHT:
        return largest(own)
    if term == MIN_HEIGHT:
        return smallest(select(inside, heights, spread(TALL)))
    if term == SUM_HEIGHTS:
        return total(own)
    if term == BUMPINESS:
        return total(select(pairs, gap(heights, before), spread(0)))
    if term == PATTERN_DIVERSITY:
        return count_bits(any_bits(select(pairs, step_seen(before, heights), spread(0))))
    if term == OCCUPIED_CELLS:
        return total(select(inside, popcount(columns), spread(0)))
    return total(select(inside, weighted_cells_in(columns), spread(0)))


@called
def measure_one(term, columns, width, wall):
    """One term of one board."""
    inside = from_bits((1 << width) - 1)
    board = select(inside, load(columns, 0), spread(wall))
    heights = bit_length(board)
    if term == ROW_TRANSITIONS:
        return float(row_transitions(board, wall))
    if term == COLUMN_TRANSITIONS:
        return float(total(select(inside, transitions_in(board), spread(0))))
    if term in (HOLES, HOLE_DEPTH, HARD_HOLES, ROWS_WITH_HOLES, MEAN_HOLE_DEPTH):
        return of_holes(term, board, heights, inside)
    if CUMULATIVE_WELLS <= term <= PIT_DEPTH:
        return float(of_wells(term, board, wall))
    return float(of_heights(term, board, heights, inside, width))


@kernel()
def measure_boards(columns, width, height, terms, values):
    """Write each of the terms, by their codes, for each board."""
    wall = (1 << height) - 1
    for board in range(len(columns) // LANES):
        for k in range(len(terms)):
            values[board * len(terms) + k] = measure_one(terms[k], address(columns, board * LANES), width, wall)
