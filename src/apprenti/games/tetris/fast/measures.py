"""The criteria of many boards at once, as numbers in columns: the compiled twin of `criteria.measure`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apprenti.games.tetris.board import Board
from apprenti.games.tetris.criteria import CRITERIA, Criterion, find, height_rbf_at, labels, size_of
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


class Measures:
    """Some criteria, for boards of one set of rules."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.names = rules, tuple(names)
        self.labels = labels(self.names, rules.width)
        """A name for each number."""
        self._criteria = [find(name) for name in self.names]
        terms = [term for criterion in self._criteria for term in _terms_of(criterion)]
        self._terms = tuple(dict.fromkeys(terms))
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
        changing = {term for criterion in self._criteria if criterion.is_change for term in _terms_of(criterion)}
        past = self._known(before) if changing else {}
        changes = {term: known[term] - past[term][owner] for term in changing}
        parts = []
        for criterion in self._criteria:
            if criterion.size:
                parts.append(self._group(criterion.name, known, after))
            elif criterion.of_move:
                parts.append(self._single(criterion, _of_move(move), len(after))[:, None])
            else:
                parts.append(self._single(criterion, changes if criterion.is_change else known, len(after))[:, None])
        return np.concatenate(parts, axis=1)

    def _known(self, columns: NDArray[np.int32]) -> dict[str, Numbers]:
        """What the kernel computes of boards, by name."""
        terms = np.empty((len(columns), len(self._terms)))
        width, height = self.rules.width, self.rules.height
        boards, room = np.ascontiguousarray(columns).ravel(), np.zeros(compiled.TERMS_SIZE)
        compiled.measure_boards(_EVERYTHING, boards, width, height, room, self._codes, terms.ravel())
        return dict(zip(self._terms, terms.T, strict=True))

    def _single(self, criterion: Criterion, known: dict[str, Numbers], boards: int) -> Numbers:
        """The number of a criterion for each board, from what the kernel has computed."""
        if criterion.terms is None:
            return known[criterion.name]
        parts = [share * self._single(CRITERIA[name], known, boards) for name, share in criterion.terms.items()]
        found = sum(parts[1:], parts[0]) if parts else np.zeros(boards)
        plus = criterion.plus(self.rules.width, self.rules.height)
        return (found / self.rules.width if criterion.is_mean else found) + plus

    def _group(self, name: str, known: dict[str, Numbers], columns: NDArray[np.int32]) -> Numbers:
        """The numbers of a criterion that stands for several, for each board."""
        if name == "height_rbf":
            sums = np.minimum(known["sum_heights"].astype(np.int64), len(self._bumps) - 1)  # a dead pile is higher
            return self._bumps[sums]
        heights = _heights(columns[:, : self.rules.width])
        return heights if name == "column_heights" else np.abs(np.diff(heights, axis=1))


def _terms_of(criterion: Criterion) -> list[str]:
    """What the kernel has to compute of a board for a criterion."""
    if criterion.name == "height_rbf":
        return ["sum_heights"]
    return [] if criterion.of_move else [term for term, _ in criterion.shares(1)]


def _of_move(move: NDArray[np.int32]) -> dict[str, Numbers]:
    """The terms of the moves themselves, by name."""
    numbers = move.astype(np.float64)
    given = numbers[:, at.M_LANDING] / 2, numbers[:, at.M_LINES], numbers[:, at.M_CELLS]
    return {name: give.py_func(*given) for name, give in OF_THE_MOVE.items()}


def _heights(columns: NDArray[np.int32]) -> Numbers:
    """The heights of columns given as bits: the exponent of a number is the place of its highest bit plus one."""
    return np.frexp(columns.astype(np.float64))[1].astype(np.float64)


@dataclass(frozen=True)
class Recipes:
    """How some criteria are made from terms, for compiled code that measures one board after the other."""

    rules: Rules
    size: int
    """How many numbers there are."""
    arrays: compiled.Recipes

    @classmethod
    def of(cls, rules: Rules, names: Sequence[str]) -> "Recipes":
        """The recipes of some criteria, in their order."""
        sums = range(rules.width * (TALLEST + 1))  # a piece that sticks out counts too
        bumps = np.array([height_rbf_at(sum_ / rules.width, rules.height) for sum_ in sums]).ravel()
        size = sum(size_of(name, rules.width) for name in names)
        return cls(rules, size, compiled.Recipes(*_recipes(names, rules.width, rules.height), bumps))

    def of_board(self, plan: Plan, board: Board) -> Numbers:
        """The criteria of a board, as if a piece had landed at height 0; it may be higher than the rules allow."""
        criteria, terms = np.zeros(self.size), np.zeros(compiled.TERMS_SIZE)
        columns = columns_of(board)[0]
        compiled.criteria_of(plan, columns, board.width, self.rules.height, self.arrays, terms, criteria)
        return criteria


def _recipes(names: Sequence[str], width: int, height: int) -> tuple[NDArray[np.int64], Numbers]:
    """How each component is made from terms, as the kernel reads it."""
    places = {"column_heights": compiled.OF_COLUMN, "height_differences": compiled.OF_PAIR + 1}
    none, recipe, shares = compiled.NO_TERM, [], []
    for criterion in map(find, names):
        for i in range(criterion.size(width)) if criterion.size else ():
            place = places.get(criterion.name)
            recipe.append([none, none, 0, i] if place is None else [place + i, none, 0, compiled.NO_BUMP])
            shares.append([1.0, 0.0, 0.0])
        if not criterion.size:
            terms = [(TERM[term], share) for term, share in criterion.shares(width)]
            (first, of_first), (second, of_second) = (*terms, (none, 0.0), (none, 0.0))[:2]
            recipe.append([first, second, int(criterion.is_change), compiled.NO_BUMP])
            shares.append([of_first, of_second, criterion.plus(width, height)])
    return np.array(recipe, np.int64).ravel(), np.array(shares).ravel()
