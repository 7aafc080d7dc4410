"""A table of states in compiled code, and whole games played by it.

The table is a list of states in the order in which they were met (two words of 64 bits each), their values for every
action, and an index by hashing (open addressing, empty places are −1) that can always be built again.
"""

from collections import namedtuple

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_random
from apprenti.games.tetris.fast.primitives import (
    address,
    at,
    begin_one,
    game_in,
    is_allowed,
    press_one,
    ready,
    step_one,
)

GRID, APART, DIFFERENCES = range(3)
"""What a state is: the cells of board and piece together; the same apart; differences of heights, and the piece."""

_FIRST, _SECOND = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_S33, _S29, _S40, _ONE = np.uint64(33), np.uint64(29), np.uint64(40), np.uint64(1)
HIDDEN_WORD = 64


Coding = namedtuple("Coding", "kind clip placing")
"""What a state is, where differences are clipped, and whether an action is a placement and not a key."""

Table = namedtuple("Table", "states values places")
"""States in their order, the values of their actions, and the index of the states."""


# The table ------------------------------------------------------------------------------------------------------------


@inlined
def hashed(low, high):
    """A number that looks random, for two words."""
    z = low ^ (high * _SECOND) ^ (high >> _S29)
    z = (z ^ (z >> _S33)) * _FIRST
    z = (z ^ (z >> _S33)) * _SECOND
    return z ^ (z >> _S33)


@inlined
def find(states, places, low, high):
    """Where a state is in the list; −1 − (its place in the index) if it is not there."""
    mask = np.uint64(len(places) - 1)
    place = hashed(low, high) & mask
    while places[place] >= 0:
        state = places[place]
        if states[state, 0] == low and states[state, 1] == high:
            return np.int64(state)
        place = (place + _ONE) & mask
    return -1 - np.int64(place)


@kernel()
def index_states(states, count, places):
    """Build the index of the first states of a list."""
    places[:] = -1
    for i in range(count):
        places[-1 - find(states, places, states[i, 0], states[i, 1])] = i


@kernel()
def look_up(states, places, low, high):
    """Where a state is in the list; −1 if it is unknown."""
    return max(-1, find(states, places, low, high))


@inlined
def most(values, state, own, width, placing):
    """The highest value of the legal actions, and how many have it."""
    best, ties = -np.inf, 0
    for a in range(values.shape[1]):
        if not placing or is_allowed(own, width, a):
            value = np.float64(values[state, a])
            if value > best:
                best, ties = value, 0
            ties += value == best
    return best, ties


@inlined
def best_action(values, state, own, width, placing, luck):
    """A legal action with the highest value; of several, one by chance."""
    best, ties = most(values, state, own, width, placing)
    skip = int(next_random(luck) * ties) if ties > 1 else 0
    for a in range(values.shape[1]):
        if (not placing or is_allowed(own, width, a)) and values[state, a] == best:
            if skip == 0:
                return a
            skip -= 1
    return -1


@inlined
def any_action(actions, own, width, placing, luck):
    """A legal action, each as likely."""
    while True:
        a = int(next_random(luck) * actions)
        if not placing or is_allowed(own, width, a):
            return a


# States as numbers ----------------------------------------------------------------------------------------------------


@inlined
def set_bit(low, high, bit):
    """The two words with one more bit."""
    if bit < HIDDEN_WORD:
        return low | (_ONE << np.uint64(bit)), high
    return low, high | (_ONE << np.uint64(bit - HIDDEN_WORD))


@called
def board_code(game, columns):
    """The cells of the board: bit row × width + column."""
    low, high = np.uint64(0), np.uint64(0)
    for c in range(game[at.BOARD_WIDTH]):
        cells, row = np.int64(columns[c]), 0
        while cells:
            if cells & 1:
                low, high = set_bit(low, high, row * game[at.BOARD_WIDTH] + c)
            cells >>= 1
            row += 1
    return low, high


