"""The value of every placement of a piece on a given board, for tests, views and learners."""

from apprenti.core.compiled import kernel
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.choose import NEVER, values_of
from apprenti.games.tetris.kernel.groups import Tables, player_scratch_in
from apprenti.games.tetris.kernel.lanes import address, pointers_to, store
from apprenti.games.tetris.kernel.look import allow, weights_now
from apprenti.games.tetris.kernel.play import clear_board
from apprenti.games.tetris.kernel.whole import prepare


@kernel()
def probe(plan, tables, weights, columns, piece, scratch, values):
    """Write the value of each orientation at each column, NEVER where it is not allowed or ends the game."""
    rules, space, weight = pointers_to(Tables, tables), player_scratch_in(scratch), address(weights, 0)
    game, shapes, work, width = rules.game, rules.shapes, space.work, rules.game[at.BOARD_WIDTH]
    clear_board(game, work)
    for c in range(width):
        work[at.COLUMNS + c] = columns[c]
        work[at.HEIGHTS + c] = 0
        while columns[c] >> work[at.HEIGHTS + c]:
            work[at.HEIGHTS + c] += 1
    for i in range(len(values)):
        values[i] = NEVER
    if not allow(rules, work, piece, space.allowed, space.reach):
        return
    weight = weights_now(plan, game, work, weight)
    base = prepare(plan, work, weight, width, (1 << game[at.LIMIT]) - 1)
    for r in range(rules.pieces[2 * piece + 1]):
        k = rules.pieces[2 * piece] + r
        value = values_of(plan, game, work, shapes, weight, space.values, k * at.SHAPE_SIZE, space.allowed[k], base)
        store(address(values, 0), r * 16, value)
