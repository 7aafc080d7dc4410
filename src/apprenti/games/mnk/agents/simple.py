"""Players of m,n,k-games without anything learned: the one-ply baseline, and the perfect player of small boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from apprenti.agents.base import AgentBase
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance, pick
from apprenti.games.mnk.codes import MOST_CELLS, lines_of
from apprenti.games.mnk.rules import Rules
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


def _wins_now(state: State) -> bool:
    """Whether the player to move can end the game with a row."""
    ends = (state.play(cell).outcome for cell in state.legal_moves())
    return any(end is not None and end.winner is not None for end in ends)


@dataclass(frozen=True)
class PerfectAgent:
    """Plays a move of the greatest value, of equals any; it wins at once where it can, and loses as late."""

    plays: ClassVar[tuple[str, ...]] = ("mnk",)
    nodes: int = 0
    """Positions to look at before it says that a position is too hard; 0 for the solver's own limit."""

    def check(self, rules: Rules) -> None:
        if rules.cells > MOST_CELLS:
            raise BadAgent(f"the perfect player knows boards of up to {MOST_CELLS} cells, not {rules.size}.")

    def values(self, state: State, moves: Sequence[int] | None = None) -> dict[int, float]:
        from apprenti.games.mnk.fast.exact import NODES, solver_for  # compiled code, which takes a while to import

        solver, moves = solver_for(state.rules), state.legal_moves() if moves is None else moves
        return {cell: float(-solver.value(state.play(cell), self.nodes or NODES)) for cell in moves}

    def best(self, state: State, moves: Sequence[int] | None = None) -> tuple[int, ...]:
        """The moves it may choose: of the greatest value, and of those the ones that win now, or do not lose now."""
        values = self.values(state, moves)
        best = [cell for cell, value in values.items() if value == max(values.values())]
        if values[best[0]] > 0:
            best = [cell for cell in best if state.play(cell).outcome] or best
        if values[best[0]] < 0:
            best = [cell for cell in best if not _wins_now(state.play(cell))] or best
        return tuple(best)

    def choose(self, observation: State, legal: Sequence[int], rng: Chance) -> int:
        return pick(rng, self.best(observation, legal))

    def describe(self) -> tuple[str, JsonObject]:
        return "perfect", {"nodes": self.nodes} if self.nodes else {}
