"""Relational reinforcement learning by kernel regression (Gärtner, Driessens & Ramon 2003; Ramon & Driessens 2004).

It is Q-learning with a Gaussian process in place of the table. Q(s, a) = lines + γ V(the wall after a), and V of a wall
moves to the best Q of the piece that came there. Placements are drawn by a Boltzmann law, P(a) ∝ exp(Q(s, a) / T).
"Relational" was their representation: a wall is what can be said of it, here ten criteria, and two walls are alike if
the same can be said of both.

A process remembers every example, and its matrix is singular when examples depend on one another. So only independent
ones are remembered, the basis (Engel, Mannor & Meir 2004); any other is, nearly, a combination c of them: k(x) = K c.
With f the values at the basis, a priori normal with covariance K, and y = c·f + noise of variance σ², all examples are
in two sums:

    value(x) = k(x)·w,   (Σ c cᵀ K + σ²) w = Σ c y.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import SEED, JsonData, SavedState, Varies, Whole, like
from apprenti.core.seeds import Stream, seed_of
from apprenti.games.tetris.agents.network import NetworkAgent, gaussians
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.learn.config import LinearConfig
from apprenti.games.tetris.learn.criteria import Vector, parse
from apprenti.games.tetris.learn.rollouts import drawn, probabilities
from apprenti.learn.learner import Diverged, Learner, Metrics, above_0, mean_score, positive, share

JITTER = 1e-9
"""Added to the diagonal of K, against rounding."""
FARTHEST = 1e6
"""No example is farther than this from 0, in widths of the kernel."""


class KernelRegression:
    """A function of rows of numbers, learned from examples; at first 0."""

    def __init__(self, first: Vector, room: int, independence: float, noise: float) -> None:
        """The basis is one row at first, and at most `room` rows."""
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

    def restore(self, size: int, arrays: JsonData) -> None:
        self.size = size
        for name in self.arrays():
            getattr(self, f"_{name}")[...] = arrays[name]

    @property
    def sizes(self) -> Whole:
        """The sizes that it may have."""
        return Whole(1, len(self._basis))


RANDOM_GAMES, RANDOM_MOVES = 50, 40
"""Games and moves of a random player, in which the criteria show how much they vary."""


@dataclass(frozen=True, kw_only=True)
class RelationalConfig(LinearConfig):
    """Relational reinforcement learning: Q-learning with a Gaussian process over criteria."""

    criteria: str = "driessens"
    """What is said of a wall: a set (driessens, bertsekas, dellacherie, …), or names of criteria with commas."""
    iterations: int = 100
    """How many times the process learns."""
    parallel_games: int = 50
    """Games played side by side; they go on from iteration to iteration."""
    moves: int = 40
    """Moves made in each of these games in an iteration; every wall they come by is an example."""
    gamma: float = 0.9
    """γ: discount of a move later."""
    exploration_temperature: float = 0.03
    """T: how evenly placements are drawn while learning, in lines."""
    max_examples: int = 300
    """Examples that the process remembers, at most; the others are combinations of these."""
    independence: float = 0.01
    """An example is remembered if no combination of those before explains more than 1 minus this of it."""
    kernel_width: float = 2.0
    """How far examples speak for others: in standard deviations of the criteria of a random player."""
    target_noise: float = 0.1
    """σ²: the variance of what is learned from, in lines²; the larger, the smoother."""
    forgetting: float = 0.8
    """The factor by which examples count less with each iteration: their targets came of older values."""
    test_games: int = 20
    """Fresh games after each iteration, which teach nothing."""
    test_pieces: int = 2000
    """Longest of these games in pieces."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "parallel_games", "moves", "max_examples", "test_games", "test_pieces")
        share(self, "gamma", "independence", "forgetting")
        above_0(self, "exploration_temperature", "kernel_width", "target_noise")

    @property
    def memory(self) -> int:
        return super().memory + 16 * self.max_examples * (self.max_examples + self.parallel_games * self.moves)


