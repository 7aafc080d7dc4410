"""Windows of a board as criteria: what each of them shows, valued as a small board (thesis, "Perspectives")."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.errors import BadAgent
from apprenti.games.tetris.fast.wall_table import WallTable
from apprenti.games.tetris.kernel.exact_windows import look_up_windows, write_patterns
from apprenti.games.tetris.rules import Rules

GROUPS = ("all", "columns", "heights", "sum")
"""Every window on its own; those at the same columns added up; those at the same height; all of them."""


@dataclass(frozen=True, eq=False)
class ExactWindows:
    """Ṽ of a small square board for every pattern, and how the windows of a larger board are added up."""

    side: int
    patterns: NDArray[np.float32]
    """By pattern, read column by column."""

    @classmethod
    def of(cls, table: WallTable) -> "ExactWindows":
        """From the solution of a square board; one of every wall, or what play cannot lead to is worth 0."""
        side = table.rules.width
        if side != table.rules.height or not table.mirrored:
            raise BadAgent("windows are square: give the table of a board like 5x5.")
        patterns = np.empty(1 << side * side, np.float32)
        with announcing("the windows of a board"):
            write_patterns(table.index, table.values, side, patterns)
        return cls(side, patterns)

    def count(self, rules: Rules, group: str) -> int:
        """How many numbers describe a board."""
        across, up = rules.width - self.side + 1, rules.height - self.side + 1
        return {"all": across * up, "columns": across, "heights": up, "sum": 1}[group]

    def numbers(self, rules: Rules, columns: NDArray[np.int32], group: str) -> NDArray[np.float64]:
        """(boards, numbers): the values of the windows of each board of sixteen columns, added up by group."""
        across, up = rules.width - self.side + 1, rules.height - self.side + 1
        if across < 1 or up < 1:
            raise BadAgent(f"a board of {rules.width}x{rules.height} has no window of {self.side}x{self.side}.")
        found = np.empty((len(columns), up, across), np.float32)
        boards = np.ascontiguousarray(columns).ravel()
        look_up_windows(boards, rules.width, rules.height, self.side, self.patterns, found.ravel())
        sums = {"all": (), "columns": (1,), "heights": (2,), "sum": (1, 2)}[group]
        return np.asarray(found.sum(axis=sums, dtype=np.float64).reshape(len(columns), -1))
