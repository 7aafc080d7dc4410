"""Learned players of m,n,k-boards: a table of positions or actions, and tables over the lines of large boards.

The latter are an n-tuple network (Lucas 2008). A position after a move is seen by who has moved: a cell is free (0),
its own (1) or the other's (2). A window, a straight run of cells, is then a number in base 3, its place in the window's
table. The value is tanh of the sum over all windows. Windows that a symmetry of the board makes of each other share one
table.
"""

import math
from collections.abc import Sequence
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import AgentBase, check_array, check_number, same_arrays
from apprenti.core.data import AnyArray, Arrays, JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.seeds import Chance, pick
from apprenti.games.mnk.codes import FORMS, Keys, crossing, keys_of, powers, runs
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import MARKS, State, symmetries


class TableAgent:
    """Plays the move of the greatest value, of equals any; what is not in the table has the value `unknown`."""

    plays = ("mnk",)

    def __init__(
        self,
        size: str = "3x3x3",
        form: str = "state",
        symmetric: bool = True,
        unknown: float = 0.0,
        arrays: Arrays | None = None,
    ) -> None:
        if form not in FORMS:
            raise UnknownName("form of table", form, FORMS)
        self.rules = Rules.parse(size)
        powers(self.rules)  # refuses boards that are too large
        self.form, self.symmetric, self.unknown = form, bool(symmetric), float(unknown)
        if not math.isfinite(self.unknown):
            raise BadAgent(f"the value of what is unknown must be a finite number, not {unknown}.")
        arrays = arrays or {}
        self.keys: Keys = np.asarray(arrays.get("keys", ()), np.uint64)
        self.table: NDArray[np.float64] = np.asarray(arrays.get("values", ()), np.float64)
        if self.keys.shape != self.table.shape or self.keys.ndim != 1 or not np.isfinite(self.table).all():
            raise BadAgent("a table is a list of keys and as many finite values.")
        if not (self.keys[1:] > self.keys[:-1]).all():
            raise BadAgent("the keys of a table must be in order, each once.")

    def check(self, rules: Rules) -> None:
        if rules != self.rules:
            raise BadAgent(f"this player has learned {self.rules.size} and cannot play {rules.size}.")

    def values(self, state: State, moves: Sequence[int] | None = None) -> dict[int, float]:
        self.check(state.rules)
        moves = state.legal_moves() if moves is None else moves
        if not moves:
            return {}
        keys = keys_of(state, moves, self.form, self.symmetric)
        places = np.searchsorted(self.keys, keys)
        known = self._padded_keys[places] == keys
        values = np.where(known, self._padded_values[places], self.unknown)
        return dict(zip(moves, values.tolist(), strict=True))

    @cached_property
    def _padded_keys(self) -> Keys:
        """With one more key that is none, so that a search always ends on one."""
        return np.append(self.keys, np.uint64(2**64 - 1))

    @cached_property
    def _padded_values(self) -> NDArray[np.float64]:
        return np.append(self.table, self.unknown)

    def best(self, state: State, moves: Sequence[int] | None = None) -> tuple[int, ...]:
        """The moves it may choose: all of the greatest value."""
        values = self.values(state, moves)
        return tuple(move for move, value in values.items() if value == max(values.values()))

    def choose(self, observation: State, legal: Sequence[int], rng: Chance) -> int:
        return pick(rng, self.best(observation, legal))

    def describe(self) -> tuple[str, JsonObject]:
        shown: JsonObject = {"form": self.form, "symmetric": self.symmetric, "unknown": self.unknown}
        return "table", {"size": self.rules.size, **shown}

    def arrays(self) -> Arrays:
        return {"keys": self.keys, "values": self.table}

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TableAgent)
            and self.describe() == other.describe()
            and np.array_equal(self.keys, other.keys)
            and np.array_equal(self.table, other.table)
        )

    __hash__ = None  # type: ignore[assignment]  # two tables may be equal and large

    def __repr__(self) -> str:
        return f"TableAgent({self.rules.size}, {self.form}, {len(self.keys)} values)"


