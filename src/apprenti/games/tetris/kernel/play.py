"""Whole games in compiled code, parts of games (splitting), and what a player does on given boards."""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_random
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.choose import NEVER, allow, choose, look_ahead, pile_height, values_of, weights_now
from apprenti.games.tetris.kernel.columns import COLUMN_TERMS
from apprenti.games.tetris.kernel.lanes import (
    LANES,
    address,
    count_bits,
    fetch_and_add,
    lowest_bit,
    pointers_to,
    store,
)
from apprenti.games.tetris.kernel.layout import Tables, player_scratch_in
from apprenti.games.tetris.kernel.placement import resting_row, settle
from apprenti.games.tetris.kernel.plan import only_with
from apprenti.games.tetris.kernel.scans import SMALLEST
from apprenti.games.tetris.kernel.whole import prepare

# Of a game under way: the piece to play, how many pieces were dealt, and the last placement
T_PIECE, T_DEALT, T_MOVE = range(3)
TURN_SIZE = 3
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
def set_board(game, work, columns, first):
    """The board whose columns begin at `first`."""
    clear_board(game, work)
    for c in range(game[at.BOARD_WIDTH]):
        column = columns[first + c]
        work[at.COLUMNS + c], work[at.HEIGHTS + c] = column, 0
        while column >> work[at.HEIGHTS + c]:
            work[at.HEIGHTS + c] += 1


# Pieces ---------------------------------------------------------------------------------------------------------------


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
    """The points of a move that removes this many lines."""
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


# One piece ------------------------------------------------------------------------------------------------------------


def _best_now(plan, rules, weights, space, piece, luck):
    weights = weights_now(rules.game, space.work, weights)
    return choose(plan, rules, weights, space.work, piece, space.allowed, space.values, luck)


@only_with("next_piece", "expectimax", otherwise=_best_now)
def decide(plan, rules, weights, space, piece, luck):
    """Orientation, column and value of the placement to play."""
    weights = weights_now(rules.game, space.work, weights)
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
def play_piece(plan, rules, weights, space, chance, luck, result, turn):
    """Play the piece of the turn and deal the next; False if the game ends. No placement is -1."""
    piece = turn[T_PIECE]
    turn[T_MOVE] = -1
    if plan.next_piece:
        turn[T_PIECE] = deal(rules, space.bag, turn[T_DEALT], chance)
    if not allow(rules, space.work, piece, space.allowed, space.reach):
        return False
    write_odds(plan, rules, space, turn[T_DEALT], turn[T_PIECE])
    o, c, _ = decide(plan, rules, weights, space, piece, luck)
    turn[T_MOVE] = o // at.SHAPE_SIZE * 16 + c
    if not lock(rules.game, space.work, rules.shapes, o, c, result):
        return False
    if not plan.next_piece:
        turn[T_PIECE] = deal(rules, space.bag, turn[T_DEALT], chance)
    turn[T_DEALT] += 1
    return True


@inlined
def begin(rules, space, chance, turn):
    """An empty board and the first piece."""
    clear_board(rules.game, space.work)
    space.bag[0] = 0
    turn[T_PIECE], turn[T_DEALT] = deal(rules, space.bag, 0, chance), 1


# Whole games ----------------------------------------------------------------------------------------------------------


@kernel()
def play_games(plan, tables, weights, players, seeds, results, moves, counter, scratch, stop):
    """Play a game for each of `players`, which say where in `weights` their own begin; write results, and first moves.

    Game i draws its pieces from seed 2i and its ties from seed 2i + 1. Several threads may be given the same games and
    the same `counter` of games begun. What else they work with must be their own.
    """
    games, turn = len(players), np.zeros(TURN_SIZE, np.int64)
    room = len(moves) // max(1, games)
    rules, space = pointers_to(Tables, tables), player_scratch_in(scratch)
    clear_board(rules.game, space.ahead)
    while True:
        i = fetch_and_add(address(counter, 0))
        if i >= games:
            return
        chance, luck, result = address(seeds, 2 * i), address(seeds, 2 * i + 1), address(results, i * at.RESULT_SIZE)
        begin(rules, space, chance, address(turn, 0))
        while result[at.R_PIECES] < rules.game[at.MAX_PIECES] and not stop[0]:
            goes_on = play_piece(
                plan, rules, address(weights, players[i]), space, chance, luck, result, address(turn, 0)
            )
            if result[at.R_MOVES] < room and turn[T_MOVE] >= 0:
                moves[i * room + result[at.R_MOVES]] = turn[T_MOVE]
                result[at.R_MOVES] += 1
            if not goes_on:
                result[at.R_DIED] = 1
                break


# Parts of games: from one state until the pile has reached a level, is low again, or the game has ended ---------------


# A game between two pieces: its columns, the piece to play, the bag, and how many pieces were dealt
S_PIECE, S_BAG, S_DEALT = LANES, LANES + 1, LANES + 2
STATE_SIZE = LANES + 3
# How a trial ended
LOW, REACHED, ENDED, STOPPED = range(4)
# Of a trial: the next level to fall below, and how often it has
FLOOR, FALLS = range(2)


@inlined
def write_state(game, space, turn, state):
    """Store a game."""
    for c in range(game[at.BOARD_WIDTH]):
        state[c] = space.work[at.COLUMNS + c]
    state[S_PIECE], state[S_BAG], state[S_DEALT] = turn[T_PIECE], space.bag[0], turn[T_DEALT]


@inlined
def importance(game, work, shares):
    """How near a board is to the end: a weighted sum of the height of the pile, the sum of heights, and the holes."""
    highest, heights, holes = 0, 0, 0
    for c in range(game[at.BOARD_WIDTH]):
        height = work[at.HEIGHTS + c]
        highest = max(highest, height)
        heights += height
        holes += height - count_bits(work[at.COLUMNS + c])
    return shares[0] * highest + shares[1] * heights + shares[2] * holes


