"""Sums of look-ups over the windows of a board: what a convolution does, when its kernel can see few cells.

A window of h rows and w columns has 2^(h·w) patterns, so whatever a network computes of one window fits into a table
with a row of sixteen numbers for each pattern. A board is then worth the sum of the rows of its windows, and a second
sum in which each is multiplied by its height. Placing a piece changes a few windows only.

A pattern is read column by column: bit i·h + r is the cell in column i and row r of the window. Walls and floor are
full, and `BESIDE` columns and `BELOW` rows of them are seen.
"""

from collections import namedtuple

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.games.tetris.kernel.lanes import LANES, address, load, lowest_bit, spread_real, store, total_real
from apprenti.games.tetris.kernel.walls import is_known, rank

BELOW, BESIDE = 2, 2
SUMS = 2 * LANES
"""Numbers for each kind of window: the sum of its rows of the table, and the sum weighted by height."""

# `kinds`: one row for each kind of window
ROWS, COLUMNS, FIRST, LAST, FLOOR, TABLE, PATTERNS = range(7)
KIND_SIZE = 7
"""Rows, columns, first and last column it begins at (walls counted), rows of floor it sees, where its patterns begin
in the table, where its windows begin among all windows of a board."""

UNIT = 0.1
"""The weight of one row of height."""


Grid = namedtuple("Grid", "width height kinds count")
"""Boards of one size, their kinds of windows, and how many windows they have, of all kinds."""

Head = namedtuple("Head", "hidden weights")
"""What makes one number of the sums: how many hidden units, and all weights."""


@inlined
def pad(columns, width, padded):
    """A board between its walls and on its floor."""
    for j in range(width + 2 * BESIDE):
        c = j - BESIDE
        if 0 <= c < width:
            padded[j] = (np.int64(columns[c]) << BELOW) | ((1 << BELOW) - 1)
        else:
            padded[j] = -1


@inlined
def before_first(padded, first, rows, columns, shift, mask):
    """The pattern one step left of the first window of a row; what is left of that falls out at the next step."""
    p = 0
    for i in range(1, columns):
        p |= ((padded[first + i - 1] >> shift) & mask) << (i * rows)
    return p


@called
def sum_all(kind, padded, height, table, patterns, sums):
    """Look up every window of one kind: write their patterns and both sums."""
    rows, columns, first, last = kind[ROWS], kind[COLUMNS], kind[FIRST], kind[LAST]
    mask, at = (1 << rows) - 1, kind[PATTERNS]
    plain, by_height = spread_real(0.0), spread_real(0.0)
    for r in range(height + kind[FLOOR]):
        shift = r + BELOW - kind[FLOOR]
        p = before_first(padded, first, rows, columns, shift, mask)
        here = spread_real(0.0)
        for c in range(first, last + 1):
            p = (p >> rows) | (((padded[c + columns - 1] >> shift) & mask) << ((columns - 1) * rows))
            patterns[at] = kind[TABLE] + p
            here += load(table, patterns[at] * LANES)
            at += 1
        plain += here
        by_height += here * spread_real(UNIT * (r - kind[FLOOR]))
    store(sums, 0, plain)
    store(sums, LANES, by_height)


@called
def sum_changed(kind, padded, height, table, patterns, known, sums, low, high, left, right):
    """Both sums of a board that differs from a known one in rows low … high and columns left … right only."""
    rows, columns, floor = kind[ROWS], kind[COLUMNS], kind[FLOOR]
    first, last = max(kind[FIRST], left + BESIDE - columns + 1), min(kind[LAST], right + BESIDE)
    mask, wide = (1 << rows) - 1, kind[LAST] - kind[FIRST] + 1
    plain, by_height = load(known, 0), load(known, LANES)
    for r in range(max(0, low + floor - rows + 1), min(height - 1, high) + floor + 1):
        shift = r + BELOW - floor
        p = before_first(padded, first, rows, columns, shift, mask)
        here, at = spread_real(0.0), kind[PATTERNS] + r * wide + first - kind[FIRST]
        for c in range(first, last + 1):
            p = (p >> rows) | (((padded[c + columns - 1] >> shift) & mask) << ((columns - 1) * rows))
            here += load(table, (kind[TABLE] + p) * LANES) - load(table, patterns[at] * LANES)
            at += 1
        plain += here
        by_height += here * spread_real(UNIT * (r - floor))
    store(sums, 0, plain)
    store(sums, LANES, by_height)


@called
def head(sums, count, hidden, weights, scratch):
    """The output of a small network on the sums: a linear part, and a layer of `hidden` rectified units."""
    units = (hidden + LANES - 1) // LANES
    linear, bias = address(weights, 0), weights[count]
    first = address(weights, count + 1)
    z = spread_real(0.0)
    for d in range(0, count, LANES):
        z += load(sums, d) * load(linear, d)
    value = bias + total_real(z)
    for u in range(units):
        a = load(first, count * units * LANES + u * LANES)
        for d in range(count):
            a += load(first, (d * units + u) * LANES) * spread_real(sums[d])
        store(scratch, 0, a)
        for j in range(LANES):
            if scratch[j] > 0.0:
                value += scratch[j] * first[(count + 1) * units * LANES + u * LANES + j]
    return value


