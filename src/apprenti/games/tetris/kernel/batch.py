"""Many games side by side, one placement each at a time.

Functions with `first` and `last` work on the games from one to the other, so that threads can share a batch.
"""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_bits, next_random
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.choose import allow, pile_height
from apprenti.games.tetris.kernel.lanes import (
    LANES,
    address,
    bit_length,
    count_bits,
    from_bits,
    largest,
    load,
    lowest_bit,
    pointers_to,
    select,
    spread,
    store,
    store_bytes,
)
from apprenti.games.tetris.kernel.layout import AfterstateArrays, Tables, game_in, scratch_in
from apprenti.games.tetris.kernel.placement import entry_column, resting_row, settled_at
from apprenti.games.tetris.kernel.play import clear_board, deal, points_for
from apprenti.games.tetris.kernel.whole import prepare_rows


@inlined
def take_board(columns, work):
    """Bring the board of a game to where the kernel works on boards."""
    board = load(columns, 0)
    store(work, at.COLUMNS, board)
    store(work, at.HEIGHTS, bit_length(board))


@inlined
def draw(rules, one):
    """The next piece of the randomiser."""
    piece = deal(rules, address(one.own, at.G_BAG), one.own[at.G_DEALT], one.chance)
    one.own[at.G_DEALT] += 1
    return piece


@inlined
def end(own, outcome):
    """The game is over: no piece is in play."""
    own[at.G_PIECE] = -1
    own[at.G_OUTCOME] = outcome
    for r in range(at.MOST_ROTATIONS):
        own[at.G_ALLOWED + r] = 0


@inlined
def appear(rules, own, piece, space):
    """A piece appears on the board of `space`; find where it may go. The game is over if there is no room for it."""
    if not allow(rules, space.work, piece, space.allowed, space.reach):
        end(own, at.NO_ROOM)
        return
    game, shapes, first, count = rules.game, rules.shapes, rules.pieces[2 * piece], rules.pieces[2 * piece + 1]
    start = first * at.SHAPE_SIZE
    own[at.G_PIECE], own[at.G_ROTATION] = piece, 0
    own[at.G_ROW] = shapes[start + at.ENTRY] if game[at.WALKS] else game[at.LIMIT]
    own[at.G_COLUMN] = entry_column(game, shapes, start)
    for r in range(at.MOST_ROTATIONS):
        own[at.G_ALLOWED + r] = space.allowed[first + r] if r < count else 0


@inlined
def bring(rules, one, space):
    """Bring the next piece into play."""
    piece = one.own[at.G_NEXT]
    if piece < 0:
        piece = draw(rules, one)
    if rules.game[at.PREVIEW]:
        one.own[at.G_NEXT] = draw(rules, one)
    appear(rules, one.own, piece, space)


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
def rest(rules, one, space, o, y, c):
    """A piece comes to rest on the board of `space`, and the next one is dealt."""
    store(one.before, 0, load(one.columns, 0))
    outcome = put(rules.game, one.own, space.work, rules.shapes, o, y, c, one.move)
    store(one.columns, 0, load(space.work, at.COLUMNS))
    if outcome:
        end(one.own, outcome)
    else:
        bring(rules, one, space)


