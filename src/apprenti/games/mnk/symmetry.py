"""Turned and mirrored boards: eight ways to look at a square one, four at any other."""

from functools import cache

from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import State

Symmetry = tuple[int, ...]
"""For each cell of the new board the cell of the old one that comes there."""


@cache
def symmetries(rules: Rules) -> tuple[Symmetry, ...]:
    """Every symmetry of a board, the one that changes nothing first; on a single row or column some are equal."""
    rows, columns = rules.rows, rules.columns
    board = [[row * columns + column for column in range(columns)] for row in range(rows)]
    found: dict[Symmetry, None] = {}
    for transposed in (False, True) if rows == columns else (False,):
        base = [list(line) for line in zip(*board, strict=True)] if transposed else board
        for upside_down in (False, True):
            for mirrored in (False, True):
                lines = base[::-1] if upside_down else base
                turned = [line[::-1] if mirrored else line for line in lines]
                found[tuple(cell for line in turned for cell in line)] = None
    return tuple(found)


def seen_by(state: State, symmetry: Symmetry) -> State:
    """The position, turned or mirrored."""
    return State(state.rules, "".join(state.cells[cell] for cell in symmetry))


def orbit(state: State) -> tuple[State, ...]:
    """The position seen in every way, one for each symmetry; some may be equal."""
    return tuple(seen_by(state, symmetry) for symmetry in symmetries(state.rules))


def canonical(state: State) -> State:
    """The one of its orbit that stands for all: the first in the order of the alphabet."""
    return min(orbit(state), key=lambda seen: seen.cells)
