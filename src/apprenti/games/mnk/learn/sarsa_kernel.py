"""The compiled half of SARSA: a table that finds its keys by hashing, and whole games of self-play.

A table is two arrays of one length, a power of two: keys plus one (0 where there is none), and values. It is at most
half full; when there may be no room for the moves of another game, the games stop until it has grown.
"""

from collections import namedtuple

import numpy as np

from apprenti.core.compiled import inlined, kernel
from apprenti.core.dice import next_random
from apprenti.games.mnk.fast.primitives import has_row

CONSTANT, LINEAR, GEOMETRIC = 0, 1, 2
ACTION = 1
_MIX, _S32, _ONE = np.uint64(0x9E3779B97F4A7C15), np.uint64(32), np.uint64(1)


Tables = namedtuple("Tables", "keys values counts")
"""A row for each table, of which there are two, or one that both players share; and how many keys each has."""

Options = namedtuple("Options", "views images form initial discount")
"""How many symmetries a key stands for, those under which a game is learned, each on its own, the form of the table,
the value of what is unknown, and the discount."""

Rewards = namedtuple("Rewards", "win loss draw_first draw_second")
"""What the end of a game is worth; a draw to who began, and to who did not."""

Schedule = namedtuple("Schedule", "kind first last")
"""How a rate changes over the games."""


@inlined
def place_of(keys, key):
    """Where a key is, or where it would be."""
    mask = np.uint64(len(keys) - 1)
    mixed = (key + _ONE) * _MIX
    place = (mixed ^ (mixed >> _S32)) & mask
    while keys[place] != 0 and keys[place] != key + _ONE:
        place = (place + _ONE) & mask
    return place


@inlined
def rate(schedule, part):
    """A learning rate or an exploration rate when a part of the games has been played."""
    if schedule.kind == LINEAR:
        return schedule.first + (schedule.last - schedule.first) * part
    if schedule.kind == GEOMETRIC:
        return schedule.first * (schedule.last / schedule.first) ** part
    return schedule.first


@inlined
def key_of(board, codes, first, views, form, cell, mark):
    """The key of a move: the least over some symmetries, so that these images of a move share it."""
    least = ~np.uint64(0)
    for g in range(first, first + views):
        if form == ACTION:
            least = min(least, codes[g] * np.uint64(len(board.bits)) + board.places[g, cell])
        else:
            least = min(least, codes[g] + board.powers[g, cell] * mark)
    return least


@inlined
def greedy(board, codes, views, form, free, mark, keys, values, initial, worth, chance):
    """The free cell of the greatest value, of equals any."""
    best, ties = -np.inf, 0
    for cell in range(len(board.bits)):
        if free & board.bits[cell]:
            place = place_of(keys, key_of(board, codes, 0, views, form, cell, mark))
            worth[cell] = values[place] if keys[place] else initial
            if worth[cell] > best:
                best, ties = worth[cell], 0
            ties += worth[cell] == best
    skip = np.int64(next_random(chance) * ties) if ties > 1 else 0
    for cell in range(len(board.bits)):
        if free & board.bits[cell] and worth[cell] == best:
            if skip == 0:
                return cell
            skip -= 1
    return -1


@inlined
def any_cell(board, free, count, chance):
    """A free cell, each as likely."""
    skip = np.int64(next_random(chance) * count)
    for cell in range(len(board.bits)):
        if free & board.bits[cell]:
            if skip == 0:
                return cell
            skip -= 1
    return -1


@inlined
def sweep(keys, values, count, visited, image, moves, reward, learning_rate, discount, initial):
    """The report's update, from a player's last move back to the first; return how many keys the table has now.

    Q(sₜ, aₜ) ← Q(sₜ, aₜ) + rate · (rₜ₊₁ + discount · Q(sₜ₊₁, aₜ₊₁) − Q(sₜ, aₜ)), where r is 0 but at the end. What an
    earlier image of the game has updated is not updated again.
    """
    wanted = reward
    for number in range(moves - 1, -1, -1):
        key = visited[image, number]
        place = place_of(keys, key)
        if keys[place] == 0:
            keys[place], values[place] = key + _ONE, initial
            count += 1
        new = True
        for earlier in range(image):
            new &= visited[earlier, number] != key
        if new:
            values[place] += learning_rate * (wanted - values[place])
        wanted = discount * values[place]
    return count


