"""The criteria of many boards at once, as numbers in columns: the compiled twin of `features.measure`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apprenti.games.tetris.board import Board
from apprenti.games.tetris.fast.batch import Afterstates, Batch
from apprenti.games.tetris.fast.tables import TALLEST, columns_of, sixteen
from apprenti.games.tetris.features import height_rbf_at, is_group, size_of
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel import measure as compiled
from apprenti.games.tetris.kernel.plan import TERM, TERMS, Plan
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import shares_of

Numbers = NDArray[np.float64]

OF_THE_MOVE = ("landing_height", "eroded_piece_cells", "lines")
"""Criteria that speak of the move and not of the board after it."""
CHANGES = {
    "max_height_change": "max_height",
    "holes_change": "holes",
    "bumpiness_change": "bumpiness",
    "mean_height_change": "sum_heights",  # divided by the width at the end
}
"""Criteria that compare the board with the one before the move, and what they compare."""
_FROM = {
    "connected_holes": ("column_transitions",),
    "mean_height": ("sum_heights",),
    "max_minus_mean": ("max_height", "sum_heights"),
    "mean_minus_min": ("sum_heights", "min_height"),
    "altitude_difference": ("max_height", "min_height"),
    "column_heights": (),
    "height_differences": (),
    "height_rbf": ("sum_heights",),
    "constant": (),
}
"""What the kernel has to compute for criteria that are not themselves computed there."""


_EVERYTHING = Plan(frozenset(TERMS) - {"height_table"})
"""One compilation for all criteria: there is little to win by leaving some out, and it would be lost in compiling."""


def _terms_of(name: str) -> tuple[str, ...]:
    name = CHANGES.get(name, name)
    return () if name in OF_THE_MOVE else _FROM.get(name, (name,))


class Measures:
    """Some criteria, for boards of one set of rules."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.names = rules, tuple(names)
        self.labels: list[str] = []
        """A name for each number: a criterion that stands for several gives `name[1]`, `name[2]`, …"""
        for name in self.names:
            size = size_of(name, rules.width)
            self.labels += [f"{name}[{i}]" for i in range(1, size + 1)] if is_group(name) else [name]
        self._terms = tuple(dict.fromkeys(term for name in self.names for term in _terms_of(name)))
        self._compares = any(name in CHANGES for name in self.names)
        self._codes = np.array([TERM[term] for term in self._terms], np.int64)

    @property
    def size(self) -> int:
        """How many numbers there are for each board."""
        return len(self.labels)

    @cached_property
    def _bumps(self) -> Numbers:
        """The five bumps of `height_rbf` for every possible sum of heights."""
        width, height = self.rules.width, self.rules.height
        return np.array([height_rbf_at(sum_ / width, height) for sum_ in range(width * height + 1)])

    def of_afterstates(self, batch: Batch, after: Afterstates) -> Numbers:
        """(placements, numbers): the criteria of every placement; 0 throughout where the game ends."""
        values = self.of_moves(batch.all_columns, after.game, after.columns, after.move)
        values[after.over] = 0.0
        return values

    def of_last_moves(self, batch: Batch) -> Numbers:
        """(games, numbers): the criteria of the last move of each game; 0 throughout if it ended the game."""
        values = self.of_moves(batch.columns_before, np.arange(batch.size), batch.all_columns, batch.last_move)
        values[np.isin(batch.outcome, (at.STICKS_OUT, at.TOO_HIGH))] = 0.0
        return values

    def of_boards(self, columns: NDArray[np.int32]) -> Numbers:
        """(boards, numbers): the criteria of boards that no move has led to; those that speak of a move are 0."""
        columns, nothing = sixteen(columns), np.zeros((len(columns), at.MOVE_SIZE), np.int32)
        return self.of_moves(columns, np.arange(len(columns)), columns, nothing)

    def of_moves(
        self, before: NDArray[np.int32], owner: NDArray[np.int64], after: NDArray[np.int32], move: NDArray[np.int32]
    ) -> Numbers:
        """(moves, numbers): the criteria of moves. Move k leads from board `before[owner[k]]` to board `after[k]`.

        A board is sixteen columns of bits, a row of `move` what `Afterstates.move` says.
        """
        known = self._known(after)
        past = self._known(before) if self._compares else {}
        parts = []
        for name in self.names:
            values = self._criterion(CHANGES.get(name, name), known, after, move)
            if name in CHANGES:
                values = values - past[CHANGES[name]][owner]
            if name == "mean_height_change":
                values = values / self.rules.width
            parts.append(values if values.ndim == 2 else values[:, None])
        return np.concatenate(parts, axis=1)

    def _known(self, columns: NDArray[np.int32]) -> dict[str, Numbers]:
        """What the kernel computes of boards, by name."""
        terms = np.empty((len(columns), len(self._terms)))
        width, height = self.rules.width, self.rules.height
        boards, room = np.ascontiguousarray(columns).ravel(), np.zeros(compiled.TERMS_SIZE)
        compiled.measure_boards(_EVERYTHING, boards, width, height, room, self._codes, terms.ravel())
        return dict(zip(self._terms, terms.T, strict=True))

    def _criterion(
        self, name: str, known: dict[str, Numbers], columns: NDArray[np.int32], move: NDArray[np.int32]
    ) -> Numbers:
        """The numbers of one criterion for all boards."""
        if name in known:
            return known[name]
        if name in OF_THE_MOVE:
            return _of_move(name, move)
        if name in ("column_heights", "height_differences"):
            heights = _heights(columns[:, : self.rules.width])
            return heights if name == "column_heights" else np.abs(np.diff(heights, axis=1))
        return self._combined(name, known, len(columns))

    def _combined(self, name: str, known: dict[str, Numbers], boards: int) -> Numbers:
        """A criterion that follows from what the kernel has computed."""
        width = self.rules.width
        if name == "constant":
            return np.ones(boards)
        if name == "connected_holes":  # each run of holes adds two changes to the one every column has
            return (known["column_transitions"] - width) / 2
        if name == "height_rbf":
            sums = np.minimum(known["sum_heights"].astype(np.int64), len(self._bumps) - 1)  # a dead pile is higher
            return self._bumps[sums]
        if name == "mean_height":
            return known["sum_heights"] / width
        if name == "max_minus_mean":
            return known["max_height"] - known["sum_heights"] / width
        if name == "mean_minus_min":
            return known["sum_heights"] / width - known["min_height"]
        assert name == "altitude_difference", name
        return known["max_height"] - known["min_height"]