@called
def step_one(rules, one, space, action):
    """One placement in one game."""
    o = (rules.pieces[2 * one.own[at.G_PIECE]] + action // rules.game[at.BOARD_WIDTH]) * at.SHAPE_SIZE
    c = action % rules.game[at.BOARD_WIDTH]
    take_board(one.columns, space.work)
    rest(rules, one, space, o, resting_row(space.work, rules.shapes, o, c), c)


@called
def begin_one(rules, one, space):
    """A new game with the stream of pieces it has been given."""
    for c in range(LANES):
        one.columns[c] = 0 if c < rules.game[at.BOARD_WIDTH] else (1 << rules.game[at.LIMIT]) - 1
        one.before[c] = one.columns[c]
    for i in range(at.BATCH_SIZE):
        one.own[i] = 0
    for i in range(at.MOVE_SIZE):
        one.move[i] = 0
    one.own[at.G_NEXT] = -1
    take_board(one.columns, space.work)
    bring(rules, one, space)


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


@inlined
def ready(tables, scratch):
    """The rules, and an empty board to work on."""
    rules, space = pointers_to(Tables, tables), scratch_in(scratch)
    clear_board(rules.game, space.work)
    return rules, space


@kernel()
def step_games(tables, games, actions, legal, scratch, first, last):
    """Play one placement in each game whose action is legal."""
    rules, space = ready(tables, scratch)
    for i in range(first, last):
        if legal[i]:
            step_one(rules, game_in(games, i), space, actions[i])


@kernel()
def begin_games(tables, games, which, given, scratch):
    """Begin anew those games that are marked; unless their seeds are given, each draws one from its own stream."""
    rules, space = ready(tables, scratch)
    for i in range(len(which)):
        if which[i]:
            one = game_in(games, i)
            if not given:
                one.chance[0] = next_bits(address(one.chance, 1))
            begin_one(rules, one, space)


@kernel()
def set_up(tables, games, i, piece, scratch):
    """Let a piece appear in a game whose board has been written by somebody else."""
    rules, space = ready(tables, scratch)
    one = game_in(games, i)
    take_board(one.columns, space.work)
    one.own[at.G_OUTCOME] = at.GOES_ON
    appear(rules, one.own, piece, space)


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
def look_after(rules, own, work, i, at_, out):
    """Write the boards after each legal placement of one game, from place `at_` of the packed arrays on."""
    game, shapes, width, limit = rules.game, rules.shapes, rules.game[at.BOARD_WIDTH], rules.game[at.LIMIT]
    wall = (1 << limit) - 1
    prepare_rows(work, width)
    before = load(work, at.COLUMNS)
    for r in range(at.MOST_ROTATIONS):
        rest = own[at.G_ALLOWED + r]
        while rest:
            c = lowest_bit(rest)
            rest &= rest - 1
            o = (rules.pieces[2 * own[at.G_PIECE]] + r) * at.SHAPE_SIZE
            y = resting_row(work, shapes, o, c)
            out.owner[at_], out.action[at_] = i, r * width + c
            lines, cells = 0, 0
            if y + shapes[o + at.HEIGHT] > game[at.ROWS]:
                stick_out(game, work, shapes, o, c, y)
                store(out.boards, at_ * LANES, load(work, at.COLUMNS))
                store(work, at.COLUMNS, before)
                out.over[at_] = 1
            else:
                columns, heights, lines, cells = settled_at(work, shapes, o, y, c, wall, width)
                store(out.boards, at_ * LANES, columns & spread(wall))
                out.over[at_] = 1 if largest(select(from_bits((1 << width) - 1), heights, spread(0))) > limit else 0
            move = address(out.moves, at_ * at.MOVE_SIZE)
            move[at.M_LINES], move[at.M_CELLS] = lines, cells
            move[at.M_LANDING] = 2 * y + shapes[o + at.HEIGHT] - 1
            at_ += 1


@kernel()
def write_afterstates(tables, games, starts, scratch, out, first, last):
    """Write the board after every legal placement of every game, and what the move was."""
    (rules, space), places = ready(tables, scratch), pointers_to(AfterstateArrays, out)
    for i in range(first, last):
        one = game_in(games, i)
        take_board(one.columns, space.work)
        look_after(rules, one.own, space.work, i, starts[i], places)


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


@kernel()
def write_byte_planes(columns, rows, width, planes):
    """The same in bytes, a row at a time: sixteen are written, and the next row is written over what is too many."""
    for i in range(len(columns) // LANES):
        board, start = load(address(columns, i * LANES), 0), i * rows * width
        for row in range(rows):
            if start + row * width + LANES <= len(planes):
                store_bytes(address(planes, start + row * width), 0, (board >> spread(row)) & spread(1))
            else:
                for c in range(width):
                    planes[start + row * width + c] = (columns[i * LANES + c] >> row) & 1


@inlined
def summary(own, gained):
    """What happened, and what is known of a game, as plain numbers."""
    return (
        gained, own[at.G_PIECE], own[at.G_NEXT], own[at.G_OUTCOME], own[at.G_LINES], own[at.G_POINTS], own[at.G_PIECES],
    )  # fmt: skip


@kernel()
def step_and_see(tables, games, action, scratch, board, mask, rotations):
    """In the first game alone: play an action, write board and mask, and tell what happened."""
    one, rules, space = game_in(games, 0), pointers_to(Tables, tables), scratch_in(scratch)
    width = rules.game[at.BOARD_WIDTH]
    if not is_allowed(one.own, width, action):
        return summary(one.own, at.ILLEGAL)
    clear_board(rules.game, space.work)
    step_one(rules, one, space, action)
    write_plane(one.columns, rules.game[at.LIMIT], width, address(board, 0))
    write_mask(one.own, address(mask, 0), rotations, width)
    return summary(one.own, np.int64(one.move[at.M_LINES]))


@kernel()
def write_prospects(tables, columns, given, own, scratch, starts, out):
    """For board i and piece `given[i]`: where its placements begin, and each board after one. No room means none."""
    (rules, space), places = ready(tables, scratch), pointers_to(AfterstateArrays, out)
    starts[0] = 0
    for i in range(len(given)):
        starts[i + 1] = starts[i]
        take_board(address(columns, i * LANES), space.work)
        if not allow(rules, space.work, given[i], space.allowed, space.reach):
            continue
        own[at.G_PIECE] = given[i]
        for r in range(at.MOST_ROTATIONS):
            k = rules.pieces[2 * given[i]] + r
            own[at.G_ALLOWED + r] = space.allowed[k] if r < rules.pieces[2 * given[i] + 1] else 0
            starts[i + 1] += count_bits(own[at.G_ALLOWED + r])
        look_after(rules, address(own, 0), space.work, i, starts[i], places)
