"""Keep the best placements by one criterion, then among those by the next, and so on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apprenti.agents.tetris.base import TetrisAgent, placements_of
from apprenti.agents.tetris.linear import ends_game
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.tetris.criteria import CRITERIA, Move, is_group
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.players import CompiledPlayer

DEFAULT = ("holes", "sum_heights", "bumpiness", "lines")
_FINEST = 28
"""The largest weight, as a power of two, beside which a weight of 1/2 still lies on the kernel's grid."""


@dataclass(frozen=True)
class FilteringAgent(TetrisAgent):
    """Filters the placements by each criterion in turn; of what is left, the first is played."""

    criteria: tuple[str, ...] = DEFAULT

    def __post_init__(self) -> None:
        if not self.criteria:
            raise BadAgent("a filtering agent needs at least one criterion.")
        for name in self.criteria:
            if is_group(name):
                raise BadAgent(f"criterion {name} stands for several numbers and cannot filter: choose another.")

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        """The first of the placements that pass every filter."""
        moves = [Move(observation.board, placement) for placement in legal]
        kept = [move for move in moves if not ends_game(observation.rules, move)] or moves[:1]
        for name in self.criteria:
            kept = self._filtered(name, kept)
        return kept[0].placement

    def values(self, observation: Observation) -> dict[Placement, float]:
        """How many filters each legal placement passes; less than none for one that ends the game."""
        passed = self._passing(observation, placements_of(observation))
        return {placement: sum(placement in kept for kept in passed) - 1.0 for placement in placements_of(observation)}

    def explain(self, observation: Observation) -> str:
        """How many placements each filter leaves."""
        names = ("no end of the game", *self.criteria)
        passed = self._passing(observation, placements_of(observation))
        return "\n".join(f"{name}: {len(kept)} left" for name, kept in zip(names, passed, strict=True))

    def _passing(self, observation: Observation, legal: Sequence[Placement]) -> list[set[Placement]]:
        """The placements that do not end the game, then those left by each filter."""
        moves = [Move(observation.board, placement) for placement in legal]
        kept = [move for move in moves if not ends_game(observation.rules, move)]
        passed = [{move.placement for move in kept}]
        for name in self.criteria:
            kept = self._filtered(name, kept)
            passed.append({move.placement for move in kept})
        return passed

    def _filtered(self, name: str, moves: list[Move]) -> list[Move]:
        """Those with the best of a criterion."""
        criterion = CRITERIA[name]
        scores = [criterion.sign * criterion.definition(move) for move in moves]
        return [move for move, score in zip(moves, scores, strict=True) if score == max(scores)]

    def compiled(self, rules: Rules) -> "CompiledPlayer | None":
        """The same player for the kernel: each criterion outweighs all that come after it."""
        from apprenti.games.tetris.fast.players import CompiledPlayer

        weights: dict[str, float] = {}
        bits = 0
        for name in reversed(self.criteria):
            criterion = CRITERIA[name]
            if criterion.most is None or name in weights or bits > _FINEST:
                return None
            weights[name] = criterion.sign * 2.0**bits
            bits += criterion.most(rules.width * rules.rows).bit_length()
        return CompiledPlayer.of(weights)
