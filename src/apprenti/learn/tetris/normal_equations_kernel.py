"""Games of a greedy player, and the sums from which its value function is fitted.

A game is a sequence of walls s₀ (empty), s₁, …, s_N. Nothing of it is kept but what least squares need: a matrix and a
vector, to which every wall adds its share as it is met, so that a game may last as long as it likes.

Three methods differ in what a wall adds (`what`), with φ the criteria of a wall and V = r·φ its value:

- `DIFFERENCES` (λ-policy iteration): the equations V(sₖ) = V_t(sₖ) + Σ (γλ)ˢ⁻ᵏ d_s. The sum runs over the future; the
  trace z_s = Σ (γλ)ˢ⁻ᵏ φ(sₖ) turns it round, for Σₖ φ(sₖ) Σ_s (γλ)ˢ⁻ᵏ d_s = Σ_s d_s z_s.
- `PAIRS` (LSPI): for each wall and move of a first player, φ (φ − γ φ′)ᵀ and φ R; φ′ is the mean, over the next piece,
  of what the present player would do.
- `BACKUPS` (approximate value iteration): the equations V(sₖ) = mean over pieces of the best R + γ V_t(s′).
"""

from apprenti.core.compiled import called, inlined, kernel
from apprenti.games.tetris.fast.primitives import (
    LANES,
    MOST_ORIENTATIONS,
    NEVER,
    TERMS_SIZE,
    address,
    allow,
    at,
    book,
    choose,
    clear_board,
    deal,
    describe,
    lay_down,
    load,
    measure,
    measure_move,
    pile_height,
    resting_row,
    settle,
    spread_real,
    store,
)

DIFFERENCES, PAIRS, BACKUPS = range(3)

AVOIDED, WORTH_NOTHING, BY_CRITERIA = range(3)
"""What the end of the game is to the player: less than anything, 0, or what the criteria say of the dead wall."""

# `job`: what to add up, how many criteria there are and how long a row of them is, and what an end is to the player
WHAT, SIZE, STRIDE, END, END_BEFORE, HISTORIC, JOB_SIZE = range(7)
# `rates`: γ, λ, and what a line is worth beside the value of the wall
GAMMA, LAMBDA, REWARD, RATES_SIZE = range(4)
# `scratch`: the terms of three boards, and the criteria of three, their mean and the trace
BOARDS = 3
VECTORS = 5
# `sums`: the rows of the matrix, then the vector, then the squares of the criteria


# Vectors --------------------------------------------------------------------------------------------------------------


@inlined
def dot(a, b, size):
    """The sum of products, from left to right."""
    sum_ = 0.0
    for i in range(size):
        sum_ += a[i] * b[i]
    return sum_


@inlined
def add(target, at_, factor, v, stride):
    """Add a multiple of a vector to the numbers from `at_` on."""
    for j in range(0, stride, LANES):
        store(target, at_ + j, load(target, at_ + j) + spread_real(factor) * load(v, j))


@inlined
def add_product(sums, left, right, job):
    """Add left rightᵀ to the matrix."""
    for i in range(job[SIZE]):
        if left[i] != 0.0:
            add(sums, i * job[STRIDE], left[i], right, job[STRIDE])


@inlined
def add_vector(sums, factor, v, job):
    """Add a multiple of v to the vector."""
    add(sums, job[SIZE] * job[STRIDE], factor, v, job[STRIDE])


@inlined
def clear(v, stride):
    """Make a vector 0."""
    for j in range(stride):
        v[j] = 0.0


# One move -------------------------------------------------------------------------------------------------------------


@called
def follow(plan, game, work, target, shapes, o, c, before, terms, measured, criteria):
    """Play a placement into `target` and write the criteria of that wall; the lines, and whether it is the end."""
    width, limit = game[at.BOARD_WIDTH], game[at.LIMIT]
    y, lines, cells, over = resting_row(work, shapes, o, c), 0, 0, True
    if y + shapes[o + at.HEIGHT] > game[at.ROWS]:
        lay_down(work, target, shapes, o, c)
    else:
        lines, cells = settle(work, target, shapes, o, c, (1 << limit) - 1, width)
        over = pile_height(target, width) > limit
    measure(plan, terms, load(target, at.COLUMNS), load(target, at.HEIGHTS), width, limit)
    measure_move(terms, y + 0.5 * (shapes[o + at.HEIGHT] - 1), lines, cells)
    recipe, shares, table, size = measured
    describe(before, terms, recipe, shares, table, size, criteria)
    return lines, over


