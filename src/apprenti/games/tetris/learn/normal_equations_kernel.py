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

from collections import namedtuple

from apprenti.core.compiled import called, inlined, kernel
from apprenti.games.tetris.fast.primitives import (
    LANES,
    NEVER,
    TERMS_SIZE,
    Recipes,
    Tables,
    add_to_result,
    address,
    allow,
    at,
    choose,
    clear_board,
    deal,
    describe,
    lay_down,
    load,
    measure,
    measure_move,
    pile_height,
    player_scratch_in,
    pointers_to,
    resting_row,
    settle,
    spread_real,
    store,
)

DIFFERENCES, PAIRS, BACKUPS = range(3)

AVOIDED, WORTH_NOTHING, BY_CRITERIA = range(3)
"""What the end of the game is to the player: less than anything, 0, or what the criteria say of the dead wall."""

BOARDS, VECTORS = 3, 5
"""Boards in `scratch`; vectors behind their terms in `numbers`: the criteria of three, their mean, and the trace."""


Job = namedtuple("Job", "what size stride historic gamma lambda_ reward keep")
"""What to add up; how many criteria there are, and how long a row of them is; whether a dead wall is worth what its
criteria say; γ, λ, what a line is worth to the players beside the value of the wall; how many walls to write down."""

GreedyPlayer = namedtuple("GreedyPlayer", "weights vector end")
"""A player: its weights on the grid, the same of the criteria as a vector, and what an end is to it."""

Players = namedtuple("Players", "now before value")
"""Who decides what to do, whose games they are, and the vector of the value function."""

Sums = namedtuple("Sums", "sums results walls")
"""What comes out: the rows of the matrix, then the vector, then the squares of the criteria; a result for each game;
for each game its first walls (the criteria, the lines of the move from it, and 1 if it is the dead one)."""

Measurement = namedtuple("Measurement", "before terms criteria recipes size")
"""Where a wall is measured: the terms of the wall before it and its own, its criteria, and how these are made."""


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
    for i in range(job.size):
        if left[i] != 0.0:
            add(sums, i * job.stride, left[i], right, job.stride)


@inlined
def add_vector(sums, factor, v, job):
    """Add a multiple of v to the vector."""
    add(sums, job.size * job.stride, factor, v, job.stride)


@inlined
def clear(v, stride):
    """Make a vector 0."""
    for j in range(stride):
        v[j] = 0.0


# One move -------------------------------------------------------------------------------------------------------------


@called
def follow(plan, rules, work, target, o, c, measurement):
    """Play a placement into `target` and write the criteria of that wall; the lines, and whether it is the end."""
    game, shapes, width, limit = rules.game, rules.shapes, rules.game[at.BOARD_WIDTH], rules.game[at.LIMIT]
    y, lines, cells, over = resting_row(work, shapes, o, c), 0, 0, True
    if y + shapes[o + at.HEIGHT] > game[at.ROWS]:
        lay_down(work, target, shapes, o, c)
    else:
        lines, cells = settle(work, target, shapes, o, c, (1 << limit) - 1, width)
        over = pile_height(target, width) > limit
    measure(plan, measurement.terms, load(target, at.COLUMNS), load(target, at.HEIGHTS), width, limit)
    measure_move(measurement.terms, y + 0.5 * (shapes[o + at.HEIGHT] - 1), lines, cells)
    describe(measurement.before, measurement.terms, measurement.recipes, measurement.size, measurement.criteria)
    return lines, over


@called
def best_end(plan, rules, player, reward, work, target, piece, allowed, measurement, value):
    """The placement that ends the game and is worth more than `value`; −1 if there is none."""
    game, shapes, first, count = rules.game, rules.shapes, rules.pieces[2 * piece], rules.pieces[2 * piece + 1]
    chosen, column = -1, 0
    for k in range(first, first + count):
        o = k * at.SHAPE_SIZE
        for c in range(game[at.BOARD_WIDTH]):
            if not (allowed[k] >> c) & 1:
                continue
            if resting_row(work, shapes, o, c) + shapes[o + at.HEIGHT] <= game[at.LIMIT]:
                continue
            lines, over = follow(plan, rules, work, target, o, c, measurement)
            if not over:
                continue
            worth = reward * lines
            if player.end == BY_CRITERIA:
                worth += dot(player.vector, measurement.criteria, measurement.size)
            if worth > value:
                chosen, column, value = o, c, worth
    return chosen, column, value


