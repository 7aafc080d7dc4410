"""A table with the value of every reachable wall, and the player that lives by it.

On disk the walls are the gaps between their numbers, a byte each: 255 says "255 further, and no wall there". The values
are 32-bit numbers in the same order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.data import AnyArray, Arrays
from apprenti.core.errors import BadAgent
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.players import GameResult, OwnGames, no_results, result_of, stop_signal
from apprenti.games.tetris.fast.reachable import SOLVED_BITS, cells_of, index_size
from apprenti.games.tetris.fast.tables import count_bits, dealing
from apprenti.games.tetris.kernel.walls import (
    LARGEST,
    Policy,
    drop_names,
    drop_tables,
    play_games,
    read_gaps,
    write_gaps,
)
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.walls import canonical, is_symmetric, why_not


@dataclass(frozen=True, eq=False)
class WallTable:
    """The value of every reachable wall of one board; what cannot be reached is worth 0."""

    rules: Rules
    gamma: float
    index: NDArray[np.int64]
    """As `reachable.Space` has it."""
    values: NDArray[np.float32]
    one_sided: bool = False
    """Whether a wall and its mirror image are told apart, though the rules do not."""

    @cached_property
    def mirrored(self) -> bool:
        """Whether a wall stands for its mirror image."""
        return not self.one_sided and is_symmetric(self.rules)

    def value(self, wall: int) -> float:
        """What a wall is worth."""
        wall = canonical(wall, self.rules.width) if self.mirrored else wall
        entry, bit = int(self.index[wall >> 5]), wall & 31
        if not entry >> bit & 1:
            return 0.0
        return float(self.values[(entry >> 32) + (entry & ((1 << bit) - 1)).bit_count()])

    def values_of(self, columns: NDArray[np.int32]) -> NDArray[np.float64]:
        """(boards, columns of bits) → what each of these walls is worth."""
        width, rows = self.rules.width, np.arange(self.rules.height)
        cells = (columns[:, None, :width].astype(np.int64) >> rows[:, None] & 1) << (rows[:, None] * width)
        walls = (cells << np.arange(width)).sum(axis=(1, 2))
        if self.mirrored:
            walls = np.maximum(walls, (cells << np.arange(width)[::-1]).sum(axis=(1, 2)))
        entries, places = self.index[walls >> 5], walls & 31
        rank = (entries >> 32) + count_bits(entries & ((1 << places) - 1))
        known = (entries >> places & 1) == 1
        return np.where(known, self.values[np.where(known, rank, 0)], 0.0).astype(np.float64)

    def to_arrays(self) -> Arrays:
        """The table as it is kept."""
        gaps = np.empty(int(write_gaps(self.index, np.empty(0, np.uint8))), np.uint8)
        write_gaps(self.index, gaps)
        return {"gaps": gaps, "values": self.values}

    @classmethod
    def from_arrays(
        cls, rules: Rules, gamma: float, arrays: Mapping[str, AnyArray], one_sided: bool = False
    ) -> "WallTable":
        """The table that `to_arrays` wrote; BadAgent if it is none of these rules."""
        reason = why_not(rules)
        if reason or cells_of(rules) > SOLVED_BITS or rules.width * rules.rows > LARGEST:
            raise BadAgent(f"a table of walls is for a small board whose game can be solved{reason and ': ' + reason}.")
        try:
            gaps, values = arrays["gaps"], arrays["values"]
        except KeyError as missing:
            raise BadAgent(f"the array {missing} of this table of walls is not there.") from None
        index = np.zeros(index_size(cells_of(rules)), np.int64)
        if gaps.dtype != np.uint8 or values.dtype != np.float32 or read_gaps(gaps.ravel(), index) != values.size:
            raise BadAgent("this table of walls has not one value for each wall of its board.")
        if not (np.isfinite(values).all() and (values >= 0).all()):
            raise BadAgent("a table of walls has values from 0 on.")
        return cls(rules, float(gamma), index, values.ravel(), one_sided)


@dataclass(frozen=True)
class WallPlayer(OwnGames):
    """Plays the placement with the greatest lines + γ value; of equals the first."""

    table: WallTable

    def plays(self, rules: Rules) -> bool:
        ours = self.table.rules
        return (rules.width, rules.height, rules.pieces, rules.entry, rules.hidden) == (
            ours.width, ours.height, ours.pieces, ours.entry, ours.hidden,
        )  # fmt: skip

    def play(
        self, rules: Rules, seeds: Sequence[tuple[int, int]], keep_moves: int, stop: NDArray[np.int64] | None
    ) -> list[GameResult]:
        endless, table = rules.changed(max_pieces=0), self.table
        results, moves = no_results(len(seeds)), np.zeros((len(seeds), keep_moves), np.int64)
        with announcing("a player of walls", WallPlayer):
            play_games(
                drop_tables(endless, table.mirrored), Policy(table.index, table.values, table.gamma), dealing(rules),
                np.array([pieces for pieces, _ in seeds], np.uint64), results.ravel(), moves.ravel(),
                stop_signal() if stop is None else stop,
            )  # fmt: skip
        names = drop_names(endless)
        return [result_of(row, (names[m] for m in kept)) for row, kept in zip(results, moves, strict=True)]

    def actions(self, batch: Batch) -> NDArray[np.int64]:
        """The best placement of each of many games, the first of equals."""
        after, table = batch.afterstates(), self.table
        return after.best(after.lines + np.where(after.over, 0.0, table.gamma * table.values_of(after.columns)))
