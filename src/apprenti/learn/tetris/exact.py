"""Exact optimal control of small boards: value iteration, policy iteration, λ-policy iteration (thesis, section 2.2).

The value of a wall m (equation 2.13 and below), with lines as reward and 0 for the dead board:

    Ṽ(m) = Σ share(p) · max over placements a of  lines(m, p, a) + γ Ṽ(m′)

An iteration is *update*, with the greedy policy π of the values V so far (0 at first), and *improve*: find the greedy
policy of the new values, all walls against the same V, and how far they are from T V, the *residual*.

    value      V ← T V                                      Bellman 1957
    policy     V ← the value of π                           Howard 1960
    lambda     V ← V + (I − λγP)⁻¹ (T V − V)                Bertsekas & Ioffe 1996; 0 is value, 1 is policy iteration
    modified   V ← nearly the value of π                    Puterman & Shin 1978

The last three solve X = base + λ T_π X by sweeps from full walls to empty ones: a placement that removes no line leads
to a fuller wall, so one sweep follows all play between two lines. Walls of equally many cells are swept together, so
the result does not depend on the number of threads. What remains of the error after some sweeps shrinks by the same
factor everywhere, the part of games that lasts one line more; once it is steady, all sweeps to come are added at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.errors import BadOption, BadRules, UnknownName
from apprenti.core.threads import ThreadPool
from apprenti.games.tetris.fast.reachable import Space, chunks
from apprenti.games.tetris.walls import shares
from apprenti.learn.tetris.sweeps_kernel import commit, evaluate, go_further, improve

METHODS = ("modified", "value", "policy", "lambda")
NEARLY = 0.02
"""Modified policy iteration evaluates until a sweep changes less than this part of the residual."""
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


@dataclass(frozen=True)
class ExactConfig:
    """How to solve."""

    method: str = "modified"
    gamma: float = 1.0
    lambda_: float = 0.9
    residual: float = 1e-6
    iterations: int = 100_000

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UnknownName("way to solve", self.method, METHODS)
        if not 0 < self.gamma <= 1:
            raise BadOption(f"--gamma is above 0 and at most 1, not {self.gamma:g}.")
        if not 0 <= self.lambda_ <= 1:
            raise BadOption(f"--lambda is from 0 (value iteration) to 1 (policy iteration), not {self.lambda_:g}.")
        if not 1e-12 <= self.residual < 1:
            raise BadOption(f"--residual is from 1e-12 to 1, like 1e-6, not {self.residual:g}.")
        if self.iterations < 1:
            raise BadOption(f"--iterations is at least 1, not {self.iterations}.")

    @property
    def arrays(self) -> int:
        """Numbers of 64 bits a wall: the values, the changes, and for some what values were backed up to."""
        return 3 if self.method in ("value", "lambda") else 2


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


class Solver:
    """One board, its values so far, and their greedy policy."""

    def __init__(self, space: Space, config: ExactConfig, threads: ThreadPool | None = None) -> None:
        self.space, self.config, self.threads = space, config, threads or ThreadPool(1)
        self.values: Values = np.zeros(space.size + 1)
        """By the places of the walls; the last is the dead board."""
        self.shares = np.array(shares(space.rules))
        self.successors = np.empty(space.size * len(self.shares), np.uint32)
        self.iteration = self.sweeps = 0
        self.residual = np.inf
        self._fresh: Values = np.empty(space.size)
        self._backed_up: Values = np.empty(space.size) if config.arrays == 3 else NOTHING
        most = max(CHUNK, space.size >> 10)
        self._levels = [chunks(begin, end, most) for begin, end in space.levels]
        self._parts = [part for level in self._levels for part in level]
        self._patience = Patience()

    @property
    def value_of_empty_board(self) -> float:
        """What a game is worth, so far."""
        return float(self.values[0])

    @property
    def done(self) -> bool:
        """Whether the residual is small enough, or time is up."""
        return self.residual <= self.config.residual or self.iteration >= self.config.iterations

    def warm_up(self) -> None:
        """Compile what will be needed."""
        with announcing("the solver"):
            self._improve((0, 0))
            self._evaluate((0, 0), NOTHING, 1.0)
            self._commit((0, 0))
            self._go_further((0, 0), 0.0)

    def step(self, say: Report = lambda _: None) -> dict[str, Any]:
        """Update the values once, and find their greedy policy and their residual."""
        if not self.iteration:
            say("finding the first policy")
            self.improve()
        self.iteration += 1
        self._update(say)
        say("improving the policy")
        self.improve()
        self._patience.see(self.residual)
        return {
            "iteration": self.iteration, "residual": self.residual, "sweeps": self.sweeps,
            "value_of_empty_board": self.value_of_empty_board,
        }  # fmt: skip

    def improve(self) -> None:
        """Find the greedy policy of the values, and their Bellman residual, max |T V − V|."""
        self.residual = max(self.threads.each(self._improve, self._parts))

    def value_of_policy(self, tolerance: float = 1e-9) -> float:
        """What a game of the greedy policy is worth. The values stay as they are; a copy is needed for a while."""
        kept = self.values.copy()
        self.settle(tolerance)
        found = self.value_of_empty_board
        self.values[:] = kept
        return found

    def forget_all_but_values(self) -> None:
        """Give the memory back that only solving needs."""
        self.successors, self._fresh, self._backed_up = self.successors[:0].copy(), NOTHING, NOTHING

    def _update(self, say: Report) -> None:
        method = self.config.method
        if method == "value":
            self.values[self.space.places] = self._backed_up
        elif method == "lambda":
            lambda_ = self.config.lambda_
            self._backed_up *= 1 - lambda_
            self.settle(self.config.residual * 1e-3, self._backed_up, lambda_, say)
        else:
            exact = method == "policy"
            self.settle(self.config.residual * 1e-3 if exact else NEARLY * self.residual, say=say)

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

    def _improve(self, part: tuple[int, int]) -> float:
        space = self.space
        arrays = (space.index, space.walls, self.values, self.shares)
        return float(improve(space.drops, *arrays, self.config.gamma, *part, self.successors, self._backed_up))

    def _evaluate(self, part: tuple[int, int], base: Values, lambda_: float) -> None:
        evaluate(self.values, self.successors, self.shares, self.config.gamma, lambda_, base, *part, self._fresh)

    def _commit(self, part: tuple[int, int]) -> tuple[float, float]:
        greatest, sum_ = commit(self.values, self.space.places, *part, self._fresh)
        return float(greatest), float(sum_)

    def _go_further(self, part: tuple[int, int], factor: float) -> None:
        go_further(self.values, self.space.places, *part, self._fresh, factor)
