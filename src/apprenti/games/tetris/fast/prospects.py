"""Every placement of given pieces on given boards, on the compiled engine: no game, no chance, only what could be."""

import numpy as np
from numpy.typing import NDArray

from apprenti.games.tetris.fast.batch import Afterstates, Ints, afterstate_arrays
from apprenti.games.tetris.fast.tables import Arrays, scratch, tables_for
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.batch import write_prospects
from apprenti.games.tetris.rules import Rules


class Prospects:
    """What each placement of a piece leads to, for boards of one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self._scratch, tables = rules, scratch(boards=1)[:2], tables_for(rules)
        self._tables: Arrays = tuple(tables)
        counts = [int(bits).bit_count() for bits in tables.open_]
        self._most = np.array([sum(counts[first : first + n]) for first, n in tables.pieces.reshape(-1, 2)])
        """For each piece the number of its placements when nothing is in the way."""
        self._own = np.zeros(at.BATCH_SIZE, np.int64)

    def of(self, columns: NDArray[np.int32], pieces: Ints) -> Afterstates:
        """The boards after every placement of piece `pieces[i]` on board `columns[i]` (sixteen columns as bits)."""
        starts, out = np.empty(len(pieces) + 1, np.int64), afterstate_arrays(int(self._most[pieces].sum()))
        boards, given = np.ascontiguousarray(columns).ravel(), np.ascontiguousarray(pieces, np.int64)
        write_prospects(self._tables, boards, given, self._own, self._scratch, starts, tuple(out))
        return Afterstates.of(self.rules, starts, out)
