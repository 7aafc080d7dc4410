"""CMA-ES (Hansen 2016) on the direction of the weights, by the `cmaes` package.

A player does not change when all its weights are multiplied, so candidates are put to length 1 before they play. All
candidates of a generation meet the same pieces. The number of games grows with the scores: at first any difference is
large, at the end it is small beside the luck of the pieces.
"""

from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from apprenti.core.data import Each, JsonData, Number, SavedState, Varies
from apprenti.core.errors import BadOption
from apprenti.games.tetris.learn.config import SearchConfig, WarmStartConfig
from apprenti.games.tetris.learn.criteria import Vector, unit
from apprenti.games.tetris.learn.objective import SearchLearner, Usual
from apprenti.games.tetris.weights import MOST_UNITS
from apprenti.learn.learner import Metrics, above_0, at_least_0, positive

DRAWS = 1000
"""Vectors that measure how far the Gaussian reaches: within 3 %."""


@dataclass(frozen=True, kw_only=True)
class CmaEsConfig(SearchConfig, WarmStartConfig):
    """CMA-ES: a Gaussian that learns its own shape."""

    iterations: int = 60
    """How many generations."""
    population: int = 0
    """Candidates in each generation; 0 for 4 + 3 ln(number of weights)."""
    games: int = 4
    """Games for each candidate in the first generation."""
    max_games: int = 40
    """Games for each candidate later; one more in each generation until then."""
    sigma: float = 0.5
    """First step size."""
    regimes: tuple[int, ...] = ()
    """Heights of the pile from which on a candidate has other weights: 5 7 for three regimes; none for one."""
    units: int = 0
    """Rectified linear units beside the weighted sum, each with weights of its own: a small network; 0 for none."""
    test_games: int = 30
    """Fresh games with the mean vector after each generation, which teach nothing; 0 for none."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "max_games")
        above_0(self, "sigma")
        at_least_0(self, "test_games")
        if self.population < 4 and self.population != 0:
            raise BadOption(f"--population is at least 4, or 0 to choose by itself, not {self.population}.")
        if not all(low < high for low, high in pairwise((0, *self.regimes))):
            raise BadOption("--regimes takes heights of the pile that rise, from 1 on.")
        if not 0 <= self.units <= MOST_UNITS:
            raise BadOption(f"--units is a number from 0 to {MOST_UNITS}, not {self.units}.")
        if self.units and (self.regimes or self.look != "none"):
            raise BadOption("--units goes with neither --regimes nor --look: take one of them.")


class CmaEs(SearchLearner[CmaEsConfig]):
    """The learner. Its state is the list of all scores so far: told again, they give the same Gaussian to the bit."""

    Config = CmaEsConfig

    def __init__(self, config: CmaEsConfig) -> None:
        super().__init__(config, heights=config.regimes, units=config.units)
        size = self.objective.size
        if size < 2:
            raise BadOption("CMA-ES needs at least two weights: name more --criteria.")
        self.population = config.population or 4 + int(3 * np.log(size))
        self.scores: list[list[float]] = []
        self._begin()

    def _begin(self) -> None:
        from cmaes import CMA

        layout = self.objective.layout
        first = self.config.first_weights(np.zeros(self.objective.size), layout.size if self.config.units else 0)
        if self.config.units:
            self.objective.usual = Usual.of(self.objective.rules, layout.names, first[: layout.size], self.config.seed)
        self.gaussian = CMA(
            mean=first, sigma=self.config.sigma, population_size=self.population, seed=self.config.seed % 2**32
        )

        self.drawn: list[Vector] = []

    def ask(self) -> list[Vector]:
        """The vectors of the next generation, which are drawn once."""
        if not self.drawn:
            self.drawn = [self.gaussian.ask() for _ in range(self.population)]
        return self.drawn

    def candidates(self) -> list[Vector]:
        return [unit(vector) for vector in self.ask()]

    def _tell(self, scores: list[float]) -> None:
        """Move the Gaussian by the scores of the vectors that were drawn."""
        self.gaussian.tell([(vector, -score) for vector, score in zip(self.ask(), scores, strict=True)])
        self.drawn = []
        self.scores.append(scores)
        self.iteration = len(self.scores)

    def step(self) -> Metrics:
        config, generation = self.config, self.iteration
        games = min(config.max_games, config.games + generation)
        name = (config.seed, "cma", generation)
        objective = self.objective
        scores = objective.fitness(self.candidates(), games, self.population // 2, config.racing, *name)
        self._tell(scores)
        self.finish()
        metrics = {
            "generation": self.iteration,
            "best": objective.score(max(scores)),
            "mean": objective.score(float(np.mean(scores))),
            "spread": float(self._deviations().mean() / max(1e-12, float(np.linalg.norm(self.gaussian.mean)))),
            "games": objective.games_played,
        }
        if config.test_games:
            metrics |= objective.mean(self.vector, config.test_games, *name, "test")
        return metrics

    @property
    def vector(self) -> Vector:
        return unit(np.asarray(self.gaussian.mean))

    def _deviations(self) -> Vector:
        """The standard deviation of the Gaussian along each component, from draws of their own."""
        gaussian = deepcopy(self.gaussian)
        gaussian.reseed_rng(self.config.seed % 2**32)
        return np.asarray(np.std([gaussian.ask() for _ in range(DRAWS)], axis=0))

    def mean_and_deviation(self) -> tuple[list[float], list[float]]:
        """The Gaussian as seen along each weight."""
        deviation = self._deviations()
        weights = self.objective.size - self.config.units  # the biases come last
        return np.asarray(self.gaussian.mean)[:weights].tolist(), deviation[:weights].tolist()

    def state(self) -> SavedState:
        return {"told": list(self.scores), "games_played": self.objective.games_played, **self.final_state()}

    def varies(self) -> Varies:
        return {**super().varies(), "told": Each(Each(Number(), self.population))}

    def restore(self, state: JsonData) -> None:
        self.scores, self.iteration = [], 0
        self._begin()
        for scores in state["told"]:
            self._tell(scores)
        self.objective.games_played = state["games_played"]
        self.restore_final(state)
