"""Many games side by side, one placement each at a time.

A board is sixteen columns of 32 bits in `columns`, walls beyond its edge; all else that is known of a game is a row of
`games`; its two streams of random numbers, one for the pieces and one for the seeds of games to come, are a row of
`chances`. `before` and `moves` keep the board before the last piece came to rest, and what that move was. Functions
with `first` and `last` work on the games from one to the other, so that threads can share a batch.
"""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_bits, next_random
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.entry import entry_column
from apprenti.games.tetris.kernel.lanes import (
    LANES,
    address,
    bit_length,
    count_bits,
    from_bits,
    largest,
    load,
    lowest_bit,
    select,
    spread,
    store,
)
from apprenti.games.tetris.kernel.look import allow, pile_height
from apprenti.games.tetris.kernel.play import MOST_ORIENTATIONS, clear_board, deal, points_for
from apprenti.games.tetris.kernel.settle import resting_row, settled_at
from apprenti.games.tetris.kernel.whole import prepare_rows


@inlined
def take_board(columns, work):
    """Bring the board of a game to where the kernel works on boards."""
    board = load(columns, 0)
    store(work, at.COLUMNS, board)
    store(work, at.HEIGHTS, bit_length(board))


@inlined
def draw(game, own, shares, sequence, chance):
    """The next piece of the randomiser."""
    bag = address(own, at.G_BAG)
    piece = deal(game, bag, shares, sequence, own[at.G_DEALT], chance)
    own[at.G_DEALT] += 1
    return piece


@inlined
def end(own, outcome):
    """The game is over: no piece is in play."""
    own[at.G_PIECE] = -1
    own[at.G_OUTCOME] = outcome
    for r in range(at.MOST_ROTATIONS):
        own[at.G_ALLOWED + r] = 0


@inlined
def appear(game, own, work, shapes, pieces, open_, piece, marks):
    """A piece appears; find where it may go. The game is over if there is no room for it."""
    if not allow(game, work, shapes, pieces, piece, marks, open_, address(marks, MOST_ORIENTATIONS)):
        end(own, at.NO_ROOM)
        return
    first, count = pieces[2 * piece], pieces[2 * piece + 1]
    start = first * at.SHAPE_SIZE
    own[at.G_PIECE], own[at.G_ROTATION] = piece, 0
    own[at.G_ROW] = shapes[start + at.ENTRY] if game[at.WALKS] else game[at.LIMIT]
    own[at.G_COLUMN] = entry_column(game, shapes, start)
    for r in range(at.MOST_ROTATIONS):
        own[at.G_ALLOWED + r] = marks[first + r] if r < count else 0


@inlined
def bring(game, own, work, shapes, pieces, open_, shares, sequence, chance, marks):
    """Bring the next piece into play."""
    piece = own[at.G_NEXT]
    if piece < 0:
        piece = draw(game, own, shares, sequence, chance)
    if game[at.PREVIEW]:
        own[at.G_NEXT] = draw(game, own, shares, sequence, chance)
    appear(game, own, work, shapes, pieces, open_, piece, marks)


@inlined
def stick_out(game, work, shapes, o, c, y):
    """Leave a piece where it ends the game; what is above the board is not kept."""
    seen = (1 << game[at.LIMIT]) - 1
    for i in range(shapes[o + at.WIDTH]):
        work[at.COLUMNS + c + i] |= (shapes[o + at.MASK + i] << y) & seen


@inlined
def put(game, own, work, shapes, o, y, c, move):
    """Let a piece rest on the board in `work`; write what the move was; whether and why it ended the game."""
    width, limit = game[at.BOARD_WIDTH], game[at.LIMIT]
    own[at.G_PIECES] += 1
    move[at.M_LINES], move[at.M_CELLS], move[at.M_LANDING] = 0, 0, 2 * y + shapes[o + at.HEIGHT] - 1
    if y + shapes[o + at.HEIGHT] > game[at.ROWS]:
        stick_out(game, work, shapes, o, c, y)
        return at.STICKS_OUT
    prepare_rows(work, width)
    columns, heights, lines, cells = settled_at(work, shapes, o, y, c, (1 << limit) - 1, width)
    store(work, at.COLUMNS, columns & spread((1 << limit) - 1))  # what is above the board ends the game
    store(work, at.HEIGHTS, heights)
    move[at.M_LINES], move[at.M_CELLS] = lines, cells
    own[at.G_LINES] += lines
    own[at.G_POINTS] += points_for(game, lines)
    if pile_height(work, width) > limit:
        return at.TOO_HIGH
    return at.LAST_PIECE if own[at.G_PIECES] >= game[at.MAX_PIECES] else at.GOES_ON


