"""What learners of a linear value function have in common: greedy games, least squares, and what is stored."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar, TypeVar

import numpy as np

from apprenti.agents.tetris.linear import LinearAgent
from apprenti.core.data import SavedState
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.weights import Layout
from apprenti.learn.learner import BaseLearner, Metrics
from apprenti.learn.options import at_least_0, one_of, share
from apprenti.learn.tetris.config import WarmStartConfig
from apprenti.learn.tetris.criteria import Vector
from apprenti.learn.tetris.least_squares import solve
from apprenti.learn.tetris.normal_equations import Recorder, Sums, scaled, with_lines
from apprenti.learn.tetris.objective import Objective

Seeds = list[tuple[int, int]]

TOGETHER = 5
"""Games are added up in groups of so many, whoever plays them: the sums do not depend on the number of workers."""


@dataclass(frozen=True, kw_only=True)
class ValueConfig(WarmStartConfig):
    """Learn a linear value function from the games of its own greedy player."""

    iterations: int = 100
    """How many times the value function is fitted."""
    gamma: float = 1.0
    """γ: what a line of the next move is worth now."""
    avoid_death: bool = False
    """The player never ends a game if it can help it; otherwise an end is worth 0 to it, as it is."""
    max_pieces: int = 0
    """Longest game in pieces; 0 for no limit."""
    keep: str = "last"
    """Whose weights the agent has: last, or best for those with the best mean of all iterations."""

    def __post_init__(self) -> None:
        super().__post_init__()
        share(self, "gamma")
        at_least_0(self, "max_pieces")
        one_of(self, "keep", "last", "best")


ConfigT = TypeVar("ConfigT", bound=ValueConfig)


class ValueLearner(BaseLearner[ConfigT]):
    """A learner whose step is: play with V, add up what the games show, solve for the next V."""

    game = "tetris"
    scales = True
    name: ClassVar[str]
    """The name of its random streams."""
    start: ClassVar[dict[str, float]]
    """First weights by criterion; all others are 0."""
    worth_of_a_line: ClassVar[float] = 1.0
    """What the greedy player adds to the value of the wall for each line it removes."""

    def __init__(self, config: ConfigT) -> None:
        super().__init__(config)
        self.objective = Objective.of(config, config.game(max_pieces=config.max_pieces))
        self.recorder = Recorder(self.objective.rules, self.layout.names)
        start = [self.start.get(label, 0.0) for label in self.layout.labels()]
        self.vector: Vector = config.first_weights(np.array(start))
        self.best: tuple[float, Vector] = (-1.0, self.vector)
        """The best mean score of an iteration, and the weights it was played with."""

    @property
    def layout(self) -> Layout:
        """Which component belongs to which criterion."""
        return self.objective.layout

    def weights(self) -> dict[str, float | list[float]]:
        """The value function so far."""
        return self.layout.weights(self.vector)

    def sums(self) -> Sums:
        """Play with the weights so far; what the games add up to."""
        raise NotImplementedError

    def seeds(self, games: int) -> Seeds:
        """The seeds of the games of this iteration."""
        return [(seed_of(self.config.seed, self.name, self.iteration, j), 0) for j in range(games)]

    def add_up(self, record: Callable[[Seeds], Sums], seeds: Seeds) -> Sums:
        """All the games on all cores, added up in their order."""
        parts = [seeds[first : first + TOGETHER] for first in range(0, len(seeds), TOGETHER)]
        return reduce(Sums.plus, self.objective.spread(record, parts))

    def warm_up(self) -> None:
        """Compile the player."""
        self.recorder.differences(self.weights(), [(1, 1)], 0.0, max_pieces=1)

    def step(self) -> Metrics:
        """One iteration."""
        sums = self.sums()
        mean = float(np.mean(sums.lines))
        if mean > self.best[0]:
            self.best = mean, self.vector
        change = self._fit(sums)
        self.iteration += 1
        self.objective.games_played += len(sums.lines)
        return self._metrics(mean, sum(sums.pieces), change)

    def _fit(self, sums: Sums) -> float:
        """Solve for the next weights; by which part they have changed."""
        before, self.vector = self.vector, solve(sums.matrix, sums.vector, sums.squares)
        return float(np.linalg.norm(self.vector - before) / max(1e-300, float(np.linalg.norm(before))))

    def _metrics(self, mean: float, pieces: int, change: float) -> Metrics:
        return {
            "generation": self.iteration,
            "best": self.best[0],
            "mean": mean,
            "pieces": pieces,
            "change": change,
            "games": self.objective.games_played,
        }

    def agent(self) -> LinearAgent:
        """The greedy player of the value function; like all players here it ends no game if it can help it."""
        vector = self.best[1] if self.config.keep == "best" else self.vector
        weights = scaled(self.layout.weights(vector), self.config.gamma if self.worth_of_a_line else 1.0)
        return LinearAgent(with_lines(weights, self.worth_of_a_line) if self.worth_of_a_line else weights)

    def state(self) -> SavedState:
        """Everything that the next step depends on."""
        return {
            "iteration": self.iteration,
            "vector": self.vector.tolist(),
            "best": [self.best[0], self.best[1].tolist()],
            "games_played": self.objective.games_played,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        self.iteration, self.vector = state["iteration"], np.array(state["vector"])
        mean, vector = state["best"]
        self.best = float(mean), np.array(vector)
        self.objective.games_played = state["games_played"]
