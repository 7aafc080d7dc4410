"""Several players with weights: which one plays depends on the height of the pile."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.base import TetrisAgent
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.agents.lookahead import LookaheadAgent
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation
from apprenti.games.tetris.weights import Weights

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.players import CompiledPlayer

Player = LinearAgent | LookaheadAgent


@dataclass(frozen=True)
class RegimesAgent(TetrisAgent):
    """Plays as one of several players with weights; the height of the pile before the move says which."""

    heights: tuple[int, ...]
    """The heights from which on the second player plays, the third, and so on."""
    players: tuple[Player, ...]

    def __post_init__(self) -> None:
        if len(self.players) != len(self.heights) + 1:
            raise BadAgent(f"{len(self.heights)} heights make {len(self.heights) + 1} regimes, each with its weights.")
        if not all(low < high for low, high in pairwise((0, *self.heights))):
            raise BadAgent("the heights at which regimes begin are whole numbers that rise, from 1 on.")

    def check(self, rules: Rules) -> None:
        for player in self.players:
            player.check(rules)

    def player(self, board: Board) -> Player:
        """Who plays on a board."""
        return self.players[bisect_right(self.heights, board.highest)]

    def values(self, observation: Observation) -> dict[Placement, float]:
        return self.player(observation.board).values(observation)

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        return self.player(observation.board).choose(observation, legal, rng)

    def looking(self, look: str) -> "RegimesAgent":
        """The same weights, one more piece ahead."""
        return RegimesAgent(self.heights, tuple(LookaheadAgent(player.weights, look) for player in self.players))

    @property
    def look(self) -> str:
        """How the players look ahead; empty if they do not."""
        first = self.players[0]
        return first.look if isinstance(first, LookaheadAgent) else ""

    def describe(self) -> tuple[str, JsonObject]:
        weights = [dict(player.weights) for player in self.players]
        return "regimes", {
            "heights": list(self.heights),
            "weights": weights,
            **({"look": self.look} if self.look else {}),
        }

    def compiled(self, rules: Rules) -> "CompiledPlayer":
        first, *others = (player.compiled(rules) for player in self.players)
        return replace(first, higher=tuple(zip(self.heights, (one.weights for one in others), strict=True)))


def read_regimes(heights: Sequence[int], weights: Sequence[Weights], look: str = "") -> RegimesAgent:
    """An agent from its description: the heights at which regimes begin, and the weights of each."""
    if not all(type(height) is int for height in heights):
        raise BadAgent("the heights at which regimes begin are whole numbers that rise, from 1 on.")
    players = tuple(LookaheadAgent(one, look) if look else LinearAgent(one) for one in weights)
    return RegimesAgent(tuple(heights), players)
