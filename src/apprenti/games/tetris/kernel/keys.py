"""Games side by side played key by key: a key, then one row of gravity. The twin of `press` in `state.py`."""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_random
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.batch import ready, rest, summary, take_board, write_plane
from apprenti.games.tetris.kernel.lanes import address, pointers_to
from apprenti.games.tetris.kernel.layout import Tables, game_in, scratch_in
from apprenti.games.tetris.kernel.placement import fits, resting_row
from apprenti.games.tetris.kernel.play import clear_board

KEYS = ("L", "R", "D", "H", "T", "N")
"""Left, right, drop, clockwise, anticlockwise, nothing: an action is a place in this list."""
LEFT, RIGHT, DROP, CLOCKWISE, ANTICLOCKWISE, NOTHING = range(len(KEYS))


@inlined
def steered(shapes, start, count, r, y, c, key):
    """Rotation, row and column that a key would bring the piece to."""
    if key == LEFT:
        return r, y, c - 1
    if key == RIGHT:
        return r, y, c + 1
    if key == NOTHING:
        return r, y, c
    turned = (r + (1 if key == CLOCKWISE else count - 1)) % count
    old, new = start + r * at.SHAPE_SIZE, start + turned * at.SHAPE_SIZE
    top = y + shapes[old + at.HEIGHT] + shapes[old + at.DOWN] - shapes[new + at.DOWN]
    return turned, top - shapes[new + at.HEIGHT], c - shapes[old + at.LEFT] + shapes[new + at.LEFT]


@inlined
def may_be(game, work, shapes, o, y, c):
    """Whether a piece may be there; above an open board there is always room."""
    if game[at.WALKS]:
        return fits(game, work, shapes, o, y, c)
    return c >= 0 and c + shapes[o + at.WIDTH] <= game[at.BOARD_WIDTH]


@called
def press_one(rules, one, space, key):
    """One key in one game. Whether the piece came to rest."""
    game, shapes, own, work = rules.game, rules.shapes, one.own, space.work
    start, count = rules.pieces[2 * own[at.G_PIECE]] * at.SHAPE_SIZE, rules.pieces[2 * own[at.G_PIECE] + 1]
    r, y, c = own[at.G_ROTATION], own[at.G_ROW], own[at.G_COLUMN]
    take_board(one.columns, work)
    if key != DROP:
        there_r, there_y, there_c = steered(shapes, start, count, r, y, c, key)
        if may_be(game, work, shapes, start + there_r * at.SHAPE_SIZE, there_y, there_c):
            r, y, c = there_r, there_y, there_c
    o = start + r * at.SHAPE_SIZE
    if key == DROP and not game[at.WALKS]:
        y = resting_row(work, shapes, o, c)
    elif key == DROP:
        while fits(game, work, shapes, o, y - 1, c):
            y -= 1
    elif not game[at.WALKS] or fits(game, work, shapes, o, y - 1, c):  # above an open board a piece waits for its drop
        own[at.G_ROTATION], own[at.G_ROW], own[at.G_COLUMN] = r, y - game[at.WALKS], c
        return 0
    rest(rules, one, space, o, y, c)
    return 1


@kernel()
def press_keys(tables, games, keys, legal, rested, scratch, first, last):
    """Press one key in each game where that is legal, and say which pieces came to rest."""
    rules, space = ready(tables, scratch)
    for i in range(first, last):
        rested[i] = press_one(rules, game_in(games, i), space, keys[i]) if legal[i] else 0


@kernel()
def draw_keys(games, luck, keys):
    """Draw a key for each game, each as likely; -1 for a game that is over."""
    for i in range(len(keys)):
        keys[i] = -1
        if games[i * at.BATCH_SIZE + at.G_PIECE] >= 0:
            keys[i] = int(next_random(address(luck, 0)) * len(KEYS))


@inlined
def write_piece(own, rules, rows, width, plane):
    """Write the cells of the piece in play: 1 in a plane of zeros."""
    for cell in range(rows * width):
        plane[cell] = 0
    if own[at.G_PIECE] < 0:
        return
    shapes, o = rules.shapes, (rules.pieces[2 * own[at.G_PIECE]] + own[at.G_ROTATION]) * at.SHAPE_SIZE
    for column in range(shapes[o + at.WIDTH]):
        for row in range(shapes[o + at.HEIGHT]):
            if (shapes[o + at.MASK + column] >> row) & 1:
                plane[(own[at.G_ROW] + row) * width + own[at.G_COLUMN] + column] = 1


@kernel()
def write_falling(tables, games, rows, width, planes):
    """Write for each game the cells of the piece in play."""
    rules = pointers_to(Tables, tables)
    for i in range(len(games) // at.BATCH_SIZE):
        write_piece(address(games, i * at.BATCH_SIZE), rules, rows, width, address(planes, i * rows * width))


@kernel()
def press_and_see(tables, games, key, scratch, board, falling, rows):
    """In the first game alone: press a key, write the cells at rest and in play, and tell what happened."""
    one, rules, space = game_in(games, 0), pointers_to(Tables, tables), scratch_in(scratch)
    width = rules.game[at.BOARD_WIDTH]
    if key < 0 or key > NOTHING or one.own[at.G_PIECE] < 0:
        return summary(one.own, at.ILLEGAL)
    clear_board(rules.game, space.work)
    rested = press_one(rules, one, space, key)
    write_plane(one.columns, rows, width, address(board, 0))
    write_piece(one.own, rules, rows, width, address(falling, 0))
    return summary(one.own, np.int64(one.move[at.M_LINES]) if rested else at.IN_THE_AIR)
