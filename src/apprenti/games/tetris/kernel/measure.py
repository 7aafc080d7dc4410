"""The terms of one whole board, one number each: what a value function is fitted to.

`whole.py` weighs and adds; here nothing is weighed. The formulas of a column are the same (`columns.py`). A board may
be higher than the rules allow, as it is when a piece sticks out at the end: the criteria are still what
`games/tetris/criteria.py` says of such a board.
"""

from collections import namedtuple

from apprenti.core.compiled import inlined, kernel
from apprenti.games.tetris.kernel.choose import OF_THE_MOVE
from apprenti.games.tetris.kernel.columns import COLUMN_TERMS, gap, hole_burial_in, holes_in
from apprenti.games.tetris.kernel.lanes import (
    LANES,
    address,
    as_real,
    bit_length,
    from_bits,
    from_left,
    load,
    pointers_to,
    popcount,
    select,
    spread,
    store,
    total,
)
from apprenti.games.tetris.kernel.plan import TERM, by_plan, in_turn
from apprenti.games.tetris.kernel.whole import MEAN_HOLE_DEPTH, ROW_TRANSITIONS, column_of

OF_COLUMN = 32
OF_PAIR = 64
TERMS_SIZE = 96
"""`terms`: the terms by their code, then the height of each column, then the step from its left neighbour."""

NO_TERM = 31
"""A place that is always 0."""

SUM_HEIGHTS = TERM["sum_heights"]


def _nothing(*_):
    return


@inlined
def _nothing_more(_, __):
    return


def _joined(term):
    give, code, of_all, nothing = term.give, term.code, term.join.of_all, term.join.nothing

    def write(plan, terms, c, inside, limit):
        terms[code] = of_all(select(inside, give(c), spread(nothing)))

    return write


def row_transitions(plan, terms, c, inside, limit):
    wall = spread((1 << limit) - 1)
    cells = c.cells & wall  # outside the board all cells are full; above it nothing is counted
    last = select(from_bits(1 << 15), popcount(cells ^ wall), spread(0))
    terms[ROW_TRANSITIONS] = total(popcount(cells ^ from_left(cells, wall)) + last)


def mean_hole_depth(plan, terms, c, inside, limit):
    holes = total(select(inside, holes_in(c), spread(0)))
    burial = total(select(inside, hole_burial_in(c), spread(0)))
    terms[MEAN_HOLE_DEPTH] = burial / holes if holes else 0.0


def column_heights(plan, terms, c, inside, limit):
    store(terms, OF_COLUMN, as_real(c.height))


def height_differences(plan, terms, c, inside, limit):
    store(terms, OF_PAIR, as_real(select(c.inner, gap(c.height, c.left), spread(0))))


def height_rbf(plan, terms, c, inside, limit):
    terms[SUM_HEIGHTS] = total(c.height)


write_terms = by_plan(
    {
        **{name: _joined(term) for name, term in COLUMN_TERMS.items()},
        "row_transitions": row_transitions,
        "mean_hole_depth": mean_hole_depth,
        "column_heights": column_heights,
        "height_differences": height_differences,
        "height_rbf": height_rbf,
    },
    otherwise=_nothing,
    join=_nothing_more,
)


@inlined
def measure(plan, terms, columns, heights, width, limit):
    """Write the terms of a board given as lanes, except those of the move that led to it."""
    inside = from_bits((1 << width) - 1)
    columns, heights = select(inside, columns, spread(-1)), select(inside, heights, spread(0))
    write_terms(plan, terms, column_of(plan, columns, heights, width, -1), inside, limit)


def _of_the_move(code, give):
    def write(terms, landing, lines, cells):
        terms[code] = give(landing, lines, cells)

    return write


measure_move = inlined(in_turn([_of_the_move(TERM[name], give) for name, give in OF_THE_MOVE.items()], _nothing_more))
"""Write the terms of the move that led to a board: (terms, landing height, lines, cells of the piece in them)."""


# From terms to criteria -----------------------------------------------------------------------------------------------


Recipes = namedtuple("Recipes", "recipe shares table")
"""How criteria are made from terms. For each two terms, whether it is the change of them, and its column in `table` (or
`NO_BUMP`); what the two terms are multiplied by, and what is added; five numbers for each sum of heights."""
FIRST, SECOND, CHANGES, BUMP, RECIPE_SIZE = range(5)
OF_FIRST, OF_SECOND, PLUS, SHARES_SIZE = range(4)
NO_BUMP = -1
BUMPS = 5


@inlined
def combined(terms, recipe, shares):
    sum_ = terms[recipe[FIRST]] * shares[OF_FIRST] + shares[PLUS]
    if recipe[SECOND] != NO_TERM:
        sum_ += terms[recipe[SECOND]] * shares[OF_SECOND]
    return sum_


@inlined
def describe(before, terms, recipes, size, criteria):
    """Write the criteria of a board from its terms and those of the board before it."""
    for i in range(size):
        recipe, shares = address(recipes.recipe, i * RECIPE_SIZE), address(recipes.shares, i * SHARES_SIZE)
        criteria[i] = combined(terms, recipe, shares)
        if recipe[CHANGES]:
            criteria[i] -= combined(before, recipe, shares)
        elif recipe[BUMP] != NO_BUMP:
            criteria[i] = recipes.table[int(terms[SUM_HEIGHTS]) * BUMPS + recipe[BUMP]]


@kernel()
def criteria_of(plan, columns, width, limit, recipes, terms, criteria):
    """Write the criteria of a board that is given by its columns."""
    lanes, numbers = load(address(columns, 0), 0), address(terms, 0)
    measure(plan, numbers, lanes, bit_length(lanes), width, limit)
    describe(numbers, numbers, pointers_to(Recipes, recipes), len(criteria), address(criteria, 0))


@kernel()
def measure_boards(plan, boards, width, limit, terms, wanted, values):
    """Write the wanted terms, by their codes, of each board; a board is sixteen columns."""
    numbers = address(terms, 0)
    for board in range(len(boards) // LANES):
        lanes = load(address(boards, board * LANES), 0)
        measure(plan, numbers, lanes, bit_length(lanes), width, limit)
        for k in range(len(wanted)):
            values[board * len(wanted) + k] = numbers[wanted[k]]
