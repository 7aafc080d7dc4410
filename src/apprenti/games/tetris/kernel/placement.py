"""One placement: where a piece may be dropped, where it comes to rest, and the board without its full lines.

Under rules that let a piece appear at the top it walks there through free cells. It stands in its matrix; shifting
moves the matrix by a column, turning changes the orientation inside it. For each orientation the columns of the matrix
are the bits of a number, so that walking is shifting bits. `FROM` bits stand for columns left of the board, where an
empty part of the matrix may be.
"""

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.lanes import (
    bit_length,
    count_bits,
    flipped,
    from_bits,
    leading_zeros,
    load,
    lowest_bit,
    select,
    spread,
    store,
)

FROM = 8
MOST_ORIENTATIONS = 4


# Where a piece may be dropped -----------------------------------------------------------------------------------------


@inlined
def fits(game, work, shapes, o, y, c):
    """Whether orientation o with its box at row y and column c is inside the board and on empty cells."""
    if c < 0 or c + shapes[o + at.WIDTH] > game[at.BOARD_WIDTH]:
        return False
    if y < 0 or y + shapes[o + at.HEIGHT] > game[at.BOARD_ROWS]:
        return False
    taken = 0
    for i in range(shapes[o + at.WIDTH]):
        taken |= work[at.COLUMNS + c + i] & (shapes[o + at.MASK + i] << y)
    return taken == 0


@inlined
def is_free(game, work, shapes, o, c):
    """Whether orientation o at column c is inside the board and on empty cells where the player is first asked."""
    return fits(game, work, shapes, o, shapes[o + at.ENTRY], c)


@inlined
def entry_column(game, shapes, first):
    """The column where the first orientation appears: centred, to the left when it cannot be."""
    return (game[at.BOARD_WIDTH] - shapes[first + at.WIDTH]) // 2


@inlined
def has_room(game, work, shapes, first):
    """Whether the first orientation can appear and, where gravity comes first, come down one row."""
    c, y = entry_column(game, shapes, first), shapes[first + at.ENTRY]
    return fits(game, work, shapes, first, y, c) and fits(game, work, shapes, first, y + game[at.GRAVITY_FIRST], c)


@inlined
def spread_along(reached, free):
    """Every free column that can be walked to from the reached ones."""
    more = reached
    reached = 0
    while more != reached:
        reached = more
        more = (reached | (reached << 1) | (reached >> 1)) & free
    return reached


@inlined
def find_allowed(game, work, shapes, first, count, allowed, reach):
    """Write for each orientation the columns it can be dropped at, as bits."""
    start = first * at.SHAPE_SIZE
    for r in range(count):
        reach[r] = 0
        reach[MOST_ORIENTATIONS + r] = 0
        o = start + r * at.SHAPE_SIZE
        for c in range(game[at.BOARD_WIDTH]):
            if is_free(game, work, shapes, o, c):
                reach[MOST_ORIENTATIONS + r] |= 1 << (FROM + c - shapes[o + at.LEFT])
    here = 1 << (FROM + entry_column(game, shapes, start) - shapes[start + at.LEFT])
    reach[0] = here & reach[MOST_ORIENTATIONS]
    changed = True
    while changed:
        changed = False
        for r in range(count):
            turned = reach[(r + 1) % count] | reach[(r + count - 1) % count] | reach[r]
            now = spread_along(turned & reach[MOST_ORIENTATIONS + r], reach[MOST_ORIENTATIONS + r])
            if now != reach[r]:
                reach[r] = now
                changed = True
    for r in range(count):
        allowed[first + r] = (reach[r] << shapes[start + r * at.SHAPE_SIZE + at.LEFT]) >> FROM


# Where it comes to rest -----------------------------------------------------------------------------------------------


@inlined
def row_under_ledge(work, shapes, o, c):
    """The row where a piece comes to rest that appeared below the top of a column, under a ledge."""
    y = -at.FAR
    for i in range(shapes[o + at.WIDTH]):
        start = shapes[o + at.ENTRY] + shapes[o + at.LOW + i]
        cells = work[at.COLUMNS + c + i] & ((1 << start) - 1)
        y = max(y, 64 - leading_zeros(cells) - shapes[o + at.LOW + i])
    return y


@inlined
def resting_row(work, shapes, o, c):
    """The row of the lowest cell of orientation o dropped at column c."""
    y = work[at.HEIGHTS + c] - shapes[o + at.LOW]
    for i in range(1, at.WIDEST):  # columns the piece does not have are far below
        y = max(y, work[at.HEIGHTS + c + i] - shapes[o + at.LOW + i])
    return y if y <= shapes[o + at.ENTRY] else row_under_ledge(work, shapes, o, c)


@inlined
def without_lines(columns, full, wall, width):
    """Remove the full rows from all columns, the lowest first; the walls stay as they are."""
    while full:
        low = spread((1 << lowest_bit(full)) - 1)
        columns = (columns & low) | ((columns >> spread(1)) & flipped(low))
        full = (full & (full - 1)) >> 1  # the rows above came down by one
    return select(from_bits((1 << width) - 1), columns, spread(wall))


@inlined
def settled_at(work, shapes, o, y, c, wall, width):
    """Columns and heights after the piece came to rest at row y, the lines removed, and how many of its cells went."""
    full = work[at.LEFT_AND + c] & work[at.RIGHT_AND + c + shapes[o + at.WIDTH]]
    columns = load(work, at.COLUMNS)
    for i in range(at.WIDEST):
        column = work[at.COLUMNS + c + i] | (shapes[o + at.MASK + i] << y)
        if i < shapes[o + at.WIDTH]:
            full &= column
            columns = select(from_bits(1 << (c + i)), spread(column), columns)
    lines, cells = 0, 0
    if full:
        lines = count_bits(full)
        for i in range(at.WIDEST):
            cells += count_bits((shapes[o + at.MASK + i] << y) & full)
        columns = without_lines(columns, full, wall, width)
    return columns, bit_length(columns), lines, cells


@inlined
def settled(work, shapes, o, c, wall, width):
    """Columns and heights after the placement, the lines it removed, and how many of its cells were in them."""
    return settled_at(work, shapes, o, resting_row(work, shapes, o, c), c, wall, width)


@inlined
def settle(work, target, shapes, o, c, wall, width):
    """Play the placement on the board of `work` and write the board after it into `target`."""
    columns, heights, lines, cells = settled(work, shapes, o, c, wall, width)
    store(target, at.COLUMNS, columns)
    store(target, at.HEIGHTS, heights)
    return lines, cells


@inlined
def lay_down(work, target, shapes, o, c):
    """Put a piece that sticks out on the wall; no line is removed."""
    y = resting_row(work, shapes, o, c)
    columns = load(work, at.COLUMNS)
    for i in range(at.WIDEST):
        if i < shapes[o + at.WIDTH]:
            cells = work[at.COLUMNS + c + i] | (shapes[o + at.MASK + i] << y)
            columns = select(from_bits(1 << (c + i)), spread(cells), columns)
    store(target, at.COLUMNS, columns)
    store(target, at.HEIGHTS, bit_length(columns))