def deviations(measures: Measures, seed: int) -> Vector:
    """The standard deviations of criteria in games of a random player."""
    batch, luck, rows = Batch(measures.rules, RANDOM_GAMES, seed, "random"), Stream.named(seed, "random moves"), []
    batch.reset()
    for _ in range(RANDOM_MOVES):
        batch.step(batch.random_actions(luck))
        rows.append(measures.of_last_moves(batch)[~batch.over])
        batch.renew()
    deviation = np.concatenate(rows).std(axis=0)
    return np.where(deviation > 0, deviation, 1.0)


class Relational(Learner[RelationalConfig]):
    """The learner."""

    game = "tetris"
    Config = RelationalConfig

    def __init__(self, config: RelationalConfig) -> None:
        super().__init__(config)
        self.rules = config.game()
        self.measures = Measures(self.rules, parse(config.criteria))
        self.batch = Batch(self.rules, config.parallel_games, config.seed, "relational")
        self.batch.reset()
        seed = seed_of(config.seed, "relational", "widths")
        self.widths = config.kernel_width * np.sqrt(self.measures.size) * deviations(self.measures, seed)
        first = self.measures.of_last_moves(self.batch)[0] / self.widths  # an empty board
        self.process = KernelRegression(first, config.max_examples, config.independence, config.target_noise)
        self.luck = Stream.named(config.seed, "relational", "luck")
        self.best, self.games = -1.0, 0

    def warm_up(self) -> None:
        self.batch.afterstates()

    def move(self) -> tuple[Vector, Vector]:
        """One placement in each game; of the walls before it, the criteria and what the best placement is worth."""
        batch, config = self.batch, self.config
        walls, after = self.measures.of_last_moves(batch) / self.widths, batch.afterstates()
        values = self.process.values(self.measures.of_afterstates(batch, after) / self.widths)
        worth = np.where(after.over, -np.inf, after.lines + config.gamma * values)
        best = np.maximum.reduceat(worth, after.starts[:-1])
        chances = probabilities(after, worth / config.exploration_temperature)
        batch.step(after.action[drawn(after, chances, self.luck.randoms(batch.size))])
        self.games += len(batch.renew())
        return walls, np.where(np.isinf(best), 0.0, best)  # a wall on which every placement ends the game is worth 0

    def step(self) -> Metrics:
        walls, targets = map(np.concatenate, zip(*(self.move() for _ in range(self.config.moves)), strict=True))
        error = float(np.sqrt(np.mean((self.process.values(walls) - targets) ** 2)))
        self.process.learn(walls, targets, self.config.forgetting)
        self.iteration += 1
        score = self._test()
        self.best = max(self.best, score["mean"])
        return {
            "generation": self.iteration, "best": self.best, **score, "examples": self.process.size,
            "value": float(targets.mean()), "error": error, "games": self.games,
        }  # fmt: skip

    def _test(self) -> Metrics:
        """Mean lines of fresh games."""
        config, rules = self.config, replace(self.rules, max_pieces=self.config.test_pieces)
        seeds = [(seed_of(config.seed, "relational", "test", self.iteration, i), i) for i in range(config.test_games)]
        results = play(rules, self.agent().compiled(rules), seeds)
        return mean_score("mean", [r.tally.lines for r in results], sum(r.died for r in results))

    def agent(self) -> NetworkAgent:
        known = {"examples": self.process.basis, "heights": self.process.heights, "widths": self.widths}
        arrays = {name: array.copy() for name, array in known.items()}
        return NetworkAgent("examples", "", self.measures.names, "lines", "plain", self.config.gamma, arrays)

    # What is stored ---------------------------------------------------------------------------------------------------

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        return {**self.batch.state(), **self.process.arrays()}

    def state(self) -> SavedState:
        return {
            "iteration": self.iteration, "best": self.best, "games": self.games, "luck": self.luck.state,
            "examples": self.process.size, "arrays": self._arrays(),
        }  # fmt: skip

    def varies(self) -> Varies:
        arrays = {**self.batch.shapes(), **self.process.varies()}
        return {"luck": SEED, "examples": self.process.sizes, "arrays": arrays}

    def restore(self, state: JsonData) -> None:
        self.iteration, self.best, self.games = state["iteration"], float(state["best"]), state["games"]
        self.luck.state, arrays = state["luck"], state["arrays"]
        own = self.process.arrays()
        self.process.restore(state["examples"], arrays)
        self.batch.restore({name: array for name, array in arrays.items() if name not in own})
