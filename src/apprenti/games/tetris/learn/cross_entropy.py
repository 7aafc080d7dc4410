"""Noisy cross-entropy (Szita & Lőrincz 2006; thesis, section 3.2).

Draw N vectors from a Gaussian, keep the best ρN, and move the Gaussian onto them. Noise added to the variance keeps it
from closing too early: none, a constant, or a decrease Zₜ = max(0, noise − t · slope).
"""

from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from apprenti.core.data import GENERATOR, Each, JsonData, Number, SavedState, Varies
from apprenti.core.errors import BadOption
from apprenti.games.tetris.learn.config import SearchConfig, WarmStartConfig
from apprenti.games.tetris.learn.criteria import Vector, unit
from apprenti.games.tetris.learn.objective import SearchLearner
from apprenti.learn.learner import Metrics, above_0, at_least_0, finite, one_of, positive, share


@dataclass(frozen=True, kw_only=True)
class CrossEntropyConfig(SearchConfig, WarmStartConfig):
    """Noisy cross-entropy: the Gaussian moves onto the best of its samples."""

    iterations: int = 50
    """How many times the Gaussian moves."""
    population: int = 100
    """N: vectors drawn in each iteration."""
    elite: float = 0.1
    """ρ: the part of them that is kept."""
    noise: str = "constant"
    """What is added to the variance: none, constant, or linear (decreasing)."""
    noise_level: float = 4.0
    """The constant, or the first value of the decreasing noise (the thesis: 4, or 5)."""
    noise_slope: float = 0.1
    """By how much the decreasing noise falls in each iteration."""
    mean: float = 0.0
    """First mean of every weight."""
    variance: float = 100.0
    """First variance of every weight."""
    test_games: int = 30
    """Fresh games with the mean vector after each iteration, which teach nothing; 0 for none."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "population")
        share(self, "elite")
        if self.elite_size < 1 or self.elite_size > self.population:
            raise BadOption(f"--elite {self.elite} of a --population of {self.population} leaves nobody to learn from.")
        one_of(self, "noise", "none", "constant", "linear")
        at_least_0(self, "noise_level", "noise_slope", "test_games")
        above_0(self, "variance")
        finite(self, "mean")

    @property
    def elite_size(self) -> int:
        """How many vectors are kept."""
        return round(self.elite * self.population)

    def noise_at(self, iteration: int) -> float:
        """Z: what is added to the variance."""
        if self.noise == "linear":
            return max(0.0, self.noise_level - iteration * self.noise_slope)
        return self.noise_level if self.noise == "constant" else 0.0


class CrossEntropy(SearchLearner[CrossEntropyConfig]):
    """The learner."""

    Config = CrossEntropyConfig

    def __init__(self, config: CrossEntropyConfig) -> None:
        super().__init__(config)
        size = self.objective.layout.size
        self.mean: Vector = config.first_weights(np.full(size, config.mean))
        self.variance: Vector = np.full(size, config.variance)
        self.rng = np.random.Generator(np.random.PCG64(config.seed % 2**64))

    def _drawn(self, rng: np.random.Generator) -> list[Vector]:
        draws = rng.standard_normal((self.config.population, self.objective.layout.size))
        return [self.mean + np.sqrt(self.variance) * draw for draw in draws]

    def candidates(self) -> list[Vector]:
        return self._drawn(deepcopy(self.rng))

    def step(self) -> Metrics:
        config, objective = self.config, self.objective
        vectors = self._drawn(self.rng)
        name = (config.seed, "cross-entropy", self.iteration)
        scores = objective.fitness(vectors, config.games, config.elite_size, config.racing, *name)
        order = np.argsort([-score for score in scores], kind="stable")[: config.elite_size]
        elite = np.array([vectors[i] for i in order])
        self.mean = elite.mean(axis=0)
        self.variance = elite.var(axis=0) + config.noise_at(self.iteration)
        self.iteration += 1
        self.finish()
        metrics = {
            "generation": self.iteration,
            "best": objective.score(max(scores)),
            "mean": objective.score(float(np.mean(scores))),
            "elite": objective.score(float(np.mean([scores[i] for i in order]))),
            "spread": float(np.sqrt(self.variance).mean() / max(1e-12, float(np.linalg.norm(self.mean)))),
            "games": objective.games_played,
        }
        if config.test_games:
            metrics |= objective.mean(self.mean, config.test_games, *name, "test")
        return metrics

    @property
    def vector(self) -> Vector:
        return unit(self.mean)

    def mean_and_deviation(self) -> tuple[list[float], list[float]]:
        """The Gaussian, whose weights are independent of each other."""
        return self.mean.tolist(), np.sqrt(self.variance).tolist()

    def state(self) -> SavedState:
        return {
            "iteration": self.iteration,
            "mean": self.mean.tolist(),
            "variance": self.variance.tolist(),
            "games_played": self.objective.games_played,
            "rng": self.rng.bit_generator.state,
            **self.final_state(),
        }

    def varies(self) -> Varies:
        return {**super().varies(), "variance": Each(Number(low=0), len(self.variance)), "rng": GENERATOR}

    def restore(self, state: JsonData) -> None:
        self.iteration = state["iteration"]
        self.mean, self.variance = (np.array(state[name], float) for name in ("mean", "variance"))
        self.objective.games_played = state["games_played"]
        self.rng.bit_generator.state = state["rng"]
        self.restore_final(state)
