"""Every position of a small board, with its moves and its value: what is true of all games is checked here."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadRules
from apprenti.games.mnk.codes import Keys
from apprenti.games.mnk.kernel.board import board_of
from apprenti.games.mnk.kernel.tree import GOES_ON, expand, values_of
from apprenti.games.mnk.rules import Rules

MOST_POSITIONS = 3_000_000

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Tree:
    """All positions that games reach, in the order of their number of marks; one for all images if `symmetric`."""

    rules: Rules
    symmetric: bool
    codes: Keys
    """The position as a number (see `codes.py`)."""
    ply: Numbers
    """How many marks are on the board."""
    after: Numbers
    """For each cell the number of the position after that move; −1 where there is no move."""
    keys: Keys
    """For each cell the key of that move in a table of actions."""
    images: Numbers
    """How many positions this one stands for."""
    result: Numbers
    """For the player to move: −1 if the game was lost, 0 if it ended in a draw, GOES_ON."""
    value: Numbers
    """For the player to move, with perfect play: 1, 0 or −1."""

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def optimal(self) -> Mask:
        """For each cell whether that move keeps the value."""
        found: Mask = (self.after >= 0) & (self.value[self.after] == -self.value[:, None])
        return found

    def keys_in(self, form: str) -> Keys:
        """For each cell the key of that move in a table of this form; 0 where there is no move."""
        return self.keys if form == "action" else self._codes_after

    @cached_property
    def _codes_after(self) -> Keys:
        return np.where(self.after >= 0, self.codes[self.after], np.uint64(0))


def _images(rules: Rules, codes: Keys) -> Numbers:
    """How many different positions the symmetries make of each."""
    weights = board_of(rules).powers
    digits = (codes[:, None] // np.uint64(3) ** np.arange(rules.cells, dtype=np.uint64)) % np.uint64(3)
    seen = np.sort(np.stack([(digits * row).sum(axis=1, dtype=np.uint64) for row in weights]), axis=0)
    found: Numbers = 1 + (seen[1:] != seen[:-1]).sum(axis=0, dtype=np.int64)
    return found


@lru_cache(maxsize=4)
def tree_of(rules: Rules, symmetric: bool = True, most: int = MOST_POSITIONS) -> Tree:
    """The tree of a board; BadRules if it has too many positions."""
    board = board_of(rules)
    views = len(board.powers) if symmetric else 1
    level, first = np.zeros(1, np.uint64), 0
    parts: list[tuple[Keys, Numbers, Keys, Numbers]] = []
    for ply in range(rules.cells + 1):
        after, keys = np.zeros((2, len(level), rules.cells), np.uint64)
        ended = np.zeros(len(level), np.int64)
        expand(board, ply, level, after, keys, ended, views)
        first += len(level)
        codes, numbers = np.unique(after[after > 0], return_inverse=True)
        moves = np.full(after.shape, -1)
        moves[after > 0] = first + numbers
        result = np.where(ended, -1, np.where((after > 0).any(axis=1), GOES_ON, 0))
        parts.append((level, moves, keys, result))
        level = codes
        if first + len(level) > most:
            raise BadRules(f"{rules.size} has more than {most:,} positions: that is too many to look at all of them.")
    codes, after_, keys, result = (np.concatenate(column) for column in zip(*parts, strict=True))
    ply_ = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    images = _images(rules, codes) if symmetric else np.ones(len(codes), np.int64)
    return Tree(rules, symmetric, codes, ply_, after_, keys, images, result, values_of(after_, result))
