"""Walls of a small board as numbers, and what a placement makes of them.

A wall is what lies on the board between two pieces: bit (row × width + column) is set when the cell is full, as in
`Board.encode`. A *drop* is one rotation of a piece at one column; `drop_tables` writes them down from the rules, in the
order that breaks ties. Where pieces and their mirror images are dealt alike, a wall and its mirror image are worth the
same, and the greater of the two numbers, the *canonical* one, stands for both: it is carried along with its image, and
both lose the same rows.
"""

from collections import namedtuple
from functools import lru_cache

import numpy as np
from numba import types
from numba.extending import intrinsic

from apprenti.core.compiled import called, inlined, kernel
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.lanes import address, count_bits, leading_zeros, lowest_bit, pointers_to
from apprenti.games.tetris.kernel.layout import Dealing
from apprenti.games.tetris.kernel.play import add_to_result, deal
from apprenti.games.tetris.pieces import WIDEST, Rotation
from apprenti.games.tetris.placement import Placement, straight_drops
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.walls import shares

DEAD = -1
"""The wall after a placement that ends the game."""

# `board`: the rules as numbers
WIDTH, LIMIT, ROWS, PIECES = range(4)
# `drops`: one row for each drop
COLUMN, COLUMNS, TALL, CELLS, IMAGE, LOW = range(6)
DROP_SIZE = LOW + WIDEST
MOST_COLUMNS = 64
"""Room for the heights of the columns of one board."""
FAR = 255
"""A gap of this size says: so much further, and no wall there."""
LARGEST = 62
"""Bits of the largest wall, with everything that may stick out of it for a moment."""


DropTables = namedtuple("DropTables", "board drops first masks rows_of images")
"""The drops of a set of rules: the rules as numbers; a row for each drop; for each piece its first drop, and one more
number for the end (a piece that is never dealt has none); for each column its cells; for each number of bits the rows
they need; for each row its mirror image, or the row itself where the mirror changes the game."""


def _cells(rotation: Rotation, column: int, width: int) -> int:
    return sum(1 << (r * width + column + c) for r, c in rotation.cells)


def _drops(rules: Rules) -> list[list[Placement]]:
    """For each piece its drops."""
    empty = Board.empty(rules.width, rules.height, rules.hidden)
    dealt = zip(rules.pieces.pieces, shares(rules), strict=True)
    return [list(straight_drops(empty, piece)) if share else [] for piece, share in dealt]


@lru_cache(maxsize=64)
def drop_names(rules: Rules) -> tuple[tuple[str, int, int], ...]:
    """For each drop the letter, the rotation and the column."""
    return tuple((drop.piece, drop.rotation, drop.column) for drops in _drops(rules) for drop in drops)


