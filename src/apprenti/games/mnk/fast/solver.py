"""The exact value of positions, with perfect play on both sides: 1 for a win of who is to move, 0, −1 for a loss."""

from functools import cache
from typing import Any

import numpy as np

from apprenti.core.compiled import announcing
from apprenti.core.errors import ApprentiError
from apprenti.games.mnk.codes import MOST_CELLS
from apprenti.games.mnk.kernel.board import bits_of, board_of, codes_of
from apprenti.games.mnk.kernel.search import UNKNOWN, YES, ask
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import State

NODES = 20_000_000
"""Positions to look at before giving up: about half a minute."""
_AT_ONCE = 1_000_000
"""Positions between two moments at which Ctrl-C is heard; what was found so far is in the table."""
_MOST_ENTRIES = 1 << 22


class TooHard(ApprentiError):
    """A position that was not solved within the limit."""


def _compile(*question: Any) -> None:
    """Compile the search, and say so if it takes a while."""
    if not ask.signatures:
        with announcing("the solver"):
            ask(*question, np.zeros(2, np.int64))


class Solver:
    """Solves positions of one board, and keeps what it has found for the next question."""

    def __init__(self, rules: Rules) -> None:
        if rules.cells > MOST_CELLS:
            raise TooHard(f"boards of up to {MOST_CELLS} cells can be solved, and {rules.size} has {rules.cells}.")
        self.rules = rules
        entries = max(16, min(_MOST_ENTRIES, 1 << int(rules.cells * 1.585 - 2)))
        self._keys = np.zeros(entries, np.uint64)
        self._entries = np.zeros(entries, np.int64)
        self._work = np.zeros((rules.cells + 1, 2, rules.cells + 1), np.int64)
        self.looked_at = 0
        """Positions looked at so far."""

    def value(self, state: State, nodes: int = NODES) -> int:
        """The value for the player to move; TooHard if that takes a look at more positions than `nodes`."""
        if state.outcome:
            return 0 if state.outcome.winner is None else -1  # who has just moved has won
        if self._reaches(state, 1, nodes):
            return 1
        return 0 if self._reaches(state, 0, nodes) else -1

    def values(self, state: State, nodes: int = NODES) -> dict[int, int]:
        return {cell: -self.value(state.play(cell), nodes) for cell in state.legal_moves()}

    def _reaches(self, state: State, target: int, nodes: int) -> bool:
        """Whether the player to move gets at least a draw (0), or a win (1)."""
        board = board_of(self.rules)
        marks = "XO" if state.to_move == 0 else "OX"
        own, other, free = (bits_of(state, mark) for mark in (*marks, "."))
        ply = self.rules.cells - state.cells.count(".")
        codes = np.zeros((self.rules.cells + 1, len(board.powers)), np.uint64)
        codes[ply] = codes_of(state)
        tables = (codes, self._work, self._keys, self._entries)
        _compile(board, own, other, free, target, ply, *tables)
        counter, limit = np.array([self.looked_at, 0]), self.looked_at + nodes
        while counter[0] < limit:
            counter[1] = min(limit, counter[0] + _AT_ONCE)
            answer = ask(board, own, other, free, target, ply, *tables, counter)
            self.looked_at = int(counter[0])
            if answer != UNKNOWN:
                return bool(answer == YES)
        raise TooHard(
            f"{state.notation} with {self.rules.k} in a row was not solved within {nodes:,} positions: "
            "choose a smaller board or a position with fewer free cells."
        )


@cache
def solver_for(rules: Rules) -> Solver:
    """The solver of a board, shared by all who ask."""
    return Solver(rules)
