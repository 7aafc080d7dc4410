"""What criteria are in the games of a player: where the units of a network should bend.

The bias of a unit is counted from there, in units of how far criteria usually are from their means. Without that nearly
all units drawn by chance would be 0 for every placement, or for none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from apprenti.core.seeds import seed_of
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.learn.criteria import Vector
from apprenti.games.tetris.rules import Rules

GAMES, MOVES = 64, 100


@dataclass(frozen=True)
class Usual:
    """The means of the criteria over the placements of a player, and their mean deviation."""

    means: Vector | float
    deviation: float

    @classmethod
    def of(cls, rules: Rules, criteria: Sequence[str], weights: Vector, seed: int) -> Self:
        """Play some games with a weighted sum."""
        batch, measures = Batch(rules, GAMES, seed_of(seed, "usual")), Measures(rules, criteria)
        batch.reset()
        chosen: list[NDArray[np.float64]] = []
        for _ in range(MOVES):
            after = batch.afterstates()
            numbers = measures.of_afterstates(batch, after)
            places = after.first_best(np.where(after.over, -np.inf, numbers @ weights))
            chosen.append(numbers[places])
            batch.step(after.action[places])
            batch.renew()
        found = np.concatenate(chosen)
        return cls(found.mean(axis=0), float(np.sqrt(found.var(axis=0).mean())))

    def biases(self, weights: Vector, numbers: Vector) -> Vector:
        """(…, unit): the biases of units with such weights, (…, unit, weight), from numbers about as large as these."""
        return np.asarray(numbers * self.deviation - (weights * self.means).sum(axis=-1))
