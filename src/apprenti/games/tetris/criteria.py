"""The criteria by which a placement is judged: one entry each, from which everything else about them is derived.

A criterion speaks of the board after the placement and after full lines are removed, unless it says otherwise. Row 0 is
the bottom, the floor and the walls are full, the sky is empty. The function is the definition, in its plainest form;
the kernel computes the same numbers with bits, and the tests hold the two together. Its docstring is the sentence in
the documentation, its decorator says the rest. Names and definitions: Thiery & Scherrer 2009 and the thesis' annex A.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from apprenti.core.errors import UnknownName
from apprenti.games.tetris.board import EMPTY, Board
from apprenti.games.tetris.placement import Placement, settle


@dataclass(frozen=True)
class Move:
    """A placement and the boards before and after it."""

    before: Board
    placement: Placement

    @cached_property
    def _settled(self) -> tuple[Board, int]:
        return settle(self.before, self.placement, len(self.before.rows))

    @property
    def after(self) -> Board:
        """The board after the placement, full lines removed."""
        return self._settled[0]

    @property
    def lines(self) -> int:
        """How many lines were removed."""
        return self._settled[1]

    @cached_property
    def cells_removed(self) -> int:
        """Cells of the placed piece in the removed lines."""
        full = self.before.with_cells(self.placement.cells, self.placement.piece).full_rows
        return sum(row in full for row, _ in self.placement.cells)


@dataclass(frozen=True)
class Criterion:
    """What is known of a criterion."""

    name: str
    text: str
    """What it measures, in one sentence."""
    definition: Callable[[Move], Any]
    """The number it is for a move; a tuple of numbers if it has a size."""
    size: Callable[[int], int] | None = None
    """How many numbers it stands for, by the width of the board; None for one number."""
    of_move: bool = False
    """Whether it speaks of the move and not of the board after it."""
    terms: Mapping[str, float] | None = None
    """The criteria it is a combination of, with their shares; None for what the kernel computes itself, a *term*."""
    is_mean: bool = False
    """Whether that combination is divided by the width of the board."""
    plus: Callable[[int, int], float] = lambda width, height: 0.0
    """What is added to that combination, by the width and the height."""
    is_change: bool = False
    """Whether that combination is of the change against the board before the move."""
    is_ratio: bool = False
    """Whether it is a term that takes other numbers than whole ones and halves, so that it is rounded when weighed."""
    more_is_better: bool = False
    """Whether players that know no weights prefer more of it."""
    most: Callable[[int], int] | None = None
    """The greatest number it can be, by the cells of the board; None unless it takes whole numbers from 0 on."""

    def __reduce__(self) -> tuple[object, ...]:
        return find, (self.name,)

    @property
    def sign(self) -> float:
        """1 if more of it is better, −1 if less is."""
        return 1.0 if self.more_is_better else -1.0

    def shares(self, width: int) -> list[tuple[str, float]]:
        """The terms it is a sum of, what is added left out; a criterion that stands for several numbers has none."""
        if self.terms is None:
            return [] if self.size else [(self.name, 1.0)]
        scale = 1 / width if self.is_mean else 1.0
        parts = [(CRITERIA[name].shares(width), share * scale) for name, share in self.terms.items()]
        return [(term, factor * share) for shares, factor in parts for term, share in shares]


CRITERIA: dict[str, Criterion] = {}
"""All criteria by name; the last three stand for several numbers."""

Definition = TypeVar("Definition", bound=Callable[[Move], Any])


def _criterion(**facts: Any) -> Callable[[Definition], Definition]:
    def register(definition: Definition) -> Definition:
        name = definition.__name__
        CRITERIA[name] = Criterion(name, definition.__doc__ or "", definition, **facts)
        return definition

    return register


# The move -------------------------------------------------------------------------------------------------------------


@_criterion(of_move=True)
def landing_height(move: Move) -> float:
    """The height of the middle of the piece where it lands, before lines are removed."""
    placement = move.placement
    return placement.row + (placement.top - placement.row - 1) / 2


@_criterion(of_move=True, more_is_better=True)
def eroded_piece_cells(move: Move) -> float:
    """Lines removed × cells of the placed piece in them."""
    return move.lines * move.cells_removed


@_criterion(of_move=True, more_is_better=True, most=lambda cells: 8)
def lines(move: Move) -> float:
    """Lines removed."""
    return move.lines


@_criterion(terms={"landing_height": -1.0}, plus=lambda width, height: height - 1.0, of_move=True, more_is_better=True)
def drop(move: Move) -> float:
    """How far the middle of the piece has fallen from the top row of the board (xtris)."""
    return move.before.height - 1 - landing_height(move)


# Transitions ----------------------------------------------------------------------------------------------------------


def _changes(cells: Iterable[bool]) -> int:
    cells = list(cells)
    return sum(a != b for a, b in itertools.pairwise(cells))


def _column(board: Board, column: int) -> list[bool]:
    return [row[column] != EMPTY for row in board.rows]


@_criterion(most=lambda cells: 2 * cells)
def row_transitions(move: Move) -> float:
    """Changes between full and empty along every row of the board, walls full; an empty row counts 2."""
    rows = move.after.rows[: move.after.height]
    return sum(_changes([True, *(cell != EMPTY for cell in row), True]) for row in rows)


@_criterion(most=lambda cells: 2 * cells)
def column_transitions(move: Move) -> float:
    """Changes between full and empty up every column, from the floor to the sky; an empty column counts 1."""
    board = move.after
    return sum(_changes([True, *_column(board, column), False]) for column in range(board.width))


@_criterion(most=lambda cells: cells)
def column_frontier(move: Move) -> float:
    """Changes between full and empty up every column, from its lowest cell to the sky: the floor is not counted."""
    board = move.after
    return sum(_changes([*_column(board, column), False]) for column in range(board.width))


@_criterion(terms={"row_transitions": 1.0, "column_frontier": 1.0})
def frontier(move: Move) -> float:
    """Changes between full and empty along rows and columns, the floor not counted (xtris)."""
    return row_transitions(move) + column_frontier(move)


# Holes ----------------------------------------------------------------------------------------------------------------


@_criterion(most=lambda cells: cells)
def holes(move: Move) -> float:
    """Empty cells with a full cell somewhere above."""
    return move.after.holes


@_criterion(terms={"column_transitions": 0.5}, plus=lambda width, height: -width / 2, most=lambda cells: cells)
def connected_holes(move: Move) -> float:
    """Holes, vertically adjacent ones counted once."""
    cells = set(move.after.hole_cells)
    return sum((row + 1, column) not in cells for row, column in cells)


@_criterion(most=lambda cells: cells)
def hole_depth(move: Move) -> float:
    """Full cells with at least one empty cell below them in the column."""
    board = move.after
    count = 0
    for column in range(board.width):
        cells = _column(board, column)
        lowest_empty = cells.index(False) if False in cells else len(cells)
        count += sum(cells[lowest_empty:])
    return count


@_criterion(most=lambda cells: 64)
def rows_with_holes(move: Move) -> float:
    """Rows with at least one hole."""
    return len({row for row, _ in move.after.hole_cells})


@_criterion()
def hard_holes(move: Move) -> float:
    """For each hole the full cells above it in its column: what must go before it can be filled."""
    board = move.after
    return sum(sum(_column(board, column)[row:]) for row, column in board.hole_cells)


@_criterion(is_ratio=True)
def mean_hole_depth(move: Move) -> float:
    """How many cells lie above a hole in its column, full or not, on average; 0 without holes."""
    board = move.after
    depths = [board.column_heights[column] - 1 - row for row, column in board.hole_cells]
    return sum(depths) / len(depths) if depths else 0.0


# Wells ----------------------------------------------------------------------------------------------------------------


def _is_well(board: Board, row: int, column: int) -> bool:
    """An empty cell whose left and right neighbours are full."""
    left = column == 0 or board.is_full(row, column - 1)
    right = column == board.width - 1 or board.is_full(row, column + 1)
    return not board.is_full(row, column) and left and right


def _empty_below(board: Board, row: int, column: int) -> int:
    """The length of the run of empty cells going down from a cell, itself included."""
    length = 0
    while row - length >= 0 and not board.is_full(row - length, column):
        length += 1
    return length


def _wells(board: Board) -> Iterator[int]:
    """The lengths of the wells: from the first well cell of a column down to the next full cell, and on below it."""
    for column in range(board.width):
        row = board.highest - 1
        while row >= 0:
            if _is_well(board, row, column):
                length = _empty_below(board, row, column)
                yield length
                row -= length
            row -= 1


@_criterion()
def cumulative_wells(move: Move) -> float:
    """For each well cell, covered or not, the length of the run of empty cells going down from it (Dellacherie)."""
    board = move.after
    return sum(
        _empty_below(board, row, column)
        for column in range(board.width)
        for row in range(board.highest)
        if _is_well(board, row, column)
    )


@_criterion()
def cumulative_open_wells(move: Move) -> float:
    """The same for well cells without a full cell above them: wells as the text of the thesis has them."""
    board = move.after
    return sum(
        row - height + 1
        for column, height in enumerate(board.column_heights)
        for row in range(height, board.highest)
        if _is_well(board, row, column)
    )


@_criterion()
def cumulative_wells_fast(move: Move) -> float:
    """1 + 2 + … + depth of every well, scanned from the top (DT-10 and DT-20)."""
    return sum(length * (length + 1) // 2 for length in _wells(move.after))


@_criterion(most=lambda cells: cells)
def well_depth_sum(move: Move) -> float:
    """The sum of how far each column is below the lower of its two neighbours, a wall counted as high (Fahey)."""
    heights = [math.inf, *move.after.column_heights, math.inf]
    depths = (min(left, right) - here for left, here, right in zip(heights, heights[1:], heights[2:], strict=False))
    return sum(int(max(0, depth)) for depth in depths)


@_criterion(most=lambda cells: cells)
def well_cells(move: Move) -> float:
    """The sum of the depths of the wells, covered ones too (the thesis' program)."""
    return sum(_wells(move.after))


@_criterion()
def max_well_depth(move: Move) -> float:
    """The depth of the deepest well (Böhm)."""
    return max(_wells(move.after), default=0)


@_criterion(most=lambda cells: cells)
def well_count(move: Move) -> float:
    """The number of wells (Driessens)."""
    return sum(1 for _ in _wells(move.after))


@_criterion()
def pit_depth(move: Move) -> float:
    """The sum of the depths of the wells of depth 2 and more."""
    return sum(length for length in _wells(move.after) if length >= 2)


@_criterion(terms={"well_cells": 1.0, "well_count": -1.0}, most=lambda cells: cells)
def pits(move: Move) -> float:
    """The sum of depth − 1 over the wells (xtris)."""
    return sum(length - 1 for length in _wells(move.after))


# Heights --------------------------------------------------------------------------------------------------------------


@_criterion(most=lambda cells: 64)
def max_height(move: Move) -> float:
    """The height of the highest column."""
    return move.after.highest


@_criterion(most=lambda cells: 64)
def min_height(move: Move) -> float:
    """The height of the lowest column."""
    return min(move.after.column_heights)


@_criterion(most=lambda cells: cells)
def sum_heights(move: Move) -> float:
    """The sum of the column heights."""
    return move.after.sum_heights


@_criterion(terms={"sum_heights": 1.0}, is_mean=True)
def mean_height(move: Move) -> float:
    """The mean of the column heights."""
    return move.after.sum_heights / move.after.width


@_criterion(terms={"max_height": 1.0, "mean_height": -1.0})
def max_minus_mean(move: Move) -> float:
    """How much the highest column exceeds the mean."""
    return max_height(move) - mean_height(move)


@_criterion(terms={"mean_height": 1.0, "min_height": -1.0})
def mean_minus_min(move: Move) -> float:
    """How much the lowest column falls short of the mean."""
    return mean_height(move) - min_height(move)


@_criterion(terms={"max_height": 1.0, "min_height": -1.0})
def altitude_difference(move: Move) -> float:
    """The highest column minus the lowest."""
    return max_height(move) - min_height(move)


@_criterion(most=lambda cells: cells)
def bumpiness(move: Move) -> float:
    """The sum of the absolute differences between neighbouring columns."""
    return move.after.bumpiness


@_criterion(more_is_better=True)
def pattern_diversity(move: Move) -> float:
    """How many of the values −2 … 2 occur among the differences of neighbouring columns (CBMPI)."""
    heights = move.after.column_heights
    return len({b - a for a, b in itertools.pairwise(heights)} & {-2, -1, 0, 1, 2})


FITS = {(-2,): "L", (-1,): "ST", (0,): "OLJ", (1,): "ZT", (2,): "J", (0, 0): "T", (0, 1): "S", (-1, 0): "Z"}
"""Which pieces stand without a hole on neighbouring columns, by the steps from column to column; I on any one."""


@_criterion(more_is_better=True)
def fitting_pieces(move: Move) -> float:
    """How many of the pieces O, S, Z, T, L and J fit somewhere on the surface without making a hole."""
    steps = [b - a for a, b in itertools.pairwise(move.after.column_heights)]
    return len(set().union(*(FITS.get(run, "") for run in (*zip(steps, strict=True), *itertools.pairwise(steps)))))


# Cells ----------------------------------------------------------------------------------------------------------------


@_criterion(most=lambda cells: cells)
def occupied_cells(move: Move) -> float:
    """The number of full cells."""
    return sum(cell != EMPTY for row in move.after.rows for cell in row)


@_criterion()
def weighted_cells(move: Move) -> float:
    """Each full cell times its row, counted from 1."""
    return sum(height * sum(cell != EMPTY for cell in row) for height, row in enumerate(move.after.rows, 1))


@_criterion(terms={}, plus=lambda width, height: 1.0)
def constant(move: Move) -> float:
    """1: it moves no choice, but a value function needs it."""
    return 1.0


# Changes against the board before the move (Lagoudakis) ---------------------------------------------------------------


@_criterion(terms={"max_height": 1.0}, is_change=True)
def max_height_change(move: Move) -> float:
    """By how much the highest column has grown."""
    return move.after.highest - move.before.highest


@_criterion(terms={"holes": 1.0}, is_change=True)
def holes_change(move: Move) -> float:
    """By how much the holes have increased."""
    return move.after.holes - move.before.holes


@_criterion(terms={"bumpiness": 1.0}, is_change=True)
def bumpiness_change(move: Move) -> float:
    """By how much the bumpiness has increased."""
    return move.after.bumpiness - move.before.bumpiness


@_criterion(terms={"mean_height": 1.0}, is_change=True)
def mean_height_change(move: Move) -> float:
    """By how much the mean height has grown."""
    return (move.after.sum_heights - move.before.sum_heights) / move.after.width


# Several numbers each -----------------------------------------------------------------------------------------------


@_criterion(size=lambda width: width)
def column_heights(move: Move) -> tuple[float, ...]:
    """The height of each column (Bertsekas and Ioffe)."""
    return move.after.column_heights


@_criterion(size=lambda width: width - 1)
def height_differences(move: Move) -> tuple[float, ...]:
    """The absolute difference between each column and its right neighbour (Bertsekas and Ioffe)."""
    heights = move.after.column_heights
    return tuple(abs(a - b) for a, b in itertools.pairwise(heights))


def height_rbf_at(mean: float, height: int) -> tuple[float, ...]:
    """Five bumps along the mean height (CBMPI's value function)."""
    return tuple(math.exp(-((mean - i * height / 4) ** 2) / (2 * (height / 5) ** 2)) for i in range(5))


@_criterion(size=lambda width: 5)
def height_rbf(move: Move) -> tuple[float, ...]:
    """Five Gaussian bumps of the mean height (CBMPI's value function)."""
    return height_rbf_at(mean_height(move), move.after.height)


# By name --------------------------------------------------------------------------------------------------------------

_DELLACHERIE = (
    "landing_height", "eroded_piece_cells", "row_transitions", "column_transitions", "holes", "cumulative_wells",
)  # fmt: skip
_BERTSEKAS = ("column_heights", "height_differences", "max_height", "holes")
_LAGOUDAKIS = ("max_height", "holes", "bumpiness", "mean_height")
_DRIESSENS = (
    "column_heights", "max_height", "mean_height", "min_height", "max_minus_mean", "mean_minus_min",
    "height_differences", "holes", "well_count", "mean_hole_depth",
)  # fmt: skip
_RV = (*_DELLACHERIE, "hole_depth", "rows_with_holes", "pattern_diversity")
SETS: dict[str, tuple[str, ...]] = {
    "tetrisbot": ("lines", "sum_heights", "holes", "bumpiness"),
    "dellacherie": _DELLACHERIE,
    "bertsekas": (*_BERTSEKAS, "constant"),
    "bcts": (*_DELLACHERIE, "hole_depth", "rows_with_holes"),
    "dt": (*_DELLACHERIE[:-1], "cumulative_wells_fast", "hole_depth", "rows_with_holes", "pattern_diversity"),
    "rv": _RV,
    "apprenti": (*_RV, "lines", "pit_depth", "bumpiness", "max_height", "height_rbf"),
    "lagoudakis": (*_LAGOUDAKIS, *(f"{name}_change" for name in _LAGOUDAKIS), "lines", "constant"),
    "tsitsiklis": ("max_height", "holes", "constant"),
    "fahey": ("holes", "weighted_cells", "well_depth_sum", "lines"),
    "boehm": (
        "max_height",
        "holes",
        "connected_holes",
        "lines",
        "altitude_difference",
        "max_well_depth",
        "well_cells",
        "landing_height",
        "occupied_cells",
        "weighted_cells",
        "row_transitions",
        "column_transitions",
    ),
    "xtris": ("max_height", "holes", "frontier", "drop", "pits", "hard_holes"),
    "driessens": _DRIESSENS,
    "thesis": (*_BERTSEKAS, *(name for name in _DELLACHERIE if name != "holes"), "hole_depth"),
}
"""Criteria of the literature, and our own."""


def find(name: str) -> Criterion:
    """The criterion of a name; UnknownName if there is none."""
    if name not in CRITERIA:
        raise UnknownName("criterion", name, CRITERIA)
    return CRITERIA[name]


def size_of(name: str, width: int) -> int:
    """How many numbers a criterion stands for on a board of this width; 1 for most."""
    size = find(name).size
    return size(width) if size else 1


def is_group(name: str) -> bool:
    """Whether a criterion stands for several numbers."""
    return find(name).size is not None


def labels(names: Iterable[str], width: int) -> list[str]:
    """A name for each number: a criterion that stands for several gives `name[1]`, `name[2]`, …"""
    each = ((name, range(1, size_of(name, width) + 1)) for name in names)
    return [f"{name}[{i}]" if is_group(name) else name for name, numbers in each for i in numbers]


def values(move: Move, name: str) -> tuple[float, ...]:
    """The numbers a criterion stands for."""
    value = find(name).definition(move)
    return value if is_group(name) else (value,)


def measure(board: Board, placement: Placement, names: Iterable[str]) -> dict[str, float]:
    """Name → number, for a placement on a board; several numbers have the names that `labels` gives."""
    names, move = list(names), Move(board, placement)
    numbers = (float(number) for name in names for number in values(move, name))
    return dict(zip(labels(names, board.width), numbers, strict=True))
