"""Keep the best placements by one criterion, then among those by the next, and so on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.base import TIES, TetrisAgent, placements_of, probabilities
from apprenti.games.tetris.criteria import CRITERIA, Move, is_group
from apprenti.games.tetris.dealer import ends_game
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation
from apprenti.games.tetris.weights import check_ties

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.players import CompiledPlayer

DEFAULT = ("holes", "sum_heights", "bumpiness", "lines")
_FINEST = 28
"""The largest weight, as a power of two, beside which a weight of 1/2 still lies on the kernel's grid."""


@dataclass(frozen=True)
class FilteringAgent(TetrisAgent):
    """Filters the placements by each criterion in turn; of what is left, the first is played, or one by `ties`."""

    criteria: tuple[str, ...] = DEFAULT
    ties: str = "first"
    """`first`, `random` (as in the authors' program) or `dellacherie`: see `base.py`."""

    def __post_init__(self) -> None:
        check_ties(self.ties)
        if not self.criteria:
            raise BadAgent("a filtering agent needs at least one criterion.")
        for name in self.criteria:
            if is_group(name):
                raise BadAgent(f"criterion {name} stands for several numbers and cannot filter: choose another.")

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        scores = self._scores(observation, legal)
        return TIES[self.ties](observation, legal, list(scores.values()), rng)

    def probabilities(self, observation: Observation, legal: Sequence[Placement]) -> list[float]:
        return probabilities(self.ties, observation, legal, list(self._scores(observation, legal).values()))

    def _score(self, move: Move) -> tuple[float, ...]:
        """Who passes every filter has the greatest of these; one that ends the game has nothing, the least of all."""
        criteria = (CRITERIA[name] for name in self.criteria)
        return tuple(criterion.sign * criterion.definition(move) for criterion in criteria)

    def values(self, observation: Observation) -> dict[Placement, float]:
        scores = self._scores(observation, placements_of(observation))
        best = max(scores.values())
        return {placement: _passed(score, best) if score else -1.0 for placement, score in scores.items()}

    def explain(self, observation: Observation) -> str:
        passed = self.values(observation).values()
        names = ("no end of the game", *self.criteria)
        return "\n".join(f"{name}: {sum(n >= number for n in passed)} left" for number, name in enumerate(names))

    def _scores(self, observation: Observation, legal: Sequence[Placement]) -> dict[Placement, tuple[float, ...]]:
        moves = [Move(observation.board, placement) for placement in legal]
        return {move.placement: () if ends_game(observation.rules, move) else self._score(move) for move in moves}

    def compiled(self, rules: Rules) -> "CompiledPlayer | None":
        from apprenti.games.tetris.fast.players import CompiledPlayer

        weights: dict[str, float] = {}
        bits = 0
        for name in reversed(self.criteria):
            criterion = CRITERIA[name]
            if criterion.most is None or name in weights or bits > _FINEST:
                return None
            weights[name] = criterion.sign * 2.0**bits
            bits += criterion.most(rules.width * rules.rows).bit_length()
        return CompiledPlayer.of(weights, ties=self.ties)


def _passed(score: tuple[float, ...], best: tuple[float, ...]) -> float:
    """The filters before the first at which a placement falls behind the best."""
    same = [a == b for a, b in zip(score, best, strict=True)]
    return float((*same, False).index(False))
