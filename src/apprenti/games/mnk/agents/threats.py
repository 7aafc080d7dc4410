"""A player of any m,n,k-board: alpha-beta over the cells that count most, and runs of threats (`threats_kernel.py`)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import AgentBase
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.mnk.codes import lines_of
from apprenti.games.mnk.state import MARKS, State

BASE = 4
"""How much more an open line is worth for each mark it has."""
_MOST = 60


@dataclass(frozen=True)
class ThreatAgent(AgentBase):
    """Wins by threats where it can, answers them where it must, and otherwise takes the cell its search values most."""

    plays: ClassVar[tuple[str, ...]] = ("mnk",)
    depth: int = 12
    """Moves to look ahead; forced answers and runs of threats are not counted."""
    width: int = 12
    """Cells to look at in each position."""
    fours: int = 6
    """The longest run of threats to look for."""
    nodes: int = 100_000
    """Positions to look at before it answers."""
    noise: int = 1
    """How much chance there is in its judgement: a cell is worth up to this number of open lines more or less."""

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            most = _MOST if name in ("depth", "fours") else 1 << 40
            if type(value) is not int or not (name == "width" or name == "nodes") <= value <= most:
                raise BadAgent(f"option {name} of a player by threats is a whole number up to {most}, not {value!r}.")

    def values(self, state: State) -> dict[int, float]:
        if not state.legal_moves():
            return {}
        values, weights = self._searched(state, np.zeros(state.rules.cells, np.int64))
        scale = 8.0 * weights[max(0, state.rules.k - 2)]
        return {cell: _squashed(int(values[cell]), scale) for cell in state.legal_moves()}

    def choose(self, observation: State, legal: Sequence[int], rng: Chance) -> int:
        if len(legal) == 1:
            return legal[0]
        bonus = np.array([int(rng.random() * (self.noise + 1)) for _ in range(observation.rules.cells)], np.int64)
        values, _ = self._searched(observation, bonus)
        return max(legal, key=lambda cell: int(values[cell]))

    def _searched(self, state: State, bonus: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The values of all cells as the search has them, and what lines are worth."""
        from apprenti.core.compiled import announcing
        from apprenti.games.mnk.agents.threats_kernel import (  # compiled code: slow to import
            FIELDS,
            Position,
            Search,
            look,
        )

        rules, lines = state.rules, lines_of(state.rules)
        weights = np.array([BASE**count for count in range(rules.k + 1)], np.int64)
        marks = np.array([MARKS.find(mark) for mark in state.cells], np.int64)
        plies, numbers = rules.cells + 2, partial(np.zeros, dtype=np.int64)
        search = Search(
            *lines, np.arange(len(lines.cells)), weights, bonus, numbers(self.fours), numbers(self.fours),
            numbers(self.fours + 1), numbers((plies, FIELDS)), numbers((plies, self.width)), numbers(self.width),
            np.array([0, self.nodes]),
        )  # fmt: skip
        position = Position(
            np.full(rules.cells, -1), numbers((2, len(lines.cells))), numbers((2, rules.cells)), numbers(2),
            numbers((2, rules.k + 1)), numbers(1),
        )  # fmt: skip
        values, free = np.zeros(rules.cells, np.int64), np.flatnonzero(marks < 0)
        with announcing("the search for threats", "threats"):
            look(search, position, marks, state.to_move, self.depth, self.width, free, values)
        return values, weights

    def describe(self) -> tuple[str, JsonObject]:
        return "threats", asdict(self)


def _squashed(value: int, scale: float) -> float:
    """A value of the search between −1 and 1."""
    return float(np.tanh(value / scale))
