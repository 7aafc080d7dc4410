"""What learners of a linear value function have in common: greedy games, least squares, and what is stored."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar, TypeVar

import numpy as np

from apprenti.core.seeds import seed_of
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.learn.least_squares import solve
from apprenti.games.tetris.learn.linear_learner import LinearLearner, LinearLearnerConfig
from apprenti.games.tetris.learn.normal_equations import Recorder, Sums, scaled, with_lines
from apprenti.learn.learner import Metrics, at_least_0, mean_score, share

Seeds = list[tuple[int, int]]

TOGETHER = 5
"""Games are added up in groups of so many, whoever plays them: the sums do not depend on the number of workers."""


@dataclass(frozen=True, kw_only=True)
class ValueConfig(LinearLearnerConfig):
    """Learn a linear value function from the games of its own greedy player."""

    iterations: int = 100
    """How many times the value function is fitted."""
    gamma: float = 1.0
    """γ: what a line of the next move is worth now."""
    avoid_death: bool = False
    """The player never ends a game if it can help it; otherwise an end is worth 0 to it, as it is."""
    max_pieces: int = 0
    """Longest game in pieces; 0 for no limit."""

    def __post_init__(self) -> None:
        super().__post_init__()
        share(self, "gamma")
        at_least_0(self, "max_pieces")

    @property
    def longest_game(self) -> int:
        return self.max_pieces


ConfigT = TypeVar("ConfigT", bound=ValueConfig)


class ValueLearner(LinearLearner[ConfigT]):
    """A learner whose step is: play with V, add up what the games show, solve for the next V."""

    worth_of_a_line: ClassVar[float] = 1.0
    """What the greedy player adds to the value of the wall for each line it removes."""

    def __init__(self, config: ConfigT) -> None:
        super().__init__(config)
        self.recorder = Recorder(self.objective.rules, self.layout.names)

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
        self.recorder.differences(self.weights(), [(1, 1)], 0.0, max_pieces=1)

    def step(self) -> Metrics:
        sums = self.sums()
        games = len(sums.lines)
        found = mean_score("mean", sums.lines, games if sums.deaths == games else 0)
        self.remember(found["mean"])
        change = self._fit(sums)
        self.iteration += 1
        self.objective.games_played += games
        return self.metrics(**found, pieces=sum(sums.pieces), change=change)

    def _fit(self, sums: Sums) -> float:
        """Solve for the next weights; by which part they have changed."""
        before, self.vector = self.vector, solve(sums.matrix, sums.vector, sums.squares)
        return float(np.linalg.norm(self.vector - before) / max(1e-300, float(np.linalg.norm(before))))

    def agent(self) -> LinearAgent:
        weights = scaled(self.layout.weights(self.chosen), self.config.gamma if self.worth_of_a_line else 1.0)
        return LinearAgent(with_lines(weights, self.worth_of_a_line) if self.worth_of_a_line else weights)
