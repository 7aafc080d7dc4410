"""A player whose value of a placement is a weighted sum of criteria and of exact values of windows.

Four ways to its weights: those that make a teacher's choices likeliest; least squares, a value function of the walls it
meets itself (LSTD, Bradtke & Barto 1996, repeated); cross-entropy and CMA-ES, by games.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from apprenti.core.seeds import seed_of
from apprenti.games.tetris.fast.batch import Afterstates, Batch
from apprenti.games.tetris.fast.batch_games import BatchGames
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.windows import ExactWindows
from apprenti.games.tetris.learn.criteria import Vector
from apprenti.games.tetris.learn.criteria_selection import Choices, fit
from apprenti.games.tetris.learn.linear_learner import solve
from apprenti.games.tetris.rules import Rules

GAMMA = 0.95
"""γ of the value function that least squares fit."""
SPREAD = 0.3
"""First deviation of a search, as a part of the length of the weights it begins with; of the numbers, scaled."""


@dataclass(frozen=True)
class WindowPlayer(BatchGames):
    """Weights for criteria, and for the windows of a group."""

    rules: Rules
    criteria: tuple[str, ...]
    windows: ExactWindows | None
    group: str
    weights: NDArray[np.float64]
    """Of the criteria, then of the windows."""

    def numbers(self, batch: Batch, after: Afterstates) -> Vector:
        """(placements, numbers): what has a weight."""
        blocks = [] if self.windows is None else [self.windows.numbers(self.rules, after.columns, self.group)]
        if self.criteria:
            blocks = [Measures(self.rules, self.criteria).of_afterstates(batch, after), *blocks]
        return np.hstack(blocks)

    def actions(self, batch: Batch) -> NDArray[np.int64]:
        after = batch.afterstates()
        return after.best(np.where(after.over, -np.inf, self.numbers(batch, after) @ self.weights))


def taught(
    rules: Rules, criteria: Sequence[str], windows: ExactWindows | None, group: str, choices: Choices
) -> WindowPlayer:
    """The player whose weights make the teacher's choices likeliest; `choices` are described by the criteria."""
    described = choices.with_more(windows.numbers(rules, choices.columns, group)) if windows else choices
    weights = fit(described, range(described.features.shape[1])) / described.scale
    return WindowPlayer(rules, tuple(criteria), windows, group, weights)


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How much is played to find weights."""

    iterations: int = 30
    population: int = 40
    games: int = 5
    """Of each candidate."""
    max_pieces: int = 2000
    """Longest of these games."""
    seed: int = 1


def fitness(player: WindowPlayer, vectors: Vector, effort: Effort, *name: object) -> Vector:
    """The mean lines of each vector of weights, in the same games for all."""
    games, rules = effort.games, replace(player.rules, max_pieces=effort.max_pieces)
    batch = Batch(rules, len(vectors) * games)
    seeds = [seed_of(effort.seed, "windows", *name, i) for i in range(games)]
    batch.reset(np.tile(np.array(seeds, np.uint64), len(vectors)))
    while not batch.over.all():
        after = batch.afterstates()
        values = np.einsum("pk,pk->p", player.numbers(batch, after), vectors[after.game // games])
        batch.play(after.best(np.where(after.over, -np.inf, values)), ~batch.over)
    return np.asarray(batch.lines.reshape(-1, games).mean(axis=1))


def by_cross_entropy(player: WindowPlayer, scale: Vector, effort: Effort) -> WindowPlayer:
    """Cross-entropy from the weights of the player on, one in ten the elite, with noise that falls to 0."""
    rng = np.random.Generator(np.random.PCG64(effort.seed))
    mean = player.weights * scale
    first = SPREAD * np.linalg.norm(mean)
    deviation = np.full(len(mean), first)
    for t in range(effort.iterations):
        vectors = mean + deviation * rng.standard_normal((effort.population, len(mean)))
        order = np.argsort(-fitness(player, vectors / scale, effort, "ce", t), kind="stable")
        elite = vectors[order[: max(2, effort.population // 10)]]
        noise = first / 3 * (1 - (t + 1) / effort.iterations)
        mean, deviation = elite.mean(axis=0), np.sqrt(elite.var(axis=0) + noise**2)
    return replace(player, weights=mean / scale)


def by_cma_es(player: WindowPlayer, scale: Vector, effort: Effort) -> WindowPlayer:
    """CMA-ES from the weights of the player on."""
    from cmaes import CMA

    first = player.weights * scale
    if len(first) < 2:  # one weight: only its sign matters
        return player
    sigma = SPREAD * float(np.linalg.norm(first))
    gaussian = CMA(mean=first, sigma=sigma, population_size=effort.population, seed=effort.seed % 2**32)
    for t in range(effort.iterations):
        vectors = np.array([gaussian.ask() for _ in range(effort.population)])
        scores = fitness(player, vectors / scale, effort, "cma", t)
        gaussian.tell([(vector, -float(score)) for vector, score in zip(vectors, scores, strict=True)])
    return replace(player, weights=np.asarray(gaussian.mean) / scale)


def by_least_squares(player: WindowPlayer, scale: Vector, effort: Effort) -> WindowPlayer:
    """V = w·numbers of the walls that the present player meets; the next one plays lines + γ V. The best of all.

    `player` has the criterion lines, which V does not count.
    """
    fitted, best = player, (-1.0, player)
    for t in range(effort.iterations):
        fitted = replace(fitted, weights=_valued(fitted, effort, t))
        score = float(fitness(fitted, fitted.weights[None], replace(effort, games=50), "test", t)[0])
        best = max(best, (score, fitted), key=lambda pair: pair[0])
    return best[1]


def _valued(player: WindowPlayer, effort: Effort, iteration: int) -> Vector:
    """The weights of lines + γ V, where Σ φ (φ − γ φ′)ᵀ w = Σ φ · the lines between; φ′ of a dead wall is 0."""
    batch = Batch(player.rules, effort.population * effort.games, seed_of(effort.seed, "least squares", iteration))
    batch.reset()
    size, lines = len(player.weights), player.criteria.index("lines")
    known = np.arange(size) != lines
    matrix, vector, before = np.zeros((size - 1, size - 1)), np.zeros(size - 1), None
    for _ in range(40):
        after = batch.afterstates()
        numbers = player.numbers(batch, after)
        places = after.first_best(np.where(after.over, -np.inf, numbers @ player.weights))
        here = np.where(after.over[places, None], 0.0, numbers[places][:, known])
        if before is not None:
            matrix += before.T @ (before - GAMMA * here)
            vector += before.T @ after.lines[places]
        batch.step(after.action[places])
        before = here * ~batch.over[:, None]  # a new game begins with a wall that nothing led to
        batch.renew()
    weights = np.ones(size)
    weights[known] = GAMMA * solve(matrix, vector, np.abs(np.diag(matrix)))
    return weights


SEARCHES: dict[str, Callable[[WindowPlayer, Vector, Effort], WindowPlayer]] = {
    "least-squares": by_least_squares,
    "cross-entropy": by_cross_entropy,
    "cma-es": by_cma_es,
}
"""Ways to weights other than a teacher, from a player that was taught on."""
