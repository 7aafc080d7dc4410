"""Regression by a Gaussian process of bounded memory (Ramon & Driessens 2004; Engel, Mannor & Meir 2004).

A process remembers every example, and its matrix is singular when examples depend on one another. So only independent
ones are remembered, the basis; any other is, nearly, a combination c of them: k(x) = K c. With f the values at the
basis, a priori normal with covariance K, and y = c·f + noise of variance σ², all examples are in two sums:

    value(x) = k(x)·w,   (Σ c cᵀ K + σ²) w = Σ c y.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Varies, Whole, like
from apprenti.games.tetris.agents.network import gaussians
from apprenti.games.tetris.learn.criteria import Vector
from apprenti.learn.learner import Diverged

JITTER = 1e-9
"""Added to the diagonal of K, against rounding."""
FARTHEST = 1e6
"""No example is farther than this from 0, in widths of the kernel."""


class KernelRegression:
    """A function of rows of numbers, learned from examples; at first 0."""

    def __init__(self, first: Vector, room: int, independence: float, noise: float) -> None:
        """The basis is one row at first, and has `room` for so many."""
        self.independence, self.noise, self.size = independence, noise, 1
        self._basis = np.zeros((room, len(first)))
        self._basis[0] = first
        self._products, self._targets, self._heights = np.zeros((room, room)), np.zeros(room), np.zeros(room)

    @property
    def basis(self) -> Vector:
        """The examples that are remembered."""
        return self._basis[: self.size]

    @property
    def heights(self) -> Vector:
        """w: how much each of them adds to the values around it."""
        return self._heights[: self.size]

    def values(self, rows: Vector) -> Vector:
        return np.asarray(gaussians(rows, self.basis) @ self.heights)

    def learn(self, rows: Vector, targets: Vector, forgetting: float = 1.0) -> None:
        """Learn from examples; all earlier ones count by the factor `forgetting` less."""
        self._extend(rows)
        n, among = self.size, gaussians(self.basis, self.basis)
        shares = np.linalg.solve(among + JITTER * np.eye(n), gaussians(self.basis, rows))  # (basis, rows): the c
        self._products *= forgetting
        self._targets *= forgetting
        self._products[:n, :n] += shares @ shares.T
        self._targets[:n] += shares @ targets
        try:
            heights = np.linalg.solve(self._products[:n, :n] @ among + self.noise * np.eye(n), self._targets[:n])
        except np.linalg.LinAlgError:
            heights = np.full(n, np.nan)
        if not np.isfinite(heights).all():
            raise Diverged("the values have grown beyond all bounds: choose a larger --target-noise.")
        self._heights[:n] = heights

    def _extend(self, rows: Vector) -> None:
        """Remember examples that are no combination of the basis: the one that is least so, again and again.

        It is Cholesky's factorisation with pivots: what is left of k(x, x) = 1 says how independent an example is.
        """
        lower = np.linalg.cholesky(gaussians(self.basis, self.basis) + JITTER * np.eye(self.size))
        known = np.linalg.solve(lower, gaussians(self.basis, rows))  # (basis, rows)
        left = 1.0 - (known**2).sum(axis=0)
        while self.size < len(self._basis) and left.max() > self.independence:
            pick = int(left.argmax())
            row = (gaussians(rows[pick : pick + 1], rows)[0] - known[:, pick] @ known) / np.sqrt(left[pick])
            known, left = np.vstack([known, row]), left - row**2
            self._basis[self.size] = rows[pick]
            self.size += 1

    # What is stored ---------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        names = ("basis", "products", "targets", "heights")
        return {name: getattr(self, f"_{name}").copy() for name in names}

    def varies(self) -> Varies:
        """What its arrays look like."""
        return {name: like(array, -FARTHEST, FARTHEST) for name, array in self.arrays().items() if name == "basis"}

    def restore(self, size: int, arrays: dict[str, Any]) -> None:
        self.size = size
        for name in self.arrays():
            getattr(self, f"_{name}")[...] = arrays[name]

    @property
    def sizes(self) -> Whole:
        """The sizes that it may have."""
        return Whole(1, len(self._basis))