@inlined
def survives(levels, trial, value, odds, luck):
    """Russian roulette of a trial that has fallen below a level: it goes on with more weight, or not at all."""
    while trial[FLOOR] >= 0 and value < levels[trial[FLOOR]]:
        if next_random(luck) * odds >= 1.0:
            return False
        trial[FLOOR] -= 1
        trial[FALLS] += 1
    return True


@kernel()
def climb(plan, tables, weights, trials, shares, low, levels, result, scratch, stop):
    """From each picked state play until the last of the levels is reached, the pile is low, or the game ends.

    What reached it is stored. A trial starts at the last level but one; one that falls far below it is given up, but
    for one in `ODDS`, which then stands for all of them.
    """
    states, picks, seeds, ends, peaks, falls, reached, own, depth, odds = trials
    rules, space = pointers_to(Tables, tables), player_scratch_in(scratch)
    clear_board(rules.game, space.ahead)
    top = len(levels) - 1
    trial, turn = address(own, 0), address(own, 2)
    for i in range(len(picks)):
        state = address(states, picks[i] * STATE_SIZE)
        set_board(rules.game, space.work, state, 0)
        turn[T_PIECE], space.bag[0], turn[T_DEALT] = state[S_PIECE], state[S_BAG], state[S_DEALT]
        trial[FLOOR], trial[FALLS] = top - 1 - depth, 0
        ends[i] = STOPPED
        while not stop[0]:
            value = importance(rules.game, space.work, shares)
            peaks[i] = max(peaks[i], value)
            if value >= levels[top]:
                ends[i] = REACHED
                write_state(rules.game, space, turn, address(reached, i * STATE_SIZE))
                break
            if pile_height(space.work, rules.game[at.BOARD_WIDTH]) <= low:
                ends[i] = LOW
                break
            if not survives(address(levels, 0), trial, value, odds, address(seeds, 2 * i + 1)):
                ends[i] = LOW
                break
            if not play_piece(
                plan, rules, address(weights, 0), space, address(seeds, 2 * i), address(seeds, 2 * i + 1),
                address(result, 0), turn,
            ):  # fmt: skip
                ends[i] = ENDED
                break
        falls[i] = trial[FALLS]


@kernel()
def leave(plan, tables, weights, departures, shares, low, level, result, scratch, stop):
    """Play on and on; store the game whenever, having been low, it has become important enough.

    A game that ends begins again with the empty board. Returned are how often the level was reached, and how many games
    ended before they reached it. Who ends too often, or plays on too long, is not looked at any longer.
    """
    seeds, reached, turn, most_ends, most_moves = departures
    rules, space = pointers_to(Tables, tables), player_scratch_in(scratch)
    clear_board(rules.game, space.ahead)
    wanted, count, at_once, begun, was_low = len(reached) // STATE_SIZE, 0, 0, False, True
    while count < wanted and result[at.R_DIED] < most_ends and result[at.R_PIECES] < most_moves and not stop[0]:
        if not begun:
            begin(rules, space, address(seeds, 0), address(turn, 0))
            was_low, begun = True, True
        if not play_piece(
            plan, rules, address(weights, 0), space, address(seeds, 0), address(seeds, 1), address(result, 0),
            address(turn, 0),
        ):  # fmt: skip
            result[at.R_DIED] += 1
            at_once += was_low
            begun = False
        elif pile_height(space.work, rules.game[at.BOARD_WIDTH]) <= low:
            was_low = True
        elif was_low and importance(rules.game, space.work, shares) >= level:
            write_state(rules.game, space, turn, address(reached, count * STATE_SIZE))
            count, was_low = count + 1, False
    return count, at_once


# Given boards ---------------------------------------------------------------------------------------------------------


@kernel()
def probe(plan, tables, weights, columns, piece, scratch, values):
    """Write the value of each orientation at each column, NEVER where it is not allowed or ends the game."""
    rules, space, weight = pointers_to(Tables, tables), player_scratch_in(scratch), address(weights, 0)
    game, shapes, work, width = rules.game, rules.shapes, space.work, rules.game[at.BOARD_WIDTH]
    set_board(game, work, columns, 0)
    for i in range(len(values)):
        values[i] = NEVER
    if not allow(rules, work, piece, space.allowed, space.reach):
        return
    weight = weights_now(game, work, weight)
    base = prepare(plan, work, weight, space.values, width, (1 << game[at.LIMIT]) - 1)
    for r in range(rules.pieces[2 * piece + 1]):
        k = rules.pieces[2 * piece] + r
        value = values_of(plan, game, work, shapes, weight, space.values, k * at.SHAPE_SIZE, space.allowed[k], base)
        store(address(values, 0), r * 16, value)


@kernel()
def answer(plan, tables, weights, columns, scratch, chosen):
    """For each board and each piece the placement of a player without luck, as `play_games` writes moves."""
    rules, space, weight = pointers_to(Tables, tables), player_scratch_in(scratch), address(weights, 0)
    pieces, none = rules.game[at.PIECES], np.zeros(1, np.uint64)
    clear_board(rules.game, space.ahead)
    space.bag[0] = 0
    for i in range(len(columns) // LANES):
        for piece in range(pieces):
            set_board(rules.game, space.work, columns, i * LANES)
            allow(rules, space.work, piece, space.allowed, space.reach)
            write_odds(plan, rules, space, 0, 0)
            o, c, _ = decide(plan, rules, weight, space, piece, address(none, 0))
            chosen[i * pieces + piece] = o // at.SHAPE_SIZE * 16 + c