@lru_cache(maxsize=64)
def drop_tables(rules: Rules, mirrored: bool) -> DropTables:
    """The drops of these rules; `mirrored` if walls are to be taken for their mirror images."""
    width, rows, first = rules.width, [], [0]
    for piece, drops in zip(rules.pieces.pieces, _drops(rules), strict=True):
        for drop in drops:
            shape = piece.rotations[drop.rotation]
            cells = _cells(shape, drop.column, width)
            image = sum(1 << (r * width + width - 1 - drop.column - c) for r, c in shape.cells)
            low = [*shape.lowest, *[0] * (WIDEST - shape.width)]
            rows.append([drop.column, shape.width, shape.height, cells, image if mirrored else cells, *low])
        first.append(len(rows))
    images = [int(f"{row:0{width}b}"[::-1], 2) if mirrored else row for row in range(1 << width)]
    masks = [sum(1 << (r * width + c) for r in range(rules.height)) for c in range(width)]
    return DropTables(
        np.array([width, rules.height, rules.rows, len(first) - 1], np.int64),
        np.array(rows, np.int64).ravel(),
        np.array(first, np.int64),
        np.array(masks, np.int64),
        np.array([(bits + width - 1) // width for bits in range(65)], np.int64),
        np.array(images, np.int64),
    )


@intrinsic
def add_bits(typingctx, pointer, index, bits):
    """Set bits of a number that other threads set bits of, too."""

    def generate(context, builder, sig, args):
        place = builder.gep(args[0], [args[1]])
        return builder.atomic_rmw("or", place, args[2], "monotonic")

    return types.int64(pointer, types.int64, types.int64), generate


@inlined
def write_heights(tables, wall, heights):
    """Write down the heights of the columns of a wall."""
    for column in range(tables.board[WIDTH]):
        heights[column] = tables.rows_of[64 - leading_zeros(wall & tables.masks[column])]


@inlined
def image_of(tables, wall):
    """The mirror image of a wall."""
    width, image, shift = tables.board[WIDTH], 0, 0
    while wall:
        image |= tables.images[wall & ((1 << width) - 1)] << shift
        wall >>= width
        shift += width
    return image


@inlined
def after(tables, wall, image, heights, number):
    """Lines, wall and mirror image after a drop; both are DEAD if it ends the game, which may still count lines."""
    board, drop = tables.board, address(tables.drops, number * DROP_SIZE)
    width = board[WIDTH]
    y = heights[drop[COLUMN]] - drop[LOW]
    for i in range(1, drop[COLUMNS]):
        y = max(y, heights[drop[COLUMN] + i] - drop[LOW + i])
    if y + drop[TALL] > board[ROWS]:
        return 0, DEAD, DEAD
    wall |= drop[CELLS] << (y * width)
    image |= drop[IMAGE] << (y * width)
    lines, full = 0, (1 << width) - 1
    for row in range(y + drop[TALL] - 1, y - 1, -1):
        shift = row * width
        if (wall >> shift) & full == full:
            below = (1 << shift) - 1
            wall = (wall & below) | ((wall >> width) & ~below)
            image = (image & below) | ((image >> width) & ~below)
            lines += 1
    if wall >> (width * board[LIMIT]):
        return lines, DEAD, DEAD
    return lines, wall, image


@inlined
def rank(index, wall):
    """Which of the reachable walls this one is. An entry of `index` has 32 bits and how many came before them."""
    entry = index[wall >> 5]
    return (entry >> 32) + count_bits(entry & ((1 << (wall & 31)) - 1))


@inlined
def is_known(index, wall):
    """Whether a wall is reachable."""
    return (index[wall >> 5] >> (wall & 31)) & 1


@kernel()
def explore(drops, seen, done, begin, end):
    """Follow every placement from the walls in words `begin` to `end` of `seen` that have not been followed yet.

    A drop that removes no line makes a greater number, so one pass upwards follows whole games; what is found below,
    or beyond `end`, is left to the next pass. Returns how many walls were followed.
    """
    room, tables, s = np.zeros(MOST_COLUMNS, np.int64), pointers_to(DropTables, drops), address(seen, 0)
    heights, followed = address(room, 0), 0
    last = drops[2][drops[0][PIECES]]  # read through `tables`, it makes the loop 8 % slower
    for word in range(begin, end):
        todo = s[word] & ~done[word]
        while todo:
            done[word] |= todo
            while todo:
                wall = (word << 6) + lowest_bit(todo)
                todo &= todo - 1
                followed += 1
                image = image_of(tables, wall)
                write_heights(tables, wall, heights)
                for drop in range(last):
                    _, reached, turned = after(tables, wall, image, heights, drop)
                    reached = max(reached, turned)
                    if reached != DEAD and not (s[reached >> 6] >> (reached & 63)) & 1:
                        add_bits(s, reached >> 6, 1 << (reached & 63))
            todo = s[word] & ~done[word]
    return followed


@kernel()
def try_drops(drops, wall, piece, afters):
    """Write lines, wall and image after every drop of a piece; for tests and views."""
    room, tables = np.zeros(MOST_COLUMNS, np.int64), pointers_to(DropTables, drops)
    heights, image = address(room, 0), image_of(tables, wall)
    write_heights(tables, wall, heights)
    for drop in range(tables.first[piece], tables.first[piece + 1]):
        afters[drop - tables.first[piece]] = after(tables, wall, image, heights, drop)


@kernel()
def build_index(seen, index):
    """Fill the index of the walls in a bitmap; return how many there are."""
    count = 0
    for entry in range(len(index)):
        bits = (seen[entry >> 1] >> (32 * (entry & 1))) & 0xFFFFFFFF
        index[entry] = (count << 32) | bits
        count += count_bits(bits)
    return count


@kernel()
def count_walls(seen, drops, levels):
    """Count the walls of a bitmap by their full cells; return how many are their own mirror image."""
    own, tables = 0, pointers_to(DropTables, drops)
    for word in range(len(seen)):
        bits = seen[word]
        while bits:
            wall = (word << 6) + lowest_bit(bits)
            bits &= bits - 1
            levels[count_bits(wall)] += 1
            own += image_of(tables, wall) == wall
    return own


@kernel()
def sort_walls(seen, begins, walls, places):
    """Write the walls of a bitmap by their full cells, and the rank of each; `begins` moves on."""
    count = 0
    for word in range(len(seen)):
        bits = seen[word]
        while bits:
            wall = (word << 6) + lowest_bit(bits)
            bits &= bits - 1
            place = begins[count_bits(wall)]
            begins[count_bits(wall)] += 1
            walls[place], places[place] = wall, count
            count += 1


@kernel()
def write_gaps(index, gaps):
    """Write the walls of an index as gaps, if `gaps` has room; return how many bytes they are."""
    size, before = 0, -1
    for entry in range(len(index)):
        bits = index[entry] & 0xFFFFFFFF
        while bits:
            wall = (entry << 5) + lowest_bit(bits)
            bits &= bits - 1
            gap = wall - before - 1
            before = wall
            while gap >= FAR:
                if size < len(gaps):
                    gaps[size] = FAR
                size += 1
                gap -= FAR
            if size < len(gaps):
                gaps[size] = gap
            size += 1
    return size


@kernel()
def read_gaps(gaps, index):
    """Fill an index from gaps; return how many walls there are, or -1 if they do not fit."""
    wall, count = -1, 0
    for gap in gaps:
        wall += np.int64(gap)
        if gap < FAR:
            wall += 1
            if wall >> 5 >= len(index):
                return -1
            index[wall >> 5] |= 1 << (wall & 31)
            count += 1
    before = 0
    for entry in range(len(index)):
        bits = index[entry]
        index[entry] |= before << 32
        before += count_bits(bits)
    return count


# Whole games of a player who knows the value of every wall ------------------------------------------------------------


Policy = namedtuple("Policy", "index values gamma")
"""The value of every reachable wall, by `index`, and the discount."""


@inlined
def worth_of(policy, lines, wall):
    """Lines now and all that is to come; a wall that play cannot lead to is taken for the end."""
    if wall == DEAD or not is_known(policy.index, wall):
        return float(lines)
    return lines + policy.gamma * policy.values[rank(policy.index, wall)]


@inlined
def best_drop(drops, policy, piece, wall, image, heights):
    """The best drop, the lines it counts, and the wall after it with its image."""
    begin, end = drops.first[piece], drops.first[piece + 1]
    best, chosen, lines, reached, turned = -1.0, begin, 0, DEAD, DEAD
    for drop in range(begin, end):
        more, there, across = after(drops, wall, image, heights, drop)
        worth = worth_of(policy, more, max(there, across))
        if worth > best:
            best, chosen, lines, reached, turned = worth, drop, more, there, across
    return chosen, lines, reached, turned


@called
def play_game(drops, policy, dealing, chance, heights, bag, result, moves, room, stop):
    """Play one game to its end or its last allowed piece; write the result, and the first `room` moves."""
    wall, image, dealt = 0, 0, 0
    bag[0] = 0
    while result[at.R_PIECES] < dealing.game[at.MAX_PIECES] and not stop[0]:
        piece = deal(dealing, bag, dealt, chance)
        dealt += 1
        write_heights(drops, wall, heights)
        drop, lines, wall, image = best_drop(drops, policy, piece, wall, image, heights)
        if result[at.R_MOVES] < room:
            moves[result[at.R_MOVES]] = drop
            result[at.R_MOVES] += 1
        add_to_result(dealing.game, result, lines)
        if wall == DEAD:
            result[at.R_DIED] = 1
            return


@kernel()
def play_games(drops, policy, dealing, seeds, results, moves, stop):
    """Play a game for each seed."""
    heights, bag = np.zeros(MOST_COLUMNS, np.int64), np.zeros(1, np.int64)
    room = len(moves) // max(1, len(seeds))
    for i in range(len(seeds)):
        play_game(
            pointers_to(DropTables, drops), pointers_to(Policy, policy),
            pointers_to(Dealing, dealing),
            address(seeds, i), address(heights, 0), address(bag, 0), address(results, i * at.RESULT_SIZE),
            address(moves, i * room), room, address(stop, 0),
        )  # fmt: skip