@inlined
def advance(board, codes, sides, ply, cell):
    """Make a move: the codes, and the bits of who moves; return whether that wins."""
    side = ply % 2
    for g in range(len(codes)):
        codes[g] += board.powers[g, cell] * np.uint64(1 + side)
    sides[side] |= board.bits[cell]
    return has_row(board, sides[side])


@inlined
def one_game(board, tables, first, options, epsilon, visited, moves, codes, sides, worth, chance):
    """Play a game and write down each player's keys; return whether it was won, and after how many moves."""
    views, form, initial = options.views, options.form, options.initial
    keys, values = tables.keys, tables.values
    cells, free, won, ply = len(board.bits), board.bits.sum(), False, 0
    codes[:], sides[:], moves[:] = 0, 0, 0
    while not won and ply < cells:
        player, mark = (first + ply) % 2, np.uint64(1 + ply % 2)
        table = player if len(keys) == 2 else 0
        if epsilon > 0 and next_random(chance) < epsilon:
            cell = any_cell(board, free, cells - ply, chance)
        else:
            cell = greedy(board, codes, views, form, free, mark, keys[table], values[table], initial, worth, chance)
        for image, first_view in enumerate(options.images):
            visited[player, image, moves[player]] = key_of(board, codes, first_view, views, form, cell, mark)
        moves[player] += 1
        won = advance(board, codes, sides, ply, cell)
        free ^= board.bits[cell]
        ply += 1
    return won, ply


@kernel
def self_play(board, tables, room, game, last, total, options, rewards, exploring, learning, chance):
    """Games of two players from number `game` up to `last`; return the number of the first that was not played.

    Rates fall over `total` games. They end early when a table might get more than `room` entries.
    """
    keys, values, counts = tables
    cells, images = len(board.bits), len(options.images)
    codes, worth = np.zeros(options.images.max() + options.views, np.uint64), np.zeros(cells)
    visited, moves, sides = np.zeros((2, images, cells), np.uint64), np.zeros(2, np.int64), np.zeros(2, np.uint64)
    while game < last and counts.max() + cells * images <= room:
        part = min(1.0, game / total)
        epsilon, learning_rate = rate(exploring, part), rate(learning, part)
        first = np.int64(next_random(chance) * 2)  # which of the two plays X
        won, ply = one_game(board, tables, first, options, epsilon, visited, moves, codes, sides, worth, chance)
        for player in range(2):
            reward = rewards.draw_first if player == first else rewards.draw_second
            if won:
                reward = rewards.win if player == (first + ply - 1) % 2 else rewards.loss
            table = player if len(keys) == 2 else 0
            for image in range(images):
                counts[table] = sweep(
                    keys[table], values[table], counts[table], visited[player], image, moves[player], reward,
                    learning_rate, options.discount, options.initial,
                )  # fmt: skip
        game += 1
    return game


@kernel
def put(keys, values, new_keys, new_values):
    """Write keys and their values into a table that has room."""
    for number in range(len(new_keys)):
        place = place_of(keys, new_keys[number])
        keys[place], values[place] = new_keys[number] + _ONE, new_values[number]


@kernel
def best_in(keys, values, initial, after, moves, best):
    """Mark the best moves of every position: `moves` are their keys, where `after` says that there is a move."""
    for number in range(len(moves)):
        most = -np.inf
        for attempt in range(2):
            for cell in range(moves.shape[1]):
                if after[number, cell] < 0:
                    continue
                place = place_of(keys, moves[number, cell])
                value = values[place] if keys[place] else initial
                if attempt == 0:
                    most = max(most, value)
                else:
                    best[number, cell] = value == most


@kernel
def against_random(board, keys, values, views, form, initial, games, chance):
    """The points, a win 1 and a draw a half, of a table against random moves; it plays X and O in turn."""
    cells = len(board.bits)
    codes, worth, sides = np.zeros(views, np.uint64), np.zeros(cells), np.zeros(2, np.uint64)
    everything, points = board.bits.sum(), 0.0
    for game in range(games):
        codes[:], sides[:], free, won, ply = 0, 0, everything, False, 0
        while not won and ply < cells:
            if ply % 2 == game % 2:
                mark = np.uint64(1 + ply % 2)
                cell = greedy(board, codes, views, form, free, mark, keys, values, initial, worth, chance)
            else:
                cell = any_cell(board, free, cells - ply, chance)
            won = advance(board, codes, sides, ply, cell)
            free ^= board.bits[cell]
            ply += 1
        if not won:
            points += 0.5
        elif (ply - 1) % 2 == game % 2:
            points += 1.0
    return points
