"""Vectorised games of Luzhanqi for learners: from layouts of the book, any, or learned ones."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Arrays, Shape
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.agents.material import material
from apprenti.games.luzhanqi.agents.prior import layouts_of, usual_layouts
from apprenti.games.luzhanqi.agents.scores import NO_LAYOUTS, advice, features
from apprenti.games.luzhanqi.fast.arrays import Batch, Step
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.layout import book
from apprenti.games.luzhanqi.rules import Rules


class Observations(NamedTuple):
    """What the players to move see."""

    planes: NDArray[np.float32]
    """(games, planes, 12, 5), those of the point features last, if there are any."""
    legal: NDArray[np.bool_]
    mover: NDArray[np.int64]
    material: NDArray[np.float64]
    """Own material minus the enemy's, as a share of an army."""
    advice: NDArray[np.float32] | None
    """(games, actions, features): what the expected-value player says of each move; None without advice."""

    def only(self, some: NDArray[np.bool_]) -> "Observations":
        """What is seen in some of the games."""
        return Observations(*(None if array is None else array[some] for array in self))  # type: ignore[arg-type]


class VectorGames:
    """Games that begin again when they end."""

    def __init__(
        self, rules: Rules, games: int, seed: int, random_layouts: float, advised: bool = False, placed: float = 0.0,
        featured: bool = False, prior: float = 0.0,
    ) -> None:  # fmt: skip
        """So many games. A share is `placed`: it begins with the layouts of `pool`, once there are some. Of the others
        a share has any legal layouts, the rest is from the book. `prior`: the weight of usual layouts in advice.
        """
        self.rules, self.advised, self.featured, self.prior = rules, advised, featured, prior
        self.expected = layouts_of(usual_layouts(rules)) if prior else NO_LAYOUTS
        """Layouts that the players expect of each other."""
        learned = round(games * placed)
        drawn = round((games - learned) * random_layouts) if book(rules) else games - learned
        parts = ((drawn, "any", ()), (games - learned - drawn, "book", book(rules)), (learned, "placed", book(rules)))
        self.batches = [
            Batch(rules, number, seed_of(seed, name), tuple(layouts)) for number, name, layouts in parts if number
        ]
        self._placed = self.batches[-1] if learned else None

    def set_layouts(self, pool: NDArray[np.int64]) -> None:
        """The placed games that begin from now on do so with these layouts."""
        assert self._placed is not None, "these games have no share that is placed"
        self._placed.pool = pool

    def layouts(self) -> NDArray[np.int64]:
        """(games, 2, slots): what both armies were set up as."""
        return self.states()[:, at.TYPE : at.TYPE + at.PIECES].reshape(-1, 2, at.PIECES // 2)

    def states(self) -> NDArray[np.int64]:
        """The games as arrays."""
        return np.concatenate([batch.games for batch in self.batches])

    def observe(self) -> Observations:
        """What the players to move see and may do."""
        planes = np.concatenate([batch.planes() for batch in self.batches])
        legal = np.concatenate([batch.legal() for batch in self.batches])
        states, said = self.states(), None
        if self.featured:
            said, points = features(self.rules, states, self.prior, self.expected)
            planes = np.concatenate([planes, points.reshape(len(points), -1, *planes.shape[2:])], axis=1)
        elif self.advised:
            said = advice(self.rules, states, self.prior, self.expected)[..., None]
        return Observations(planes, legal, states[:, at.TO_MOVE], material(self.rules, states), said)

    def step(self, actions: NDArray[np.int64]) -> Step:
        steps, first = [], 0
        for batch in self.batches:
            steps.append(batch.step(actions[first : first + len(batch)]))
            first += len(batch)
        names = ("mover", "ended", "winner")
        return Step(*(np.concatenate([getattr(step, name) for step in steps]) for name in names))

    def arrays(self) -> Arrays:
        found: dict[str, NDArray[np.generic]] = {}
        for number, batch in enumerate(self.batches):
            found |= {f"games/{number}": batch.games.copy(), f"dice/{number}": batch.dice.copy()}
        if self._placed is not None:
            found["pool"] = self._placed.pool.copy()
        return found

    def shapes(self) -> dict[str, Shape]:
        """What the arrays look like."""
        found: dict[str, Shape] = {}
        for number, batch in enumerate(self.batches):
            shapes = batch.shapes()
            found |= {f"games/{number}": shapes["games"], f"dice/{number}": shapes["dice"]}
        return found | ({"pool": self._placed.shapes()["pool"]} if self._placed is not None else {})

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        for number, batch in enumerate(self.batches):
            batch.games[:] = arrays[f"games/{number}"]
            batch.dice[:] = arrays[f"dice/{number}"]
        if self._placed is not None:
            self._placed.pool = arrays["pool"]