LONGEST = 9
"""3⁹ entries are a table that games still fill."""


class Windows(NamedTuple):
    """The windows of a board, as arrays."""

    first: NDArray[np.int64]  # (windows,): where the table of each begins
    cells: NDArray[np.int64]  # (windows, length): its cells, then −1
    through: NDArray[np.int64]  # (cells, most + 1): the windows through a cell, then −1
    powers: NDArray[np.int64]  # (cells, most + 1): what an own mark there adds to the number of that window
    entries: int
    """Of all tables."""


def _all_windows(rules: Rules, length: int) -> list[tuple[int, ...]]:
    """Runs of `length` cells, and whole lines that are shorter but long enough for a row; each once."""
    windows: dict[frozenset[int], tuple[int, ...]] = {}
    for size in range(length, rules.k - 1, -1):
        for run in map(tuple, runs(rules, size)):
            if not any(set(run) <= larger for larger in windows):
                windows[frozenset(run)] = run
    return list(windows.values())


@cache
def windows_of(rules: Rules, length: int) -> Windows:
    """The windows of a board of at most `length` cells; one cell more than K at least, unless the board is smaller."""
    shapes: dict[tuple[int, ...], int] = {}
    cells, first, entries = [], [], 0
    for window in _all_windows(rules, length):
        images = (
            (tuple(g[cell] for cell in order), order) for g in symmetries(rules) for order in (window, window[::-1])
        )
        shape, order = min(images)
        if shape not in shapes:
            shapes[shape], entries = entries, entries + 3 ** len(shape)
        cells.append(list(order))
        first.append(shapes[shape])
    through = crossing(rules.cells, cells)
    powers = np.array(
        [[3 ** cells[number].index(cell) if number >= 0 else 0 for number in row] for cell, row in enumerate(through)]
    )
    padded = [order + [-1] * (length - len(order)) for order in cells]
    return Windows(np.array(first), np.array(padded), through, powers, entries)


class NTupleAgent(AgentBase):
    """Plays the move of the greatest value, of equals any."""

    plays = ("mnk",)

    def __init__(self, size: str = "7x7x4", length: int = 7, arrays: Arrays | None = None) -> None:
        self.rules = Rules.parse(size)
        check_number("length", length, self.rules.k, LONGEST)
        self.length, self.windows = length, windows_of(self.rules, length)
        check_array(arrays or {}, "weights", (self.windows.entries,))
        self.weights: AnyArray = (arrays or {})["weights"]

    def check(self, rules: Rules) -> None:
        if rules != self.rules:
            raise BadAgent(f"this player has learned {self.rules.size} and cannot play {rules.size}.")

    def values(self, state: State) -> dict[int, float]:
        self.check(state.rules)
        own = MARKS[state.to_move]
        digits = np.array([0 if mark not in MARKS else 1 if mark == own else 2 for mark in state.cells] + [0])
        windows = self.windows
        places = windows.first + digits[windows.cells] @ 3 ** np.arange(self.length)
        now = self.weights[places].astype(np.float64)
        values = {}
        for cell in state.legal_moves():
            touched = windows.through[cell][:-1]
            touched, powers = touched[touched >= 0], windows.powers[cell][:-1][touched >= 0]
            change = self.weights[places[touched] + powers].sum(dtype=np.float64) - now[touched].sum()
            values[cell] = float(np.tanh(now.sum() + change))
        return values

    def choose(self, observation: State, legal: Sequence[int], rng: Chance) -> int:
        values = self.values(observation)
        most = max(values[cell] for cell in legal)
        return pick(rng, [cell for cell in legal if values[cell] == most])

    def describe(self) -> tuple[str, JsonObject]:
        return "n-tuple", {"size": self.rules.size, "length": self.length}

    def arrays(self) -> Arrays:
        return {"weights": self.weights}

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NTupleAgent)
            and self.describe() == other.describe()
            and same_arrays(self.arrays(), other.arrays())
        )

    __hash__ = None  # type: ignore[assignment]  # two tables may be equal and large
