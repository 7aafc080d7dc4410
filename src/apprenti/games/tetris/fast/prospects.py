"""Every placement of given pieces on given boards, on the compiled engine: no game, no chance, only what could be."""

import numpy as np
from numpy.typing import NDArray

from apprenti.games.tetris.fast.batch import Afterstates, Ints
from apprenti.games.tetris.fast.tables import tables_for
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.lanes import LANES
from apprenti.games.tetris.kernel.play import MOST_ORIENTATIONS
from apprenti.games.tetris.kernel.prospects import write_prospects
from apprenti.games.tetris.rules import Rules


class Prospects:
    """What each placement of a piece leads to, for boards of one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        tables = tables_for(rules)
        self._tables = (tables.game, tables.shapes, tables.pieces, tables.open_, tables.shares, tables.sequence)
        counts = [int(bits).bit_count() for bits in tables.open_]
        self._most = np.array([sum(counts[first : first + n]) for first, n in tables.pieces.reshape(-1, 2)])
        """For each piece the number of its placements when nothing is in the way."""
        self._own = np.zeros(at.BATCH_SIZE, np.int64)
        self._work, self._marks = np.zeros(at.WORK_SIZE, np.int32), np.zeros(MOST_ORIENTATIONS + 16, np.int64)

    def of(self, columns: NDArray[np.int32], pieces: Ints) -> Afterstates:
        """The boards after every placement of piece `pieces[i]` on board `columns[i]` (sixteen columns as bits)."""
        count = int(self._most[pieces].sum())
        starts = np.empty(len(pieces) + 1, np.int64)
        after, move = np.empty((count, LANES), np.int32), np.empty((count, at.MOVE_SIZE), np.int32)
        over, owner, action = np.empty(count, np.uint8), np.empty(count, np.int64), np.empty(count, np.int64)
        write_prospects(
            self._tables, np.ascontiguousarray(columns).ravel(), np.ascontiguousarray(pieces, np.int64), self._own,
            self._work, self._marks, starts, after.ravel(), move.ravel(), over, owner, action,
        )  # fmt: skip
        n = int(starts[-1])
        return Afterstates(
            self.rules.height, self.rules.width, starts, owner[:n], action[:n], after[:n],
            move[:n, at.M_LINES].astype(np.int64), over[:n].view(np.bool_), move[:n],
        )  # fmt: skip