@called
def best(plan, rules, player, reward, space, work, target, piece, measurement, luck):
    """Find the best placement and play it into `target`; its value, its lines, and whether it ends the game.

    The living placements are compared on the grid of the weights, as everywhere. An end is better only if it is worth
    more than the best of them.
    """
    game, end, allowed = rules.game, player.end, space.allowed
    o, c, most = choose(plan, rules, player.weights, work, piece, allowed, space.values, luck)
    value, lines, over = NEVER, 0, True
    if most > NEVER or end == AVOIDED:
        lines, over = follow(plan, rules, work, target, o, c, measurement)
    if most > NEVER:
        value = reward * lines + dot(player.vector, measurement.criteria, measurement.size)
    elif end == AVOIDED:
        value = reward * lines  # it could not be avoided, and there is nothing after it
    near = pile_height(work, game[at.BOARD_WIDTH]) + at.WIDEST > game[at.LIMIT]
    tempting = end == BY_CRITERIA or value < reward * at.WIDEST * (game[at.ROWS] > game[at.LIMIT]) or value < 0.0
    if end != AVOIDED and near and tempting:
        last_o, last_c, value = best_end(plan, rules, player, reward, work, target, piece, allowed, measurement, value)
        if last_o >= 0:
            o, c = last_o, last_c
        lines, over = follow(plan, rules, work, target, o, c, measurement)
    return value, lines, over


@inlined
def move_to(work, target):
    """The wall in `target` becomes the one to play on."""
    store(work, at.COLUMNS, load(target, at.COLUMNS))
    store(work, at.HEIGHTS, load(target, at.HEIGHTS))


@inlined
def first_wall(plan, game, work, measurement):
    """The criteria of the empty wall; those of a move are 0."""
    clear(measurement.terms, TERMS_SIZE)
    width, limit = game[at.BOARD_WIDTH], game[at.LIMIT]
    measure(plan, measurement.terms, load(work, at.COLUMNS), load(work, at.HEIGHTS), width, limit)
    describe(measurement.terms, measurement.terms, measurement.recipes, measurement.size, measurement.criteria)


# What a wall adds -----------------------------------------------------------------------------------------------------


@inlined
def add_differences(sums, values, criteria, following, trace, lines, over, stuck, job):
    """The equations of a wall and of the step from it; and of the dead wall, if there is one.

    `values` has the value of this wall and of the next; the next one moves to the front.
    """
    value = values[0]
    values[0] = 0.0 if over and not job.historic else values[1]
    for j in range(job.stride):
        trace[j] = job.gamma * job.lambda_ * trace[j] + criteria[j]
    add_product(sums, criteria, criteria, job)
    add_vector(sums, value, criteria, job)
    add_vector(sums, lines + job.gamma * values[0] - value, trace, job)
    if over and not stuck:
        add_product(sums, following, following, job)
        add_vector(sums, values[0], following, job)


@inlined
def add_pair(sums, following, mean, lines, job):
    """The equation of a wall and a move, whose criteria are `following`; `mean` is what comes next."""
    for j in range(job.stride):
        mean[j] = following[j] - job.gamma * mean[j]
        sums[(job.size + 1) * job.stride + j] += following[j] * following[j]
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
def keep_wall(walls, number, criteria, job, lines, dead):
    """Write down a wall, if it is one of the first."""
    if number < job.keep:
        row = address(walls, number * (job.size + 2))
        for i in range(job.size):
            row[i] = criteria[i]
        row[job.size], row[job.size + 1] = lines, 1.0 if dead else 0.0


# A game ---------------------------------------------------------------------------------------------------------------


