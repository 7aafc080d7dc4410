"""The terms of one whole board, one number each: what a value function is fitted to.

`whole.py` weighs and adds; here nothing is weighed. The formulas of a column are the same (`columns.py`). A board may
be higher than the rules allow, as it is when a piece sticks out at the end: the criteria are still what
`games/tetris/features.py` says of such a board.
"""

from apprenti.core.compiled import inlined, kernel
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
    as_real,
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
    store,
    total,
)
from apprenti.games.tetris.kernel.plan import HEIGHT_TERMS, STEP_TERMS, TERM, only_with
from apprenti.games.tetris.kernel.whole import TALL, cumulative_wells_of

OF_COLUMN = 32
OF_PAIR = 64
TERMS_SIZE = 96
"""`terms`: the terms by their code, then the height of each column, then the step to its right neighbour."""

NO_TERM = 31
"""A place that is always 0."""

LANDING, ERODED, LINES, MEAN_HOLE_DEPTH = (
    TERM[name] for name in ("landing_height", "eroded_piece_cells", "lines", "mean_hole_depth")
)
T_ROW_TRANSITIONS, T_COLUMN_TRANSITIONS, T_HOLES = TERM["row_transitions"], TERM["column_transitions"], TERM["holes"]
T_CUMULATIVE_WELLS, T_CUMULATIVE_WELLS_FAST = TERM["cumulative_wells"], TERM["cumulative_wells_fast"]
T_WELL_DEPTH_SUM, T_MAX_WELL_DEPTH, T_WELL_COUNT = TERM["well_depth_sum"], TERM["max_well_depth"], TERM["well_count"]
T_PIT_DEPTH, T_HOLE_DEPTH, T_ROWS_WITH_HOLES = TERM["pit_depth"], TERM["hole_depth"], TERM["rows_with_holes"]
T_PATTERN_DIVERSITY, T_MAX_HEIGHT, T_MIN_HEIGHT = TERM["pattern_diversity"], TERM["max_height"], TERM["min_height"]
T_SUM_HEIGHTS, T_BUMPINESS, T_OCCUPIED_CELLS = TERM["sum_heights"], TERM["bumpiness"], TERM["occupied_cells"]
T_WEIGHTED_CELLS, T_HARD_HOLES = TERM["weighted_cells"], TERM["hard_holes"]


def _nothing(*_):
    return


@inlined
def sum_inside(inside, v):
    return total(select(inside, v, spread(0)))


@only_with("row_transitions", "column_transitions", otherwise=_nothing)
def measure_transitions(plan, terms, columns, inside, limit):
    if plan.row_transitions:
        wall = spread((1 << limit) - 1)
        cells = columns & wall  # outside the board all cells are full; above it nothing is counted
        last = select(from_bits(1 << 15), popcount(cells ^ wall), spread(0))
        terms[T_ROW_TRANSITIONS] = total(popcount(cells ^ from_left(cells, wall)) + last)
    if plan.column_transitions:
        terms[T_COLUMN_TRANSITIONS] = sum_inside(inside, transitions_in(columns))


@only_with("holes", "mean_hole_depth", "hole_depth", "hard_holes", "rows_with_holes", otherwise=_nothing)
def measure_holes(plan, terms, columns, heights, inside):
    if plan.holes or plan.mean_hole_depth:
        holes = sum_inside(inside, holes_in(columns, heights))
        terms[T_HOLES] = holes
        if plan.mean_hole_depth:
            burial = sum_inside(inside, hole_burial_in(columns, heights))
            terms[MEAN_HOLE_DEPTH] = burial / holes if holes else 0.0
    if plan.hole_depth:
        terms[T_HOLE_DEPTH] = sum_inside(inside, hole_depth_in(columns))
    if plan.hard_holes:
        terms[T_HARD_HOLES] = sum_inside(inside, hard_holes_in(select(inside, columns, spread(0)), heights))
    if plan.rows_with_holes:
        terms[T_ROWS_WITH_HOLES] = count_bits(any_bits(select(inside, hole_cells(columns, heights), spread(0))))


@only_with("cumulative_wells", "wells_by_run", otherwise=_nothing)
def measure_wells(plan, terms, columns):
    well = wells_in(columns, from_left(columns, spread(-1)), from_right(columns, spread(-1)))
    if plan.cumulative_wells:
        terms[T_CUMULATIVE_WELLS] = total(cumulative_wells_of(well, columns))
    if plan.wells_by_run:
        run = runs_under_wells(well, columns)
        terms[T_CUMULATIVE_WELLS_FAST] = total(cumulative_wells_of(run, flipped(run)))
        terms[T_WELL_DEPTH_SUM] = total(popcount(run))
        terms[T_WELL_COUNT] = total(run_count(run))
        terms[T_PIT_DEPTH] = total(cells_in_long_runs(run))
        terms[T_MAX_WELL_DEPTH] = largest(longest_run(run))