def _of_move(name: str, move: NDArray[np.int32]) -> Numbers:
    """A criterion of the moves themselves."""
    if name == "landing_height":
        return move[:, at.M_LANDING] / 2
    lines = move[:, at.M_LINES].astype(np.float64)
    return lines if name == "lines" else lines * move[:, at.M_CELLS]


def _heights(columns: NDArray[np.int32]) -> Numbers:
    """The heights of columns given as bits: the exponent of a number is the place of its highest bit plus one."""
    return np.frexp(columns.astype(np.float64))[1].astype(np.float64)


@dataclass(frozen=True)
class Recipes:
    """How some criteria are made from terms, for compiled code that measures one board after the other."""

    rules: Rules
    size: int
    """How many numbers there are."""
    arrays: tuple[NDArray[np.int64], Numbers, Numbers]
    """The recipes, their shares, and the five bumps of `height_rbf` for every possible sum of heights."""

    @classmethod
    def of(cls, rules: Rules, names: Sequence[str]) -> "Recipes":
        """The recipes of some criteria, in their order."""
        sums = range(rules.width * (TALLEST + 1))  # a piece that sticks out counts too
        bumps = np.array([height_rbf_at(sum_ / rules.width, rules.height) for sum_ in sums]).ravel()
        size = sum(size_of(name, rules.width) for name in names)
        return cls(rules, size, (*_recipes(names, rules.width), bumps))

    def of_board(self, plan: Plan, board: Board) -> Numbers:
        """The criteria of a board, with 0 for those of a move; it may be higher than the rules allow."""
        criteria, terms = np.zeros(self.size), np.zeros(compiled.TERMS_SIZE)
        columns = columns_of(board)[0]
        compiled.criteria_of(plan, columns, board.width, self.rules.height, *self.arrays, terms, criteria)
        return criteria


def _recipes(names: Sequence[str], width: int) -> tuple[NDArray[np.int64], Numbers]:
    """How each component is made from terms, as the kernel reads it."""
    recipe, shares = [], []
    for name in names:
        if is_group(name):
            for i in range(size_of(name, width)):
                first = {"column_heights": compiled.OF_COLUMN + i, "height_differences": compiled.OF_PAIR + i}.get(name)
                bump = i if first is None else compiled.NO_BUMP
                recipe.append([compiled.NO_TERM if first is None else first, compiled.NO_TERM, 0, bump])
                shares.append([1.0, 0.0, 0.0])
            continue
        terms = [(TERM[term], share) for term, share in shares_of(name, width)]
        (first, of_first), (second, of_second) = (*terms, (compiled.NO_TERM, 0.0), (compiled.NO_TERM, 0.0))[:2]
        plus = {"constant": 1.0, "connected_holes": -width / 2}.get(name, 0.0)
        recipe.append([first, second, int(name.endswith("_change")), compiled.NO_BUMP])
        shares.append([of_first, of_second, plus])
    return np.array(recipe, np.int64).ravel(), np.array(shares).ravel()
