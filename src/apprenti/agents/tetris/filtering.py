"""Keep the best placements by one criterion, then among those by the next, and so on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apprenti.agents.tetris.base import TetrisAgent
from apprenti.agents.tetris.linear import ends_game
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.tetris import features
from apprenti.games.tetris.features import Move
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.players import CompiledPlayer

DEFAULT = ("holes", "sum_heights", "bumpiness", "lines")
MORE_IS_BETTER = frozenset({"lines", "eroded_piece_cells", "pattern_diversity"})
_FINEST = 28
"""The largest weight, as a power of two, beside which a weight of 1/2 still lies on the kernel's grid."""


def _bits_needed(name: str, rules: Rules) -> int | None:
    """Bits for the range of a criterion that takes whole numbers; None for the others."""
    cells = rules.width * rules.rows
    most = {
        "holes": cells, "sum_heights": cells, "bumpiness": cells, "lines": 8, "max_height": 64, "min_height": 64,
        "row_transitions": 2 * cells, "column_transitions": 2 * cells, "connected_holes": cells, "hole_depth": cells,
        "rows_with_holes": 64, "well_depth_sum": cells, "well_count": cells, "occupied_cells": cells,
    }.get(name)  # fmt: skip
    return most.bit_length() if most else None


@dataclass(frozen=True)
class FilteringAgent(TetrisAgent):
    """Filters the placements by each criterion in turn; of what is left, the first is played."""

    criteria: tuple[str, ...] = DEFAULT

    def __post_init__(self) -> None:
        if not self.criteria:
            raise BadAgent("a filtering agent needs at least one criterion.")
        for name in self.criteria:
            if features.is_group(name):
                raise BadAgent(f"criterion {name} stands for several numbers and cannot filter: choose another.")

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        """The first of the placements that pass every filter."""
        moves = [Move(observation.board, placement) for placement in legal]
        kept = [move for move in moves if not ends_game(observation.rules, move)] or moves[:1]
        for name in self.criteria:
            sign = 1 if name in MORE_IS_BETTER else -1
            scores = [sign * features.values(move, name)[0] for move in kept]
            kept = [move for move, score in zip(kept, scores, strict=True) if score == max(scores)]
        return kept[0].placement

    def compiled(self, rules: Rules) -> "CompiledPlayer | None":
        """The same player for the kernel: each criterion outweighs all that come after it."""
        from apprenti.games.tetris.fast.players import CompiledPlayer

        weights: dict[str, float] = {}
        bits = 0
        for name in reversed(self.criteria):
            needed = _bits_needed(name, rules)
            if needed is None or name in weights or bits > _FINEST:
                return None
            weights[name] = (1 if name in MORE_IS_BETTER else -1) * 2.0**bits
            bits += needed
        return CompiledPlayer.of(weights)
