"""A learned player of large m,n,k-boards: tables over the lines of the board (an n-tuple network, Lucas 2008).

A position after a move is seen by who has moved: a cell is free (0), its own (1) or the other's (2). A window, a
straight run of cells, is then a number in base 3, its place in the window's table. The value is tanh of the sum over
all windows. Windows that a symmetry of the board makes of each other share one table.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import AgentBase, check_array, check_number, same_arrays
from apprenti.core.data import Arrays, JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance, pick
from apprenti.games.mnk.lines import crossing, runs
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import MARKS, State
from apprenti.games.mnk.symmetry import symmetries

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
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for size in range(length, rules.k - 1, -1):
        for run in map(tuple, runs(rules, size)):
            if not any(set(run) <= larger for larger in found):
                found[frozenset(run)] = run
    return list(found.values())


@cache
def windows_of(rules: Rules, length: int) -> Windows:
    """The windows of a board of at most so many cells; one cell more than K at least, unless the board is smaller."""
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
        self.weights: NDArray[Any] = (arrays or {})["weights"]

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
        found = {}
        for cell in state.legal_moves():
            touched = windows.through[cell][:-1]
            touched, powers = touched[touched >= 0], windows.powers[cell][:-1][touched >= 0]
            change = self.weights[places[touched] + powers].sum(dtype=np.float64) - now[touched].sum()
            found[cell] = float(np.tanh(now.sum() + change))
        return found

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
