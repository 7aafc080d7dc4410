"""The baseline of m,n,k-games: wins if it can, blocks if it must, else any free cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from apprenti.agents.base import AgentBase
from apprenti.core.data import JsonObject
from apprenti.core.seeds import Chance, pick
from apprenti.games.mnk.lines import lines_of
from apprenti.games.mnk.state import FREE, MARKS, State


@dataclass(frozen=True)
class OnePlyAgent(AgentBase):
    """Looks one move ahead: completes its own row, else takes the cell that would complete the other's, else any."""

    plays: ClassVar[tuple[str, ...]] = ("mnk",)

    def best(self, state: State) -> set[int]:
        """The cells it may choose; none if nothing is at stake."""
        completing: tuple[set[int], set[int]] = set(), set()
        for line in lines_of(state.rules).cells.tolist():
            free = [cell for cell in line if state.cells[cell] == FREE]
            if len(free) == 1:
                marks = {state.cells[cell] for cell in line} - {FREE}
                if len(marks) < 2:  # none at all where a single mark is a row
                    completing[MARKS.index(marks.pop()) if marks else state.to_move].add(free[0])
        return completing[state.to_move] or completing[1 - state.to_move]

    def choose(self, observation: State, legal: Sequence[int], rng: Chance) -> int:
        best = self.best(observation)
        return pick(rng, [cell for cell in legal if cell in best] or legal)

    def describe(self) -> tuple[str, JsonObject]:
        return "one-ply", {}
