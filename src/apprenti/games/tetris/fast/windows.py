"""The windows of a board: all places where a few cells are looked at together, and the patterns they can show.

A network says numbers of each pattern (`Windows`); or each window is valued as a small board that is solved, and these
values are criteria (`ExactWindows`; thesis, "Perspectives").
"""

import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.errors import BadAgent, BadOption
from apprenti.games.tetris.fast.wall_table import WallTable
from apprenti.games.tetris.kernel import windows as at
from apprenti.games.tetris.kernel.lanes import LANES
from apprenti.games.tetris.rules import Rules

FEATURES = LANES
"""How many numbers a network may say of one window."""
MOST_CELLS = 16
"""Cells of the largest window: its table has 2^16 rows."""

LEAST = 64
"""Fewer boards than this are not worth a thread of their own."""

Reals = NDArray[np.float64]


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads)


def share_out(threads: int, count: int, work: Callable[[int, int], None]) -> None:
    """Let each thread do its part of `count` things; what comes out does not depend on how many there are."""
    threads = max(1, min(threads, count // LEAST))
    if threads == 1:
        work(0, count)
        return
    cuts = [count * part // threads for part in range(threads + 1)]
    list(_pool(threads).map(work, cuts[:-1], cuts[1:]))


def parse(text: str, width: int) -> tuple[tuple[int, int], ...]:
    """Read `4x4,8x2,row`: rows x columns of each kind of window; `row` is one whole row of the board."""
    kinds = []
    for word in (part.strip() for part in text.split(",")):
        match = re.fullmatch(r"(\d{1,2})x(\d{1,2})", word)
        rows, columns = (1, width) if word == "row" else (int(match[1]), int(match[2])) if match else (0, 0)
        if not (rows >= 1 and 1 <= columns <= width and rows * columns <= MOST_CELLS):
            raise BadOption(
                f"--windows are rows x columns of up to {MOST_CELLS} cells, at most {width} columns wide here, or row, "
                f"with commas, like 4x4,row; not {word!r}."
            )
        kinds.append((rows, columns))
    return tuple(kinds)


@dataclass(frozen=True)
class Windows:
    """Kinds of windows (rows, columns) on boards of one size."""

    width: int
    height: int
    shapes: tuple[tuple[int, int], ...]

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """The kinds as the kernel reads them."""
        kinds, table, place = [], 0, 0
        for rows, columns in self.shapes:
            whole = columns == self.width
            first, last = (at.BESIDE, at.BESIDE) if whole else (0, self.width + 2 * at.BESIDE - columns)
            floor = min(at.BELOW, rows - 1)
            kinds.append([rows, columns, first, last, floor, table, place])
            table += 2 ** (rows * columns)
            place += (self.height + floor) * (last - first + 1)
        return np.array(kinds, np.int64).ravel()

    @property
    def count(self) -> int:
        """How many windows a board has."""
        return sum(
            (self.height + min(at.BELOW, rows - 1)) * (1 if columns == self.width else self.width + 5 - columns)
            for rows, columns in self.shapes
        )

    @cached_property
    def _grid(self) -> at.Grid:
        return at.Grid(self.width, self.height, self.kinds, self.count)

    @property
    def sizes(self) -> list[int]:
        """For each kind the number of its patterns."""
        return [2 ** (rows * columns) for rows, columns in self.shapes]

    @property
    def sums(self) -> int:
        """How many sums describe a board."""
        return len(self.shapes) * at.SUMS

    def cells(self) -> list[NDArray[np.float32]]:
        """For each kind the cells of all its patterns: 1 for full, −1 for empty."""
        each = []
        for rows, columns in self.shapes:
            patterns = np.arange(2 ** (rows * columns))
            each.append((2 * (patterns[:, None] >> np.arange(rows * columns) & 1) - 1).astype(np.float32))
        return each

    def mirrored(self) -> list[NDArray[np.int64]]:
        """For each kind the pattern that each one is in a mirror."""
        mirrors = []
        for rows, columns in self.shapes:
            patterns = np.arange(2 ** (rows * columns))
            column = [patterns >> (i * rows) & (2**rows - 1) for i in range(columns)]
            mirrors.append(
                sum(((c << ((columns - 1 - i) * rows)) for i, c in enumerate(column)), np.zeros_like(patterns))
            )
        return mirrors

    def sums_of(self, columns: NDArray[np.int32], table: Reals) -> tuple[Reals, NDArray[np.int64]]:
        """(boards, sums) and (boards, windows): the sums over the windows of each board, and their patterns."""
        sums, patterns = np.empty((len(columns), self.sums)), np.empty((len(columns), self.count), np.int64)
        boards = np.ascontiguousarray(columns).ravel()
        at.sum_windows(self._grid, table.ravel(), boards, patterns.ravel(), sums.ravel())
        return sums, patterns

    def add_gradients(self, patterns: NDArray[np.int64], gradients: Reals, of_table: Reals) -> None:
        """Add to `of_table` the gradients of the rows of the table, given those of the sums."""
        flat = np.ascontiguousarray(gradients).ravel()
        at.add_gradients(self._grid, patterns.ravel(), len(patterns), flat, of_table.ravel())

    def empty_board(self) -> NDArray[np.int32]:
        """A board with nothing on it, as one of many."""
        return np.zeros((1, LANES), np.int32)

    def values(
        self, before: NDArray[np.int32], starts: NDArray[np.int64], after: NDArray[np.int32], table: Reals,
        hidden: int, weights: Reals, threads: int = 1,
    ) -> Reals:  # fmt: skip
        values = np.empty(len(after))
        boards = np.ascontiguousarray(before).ravel(), starts, np.ascontiguousarray(after).ravel()
        arrays = self._grid, table.ravel(), at.Head(hidden, weights), *boards, values
        share_out(threads, len(starts) - 1, lambda first, last: at.value_windows(*arrays, first, last))
        return values


def packed_head(
    linear: Reals, bias: float, first: Reals, first_bias: Reals, second: Reals, empty: Iterable[float]
) -> Reals:
    """The weights of the head as the kernel reads them, for sums that are counted from those of an empty board."""
    nothing = np.asarray(empty, np.float64)
    hidden = len(second)
    lanes = -(-hidden // LANES) * LANES
    matrix, biases, out = np.zeros((len(linear), lanes)), np.zeros(lanes), np.zeros(lanes)
    matrix[:, :hidden], out[:hidden] = first, second
    biases[:hidden] = first_bias - nothing @ first
    return np.concatenate([linear, [bias - linear @ nothing], matrix.ravel(), biases, out])


# Exact values of windows ----------------------------------------------------------------------------------------------


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
            at.write_patterns(table.index, table.values, side, patterns)
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
        values = np.empty((len(columns), up, across), np.float32)
        boards = np.ascontiguousarray(columns).ravel()
        at.look_up_windows(boards, rules.width, rules.height, self.side, self.patterns, values.ravel())
        sums = {"all": (), "columns": (1,), "heights": (2,), "sum": (1, 2)}[group]
        return np.asarray(values.sum(axis=sums, dtype=np.float64).reshape(len(columns), -1))
