"""Whole games in compiled code."""

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_random
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.choose import choose
from apprenti.games.tetris.kernel.columns import COLUMN_TERMS
from apprenti.games.tetris.kernel.groups import Tables, player_scratch_in
from apprenti.games.tetris.kernel.lanes import LANES, address, count_bits, fetch_and_add, lowest_bit, pointers_to
from apprenti.games.tetris.kernel.look import allow, look_ahead, pile_height, weights_now
from apprenti.games.tetris.kernel.plan import only_with
from apprenti.games.tetris.kernel.scans import SMALLEST
from apprenti.games.tetris.kernel.settle import resting_row, settle

SMALLEST_ROWS = tuple(term.row + at.STRIDE for term in COLUMN_TERMS.values() if term.join is SMALLEST)


@inlined
def clear_board(game, work):
    """An empty board with its walls."""
    width, limit = game[at.BOARD_WIDTH], game[at.LIMIT]
    for c in range(-at.PAD, at.STRIDE - at.PAD):
        inside = 0 <= c < width
        work[at.COLUMNS + c] = 0 if inside else (1 << limit) - 1
        work[at.HEIGHTS + c] = 0 if inside else limit
        work[at.INNER + c] = 1 if 1 <= c < width else 0
        if c >= LANES:  # what lies right of a board as wide as the lanes
            work[at.RIGHT_AND + c] = -1
            for row in SMALLEST_ROWS:
                work[row + c] = at.FAR


@inlined
def drawn_from_bag(game, bag, chance):
    """The next piece of the bag; `bag[0]` has a bit for each piece still in it."""
    if bag[0] == 0:
        bag[0] = (1 << game[at.PIECES]) - 1
    skip = int(next_random(chance) * count_bits(bag[0]))
    rest = bag[0]
    while skip:
        rest &= rest - 1
        skip -= 1
    bag[0] ^= rest & -rest
    return lowest_bit(rest)


@inlined
def deal(rules, bag, dealt, chance):
    """The piece that comes as number `dealt`."""
    game = rules.game
    kind = game[at.RANDOMISER]
    if kind == at.UNIFORM:
        return int(next_random(chance) * game[at.PIECES])
    if kind == at.BAG:
        return drawn_from_bag(game, bag, chance)
    if kind == at.FIXED:
        return rules.sequence[dealt % game[at.SEQUENCE]]
    drawn, piece = next_random(chance), 0
    while piece < game[at.PIECES] - 1 and drawn >= rules.shares[piece]:
        piece += 1
    return piece


@inlined
def write_odds(plan, rules, space, dealt, next_piece):
    """The probabilities of the piece after this one, as far as the player may know them."""
    game, odds, bag = rules.game, space.odds, space.bag
    if not (plan.next_piece or plan.expectimax):
        return
    for piece in range(game[at.PIECES]):
        odds[piece] = 0.0
    if plan.next_piece:
        odds[next_piece] = 1.0
    elif game[at.RANDOMISER] == at.FIXED:
        odds[rules.sequence[dealt % game[at.SEQUENCE]]] = 1.0
    elif game[at.RANDOMISER] == at.BAG:
        left = bag[0] if bag[0] else (1 << game[at.PIECES]) - 1
        for piece in range(game[at.PIECES]):
            odds[piece] = float((left >> piece) & 1)
    elif game[at.RANDOMISER] == at.WEIGHTED:
        for piece in range(game[at.PIECES]):
            odds[piece] = rules.shares[piece] - (rules.shares[piece - 1] if piece else 0.0)
    else:
        for piece in range(game[at.PIECES]):
            odds[piece] = 1.0


@inlined
def points_for(game, lines):
    """The points of a move that removes so many lines."""
    if game[at.POINTS] == at.SQUARE_POINTS:
        return lines * lines
    if game[at.POINTS] == at.NO_POINTS or lines == 0:
        return lines
    return 40 if lines == 1 else 100 if lines == 2 else 300 if lines == 3 else 1200


@inlined
def add_to_result(game, result, lines):
    """Add a finished move to the result."""
    result[at.R_PIECES] += 1
    result[at.R_LINES] += lines
    result[at.R_POINTS] += points_for(game, lines)
    if lines:
        result[at.R_CLEARS + lines - 1] += 1


def _best_now(plan, rules, weights, space, piece, luck):
    weights = weights_now(plan, rules.game, space.work, weights)
    return choose(plan, rules, weights, space.work, piece, space.allowed, space.values, luck)


@only_with("next_piece", "expectimax", otherwise=_best_now)
def decide(plan, rules, weights, space, piece, luck):
    """Orientation, column and value of the placement to play."""
    weights = weights_now(plan, rules.game, space.work, weights)
    return look_ahead(plan, rules, weights, space, piece, luck)


@inlined
def lock(game, work, shapes, o, c, result):
    """Play the placement; True if the game goes on."""
    if resting_row(work, shapes, o, c) + shapes[o + at.HEIGHT] > game[at.ROWS]:
        result[at.R_PIECES] += 1  # it sticks out: nothing is removed
        return False
    lines, _ = settle(work, work, shapes, o, c, (1 << game[at.LIMIT]) - 1, game[at.BOARD_WIDTH])
    add_to_result(game, result, lines)
    return pile_height(work, game[at.BOARD_WIDTH]) <= game[at.LIMIT]


@called
def play_one(plan, rules, weights, space, chance, luck, result, moves, room, stop):
    """Play one game to its end or its last allowed piece; write the result, and the first `room` moves."""
    clear_board(rules.game, space.work)
    clear_board(rules.game, space.ahead)
    space.bag[0] = 0
    next_piece, dealt = deal(rules, space.bag, 0, chance), 1
    while result[at.R_PIECES] < rules.game[at.MAX_PIECES] and not stop[0]:
        piece = next_piece
        if plan.next_piece:
            next_piece = deal(rules, space.bag, dealt, chance)
        if not allow(rules, space.work, piece, space.allowed, space.reach):
            result[at.R_DIED] = 1
            return
        write_odds(plan, rules, space, dealt, next_piece)
        o, c, _ = decide(plan, rules, weights, space, piece, luck)
        if result[at.R_MOVES] < room:
            moves[result[at.R_MOVES]] = o // at.SHAPE_SIZE * 16 + c
            result[at.R_MOVES] += 1
        if not lock(rules.game, space.work, rules.shapes, o, c, result):
            result[at.R_DIED] = 1
            return
        if not plan.next_piece:
            next_piece = deal(rules, space.bag, dealt, chance)
        dealt += 1


@kernel()
def play_games(plan, tables, weights, players, seeds, results, moves, counter, scratch, stop):
    """Play a game for each of `players`, which say where in `weights` their own begin.

    Game i draws its pieces from seed 2i and its ties from seed 2i + 1. Several threads may be given the same games and
    the same `counter` of games begun. What else they work with must be their own.
    """
    games = len(players)
    room = len(moves) // max(1, games)
    rules, space = pointers_to(Tables, tables), player_scratch_in(scratch)
    while True:
        i = fetch_and_add(address(counter, 0))
        if i >= games:
            return
        play_one(
            plan, rules, address(weights, players[i]), space, address(seeds, 2 * i), address(seeds, 2 * i + 1),
            address(results, i * at.RESULT_SIZE), address(moves, i * room), room, address(stop, 0),
        )  # fmt: skip