@inlined
def rest(game, shapes, pieces, open_, shares, sequence, columns, before, own, chance, o, y, c, move, work, marks):
    """A piece comes to rest on the board in `work`, and the next one is dealt."""
    store(before, 0, load(columns, 0))
    outcome = put(game, own, work, shapes, o, y, c, move)
    store(columns, 0, load(work, at.COLUMNS))
    if outcome:
        end(own, outcome)
    else:
        bring(game, own, work, shapes, pieces, open_, shares, sequence, chance, marks)


@called
def step_one(
    game, shapes, pieces, open_, shares, sequence, columns, before, own, chance, action, move, work, marks
):  # fmt: skip
    """One placement in one game."""
    o = (pieces[2 * own[at.G_PIECE]] + action // game[at.BOARD_WIDTH]) * at.SHAPE_SIZE
    c = action % game[at.BOARD_WIDTH]
    take_board(columns, work)
    y = resting_row(work, shapes, o, c)
    rest(game, shapes, pieces, open_, shares, sequence, columns, before, own, chance, o, y, c, move, work, marks)


@called
def begin_one(game, shapes, pieces, open_, shares, sequence, columns, before, own, chance, move, work, marks):
    """A new game with the stream of pieces it has been given."""
    for c in range(LANES):
        columns[c] = 0 if c < game[at.BOARD_WIDTH] else (1 << game[at.LIMIT]) - 1
        before[c] = columns[c]
    for i in range(at.BATCH_SIZE):
        own[i] = 0
    for i in range(at.MOVE_SIZE):
        move[i] = 0
    own[at.G_NEXT] = -1
    take_board(columns, work)
    bring(game, own, work, shapes, pieces, open_, shares, sequence, chance, marks)


@inlined
def is_allowed(own, width, action):
    """Whether the piece in play may be placed so: 1 or 0."""
    if action < 0 or action >= at.MOST_ROTATIONS * width:
        return 0
    return (own[at.G_ALLOWED + action // width] >> (action % width)) & 1


@kernel()
def find_legal(games, actions, width, legal):
    """Write for each game whether its action is legal. A game that is over allows none."""
    for i in range(len(actions)):
        legal[i] = is_allowed(address(games, i * at.BATCH_SIZE), width, actions[i])


@kernel()
def step_games(tables, columns, before, games, chances, moves, actions, legal, work, marks, first, last):
    """Play one placement in each game whose action is legal."""
    game, shapes, pieces, open_, shares, sequence = tables
    clear_board(address(game, 0), address(work, 0))
    for i in range(first, last):
        if legal[i]:
            step_one(
                address(game, 0), address(shapes, 0), address(pieces, 0), address(open_, 0), address(shares, 0),
                address(sequence, 0), address(columns, i * LANES), address(before, i * LANES),
                address(games, i * at.BATCH_SIZE), address(chances, 2 * i), actions[i],
                address(moves, i * at.MOVE_SIZE), address(work, 0), address(marks, 0),
            )  # fmt: skip


@kernel()
def begin_games(tables, columns, before, games, chances, moves, which, given, work, marks):
    """Begin anew those games that are marked; unless their seeds are given, each draws one from its own stream."""
    game, shapes, pieces, open_, shares, sequence = tables
    clear_board(address(game, 0), address(work, 0))
    for i in range(len(which)):
        if which[i]:
            if not given:
                chances[2 * i] = next_bits(address(chances, 2 * i + 1))
            begin_one(
                address(game, 0), address(shapes, 0), address(pieces, 0), address(open_, 0), address(shares, 0),
                address(sequence, 0), address(columns, i * LANES), address(before, i * LANES),
                address(games, i * at.BATCH_SIZE), address(chances, 2 * i), address(moves, i * at.MOVE_SIZE),
                address(work, 0), address(marks, 0),
            )  # fmt: skip


@kernel()
def set_up(tables, columns, games, i, piece, work, marks):
    """Let a piece appear in a game whose board has been written by somebody else."""
    game, shapes, pieces, open_, _, _ = tables
    clear_board(address(game, 0), address(work, 0))
    take_board(address(columns, i * LANES), address(work, 0))
    own = address(games, i * at.BATCH_SIZE)
    own[at.G_OUTCOME] = at.GOES_ON
    appear(
        address(game, 0), own, address(work, 0), address(shapes, 0), address(pieces, 0), address(open_, 0), piece,
        address(marks, 0),
    )  # fmt: skip


@kernel()
def count_legal(games, starts):
    """Write where the placements of each game begin when all are packed one after the other, and at the end the sum."""
    starts[0] = 0
    for i in range(len(starts) - 1):
        starts[i + 1] = starts[i]
        for r in range(at.MOST_ROTATIONS):
            starts[i + 1] += count_bits(games[i * at.BATCH_SIZE + at.G_ALLOWED + r])


@inlined
def write_mask(own, mask, rotations, width):
    """Write for each action whether it is legal: 1 or 0."""
    for r in range(rotations):
        for c in range(width):
            mask[r * width + c] = (own[at.G_ALLOWED + r] >> c) & 1


@kernel()
def write_masks(games, masks, rotations, width):
    """Write the mask of each game."""
    for i in range(len(games) // at.BATCH_SIZE):
        write_mask(address(games, i * at.BATCH_SIZE), address(masks, i * rotations * width), rotations, width)


@kernel()
def draw_actions(games, starts, width, luck, actions):
    """Draw for each game one of its legal actions, each as likely; -1 for a game that is over."""
    for i in range(len(actions)):
        actions[i] = -1
        legal = starts[i + 1] - starts[i]
        if legal == 0:
            continue
        skip, r = int(next_random(address(luck, 0)) * legal), 0
        own = address(games, i * at.BATCH_SIZE + at.G_ALLOWED)
        while skip >= count_bits(own[r]):
            skip -= count_bits(own[r])
            r += 1
        rest = own[r]
        while skip:
            rest &= rest - 1
            skip -= 1
        actions[i] = r * width + lowest_bit(rest)


@called
def look_after(game, own, shapes, pieces, work, i, at_, after, move, over, owner, action):
    """Write the boards after each legal placement of one game, from place `at_` of the packed arrays on."""
    width, limit = game[at.BOARD_WIDTH], game[at.LIMIT]
    wall = (1 << limit) - 1
    prepare_rows(work, width)
    before = load(work, at.COLUMNS)
    for r in range(at.MOST_ROTATIONS):
        rest = own[at.G_ALLOWED + r]
        while rest:
            c = lowest_bit(rest)
            rest &= rest - 1
            o = (pieces[2 * own[at.G_PIECE]] + r) * at.SHAPE_SIZE
            y = resting_row(work, shapes, o, c)
            owner[at_], action[at_] = i, r * width + c
            lines, cells = 0, 0
            if y + shapes[o + at.HEIGHT] > game[at.ROWS]:
                stick_out(game, work, shapes, o, c, y)
                store(after, at_ * LANES, load(work, at.COLUMNS))
                store(work, at.COLUMNS, before)
                over[at_] = 1
            else:
                columns, heights, lines, cells = settled_at(work, shapes, o, y, c, wall, width)
                store(after, at_ * LANES, columns & spread(wall))
                over[at_] = 1 if largest(select(from_bits((1 << width) - 1), heights, spread(0))) > limit else 0
            move[at.M_LINES], move[at.M_CELLS] = lines, cells
            move[at.M_LANDING] = 2 * y + shapes[o + at.HEIGHT] - 1
            move = address(move, at.MOVE_SIZE)
            at_ += 1


@kernel()
def write_afterstates(tables, columns, games, starts, work, after, move, over, owner, action, first, last):
    """Write the board after every legal placement of every game, and what the move was."""
    game, shapes, pieces, _, _, _ = tables
    clear_board(address(game, 0), address(work, 0))
    for i in range(first, last):
        take_board(address(columns, i * LANES), address(work, 0))
        look_after(
            address(game, 0), address(games, i * at.BATCH_SIZE), address(shapes, 0), address(pieces, 0),
            address(work, 0), i, starts[i], address(after, 0), address(move, starts[i] * at.MOVE_SIZE),
            address(over, 0), address(owner, 0), address(action, 0),
        )  # fmt: skip


@inlined
def write_plane(columns, rows, width, plane):
    """Write a board cell by cell, row 0 at the bottom: 1 for a full cell, 0 for an empty one."""
    for row in range(rows):
        for c in range(width):
            plane[row * width + c] = (columns[c] >> row) & 1


@kernel()
def write_planes(columns, rows, width, planes):
    """Write boards cell by cell."""
    for i in range(len(columns) // LANES):
        write_plane(address(columns, i * LANES), rows, width, address(planes, i * rows * width))


@inlined
def summary(own, gained):
    """What happened, and what is known of a game, as plain numbers."""
    return (
        gained, own[at.G_PIECE], own[at.G_NEXT], own[at.G_OUTCOME], own[at.G_LINES], own[at.G_POINTS], own[at.G_PIECES],
    )  # fmt: skip


@kernel()
def step_and_see(tables, columns, before, games, chances, moves, action, work, marks, board, mask, rotations):
    """In the first game alone: play an action, write board and mask, and tell what happened."""
    game, shapes, pieces, open_, shares, sequence = tables
    width, limit, own = game[at.BOARD_WIDTH], game[at.LIMIT], address(games, 0)
    if not is_allowed(own, width, action):
        return summary(own, at.ILLEGAL)
    clear_board(address(game, 0), address(work, 0))
    step_one(
        address(game, 0), address(shapes, 0), address(pieces, 0), address(open_, 0), address(shares, 0),
        address(sequence, 0), address(columns, 0), address(before, 0), own, address(chances, 0), action,
        address(moves, 0), address(work, 0), address(marks, 0),
    )  # fmt: skip
    write_plane(address(columns, 0), limit, width, address(board, 0))
    write_mask(own, address(mask, 0), rotations, width)
    return summary(own, np.int64(moves[at.M_LINES]))
