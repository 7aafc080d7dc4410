"""What learners of one vector of weights have in common, however they find it."""

from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

import numpy as np

from apprenti.core.data import JsonData, SavedState, Varies
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.learn.config import WarmStartConfig
from apprenti.games.tetris.learn.criteria import Vector
from apprenti.games.tetris.learn.objective import Objective
from apprenti.games.tetris.weights import Layout
from apprenti.learn.learner import Diverged, Learner, Metrics, one_of

SMALLEST = 1e-11
"""A direction in which criteria of length 1 move together to this part is no direction: the sums do not show it.

The matrix holds products of criteria, so its smallest true eigenvalues are squares, and its rounding is about 1e-15.
"""

LARGEST = 1e60
"""Weights beyond this are of no use."""


@dataclass(frozen=True, kw_only=True)
class LinearLearnerConfig(WarmStartConfig):
    """Learn a vector of weights step by step."""

    keep: str = "last"
    """Whose weights the agent has: last, or best for those with the best mean of all iterations."""

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "keep", "last", "best")

    def played(self) -> str:
        """The criteria of the player."""
        return self.criteria

    @property
    def longest_game(self) -> int:
        """Its longest game in pieces; 0 for no limit."""
        return 0


ConfigT = TypeVar("ConfigT", bound=LinearLearnerConfig)


class LinearLearner(Learner[ConfigT]):
    """A learner whose player is a vector of weights, and which remembers the best it had."""

    game = "tetris"
    scales = True
    name: ClassVar[str]
    """The name of its random streams."""
    start: ClassVar[dict[str, float]] = {}
    """First weights by criterion; all others are 0."""

    def __init__(self, config: ConfigT) -> None:
        super().__init__(config)
        played = replace(config, criteria=config.played())
        self.objective = Objective.of(played, config.game(max_pieces=config.longest_game))
        start = [self.start.get(label, 0.0) for label in self.layout.labels()]
        self.vector: Vector = config.first_weights(np.array(start))
        self.best: tuple[float, Vector] = (-1.0, self.vector)
        """The best mean score of an iteration, and the weights it was played with."""

    @property
    def layout(self) -> Layout:
        """Which component belongs to which criterion."""
        return self.objective.layout

    def weights(self) -> dict[str, float | list[float]]:
        """The weights so far."""
        return self.layout.weights(self.vector)

    def warm_up(self) -> None:
        self.objective.warm_up()

    def remember(self, mean: float) -> None:
        """Remember the weights if their mean score is the best so far."""
        if mean > self.best[0]:
            self.best = mean, self.vector

    def tested(self, games: int, **more: float) -> Metrics:
        """After a step: fresh games with the weights, and what can be said."""
        self.iteration += 1
        name = self.config.seed, self.name, self.iteration
        score = self.objective.mean(self.vector, games, *name, called="mean")
        self.remember(score["mean"])
        return self.metrics(**score, **more)

    def metrics(self, mean: float, **more: float) -> Metrics:
        """What can be said of a step."""
        played = self.objective.games_played
        return {"generation": self.iteration, "best": self.best[0], "mean": mean, **more, "games": played}

    @property
    def chosen(self) -> Vector:
        """The weights of the agent."""
        return self.best[1] if self.config.keep == "best" else self.vector

    def agent(self) -> LinearAgent:
        return LinearAgent(self.layout.weights(self.chosen))

    def state(self) -> SavedState:
        return {
            "iteration": self.iteration,
            "vector": self.vector.tolist(),
            "best": [self.best[0], self.best[1].tolist()],
            "games_played": self.objective.games_played,
        }

    def restore(self, state: JsonData) -> None:
        self.iteration, self.vector = state["iteration"], np.array(state["vector"], float)
        mean, vector = state["best"]
        self.best = float(mean), np.array(vector)
        self.objective.games_played = state["games_played"]


class ParallelGames(LinearLearner[ConfigT]):
    """A learner that plays games side by side, which go on from iteration to iteration and are stored with it."""

    scales = False

    def __init__(self, config: ConfigT, games: int) -> None:
        super().__init__(config)
        self.batch = Batch(self.objective.rules, games, config.seed, self.name)
        self.batch.reset()

    def state(self) -> SavedState:
        return {**super().state(), "arrays": self.batch.state()}

    def varies(self) -> Varies:
        return {"arrays": dict(self.batch.shapes())}

    def restore(self, state: JsonData) -> None:
        super().restore(state)
        self.batch.restore(state["arrays"])


def solve(matrix: Vector, vector: Vector, squares: Vector) -> Vector:
    """The shortest w that satisfies matrix · w = vector best.

    The criteria have very different sizes (1, and sums of hundreds), so each is first put to length 1, by the root of
    the sum of its `squares`. A criterion that was 0 throughout gets the weight 0, and criteria that are combinations of
    others share their weight.
    """
    lengths = np.sqrt(squares)
    scale = np.where(lengths > 0, lengths, 1.0)
    if not (np.isfinite(matrix).all() and np.isfinite(vector).all()):
        raise Diverged("the values have grown beyond all bounds: choose a smaller --gamma or other --criteria.")
    solution, *_ = np.linalg.lstsq(matrix / np.outer(scale, scale), vector / scale, rcond=SMALLEST)
    weights: Vector = solution / scale
    if not (np.abs(weights) < LARGEST).all():
        raise Diverged("the weights have grown beyond all bounds: choose a smaller --gamma or other --criteria.")
    return weights
