"""The boards after every placement of given pieces on given boards: what it takes to look one piece ahead."""

from apprenti.core.compiled import kernel
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.batch import look_after, take_board
from apprenti.games.tetris.kernel.lanes import LANES, address, count_bits
from apprenti.games.tetris.kernel.look import allow
from apprenti.games.tetris.kernel.play import MOST_ORIENTATIONS, clear_board


@kernel()
def write_prospects(tables, columns, given, own, work, marks, starts, after, move, over, owner, action):
    """For board i and piece `given[i]`: where its placements begin, and each board after one. No room means none."""
    game, shapes, pieces, open_, _, _ = tables
    clear_board(address(game, 0), address(work, 0))
    starts[0] = 0
    for i in range(len(given)):
        starts[i + 1] = starts[i]
        take_board(address(columns, i * LANES), address(work, 0))
        reach = address(marks, MOST_ORIENTATIONS)
        if not allow(
            address(game, 0), address(work, 0), address(shapes, 0), address(pieces, 0), given[i], address(marks, 0),
            address(open_, 0), reach,
        ):  # fmt: skip
            continue
        own[at.G_PIECE] = given[i]
        for r in range(at.MOST_ROTATIONS):
            k = pieces[2 * given[i]] + r
            own[at.G_ALLOWED + r] = marks[k] if r < pieces[2 * given[i] + 1] else 0
            starts[i + 1] += count_bits(own[at.G_ALLOWED + r])
        look_after(
            address(game, 0), address(own, 0), address(shapes, 0), address(pieces, 0), address(work, 0), i, starts[i],
            address(after, 0), address(move, starts[i] * at.MOVE_SIZE), address(over, 0), address(owner, 0),
            address(action, 0),
        )  # fmt: skip