@only_with(*HEIGHT_TERMS, otherwise=_nothing)
def measure_heights(plan, terms, columns, heights, inside):
    terms[T_MAX_HEIGHT] = largest(heights)
    terms[T_MIN_HEIGHT] = smallest(select(inside, heights, spread(TALL)))
    terms[T_SUM_HEIGHTS] = total(heights)
    if plan.occupied_cells:
        terms[T_OCCUPIED_CELLS] = sum_inside(inside, popcount(columns))
    if plan.weighted_cells:
        terms[T_WEIGHTED_CELLS] = sum_inside(inside, weighted_cells_in(select(inside, columns, spread(0))))
    if plan.column_heights:
        store(terms, OF_COLUMN, as_real(heights))


@only_with(*STEP_TERMS, otherwise=_nothing)
def measure_steps(plan, terms, heights, width):
    pairs = from_bits((1 << (width - 1)) - 1)
    right = from_right(heights, spread(0))
    steps = select(pairs, gap(heights, right), spread(0))
    terms[T_BUMPINESS] = total(steps)
    if plan.pattern_diversity:
        terms[T_PATTERN_DIVERSITY] = count_bits(any_bits(select(pairs, step_seen(heights, right), spread(0))))
    if plan.height_differences:
        store(terms, OF_PAIR, as_real(steps))


@inlined
def measure(plan, terms, columns, heights, width, limit):
    """Write the terms of a board given as lanes, except those of the move that led to it."""
    inside = from_bits((1 << width) - 1)
    columns, heights = select(inside, columns, spread(-1)), select(inside, heights, spread(0))
    measure_transitions(plan, terms, columns, inside, limit)
    measure_holes(plan, terms, columns, heights, inside)
    measure_wells(plan, terms, columns)
    measure_heights(plan, terms, columns, heights, inside)
    measure_steps(plan, terms, heights, width)


@inlined
def measure_move(terms, landing, lines, cells):
    """Write the terms of the move that led to a board."""
    terms[LANDING], terms[ERODED], terms[LINES] = landing, lines * cells, lines


# From terms to criteria -----------------------------------------------------------------------------------------------

# `recipe`, for each criterion: two terms, whether it is the change of them, and its column in a table by sum of heights
FIRST, SECOND, CHANGES, BUMP, RECIPE_SIZE = range(5)
# `shares`, for each criterion: what the two terms are multiplied by, and what is added
OF_FIRST, OF_SECOND, PLUS, SHARES_SIZE = range(4)
NO_BUMP = -1
BUMPS = 5


@inlined
def combined(terms, recipe, shares, i):
    found = terms[recipe[i * RECIPE_SIZE + FIRST]] * shares[i * SHARES_SIZE + OF_FIRST] + shares[i * SHARES_SIZE + PLUS]
    if recipe[i * RECIPE_SIZE + SECOND] != NO_TERM:
        found += terms[recipe[i * RECIPE_SIZE + SECOND]] * shares[i * SHARES_SIZE + OF_SECOND]
    return found


@inlined
def describe(before, terms, recipe, shares, table, size, criteria):
    """Write the criteria of a board from its terms and those of the board before it."""
    for i in range(size):
        criteria[i] = combined(terms, recipe, shares, i)
        if recipe[i * RECIPE_SIZE + CHANGES]:
            criteria[i] -= combined(before, recipe, shares, i)
        elif recipe[i * RECIPE_SIZE + BUMP] != NO_BUMP:
            criteria[i] = table[int(terms[T_SUM_HEIGHTS]) * BUMPS + recipe[i * RECIPE_SIZE + BUMP]]


@kernel()
def criteria_of(plan, columns, width, limit, recipe, shares, table, terms, criteria):
    """Write the criteria of a board that is given by its columns."""
    lanes, numbers = load(address(columns, 0), 0), address(terms, 0)
    measure(plan, numbers, lanes, bit_length(lanes), width, limit)
    describe(
        numbers, numbers, address(recipe, 0), address(shares, 0), address(table, 0), len(criteria), address(criteria, 0)
    )


@kernel()
def measure_boards(plan, boards, width, limit, terms, wanted, values):
    """Write the wanted terms, by their codes, of each board; a board is sixteen columns."""
    numbers = address(terms, 0)
    for board in range(len(boards) // LANES):
        lanes = load(address(boards, board * LANES), 0)
        measure(plan, numbers, lanes, bit_length(lanes), width, limit)
        for k in range(len(wanted)):
            values[board * len(wanted) + k] = numbers[wanted[k]]
