"""The criteria of many boards at once, as numbers in columns: the compiled twin of `criteria.measure`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apprenti.games.tetris.board import Board
from apprenti.games.tetris.criteria import Criterion, find, height_rbf_at, labels
from apprenti.games.tetris.fast.batch import Afterstates, Batch
from apprenti.games.tetris.fast.tables import TALLEST, columns_of, sixteen
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel import measure as compiled
from apprenti.games.tetris.kernel.choose import OF_THE_MOVE
from apprenti.games.tetris.kernel.plan import TERM, TERMS, Plan
from apprenti.games.tetris.rules import Rules

Numbers = NDArray[np.float64]

_EVERYTHING = Plan(frozenset(TERMS))
"""One compilation for all criteria: there is little to win by leaving some out, and it would be lost in compiling."""


Row = tuple[int, int, float, float, float, float, float, bool, int]


def _rows(criterion: Criterion, width: int, height: int) -> Iterator[Row]:
    """An entry of a recipe for each number of a criterion."""
    places = {"column_heights": compiled.OF_COLUMN, "height_differences": compiled.OF_PAIR + 1}
    none, no_bump = compiled.NO_TERM, compiled.NO_BUMP
    for i in range(criterion.size(width) if criterion.size else 0):
        if criterion.name in places:
            yield places[criterion.name] + i, none, 1.0, 0.0, 1.0, 1.0, 0.0, False, no_bump
        else:
            yield none, none, 1.0, 0.0, 1.0, 1.0, 0.0, False, i
    if not criterion.size:
        shares = zip(criterion.shares(1), criterion.shares(width), strict=True)
        terms = [(TERM[term], share, float(width) if share != part else 1.0) for (term, share), (_, part) in shares]
        nothing = (none, 0.0, 1.0)
        (first, one, by), (second, other, by_other) = (*terms, nothing, nothing)[:2]
        yield first, second, one, other, by, by_other, criterion.plus(width, height), criterion.is_change, no_bump


@dataclass(frozen=True, eq=False)
class Recipes:
    """How the numbers of some criteria are made of terms, at most two each; an entry for each number."""

    rules: Rules
    terms: NDArray[np.int64]
    """(2, numbers): places in the kernel's `terms`; `NO_TERM` is always 0."""
    shares: Numbers
    """(2, numbers): what the terms are multiplied by."""
    parts: Numbers
    """(2, numbers): what they are divided by then: the width of the board for a mean, or 1."""
    plus: Numbers
    """What is added."""
    changes: NDArray[np.bool_]
    """Which are the change from the board before."""
    bumps: NDArray[np.int64]
    """Which bump of the sum of heights it is, or `NO_BUMP`."""

    @classmethod
    def of(cls, rules: Rules, names: Sequence[str]) -> "Recipes":
        """The recipes of some criteria, in their order."""
        rows = [row for criterion in map(find, names) for row in _rows(criterion, rules.width, rules.height)]
        table = np.array(rows, float).reshape(-1, 9).T
        terms, shares, parts, plus, changes, bumps = table[:2], table[2:4], table[4:6], *table[6:]
        return cls(rules, terms.astype(np.int64), shares, parts, plus, changes > 0, bumps.astype(np.int64))

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.plus)

    @cached_property
    def bumps_of(self) -> Numbers:
        """(sums of heights, 5): the bumps of `height_rbf`; a piece that sticks out counts, too."""
        width, sums = self.rules.width, range(self.rules.width * (TALLEST + 1))
        return np.array([height_rbf_at(sum_ / width, self.rules.height) for sum_ in sums])

    @cached_property
    def arrays(self) -> compiled.Recipes:
        """For compiled code that measures one board after the other."""
        recipe = np.stack([*self.terms, self.changes, self.bumps], axis=1)
        shares = np.stack([*(self.shares / self.parts), self.plus], axis=1)
        return compiled.Recipes(recipe.ravel(), shares.ravel(), self.bumps_of.ravel())

    def made_of(self, terms: Numbers, places: NDArray[np.int64], which: NDArray[np.bool_] | slice) -> Numbers:
        """(boards, numbers): some of the numbers, from the terms of many boards, which are at these places."""
        first, second = np.searchsorted(places, self.terms[:, which])
        (share, other), (by, by_other), plus = self.shares[:, which], self.parts[:, which], self.plus[which]
        numbers: Numbers = np.take(terms, first, axis=1)
        more = (share != 1) | (by != 1) | (other != 0) | (plus != 0)  # the others are a term as it is
        if more.any():
            second_terms = np.take(terms, second[more], axis=1) * other[more] / by_other[more]
            numbers[:, more] = numbers[:, more] * share[more] / by[more] + second_terms + plus[more]
        return numbers

    def of_board(self, plan: Plan, board: Board) -> Numbers:
        """The criteria of a board, as if a piece had landed at height 0; it may be higher than the rules allow."""
        criteria, terms = np.zeros(self.size), np.zeros(compiled.TERMS_SIZE)
        columns = columns_of(board)[0]
        compiled.criteria_of(plan, columns, board.width, self.rules.height, self.arrays, terms, criteria)
        return criteria


class Measures:
    """Some criteria, for many boards of one set of rules."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.names = rules, tuple(names)
        self.labels = labels(self.names, rules.width)
        """A name for each number."""
        self._recipes = Recipes.of(rules, self.names)
        self._places = np.unique([*self._recipes.terms.ravel(), compiled.SUM_HEIGHTS])
        moves = {TERM[name]: name for name in OF_THE_MOVE}
        self._of_move = {moves[code]: place for place, code in enumerate(self._places.tolist()) if code in moves}

    @property
    def size(self) -> int:
        """How many numbers there are for each board."""
        return len(self.labels)

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
        recipes, terms = self._recipes, self._terms(after)
        if self._of_move:
            given = move[:, at.M_LANDING] / 2, move[:, at.M_LINES].astype(float), move[:, at.M_CELLS].astype(float)
            for name, place in self._of_move.items():
                terms[:, place] = OF_THE_MOVE[name].py_func(*given)
        numbers = recipes.made_of(terms, self._places, slice(None))
        if recipes.changes.any():
            places = np.unique(recipes.terms[:, recipes.changes])
            columns = np.searchsorted(self._places, places)
            changed = terms[:, columns] - self._terms(before)[:, columns][owner]
            numbers[:, recipes.changes] = recipes.made_of(changed, places, recipes.changes)
        bumped = recipes.bumps != compiled.NO_BUMP
        if bumped.any():
            sums = terms[:, np.searchsorted(self._places, compiled.SUM_HEIGHTS)].astype(np.int64)
            sums = np.minimum(sums, self.rules.width * self.rules.height)  # a dead pile is higher
            numbers[:, bumped] = recipes.bumps_of[sums][:, recipes.bumps[bumped]]
        return numbers

    def _terms(self, columns: NDArray[np.int32]) -> Numbers:
        """(boards, places): what the kernel computes of boards."""
        terms = np.empty((len(columns), len(self._places)))
        width, height = self.rules.width, self.rules.height
        boards, room = np.ascontiguousarray(columns).ravel(), np.zeros(compiled.TERMS_SIZE)
        compiled.measure_boards(_EVERYTHING, boards, width, height, room, self._places, terms.ravel())
        return terms
