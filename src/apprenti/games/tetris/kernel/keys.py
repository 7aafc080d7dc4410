"""Games side by side played key by key: a key, then one row of gravity. The twin of `press` in `state.py`."""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_random
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.batch import rest, summary, take_board, write_plane
from apprenti.games.tetris.kernel.entry import fits
from apprenti.games.tetris.kernel.lanes import LANES, address
from apprenti.games.tetris.kernel.play import clear_board
from apprenti.games.tetris.kernel.settle import resting_row

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
def press_one(game, shapes, pieces, open_, shares, sequence, columns, before, own, chance, key, move, work, marks):
    """One key in one game. Whether the piece came to rest."""
    start, count = pieces[2 * own[at.G_PIECE]] * at.SHAPE_SIZE, pieces[2 * own[at.G_PIECE] + 1]
    r, y, c = own[at.G_ROTATION], own[at.G_ROW], own[at.G_COLUMN]
    take_board(columns, work)
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
    rest(game, shapes, pieces, open_, shares, sequence, columns, before, own, chance, o, y, c, move, work, marks)
    return 1


@kernel()
def press_keys(tables, columns, before, games, chances, moves, keys, legal, rested, work, marks, first, last):
    """Press one key in each game where that is legal, and say which pieces came to rest."""
    game, shapes, pieces, open_, shares, sequence = tables
    clear_board(address(game, 0), address(work, 0))
    for i in range(first, last):
        rested[i] = 0
        if legal[i]:
            rested[i] = press_one(
                address(game, 0), address(shapes, 0), address(pieces, 0), address(open_, 0), address(shares, 0),
                address(sequence, 0), address(columns, i * LANES), address(before, i * LANES),
                address(games, i * at.BATCH_SIZE), address(chances, 2 * i), keys[i],
                address(moves, i * at.MOVE_SIZE), address(work, 0), address(marks, 0),
            )  # fmt: skip


@kernel()
def draw_keys(games, luck, keys):
    """Draw a key for each game, each as likely; -1 for a game that is over."""
    for i in range(len(keys)):
        keys[i] = -1
        if games[i * at.BATCH_SIZE + at.G_PIECE] >= 0:
            keys[i] = int(next_random(address(luck, 0)) * len(KEYS))


@inlined
def write_piece(own, shapes, pieces, rows, width, plane):
    """Write the cells of the piece in play: 1 in a plane of zeros."""
    for cell in range(rows * width):
        plane[cell] = 0
    if own[at.G_PIECE] < 0:
        return
    o = (pieces[2 * own[at.G_PIECE]] + own[at.G_ROTATION]) * at.SHAPE_SIZE
    for column in range(shapes[o + at.WIDTH]):
        for row in range(shapes[o + at.HEIGHT]):
            if (shapes[o + at.MASK + column] >> row) & 1:
                plane[(own[at.G_ROW] + row) * width + own[at.G_COLUMN] + column] = 1


@kernel()
def write_falling(tables, games, rows, width, planes):
    """Write for each game the cells of the piece in play."""
    for i in range(len(games) // at.BATCH_SIZE):
        write_piece(
            address(games, i * at.BATCH_SIZE), address(tables[1], 0), address(tables[2], 0), rows, width,
            address(planes, i * rows * width),
        )  # fmt: skip


@kernel()
def press_and_see(tables, columns, before, games, chances, moves, key, work, marks, board, falling, rows):
    """In the first game alone: press a key, write the cells at rest and in play, and tell what happened."""
    game, shapes, pieces, open_, shares, sequence = tables
    width, own = game[at.BOARD_WIDTH], address(games, 0)
    if key < 0 or key > NOTHING or own[at.G_PIECE] < 0:
        return summary(own, at.ILLEGAL)
    clear_board(address(game, 0), address(work, 0))
    rested = press_one(
        address(game, 0), address(shapes, 0), address(pieces, 0), address(open_, 0), address(shares, 0),
        address(sequence, 0), address(columns, 0), address(before, 0), own, address(chances, 0), key,
        address(moves, 0), address(work, 0), address(marks, 0),
    )  # fmt: skip
    write_plane(address(columns, 0), rows, width, address(board, 0))
    write_piece(own, address(shapes, 0), address(pieces, 0), rows, width, address(falling, 0))
    return summary(own, np.int64(moves[at.M_LINES]) if rested else at.IN_THE_AIR)
