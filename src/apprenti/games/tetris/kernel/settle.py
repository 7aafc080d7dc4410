"""One piece comes to rest, full lines go: the board after one placement."""

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