@inlined
def vectors_in(numbers, stride):
    """Where the five vectors lie, behind the terms of the boards."""
    first = BOARDS * TERMS_SIZE
    return (
        address(numbers, first), address(numbers, first + stride), address(numbers, first + 2 * stride),
        address(numbers, first + 3 * stride), address(numbers, first + 4 * stride),
    )  # fmt: skip


@inlined
def begin(plan, game, boards, bag, measurement, trace, stride):
    """An empty wall, and nothing behind it."""
    for i in range(BOARDS):
        clear_board(game, boards[i])
    clear(trace, stride)
    bag[0] = 0
    first_wall(plan, game, boards[0], measurement)


@inlined
def add_wall(sums, values, criteria, following, mean, trace, lines, backup, over, stuck, job):
    """What a wall and the move from it add, by the method. `stuck`: there was no room for a piece, and no move."""
    if job.what == DIFFERENCES:
        add_differences(sums, values, criteria, following, trace, lines, over, stuck, job)
    elif job.what == BACKUPS:
        add_backup(sums, criteria, following, backup, over, stuck, job)
    elif not stuck:
        add_pair(sums, following, mean, lines, job)


@kernel()
def record_games(plan, tables, job, players, odds, recipes_, scratch, numbers, seeds, out, stop):
    """Play a game for each pair of seeds and add up what they show.

    The loop is not parted further: a function between this one and `best` would be one more time that the whole of a
    player is compiled.
    """
    rules, space, recipes = pointers_to(Tables, tables), player_scratch_in(scratch), pointers_to(Recipes, recipes_)
    now, earlier, value = (
        pointers_to(GreedyPlayer, players.now),
        pointers_to(GreedyPlayer, players.before),
        address(players.value, 0),
    )
    game, sums, known = rules.game, address(out.sums, 0), space.odds
    what, size, stride, reward = job.what, job.size, job.stride, job.reward
    boards = (space.work, space.ahead, address(scratch[0], 2 * at.WORK_SIZE))
    work, target, beyond = boards
    before, terms, spare = address(numbers, 0), address(numbers, TERMS_SIZE), address(numbers, 2 * TERMS_SIZE)
    criteria, following, other, mean, trace = vectors_in(numbers, stride)
    for i in range(len(seeds) // 2):
        chance, luck = address(seeds, 2 * i), address(seeds, 2 * i + 1)
        result, walls = address(out.results, i * at.RESULT_SIZE), address(out.walls, i * job.keep * (size + 2))
        begin(plan, game, boards, space.bag, Measurement(before, before, criteria, recipes, size), trace, stride)
        known[0] = dot(value, criteria, size)
        over, dealt = False, 0
        while result[at.R_PIECES] < game[at.MAX_PIECES] and not stop[0] and not over:
            piece = deal(rules, space.bag, dealt, chance)
            dealt += 1
            lines, over, backup = 0, True, 0.0
            stuck = not allow(rules, work, piece, space.allowed, space.reach)
            if not stuck:
                measurement = Measurement(before, terms, following, recipes, size)
                _, lines, over = best(plan, rules, earlier, reward, space, work, target, piece, measurement, luck)
            clear(mean, stride)
            if what == BACKUPS or (what == PAIRS and not over):
                on, its = (target, terms) if what == PAIRS else (work, before)
                for piece in range(game[at.PIECES]):
                    if odds[piece] > 0.0 and allow(rules, on, piece, space.allowed, space.reach):
                        measurement = Measurement(its, spare, other, recipes, size)
                        worth, _, _ = best(plan, rules, now, reward, space, on, beyond, piece, measurement, luck)
                        backup += odds[piece] * worth
                        add(mean, 0, odds[piece], other, stride)
            keep_wall(walls, result[at.R_PIECES], criteria, job, lines, False)
            known[1] = dot(value, criteria if stuck else following, size)
            add_wall(sums, known, criteria, following, mean, trace, lines, backup, over, stuck, job)
            if not stuck:
                add_to_result(game, result, lines)
                move_to(work, target)
                before, terms = terms, before
                criteria, following = following, criteria
                keep_wall(walls, result[at.R_PIECES], criteria, job, 0, over)
        result[at.R_DIED] = 1 if over else 0
