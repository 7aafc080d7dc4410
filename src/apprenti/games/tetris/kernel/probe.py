"""The value of every placement of a piece on a given board, for tests, views and learners."""

from apprenti.core.compiled import kernel
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.choose import NEVER, values_of
from apprenti.games.tetris.kernel.lanes import address, store
from apprenti.games.tetris.kernel.look import allow
from apprenti.games.tetris.kernel.play import MOST_ORIENTATIONS, clear_board
from apprenti.games.tetris.kernel.whole import prepare


@kernel()
def probe(plan, game, shapes, pieces, weights, open_, columns, piece, boards, marks, numbers, values):
    """Write the value of each orientation at each column, NEVER where it is not allowed or ends the game."""
    rules, work, forms, weight = address(game, 0), address(boards, 0), address(shapes, 0), address(weights, 0)
    allowed, reach = address(marks, 0), address(marks, 2 * MOST_ORIENTATIONS)
    width = rules[at.BOARD_WIDTH]
    clear_board(rules, work)
    for c in range(width):
        work[at.COLUMNS + c] = columns[c]
        work[at.HEIGHTS + c] = 0
        while columns[c] >> work[at.HEIGHTS + c]:
            work[at.HEIGHTS + c] += 1
    for i in range(len(values)):
        values[i] = NEVER
    if not allow(rules, work, forms, address(pieces, 0), piece, allowed, address(open_, 0), reach):
        return
    base = prepare(plan, work, weight, width, (1 << rules[at.LIMIT]) - 1)
    for r in range(pieces[2 * piece + 1]):
        k = pieces[2 * piece] + r
        value = values_of(plan, rules, work, forms, weight, address(numbers, 0), k * at.SHAPE_SIZE, allowed[k], base)
        store(address(values, 0), r * 16, value)