@called
def best_end(
    plan, game, work, target, shapes, first, count, vector, end, reward, before, terms, measured, criteria, allowed,
    value,
):  # fmt: skip
    """The placement that ends the game and is worth more than `value`; −1 if there is none."""
    chosen, column = -1, 0
    for k in range(first, first + count):
        o = k * at.SHAPE_SIZE
        for c in range(game[at.BOARD_WIDTH]):
            if not (allowed[k] >> c) & 1:
                continue
            if resting_row(work, shapes, o, c) + shapes[o + at.HEIGHT] <= game[at.LIMIT]:
                continue
            lines, over = follow(plan, game, work, target, shapes, o, c, before, terms, measured, criteria)
            if not over:
                continue
            worth = reward * lines
            if end == BY_CRITERIA:
                worth += dot(vector, criteria, measured[3])
            if worth > value:
                chosen, column, value = o, c, worth
    return chosen, column, value


@called
def best(
    plan, game, work, target, shapes, pieces, piece, weights, vector, end, reward, before, terms, measured, criteria,
    allowed, values, luck,
):  # fmt: skip
    """Find the best placement and play it into `target`; its value, its lines, and whether it ends the game.

    The living placements are compared on the grid of the weights, as everywhere. An end is better only if it is worth
    more than the best of them.
    """
    first, count = pieces[2 * piece], pieces[2 * piece + 1]
    o, c, most = choose(plan, game, work, shapes, weights, values, first, count, allowed, luck)
    value, lines, over = NEVER, 0, True
    if most > NEVER or end == AVOIDED:
        lines, over = follow(plan, game, work, target, shapes, o, c, before, terms, measured, criteria)
    if most > NEVER:
        value = reward * lines + dot(vector, criteria, measured[3])
    elif end == AVOIDED:
        value = reward * lines  # it could not be avoided, and there is nothing after it
    near = pile_height(work, game[at.BOARD_WIDTH]) + at.WIDEST > game[at.LIMIT]
    tempting = end == BY_CRITERIA or value < reward * at.WIDEST * (game[at.ROWS] > game[at.LIMIT]) or value < 0.0
    if end != AVOIDED and near and tempting:
        last_o, last_c, value = best_end(
            plan, game, work, target, shapes, first, count, vector, end, reward, before, terms, measured, criteria,
            allowed, value,
        )  # fmt: skip
        if last_o >= 0:
            o, c = last_o, last_c
        lines, over = follow(plan, game, work, target, shapes, o, c, before, terms, measured, criteria)
    return value, lines, over


@inlined
def move_to(work, target):
    """The wall in `target` becomes the one to play on."""
    store(work, at.COLUMNS, load(target, at.COLUMNS))
    store(work, at.HEIGHTS, load(target, at.HEIGHTS))


@inlined
def first_wall(plan, game, work, terms, measured, criteria):
    """The criteria of the empty wall; those of a move are 0."""
    clear(terms, TERMS_SIZE)
    width, limit = game[at.BOARD_WIDTH], game[at.LIMIT]
    measure(plan, terms, load(work, at.COLUMNS), load(work, at.HEIGHTS), width, limit)
    recipe, shares, table, size = measured
    describe(terms, terms, recipe, shares, table, size, criteria)


# What a wall adds -----------------------------------------------------------------------------------------------------


@inlined
def add_differences(sums, values, criteria, following, trace, lines, over, stuck, job, rates):
    """The equations of a wall and of the step from it; and of the dead wall, if there is one.

    `values` has the value of this wall and of the next; the next one moves to the front.
    """
    value = values[0]
    values[0] = 0.0 if over and not job[HISTORIC] else values[1]
    for j in range(job[STRIDE]):
        trace[j] = rates[GAMMA] * rates[LAMBDA] * trace[j] + criteria[j]
    add_product(sums, criteria, criteria, job)
    add_vector(sums, value, criteria, job)
    add_vector(sums, lines + rates[GAMMA] * values[0] - value, trace, job)
    if over and not stuck:
        add_product(sums, following, following, job)
        add_vector(sums, values[0], following, job)


@inlined
def add_pair(sums, following, mean, lines, job, rates):
    """The equation of a wall and a move, whose criteria are `following`; `mean` is what comes next."""
    for j in range(job[STRIDE]):
        mean[j] = following[j] - rates[GAMMA] * mean[j]
        sums[(job[SIZE] + 1) * job[STRIDE] + j] += following[j] * following[j]
    add_product(sums, following, mean, job)
    add_vector(sums, lines, following, job)


@inlined
def add_backup(sums, criteria, following, backup, over, stuck, job):
    """The equation of a wall; of the dead wall too, if there is one, worth nothing."""
    add_product(sums, criteria, criteria, job)
    add_vector(sums, backup, criteria, job)
    if over and not stuck:
        add_product(sums, following, following, job)


@inlined
def keep_row(rows, number, criteria, size, lines, dead):
    """Write down a wall: its criteria, the lines of the move from it, and whether it is the dead one."""
    if (number + 1) * (size + 2) <= len(rows):
        for i in range(size):
            rows[number * (size + 2) + i] = criteria[i]
        rows[number * (size + 2) + size] = lines
        rows[number * (size + 2) + size + 1] = 1.0 if dead else 0.0


