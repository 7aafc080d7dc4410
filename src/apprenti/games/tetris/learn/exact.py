"""Exact optimal control of small boards: value iteration, policy iteration, λ-policy iteration (thesis, section 2.2).

The value of a wall m (equation 2.13 and below), with lines as reward and 0 for the dead board:

    Ṽ(m) = Σ share(p) · max over placements a of  lines(m, p, a) + γ Ṽ(m′)

An iteration is *update*, with the greedy policy π of the values V so far (0 at first), and *improve*: find the greedy
policy of the new values, all walls against the same V, and how far they are from T V, the *residual*.

    value      V ← T V                                      Bellman 1957
    policy     V ← the value of π                           Howard 1960
    lambda     V ← V + (I − λγP)⁻¹ (T V − V)                Bertsekas & Ioffe 1996; 0 is value, 1 is policy iteration
    modified   V ← nearly the value of π                    Puterman & Shin 1978

The last three solve X = base + λ T_π X by sweeps (`sweeps.py`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from apprenti.core.compiled import announcing
from apprenti.core.errors import BadOption, UnknownName
from apprenti.core.machine import ThreadPool
from apprenti.games.tetris.fast.reachable import Space
from apprenti.games.tetris.learn.sweeps import NOTHING, Patience, Report, Sweeps, Values
from apprenti.games.tetris.learn.sweeps_kernel import evaluate, improve
from apprenti.games.tetris.walls import shares

METHODS = ("modified", "value", "policy", "lambda")
NEARLY = 0.02
"""Modified policy iteration evaluates until a sweep changes less than this part of the residual."""


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
        return 3 if self.method in ("value", "lambda") else 2


class Solver(Sweeps):
    """One board, its values so far, and their greedy policy."""

    def __init__(self, space: Space, config: ExactConfig, threads: ThreadPool | None = None) -> None:
        super().__init__(space, threads)
        self.config = config
        self.shares = np.array(shares(space.rules))
        self.successors = np.empty(space.size * len(self.shares), np.uint32)
        self.iteration, self.residual = 0, np.inf
        self._backed_up: Values = np.empty(space.size) if config.arrays == 3 else NOTHING
        self._patience = Patience()

    @property
    def done(self) -> bool:
        """Whether the residual is small enough, or time is up."""
        return self.residual <= self.config.residual or self.iteration >= self.config.iterations

    def warm_up(self) -> None:
        with announcing("the solver"):
            self._improve((0, 0))
            self._evaluate((0, 0), NOTHING, 1.0)
            self._commit((0, 0))
            self._go_further((0, 0), 0.0)

    def step(self, say: Report = lambda _: None) -> dict[str, Any]:
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

    def _improve(self, part: tuple[int, int]) -> float:
        space = self.space
        arrays = (space.index, space.walls, self.values, self.shares)
        return float(improve(space.drops, *arrays, self.config.gamma, *part, self.successors, self._backed_up))

    def _evaluate(self, part: tuple[int, int], base: Values, lambda_: float) -> None:
        evaluate(self.values, self.successors, self.shares, self.config.gamma, lambda_, base, *part, self._fresh)
