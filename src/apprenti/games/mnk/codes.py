"""Positions as numbers: a digit of base 3 for each cell, one number for all that symmetries make of a position.

These numbers are the keys of learned tables. A table of *states* has a key for the position after a move; a table of
*actions* has one for the position before it and the cell.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadRules
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import FREE, State
from apprenti.games.mnk.symmetry import symmetries

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
    found = np.zeros((len(symmetries(rules)), rules.cells), np.uint64)
    for number, symmetry in enumerate(symmetries(rules)):
        for place, cell in enumerate(symmetry):
            found[number, cell] = 3**place
    return found


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
