"""The rows of K cells of a board, and which of them go through a cell."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.games.mnk.rules import Rules

DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))
"""To the right, and down: left, straight, right."""


class Lines(NamedTuple):
    """As arrays, for compiled code too."""

    cells: NDArray[np.int64]  # (lines, k)
    through: NDArray[np.int64]  # (cells, most + 1): the numbers of the lines through a cell, then −1


def runs(rules: Rules, length: int) -> list[list[int]]:
    """Every straight run of so many cells, in four directions."""
    found = []
    for row in range(rules.rows):
        for column in range(rules.columns):
            for down, right in DIRECTIONS:
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if last_row < rules.rows and 0 <= last_column < rules.columns:
                    found.append([(row + i * down) * rules.columns + column + i * right for i in range(length)])
    return found


def crossing(cells: int, groups: list[list[int]]) -> NDArray[np.int64]:
    """For each cell the numbers of the groups of cells it is in, then −1."""
    through = [[number for number, group in enumerate(groups) if cell in group] for cell in range(cells)]
    most = max(map(len, through))
    return np.array([numbers + [-1] * (most + 1 - len(numbers)) for numbers in through], np.int64)


@cache
def lines_of(rules: Rules) -> Lines:
    """The lines of a board."""
    found = runs(rules, rules.k)
    return Lines(np.array(found, np.int64), crossing(rules.cells, found))
