"""What a player thinks of given boards, and does on them, for tests, views and learners."""

import numpy as np

from apprenti.core.compiled import inlined, kernel
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.choose import NEVER, values_of
from apprenti.games.tetris.kernel.groups import Tables, player_scratch_in
from apprenti.games.tetris.kernel.lanes import LANES, address, pointers_to, store
from apprenti.games.tetris.kernel.look import allow, weights_now
from apprenti.games.tetris.kernel.play import clear_board, decide, write_odds
from apprenti.games.tetris.kernel.whole import prepare


@inlined
def set_board(game, work, columns, first):
    """The board whose columns begin at `first`."""
    clear_board(game, work)
    for c in range(game[at.BOARD_WIDTH]):
        column = columns[first + c]
        work[at.COLUMNS + c], work[at.HEIGHTS + c] = column, 0
        while column >> work[at.HEIGHTS + c]:
            work[at.HEIGHTS + c] += 1


@kernel()
def probe(plan, tables, weights, columns, piece, scratch, values):
    """Write the value of each orientation at each column, NEVER where it is not allowed or ends the game."""
    rules, space, weight = pointers_to(Tables, tables), player_scratch_in(scratch), address(weights, 0)
    game, shapes, work, width = rules.game, rules.shapes, space.work, rules.game[at.BOARD_WIDTH]
    set_board(game, work, columns, 0)
    for i in range(len(values)):
        values[i] = NEVER
    if not allow(rules, work, piece, space.allowed, space.reach):
        return
    weight = weights_now(plan, game, work, weight)
    base = prepare(plan, work, weight, space.values, width, (1 << game[at.LIMIT]) - 1)
    for r in range(rules.pieces[2 * piece + 1]):
        k = rules.pieces[2 * piece] + r
        value = values_of(plan, game, work, shapes, weight, space.values, k * at.SHAPE_SIZE, space.allowed[k], base)
        store(address(values, 0), r * 16, value)


@kernel()
def answer(plan, tables, weights, columns, scratch, chosen):
    """For each board and each piece the placement of a player without luck, as `play_games` writes moves."""
    rules, space, weight = pointers_to(Tables, tables), player_scratch_in(scratch), address(weights, 0)
    pieces, none = rules.game[at.PIECES], np.zeros(1, np.uint64)
    clear_board(rules.game, space.ahead)
    space.bag[0] = 0
    for i in range(len(columns) // LANES):
        for piece in range(pieces):
            set_board(rules.game, space.work, columns, i * LANES)
            allow(rules, space.work, piece, space.allowed, space.reach)
            write_odds(plan, rules, space, 0, 0)
            o, c, _ = decide(plan, rules, weight, space, piece, address(none, 0))
            chosen[i * pieces + piece] = o // at.SHAPE_SIZE * 16 + c
