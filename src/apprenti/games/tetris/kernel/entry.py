"""Where a piece may be dropped, under rules that let it appear at the top and walk there through free cells.

A piece stands in its matrix; shifting moves the matrix by a column, turning changes the orientation inside it. For each
orientation the columns of the matrix are the bits of a number, so that walking is shifting bits. `FROM` bits stand for
columns left of the board, where an empty part of the matrix may be.
"""

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel import layout as at

FROM = 8
MOST_ORIENTATIONS = 4


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
