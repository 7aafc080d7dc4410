"""Natural policy gradient (Kakade 2001).

The player draws its placements: π(a|s) ∝ exp(θ·φ(s, a)). With ψ = φ(s, a) − Σ_b π(b|s) φ(s, b), the gradient of what it
gains is ∇J = E[ψ Q], and F = E[ψψᵀ] is Fisher's information: how much a change of θ changes the choices. The step is
θ ← θ + α F⁻¹∇J, the same whatever the units of the criteria.

Q is what the games showed: lines of the moves to come, discounted by γ, less what comes in the mean. After an end
nothing comes, so that an end costs the mean of all that might have come.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import SEED, JsonData, SavedState, Varies
from apprenti.core.errors import BadOption
from apprenti.core.seeds import Stream
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.learn.criteria import Vector
from apprenti.games.tetris.learn.linear_learner import LinearLearnerConfig, ParallelGames, solve
from apprenti.games.tetris.learn.rollouts import drawn, probabilities
from apprenti.learn.learner import Diverged, Metrics, above_0, positive, share

DAMPING = 0.01
"""This part of the mean of its diagonal is added to F's: a criterion that never decides would change without bounds."""
STEEPEST = 1e6
"""Weights beyond this leave nothing to chance, and no gradient."""


@dataclass(frozen=True, kw_only=True)
class NaturalGradientConfig(LinearLearnerConfig):
    """Natural policy gradient: a softmax over placements climbs the gradient that its own choices define."""

    criteria: str = "bertsekas"
    """A set (bertsekas, dellacherie, bcts, …), or names of criteria with commas."""
    initial_weights: tuple[float, ...] = ()
    """Weights to begin with, one for each component; none for max_height −10, holes −1 and 0 for the others."""
    iterations: int = 100
    """How many steps of the gradient."""
    parallel_games: int = 100
    """Games played side by side; they go on from iteration to iteration."""
    moves: int = 200
    """Moves made in each of these games in an iteration."""
    gamma: float = 0.97
    """γ: discount of a move later, below 1."""
    kl: float = 0.02
    """How much a step changes the choices, from which α follows: the mean Kullback-Leibler divergence, to second
    order."""
    test_games: int = 20
    """Fresh games after each iteration, with the most likely placements, which teach nothing."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "parallel_games", "moves", "test_games")
        share(self, "gamma")
        above_0(self, "kl")
        if self.gamma == 1:
            raise BadOption("--gamma must be below 1: what comes after an end is counted by it.")

    @property
    def memory(self) -> int:
        return super().memory + 8_000 * self.parallel_games


class PolicyGradient:
    """F and ∇J from games side by side, added up as they are played."""

    def __init__(self, games: int, size: int, gamma: float) -> None:
        self.gamma, self.moves, self.reward = gamma, 0, 0.0
        self.fisher = np.zeros((size, size))
        self.trace = np.zeros((games, size))  # Σ γ^(t−k) ψ_k of the moves k so far: what a line at t is owed to
        self.of_rewards, self.of_moves, self.of_ends = (np.zeros(size) for _ in range(3))

    def add(self, psi: Vector, rewards: Vector, dead: NDArray[np.bool_]) -> None:
        """A move in each game: ψ, what it gained, and whether it was the end."""
        self.trace = self.gamma * self.trace + psi
        self.fisher += psi.T @ psi
        self.of_rewards += rewards @ self.trace
        self.of_moves += self.trace.sum(axis=0)
        self.of_ends += self.trace[dead].sum(axis=0)
        self.trace[dead] = 0.0
        self.moves += len(psi)
        self.reward += float(rewards.sum())

    def natural(self) -> tuple[Vector, float]:
        """F⁻¹∇J, and (∇J)ᵀF⁻¹∇J: how much a step along it changes the choices."""
        mean = self.reward / self.moves
        lost = self.gamma * mean / (1 - self.gamma)  # by an end: γ + γ² + … times the mean
        gradient = (self.of_rewards - mean * self.of_moves - lost * self.of_ends) / self.moves
        fisher = self.fisher / self.moves
        damped = fisher + DAMPING * np.diag(fisher).mean() * np.eye(len(fisher))
        direction = solve(damped, gradient, np.diag(damped))
        return direction, float(direction @ fisher @ direction)


class NaturalGradient(ParallelGames[NaturalGradientConfig]):
    """The learner."""

    Config = NaturalGradientConfig
    name = "natural-gradient"
    start = {"max_height": -10.0, "holes": -1.0}  # noqa: RUF012

    def __init__(self, config: NaturalGradientConfig) -> None:
        super().__init__(config, config.parallel_games)
        self.measures = Measures(self.objective.rules, self.layout.names)
        self.luck = Stream.named(config.seed, self.name, "luck")

    def _move(self, gradient: PolicyGradient) -> int:
        """One placement in each game; how many have ended."""
        batch = self.batch
        after = batch.afterstates()
        criteria = self.measures.of_afterstates(batch, after)
        chances = probabilities(after, criteria @ self.vector)
        places = drawn(after, chances, self.luck.randoms(batch.size))
        mean = np.add.reduceat(chances[:, None] * criteria, after.starts[:-1], axis=0)
        lines = batch.step(after.action[places])
        gradient.add(criteria[places] - mean, lines.astype(float), batch.dead)
        return len(batch.renew())

    def step(self) -> Metrics:
        config = self.config
        gradient = PolicyGradient(self.batch.size, self.layout.size, config.gamma)
        ends = sum(self._move(gradient) for _ in range(config.moves))
        direction, length = gradient.natural()
        rate = (2 * config.kl / length) ** 0.5 if length > 0 else 0.0  # ½ α² (∇J)ᵀF⁻¹∇J = kl
        self.vector = self.vector + rate * direction
        if not (np.abs(self.vector) < STEEPEST).all():
            raise Diverged("the weights have grown beyond all bounds: choose a smaller --kl or other --criteria.")
        return self.tested(config.test_games, drawn=gradient.reward / max(1, ends), rate=rate)

    # What is stored ---------------------------------------------------------------------------------------------------

    def state(self) -> SavedState:
        return {**super().state(), "luck": self.luck.state}

    def varies(self) -> Varies:
        return {"luck": SEED, **super().varies()}

    def restore(self, state: JsonData) -> None:
        super().restore(state)
        self.luck.state = state["luck"]
