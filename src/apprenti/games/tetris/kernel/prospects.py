"""The boards after every placement of given pieces on given boards: what it takes to look one piece ahead."""

from apprenti.core.compiled import kernel
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.batch import look_after, ready, take_board
from apprenti.games.tetris.kernel.groups import AfterstateArrays
from apprenti.games.tetris.kernel.lanes import LANES, address, count_bits, pointers_to
from apprenti.games.tetris.kernel.look import allow


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
