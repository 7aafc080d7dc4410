"""Knows the value of every wall of a small board, and plays for it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apprenti.core.data import Arrays, JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.base import TetrisAgent, placements_of
from apprenti.games.tetris.criteria import Move
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.wall_table import WallPlayer, WallTable


@dataclass(frozen=True, eq=False)
class OptimalAgent(TetrisAgent):
    """Plays the placement with the greatest lines + γ value of the wall after it; of equals the first.

    With the table of `apprenti solve` no player plays better. A placement that ends the game counts its lines alone.
    """

    table: "WallTable" = field(repr=False)

    def check(self, rules: Rules) -> None:
        if not self.compiled(rules).plays(rules):
            ours = self.table.rules
            raise BadAgent(
                f"this player knows the walls of {ours.width}x{ours.height} with {ours.pieces.name} pieces that drop "
                "from above, and nothing else: solve the board you want (apprenti solve)."
            )

    def value(self, observation: Observation, placement: Placement) -> float:
        """The value of a placement."""
        rules, move = observation.rules, Move(observation.board, placement)
        if placement.top > rules.rows:
            return 0.0
        if move.after.highest > rules.height:
            return float(move.lines)
        return move.lines + self.table.gamma * self.table.value(move.after.encode())

    def values(self, observation: Observation) -> dict[Placement, float]:
        return {placement: self.value(observation, placement) for placement in placements_of(observation)}

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        values = [self.value(observation, placement) for placement in legal]
        return legal[values.index(max(values))]

    def describe(self) -> tuple[str, JsonObject]:
        sides = {"one_sided": True} if self.table.one_sided else {}
        return "optimal", {"rules": self.table.rules.to_json(), "gamma": self.table.gamma, **sides}

    def arrays(self) -> Arrays:
        return self.table.to_arrays()

    def compiled(self, rules: Rules) -> "WallPlayer":
        from apprenti.games.tetris.fast.wall_table import WallPlayer

        return WallPlayer(self.table)


def read_optimal(
    rules: JsonObject, gamma: float, one_sided: bool = False, arrays: Arrays | None = None
) -> OptimalAgent:
    """The agent that `describe` and `arrays` wrote."""
    from apprenti.games.tetris.fast.wall_table import WallTable

    if not 0 < gamma <= 1:
        raise BadAgent(f"gamma is above 0 and at most 1, not {gamma!r}.")
    if not isinstance(one_sided, bool):
        raise BadAgent(f"one_sided is true or false, not {one_sided!r}.")
    return OptimalAgent(WallTable.from_arrays(Rules.from_json(rules), gamma, arrays or {}, one_sided))
