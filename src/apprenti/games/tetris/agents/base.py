"""What all players of Tetris share."""

from apprenti.agents.base import AgentBase
from apprenti.games.tetris.placement import Placement, legal_placements
from apprenti.games.tetris.state import Observation


class TetrisAgent(AgentBase):
    """An agent that plays Tetris."""

    plays = ("tetris",)


class ValuesPlacements(TetrisAgent):
    """A player that values one placement after another."""

    def value(self, observation: Observation, placement: Placement) -> float:
        """The value of a placement."""
        raise NotImplementedError

    def values(self, observation: Observation) -> dict[Placement, float]:
        return {placement: self.value(observation, placement) for placement in placements_of(observation)}


def placements_of(observation: Observation) -> tuple[Placement, ...]:
    """The legal placements of the piece in play."""
    return legal_placements(observation.rules, observation.board, observation.piece)