@inlined
def changes(one, other, width):
    """Rows (as bits) and columns (first and last) in which two boards differ."""
    rows, left, right = 0, width, -1
    for c in range(width):
        if one[c] != other[c]:
            rows |= one[c] ^ other[c]
            left, right = min(left, c), c
    return rows, left, right


@inlined
def same(one, other, width):
    different = 0
    for c in range(width):
        different |= one[c] ^ other[c]
    return different == 0


@inlined
def top_of(rows):
    high = 0
    while rows >> (high + 1):
        high += 1
    return high


@kernel()
def value_windows(grid, table, head_, before, starts, after, values, first, last):
    """The output of the network for the boards `after` that follow the boards `before` from one to another.

    Those from `starts[i]` on differ a little from board `before[i]`.
    """
    width, height, kinds, count = grid.width, grid.height, grid.kinds, len(grid.kinds) // KIND_SIZE
    padded, patterns = np.empty(width + 2 * BESIDE, np.int64), np.empty(grid.count, np.int64)
    known, sums, scratch = np.empty(count * SUMS), np.empty(count * SUMS), np.empty(LANES)
    for i in range(first, last):
        board = address(before, i * LANES)
        if i == first or not same(board, address(before, (i - 1) * LANES), width):
            pad(board, width, address(padded, 0))
            for k in range(count):
                sum_all(
                    address(kinds, k * KIND_SIZE), address(padded, 0), height, address(table, 0), address(patterns, 0),
                    address(known, k * SUMS),
                )  # fmt: skip
        for j in range(starts[i], starts[i + 1]):
            rows, left, right = changes(board, address(after, j * LANES), width)
            pad(address(after, j * LANES), width, address(padded, 0))
            low, high = (lowest_bit(rows), top_of(rows)) if rows else (0, -height)
            for k in range(count):
                sum_changed(
                    address(kinds, k * KIND_SIZE), address(padded, 0), height, address(table, 0), address(patterns, 0),
                    address(known, k * SUMS), address(sums, k * SUMS), low, high, left, right,
                )  # fmt: skip
            values[j] = head(
                address(sums, 0), count * SUMS, head_.hidden, address(head_.weights, 0), address(scratch, 0)
            )


@kernel()
def sum_windows(grid, table, boards, patterns, sums):
    """For each board the patterns of all its windows, and the sums."""
    width, height, kinds, count = grid.width, grid.height, grid.kinds, len(grid.kinds) // KIND_SIZE
    padded = np.empty(width + 2 * BESIDE, np.int64)
    for i in range(len(boards) // LANES):
        pad(address(boards, i * LANES), width, address(padded, 0))
        for k in range(count):
            sum_all(
                address(kinds, k * KIND_SIZE), address(padded, 0), height, address(table, 0),
                address(patterns, i * grid.count), address(sums, (i * count + k) * SUMS),
            )  # fmt: skip


@kernel()
def add_gradients(grid, patterns, boards, gradients, of_table):
    """The way back: add to each row of the table what a change of it would change, given the gradients of the sums."""
    count, table = len(grid.kinds) // KIND_SIZE, address(of_table, 0)
    for i in range(boards):
        for k in range(count):
            kind = address(grid.kinds, k * KIND_SIZE)
            plain = load(address(gradients, (i * count + k) * SUMS), 0)
            by_height = load(address(gradients, (i * count + k) * SUMS), LANES)
            at = i * grid.count + kind[PATTERNS]
            for r in range(grid.height + kind[FLOOR]):
                gradient = plain + by_height * spread_real(UNIT * (r - kind[FLOOR]))
                for _ in range(kind[FIRST], kind[LAST] + 1):
                    store(table, patterns[at] * LANES, load(table, patterns[at] * LANES) + gradient)
                    at += 1


# The exact value of what each window shows ----------------------------------------------------------------------------


# Looked up in the solved table of a small square board. A pattern is read column by column, as the columns of a board
# are: bit i·side + r is the cell in column i and row r.


@kernel()
def write_patterns(index, values, side, patterns):
    """The value of every pattern, from a table of walls in which a wall stands for its mirror image."""
    for p in range(len(patterns)):
        wall, image = 0, 0
        for i in range(side):
            for r in range(side):
                cell = (p >> (i * side + r)) & 1
                wall |= cell << (r * side + i)
                image |= cell << (r * side + side - 1 - i)
        wall = max(wall, image)
        patterns[p] = values[rank(index, wall)] if is_known(index, wall) else 0.0


@kernel()
def look_up_windows(columns, width, height, side, patterns, values):
    """For each board the value of each window inside it, row by row from the bottom."""
    mask, across, up = (1 << side) - 1, width - side + 1, height - side + 1
    for b in range(len(columns) // LANES):
        for r in range(up):
            for c in range(across):
                p = 0
                for i in range(side):
                    p |= ((columns[b * LANES + c + i] >> r) & mask) << (i * side)
                values[(b * up + r) * across + c] = patterns[p]