# A game ---------------------------------------------------------------------------------------------------------------


@inlined
def places_of(arrays):
    """Where each of three arrays lies."""
    return address(arrays[0], 0), address(arrays[1], 0), address(arrays[2], 0)


@inlined
def vectors_in(scratch, stride):
    """Where the five vectors lie, behind the terms of the boards."""
    first = BOARDS * TERMS_SIZE
    return (
        address(scratch, first), address(scratch, first + stride), address(scratch, first + 2 * stride),
        address(scratch, first + 3 * stride), address(scratch, first + 4 * stride),
    )  # fmt: skip


@inlined
def begin(plan, game, boards, bag, terms, measured, criteria, trace, stride):
    """An empty wall, and nothing behind it."""
    for i in range(BOARDS):
        clear_board(game, boards[i])
    clear(trace, stride)
    bag[0] = 0
    first_wall(plan, game, boards[0], terms, measured, criteria)


@inlined
def add_wall(sums, values, criteria, following, mean, trace, lines, backup, over, stuck, job, rates):
    """What a wall and the move from it add, by the method. `stuck`: there was no room for a piece, and no move."""
    if job[WHAT] == DIFFERENCES:
        add_differences(sums, values, criteria, following, trace, lines, over, stuck, job, rates)
    elif job[WHAT] == BACKUPS:
        add_backup(sums, criteria, following, backup, over, stuck, job)
    elif not stuck:
        add_pair(sums, following, mean, lines, job, rates)


@kernel()
def record_game(
    plan, tables, dealing, odds, job_, rates_, weights_, weights_before_, vectors, recipes, scratch, boards_, marks,
    numbers, seeds, sums_, result_, rows, stop,
):  # fmt: skip
    """Play one game and add up what it shows.

    The loop is not parted further: a function between this one and `best` would be one more time that the whole of a
    player is compiled.
    """
    (game, shapes, pieces), (open_, shares, sequence) = places_of(tables), places_of(dealing)
    job, rates, sums, result = address(job_, 0), address(rates_, 0), address(sums_, 0), address(result_, 0)
    weights, weights_before = address(weights_, 0), address(weights_before_, 0)
    vector, vector_before, value = places_of(vectors)
    what, size, stride = job[WHAT], job[SIZE], job[STRIDE]
    recipe, parts, table = places_of(recipes)
    measured = (recipe, parts, table, size)
    chance, luck, values, known = address(seeds, 0), address(seeds, 1), address(numbers, 0), address(numbers, LANES)
    allowed, reach = address(marks, 0), address(marks, 2 * MOST_ORIENTATIONS)
    bag = address(marks, 2 * MOST_ORIENTATIONS + 8)
    boards = (address(boards_, 0), address(boards_, at.WORK_SIZE), address(boards_, 2 * at.WORK_SIZE))
    work, target, beyond = boards
    before, terms, spare = address(scratch, 0), address(scratch, TERMS_SIZE), address(scratch, 2 * TERMS_SIZE)
    criteria, following, other, mean, trace = vectors_in(scratch, stride)
    begin(plan, game, boards, bag, before, measured, criteria, trace, stride)
    known[0] = dot(value, criteria, size)
    over, dealt = False, 0
    while result[at.R_PIECES] < game[at.MAX_PIECES] and not stop[0] and not over:
        piece = deal(game, bag, shares, sequence, dealt, chance)
        dealt += 1
        lines, over, backup = 0, True, 0.0
        stuck = not allow(game, work, shapes, pieces, piece, allowed, open_, reach)
        if not stuck:
            _, lines, over = best(
                plan, game, work, target, shapes, pieces, piece, weights_before, vector_before, job[END_BEFORE],
                rates[REWARD], before, terms, measured, following, allowed, values, luck,
            )  # fmt: skip
        clear(mean, stride)
        if what == BACKUPS or (what == PAIRS and not over):
            on, its = (target, terms) if what == PAIRS else (work, before)
            for piece in range(game[at.PIECES]):
                if odds[piece] > 0.0 and allow(game, on, shapes, pieces, piece, allowed, open_, reach):
                    worth, _, _ = best(
                        plan, game, on, beyond, shapes, pieces, piece, weights, vector, job[END], rates[REWARD], its,
                        spare, measured, other, allowed, values, luck,
                    )  # fmt: skip
                    backup += odds[piece] * worth
                    add(mean, 0, odds[piece], other, stride)
        keep_row(rows, result[at.R_PIECES], criteria, size, lines, False)
        known[1] = dot(value, criteria if stuck else following, size)
        add_wall(sums, known, criteria, following, mean, trace, lines, backup, over, stuck, job, rates)
        if not stuck:
            book(game, result, lines)
            move_to(work, target)
            before, terms = terms, before
            criteria, following = following, criteria
            keep_row(rows, result[at.R_PIECES], criteria, size, 0, over)
    result[at.R_DIED] = 1 if over else 0
