"""Baselines of Luzhanqi as opponents and teachers: the one-ply players of the zoo, compiled, on many games at once."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from apprenti.arena.statistics import expected_share
from apprenti.core.errors import UnknownName
from apprenti.games.luzhanqi.agents.monte_carlo import MonteCarloPlayer
from apprenti.games.luzhanqi.agents.one_ply import ExpectedValuePlayer, GreedyPlayer
from apprenti.games.luzhanqi.agents.scores import NO_LAYOUTS, scores
from apprenti.games.luzhanqi.agents.scores_kernel import add_playouts
from apprenti.games.luzhanqi.agents.worth_kernel import attack_values_by_set
from apprenti.games.luzhanqi.fast.arrays import rules_array
from apprenti.games.luzhanqi.rules import Rules

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Baseline:
    """How a one-ply player looks one move ahead."""

    fear: float = 0.0
    march: float = 0.0
    counted: bool = False
    """Whether the odds of the enemy's types keep the counts of the army (nearly), or look at each piece alone."""
    random: bool = False
    """All moves are worth the same."""
    informed: bool = False
    """Whether it can be told layouts that the enemy uses."""
    layouts: NDArray[np.int64] = field(default_factory=lambda: NO_LAYOUTS, compare=False)
    """(layouts, slots): some that the enemy is known to use."""

    def knowing(self, layouts: NDArray[np.int64]) -> "Baseline":
        """The same player; if it is an informed one, it knows some layouts that the enemy uses."""
        return replace(self, layouts=layouts) if self.informed else self

    def scores(self, rules: Rules, games: NDArray[np.int64]) -> Scores:
        """(games, actions): what each move is worth as the player to move sees it; −∞ where it is not legal."""
        out = scores(rules, games, self.fear, self.march, self.counted, self.layouts)
        if self.random:
            out[np.isfinite(out)] = 0.0
        return out

    def targets(self, rules: Rules, games: NDArray[np.int64], rng: np.random.Generator) -> Scores:
        """What a teacher says of each move: the same, whatever the dice."""
        return self.scores(rules, games)

    def moves(self, rules: Rules, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """A move of the greatest worth in each game; of equals, any."""
        scores = self.scores(rules, games)
        return np.asarray((scores + 1e-3 * rng.random(scores.shape)).argmax(axis=1))


_GREEDY, _EXPECTED = GreedyPlayer(), ExpectedValuePlayer()
BASELINES = {
    "random": Baseline(random=True),
    "greedy": Baseline(float(_GREEDY.fear), float(_GREEDY.march)),
    "expected": Baseline(float(_EXPECTED.fear), float(_EXPECTED.march), counted=True),
    "informed": Baseline(float(_EXPECTED.fear), float(_EXPECTED.march), counted=True, informed=True),
}
"""`random` and `greedy` are the zoo's; `expected` approximates its exact beliefs by scaling, to be fast; `informed` is
the same player, who is told layouts that the enemy uses."""

RATINGS = {"random": 0.0, "greedy": 640.0, "expected": 830.0}
"""Elo of the baselines, from matches of the zoo's players, rounded: fixed, so that curves can be compared."""


def elo_against(shares: dict[str, float], games: int) -> float:
    """The Elo that best fits shares of the points against baselines, so many games each."""
    low, high = -2000.0, 4000.0
    wanted = sum(shares.values()) * games + 0.25 * len(shares)  # half a drawn game more keeps it finite
    while high - low > 0.1:
        middle = (low + high) / 2
        came = sum((games + 0.5) * expected_share(middle - RATINGS[name]) for name in shares)
        low, high = (middle, high) if came < wanted else (low, middle)
    return (low + high) / 2


@dataclass(frozen=True)
class Playouts:
    """A teacher that tries every move in the game as it truly stands, and plays on as the Monte-Carlo player does.

    It knows what is hidden; the learner does not, and is drawn to the mean of its targets over all that may be hidden:
    what the Monte-Carlo player computes with many sampled worlds for one move, one sample for each of many moves.
    """

    count: int = 3
    """Games played on after each move."""

    def targets(self, rules: Rules, games: NDArray[np.int64], rng: np.random.Generator) -> Scores:
        """(games, actions): what came of each move, in points, with the Monte-Carlo player's prejudice."""
        like, dice = MonteCarloPlayer(), rng.integers(1 << 63, size=1, dtype=np.uint64)
        out = like.prejudice * BASELINES["expected"].scores(rules, games)
        add_playouts(
            rules_array(rules),
            games,
            attack_values_by_set(rules),
            self.count,
            like.depth,
            like.march,
            like.noise,
            dice,
            out,
        )
        return out


TEACHERS: dict[str, Baseline | Playouts] = {**BASELINES, "playouts": Playouts()}


def teacher(name: str) -> Baseline | Playouts:
    """A teacher by its name."""
    if name not in TEACHERS:
        raise UnknownName("teacher", name, TEACHERS)
    return TEACHERS[name]


def baseline(name: str) -> Baseline:
    """A baseline by its name."""
    if name not in BASELINES:
        raise UnknownName("baseline", name, BASELINES)
    return BASELINES[name]


def rating(name: str) -> float:
    """The Elo of a baseline to be tested against."""
    if name not in RATINGS:
        raise UnknownName("baseline to be tested against", name, RATINGS)
    return RATINGS[name]
