"""Boards as arrays, and positions as numbers.

The lines of a board are its rows of K cells. A position has a digit of base 3 for each cell, and one number stands for
all that symmetries make of it. These numbers are the keys of learned tables. A table of *states* has a key for the
position after a move; a table of *actions* has one for the position before it and the cell.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadRules
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import FREE, State, symmetries

DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))
"""To the right, and down: left, straight, right."""


class Lines(NamedTuple):
    """As arrays, for compiled code too."""

    cells: NDArray[np.int64]  # (lines, k)
    through: NDArray[np.int64]  # (cells, most + 1): the numbers of the lines through a cell, then −1


def runs(rules: Rules, length: int) -> list[list[int]]:
    """Every straight run of `length` cells, in four directions."""
    groups = []
    for row in range(rules.rows):
        for column in range(rules.columns):
            for down, right in DIRECTIONS:
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if last_row < rules.rows and 0 <= last_column < rules.columns:
                    groups.append([(row + i * down) * rules.columns + column + i * right for i in range(length)])
    return groups


def crossing(cells: int, groups: list[list[int]]) -> NDArray[np.int64]:
    """For each cell the numbers of the groups of cells it is in, then −1."""
    through = [[number for number, group in enumerate(groups) if cell in group] for cell in range(cells)]
    most = max(map(len, through))
    return np.array([numbers + [-1] * (most + 1 - len(numbers)) for numbers in through], np.int64)


@cache
def lines_of(rules: Rules) -> Lines:
    """The lines of a board."""
    groups = runs(rules, rules.k)
    return Lines(np.array(groups, np.int64), crossing(rules.cells, groups))


FORMS = ("state", "action")
MOST_CELLS = 36
"""3³⁶ · 36 is the largest of these numbers that 64 bits hold."""

Keys = NDArray[np.uint64]


@cache
def powers(rules: Rules) -> Keys:
    """What a mark on a cell adds to the code of a position, for each symmetry and each cell.

    `powers(rules)[g, cell]` is 3 to the place that the cell goes to under symmetry g. X counts once, O twice.
    """
    if rules.cells > MOST_CELLS:
        raise BadRules(f"a table holds boards of up to {MOST_CELLS} cells, and {rules.size} has {rules.cells}.")
    table = np.zeros((len(symmetries(rules)), rules.cells), np.uint64)
    for number, symmetry in enumerate(symmetries(rules)):
        for place, cell in enumerate(symmetry):
            table[number, cell] = 3**place
    return table


def keys_of(state: State, moves: Sequence[int], form: str = "state", symmetric: bool = True) -> Keys:
    """The key of each of some moves in a table of this form; with `symmetric`, the same for all symmetric moves."""
    weights = powers(state.rules) if symmetric else powers(state.rules)[:1]
    digits = np.array([0 if mark == FREE else 1 + (mark == "O") for mark in state.cells], np.uint64)
    code = (weights * digits).sum(axis=1, dtype=np.uint64)[:, None]
    chosen = weights[:, list(moves)]
    keys: Keys = code + chosen * np.uint64(1 + state.to_move)
    if form == "action":
        places = np.array(symmetries(state.rules)[: len(weights)]).argsort(axis=1)[:, list(moves)].astype(np.uint64)
        keys = code * np.uint64(state.rules.cells) + places
    least: Keys = keys.min(axis=0)
    return least
