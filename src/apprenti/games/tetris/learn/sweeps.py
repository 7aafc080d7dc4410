"""Sweeps over all walls of a board until X = base + λ T_π X: how a policy is evaluated (thesis, equation 2.4).

From full walls to empty ones: a placement that removes no line leads to a fuller wall, so one sweep follows all play
between two lines. Walls of equally many cells are swept together, so the result does not depend on the number of
threads. What remains of the error after some sweeps shrinks by the same factor everywhere, the part of games that lasts
one line more; once it is steady, all sweeps to come are added at once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadRules
from apprenti.core.machine import ThreadPool
from apprenti.games.tetris.fast.reachable import Space, chunks
from apprenti.games.tetris.learn.sweeps_kernel import commit, go_further

STEADY = 0.1
"""Two factors are alike when they differ by less than this part of their distance from 1."""
FINEST = 1e-13
"""Changes below this part of the values are rounding."""
MOST_ALIKE = 300
"""Changes in a row as great as the one before: then games never end."""
CHUNK = 1 << 16

Values = NDArray[np.float64]
Report = Callable[[str], None]
NOTHING = np.zeros(0)


class Patience:
    """Notices that values grow for ever: the changes do not shrink any more."""

    def __init__(self) -> None:
        self.before, self.steady = 0.0, 0

    def see(self, change: float) -> None:
        """Look at the next change; refuse when there have been too many like it."""
        self.steady = self.steady + 1 if change >= self.before * (1 - 1e-6) else 0
        self.before = change
        if self.steady > MOST_ALIKE:
            raise BadRules("games go on for ever here, or nearly so, and are worth any number: give --gamma below 1.")


class Sweeps(ABC):
    """One board and the values of its walls, which a policy that the heirs know brings nearer to its own."""

    def __init__(self, space: Space, threads: ThreadPool | None = None) -> None:
        self.space, self.threads = space, threads or ThreadPool(1)
        self.values: Values = np.zeros(space.size + 1)
        """By the places of the walls; the last is the dead board."""
        self.sweeps = 0
        self._fresh: Values = np.empty(space.size)
        most = max(CHUNK, space.size >> 10)
        self._levels = [chunks(begin, end, most) for begin, end in space.levels]
        self._parts = [part for level in self._levels for part in level]

    @property
    def value_of_empty_board(self) -> float:
        """What a game is worth, so far."""
        return float(self.values[0])

    def settle(
        self, tolerance: float, base: Values = NOTHING, lambda_: float = 1.0, say: Report = lambda _: None
    ) -> None:
        """Sweep until X = base + λ T_π X nearly holds: until a sweep changes no wall by more than the tolerance."""
        factor, sum_, patience = 0.0, 0.0, Patience()
        while True:
            last = factor, sum_
            change, sum_ = self._sweep(base, lambda_)
            say(f"evaluating the policy, change {change:.1e}")
            if change <= max(tolerance, FINEST * float(self.values[0])):
                return
            patience.see(change)
            factor = sum_ / last[1] if last[1] else 0.0
            if 0 < factor < 1 and last[0] > 0 and abs(factor - last[0]) < STEADY * (1 - factor):
                self.threads.each(lambda part: self._go_further(part, factor / (1 - factor)), self._parts)  # noqa: B023
                factor = sum_ = 0.0

    def _sweep(self, base: Values, lambda_: float) -> tuple[float, float]:
        """Evaluate every wall once, the fullest first; return the greatest change and the sum of all."""
        greatest = sum_ = 0.0
        for level in self._levels:
            self.threads.each(lambda part: self._evaluate(part, base, lambda_), level)
            for change, more in self.threads.each(self._commit, level):
                greatest, sum_ = max(greatest, change), sum_ + more
        self.sweeps += 1
        return greatest, sum_

    @abstractmethod
    def _evaluate(self, part: tuple[int, int], base: Values, lambda_: float) -> None:
        """Write what the policy makes of some walls to `_fresh`."""

    def _commit(self, part: tuple[int, int]) -> tuple[float, float]:
        greatest, sum_ = commit(self.values, self.space.places, *part, self._fresh)
        return float(greatest), float(sum_)

    def _go_further(self, part: tuple[int, int], factor: float) -> None:
        go_further(self.values, self.space.places, *part, self._fresh, factor)
