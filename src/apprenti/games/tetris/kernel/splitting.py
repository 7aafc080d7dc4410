"""Parts of games: from one state until the pile has reached a level, is low again, or the game has ended."""

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_random
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.groups import Tables, player_scratch_in
from apprenti.games.tetris.kernel.lanes import LANES, address, count_bits, pointers_to
from apprenti.games.tetris.kernel.look import allow, pile_height
from apprenti.games.tetris.kernel.play import clear_board, deal, decide, lock, write_odds

# A game between two pieces: its columns, the piece to play, the bag, and how many pieces were dealt
S_PIECE, S_BAG, S_DEALT = LANES, LANES + 1, LANES + 2
STATE_SIZE = LANES + 3
# How a trial ended
LOW, REACHED, ENDED, STOPPED = range(4)
# Of a trial: the next level to fall below, and how often it has
FLOOR, FALLS = range(2)


@inlined
def read_state(game, work, state):
    """Put the columns of a stored game on the board."""
    clear_board(game, work)
    for c in range(game[at.BOARD_WIDTH]):
        column, height = state[c], 0
        work[at.COLUMNS + c] = column
        while column:
            column >>= 1
            height += 1
        work[at.HEIGHTS + c] = height


@inlined
def write_state(game, space, turn, state):
    """Store a game."""
    for c in range(game[at.BOARD_WIDTH]):
        state[c] = space.work[at.COLUMNS + c]
    state[S_PIECE], state[S_BAG], state[S_DEALT] = turn[0], space.bag[0], turn[1]


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


@called
def play_piece(plan, rules, weights, space, chance, luck, result, turn):
    """Play the piece `turn[0]` and deal the next, number `turn[1]`; False if the game ends."""
    piece = turn[0]
    if plan.next_piece:
        turn[0] = deal(rules, space.bag, turn[1], chance)
    if not allow(rules, space.work, piece, space.allowed, space.reach):
        return False
    write_odds(plan, rules, space, turn[1], turn[0])
    o, c, _ = decide(plan, rules, weights, space, piece, luck)
    if not lock(rules.game, space.work, rules.shapes, o, c, result):
        return False
    if not plan.next_piece:
        turn[0] = deal(rules, space.bag, turn[1], chance)
    turn[1] += 1
    return True


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
        read_state(rules.game, space.work, state)
        turn[0], space.bag[0], turn[1] = state[S_PIECE], state[S_BAG], state[S_DEALT]
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
    wanted, found, at_once, begun, was_low = len(reached) // STATE_SIZE, 0, 0, False, True
    while found < wanted and result[at.R_DIED] < most_ends and result[at.R_PIECES] < most_moves and not stop[0]:
        if not begun:
            clear_board(rules.game, space.work)
            space.bag[0], was_low, begun = 0, True, True
            turn[0], turn[1] = deal(rules, space.bag, 0, address(seeds, 0)), 1
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
            write_state(rules.game, space, turn, address(reached, found * STATE_SIZE))
            found, was_low = found + 1, False
    return found, at_once
