"""Many games of Luzhanqi side by side, half from the book and half from any layouts, as a learner sees them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.luzhanqi.material import material
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.batch import Batch, Step
from apprenti.games.luzhanqi.layout import book
from apprenti.games.luzhanqi.rules import Rules


class Seen(NamedTuple):
    """What the players to move see."""

    planes: NDArray[np.float32]
    legal: NDArray[np.bool_]
    mover: NDArray[np.int64]
    material: NDArray[np.float64]
    """Own material minus the enemy's, as a share of an army."""


class ArmyGames:
    """Games that begin again when they end."""

    def __init__(self, rules: Rules, games: int, seed: int, random_layouts: float) -> None:
        """So many games, a share of them with any legal layouts, the others from the book."""
        self.rules = rules
        drawn = round(games * random_layouts) if book(rules) else games
        parts = ((drawn, "any", ()), (games - drawn, "book", book(rules)))
        self.batches = [
            Batch(rules, number, seed_of(seed, name), tuple(layouts)) for number, name, layouts in parts if number
        ]

    def states(self) -> NDArray[np.int64]:
        """The games as arrays."""
        return np.concatenate([batch.games for batch in self.batches])

    def seen(self) -> Seen:
        """What the players to move see and may do."""
        planes = np.concatenate([batch.planes() for batch in self.batches])
        legal = np.concatenate([batch.legal() for batch in self.batches])
        states = self.states()
        mover = states[:, at.TO_MOVE]
        return Seen(planes, legal, mover, material(self.rules, states))

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Play one move in every game."""
        steps, first = [], 0
        for batch in self.batches:
            steps.append(batch.step(actions[first : first + len(batch)]))
            first += len(batch)
        names = ("mover", "ended", "winner")
        return Step(*(np.concatenate([getattr(step, name) for step in steps]) for name in names))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything the games depend on."""
        found: dict[str, NDArray[Any]] = {}
        for number, batch in enumerate(self.batches):
            found |= {f"games/{number}": batch.games.copy(), f"dice/{number}": batch.dice.copy()}
        return found

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Go on with saved games."""
        for number, batch in enumerate(self.batches):
            batch.games[:] = arrays[f"games/{number}"]
            batch.dice[:] = arrays[f"dice/{number}"]