@called
def grid_code(rules, columns, own):
    """The cells of board and piece together: the report's `encodeToInt`."""
    game, shapes = rules.game, rules.shapes
    low, high = board_code(game, columns)
    o = (rules.pieces[2 * own[at.G_PIECE]] + own[at.G_ROTATION]) * at.SHAPE_SIZE
    for i in range(shapes[o + at.WIDTH]):
        for r in range(shapes[o + at.HEIGHT]):
            if (shapes[o + at.MASK + i] >> r) & 1:
                bit = (own[at.G_ROW] + r) * game[at.BOARD_WIDTH] + own[at.G_COLUMN] + i
                low, high = set_bit(low, high, bit)
    return low, high


@inlined
def position_code(own, row, placing):
    """The piece in play, and for who steers it where it is, in 24 bits."""
    place = (row << 8) | ((own[at.G_COLUMN] + 2) << 3) | own[at.G_ROTATION]
    return np.uint64((own[at.G_PIECE] << 16) | (0 if placing else place))


@inlined
def height_of(column):
    """The height of a column given as bits."""
    height = 0
    while np.int64(column) >> height:
        height += 1
    return height


@called
def differences_code(game, columns, own, clip, placing):
    """Bdolah and Livnat: the differences of neighbouring heights, none further from 0 than `clip`; and the piece.

    For who steers it the row of the piece counts only as above, at or below the top of the pile.
    """
    code, before = np.uint64(0), height_of(columns[0])
    most = before
    for c in range(1, game[at.BOARD_WIDTH]):
        height = height_of(columns[c])
        code = code * np.uint64(2 * clip + 1) + np.uint64(min(max(height - before, -clip), clip) + clip)
        before, most = height, max(most, height)
    return code, position_code(own, min(max(own[at.G_ROW] - most, -1), 1) + 1, placing)


@inlined
def code_of(coding, rules, one):
    """The state as two words."""
    if coding.kind == GRID:
        return grid_code(rules, one.columns, one.own)
    if coding.kind == DIFFERENCES:
        return differences_code(rules.game, one.columns, one.own, coding.clip, coding.placing)
    low, high = board_code(rules.game, one.columns)
    return low, high | (position_code(one.own, one.own[at.G_ROW], coding.placing) << _S40)


# Games ----------------------------------------------------------------------------------------------------------------


@called
def act(rules, one, space, placing, action):
    """One key, or one placement; the lines it removed."""
    rested = 1
    if placing:
        step_one(rules, one, space, action)
    else:
        rested = press_one(rules, one, space, action)
    return np.int64(one.move[at.M_LINES]) if rested else 0


@kernel()
def play_by_table(tables, games, scratch, coding, table, seeds, results, stop):
    """Play a game for each pair of seeds by the table, at random where it says nothing; write what came of each."""
    (rules, space), one, placing = ready(tables, scratch), game_in(games, 0), coding.placing
    own, width, luck = one.own, rules.game[at.BOARD_WIDTH], np.zeros(1, np.uint64)
    for i in range(len(results)):
        one.chance[0], luck[0] = seeds[i, 0], seeds[i, 1]
        begin_one(rules, one, space)
        while own[at.G_OUTCOME] == at.GOES_ON and not stop[0]:
            low, high = code_of(coding, rules, one)
            state = find(table.states, table.places, low, high)
            if state >= 0:
                action = best_action(table.values, state, own, width, placing, address(luck, 0))
            else:
                action = any_action(table.values.shape[1], own, width, placing, address(luck, 0))
            lines = act(rules, one, space, placing, action)
            if lines:
                results[i, at.R_CLEARS + lines - 1] += 1
        results[i, at.R_LINES], results[i, at.R_PIECES] = own[at.G_LINES], own[at.G_PIECES]
        results[i, at.R_POINTS] = own[at.G_POINTS]
        results[i, at.R_DIED] = own[at.G_OUTCOME] != at.GOES_ON and own[at.G_OUTCOME] != at.LAST_PIECE
