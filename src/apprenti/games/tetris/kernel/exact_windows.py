"""The exact value of what each window of a board shows, looked up in the solved table of a small square board.

A pattern is read column by column, as the columns of a board are: bit i·side + r is the cell in column i and row r.
"""

from apprenti.core.compiled import kernel
from apprenti.games.tetris.kernel.lanes import LANES
from apprenti.games.tetris.kernel.walls import is_known, rank


@kernel()
def write_patterns(index, values, side, patterns):
    """The value of every pattern, from a table of walls in which a wall stands for its mirror image."""
    for p in range(len(patterns)):
        wall, image = 0, 0
        for i in range(side):
            for r in range(side):
                cell = (p >> (i * side + r)) & 1
                wall |= cell << (r * side + i)
                image |= cell << (r * side + side - 1 - i)
        wall = max(wall, image)
        patterns[p] = values[rank(index, wall)] if is_known(index, wall) else 0.0


@kernel()
def look_up_windows(columns, width, height, side, patterns, found):
    """For each board the value of each window inside it, row by row from the bottom."""
    mask, across, up = (1 << side) - 1, width - side + 1, height - side + 1
    for b in range(len(columns) // LANES):
        for r in range(up):
            for c in range(across):
                p = 0
                for i in range(side):
                    p |= ((columns[b * LANES + c + i] >> r) & mask) << (i * side)
                found[(b * up + r) * across + c] = patterns[p]
