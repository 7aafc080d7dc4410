"""Vectorised games of Luzhanqi for learners, and the one-ply players of the zoo, compiled, as opponents and teachers.

Games begin with layouts of the book, any, or learned ones. Material is a rough count that learners lend while they
last.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.arena.statistics import expected_share
from apprenti.core.data import AnyArray, Arrays, Shape
from apprenti.core.errors import UnknownName
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.agents.known_layouts import layouts_of, usual_layouts
from apprenti.games.luzhanqi.agents.one_ply_kernel import attack_values_by_set
from apprenti.games.luzhanqi.agents.players import (
    NO_LAYOUTS,
    ExpectedValuePlayer,
    GreedyPlayer,
    advice,
    features,
    scores,
)
from apprenti.games.luzhanqi.agents.scores_kernel import add_playouts
from apprenti.games.luzhanqi.agents.search import MonteCarloPlayer
from apprenti.games.luzhanqi.fast.arrays import Batch, Step, rules_array
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.layout import book
from apprenti.games.luzhanqi.rules import Rules

MATERIAL = np.array([9.0, 7.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.5, 2.5, 2.5, 4.0, 0.0, 0.0])
"""Of the pieces a to l, and of an empty slot."""


def material(rules: Rules, games: NDArray[np.int64]) -> NDArray[np.float64]:
    """For each game, what the player to move has more than the other, as a share of an army."""
    alive = games[:, at.POINT : at.POINT + at.PIECES] >= 0
    worth = MATERIAL[games[:, at.TYPE : at.TYPE + at.PIECES]] * alive
    half = at.PIECES // 2
    army = max(1.0, float((MATERIAL[:12] * rules.counts).sum()))
    south = (worth[:, :half].sum(axis=1) - worth[:, half:].sum(axis=1)) / army
    return np.asarray(np.where(games[:, at.TO_MOVE] == 0, south, -south))


class Observations(NamedTuple):
    """What the players to move see."""

    planes: NDArray[np.float32]
    """(games, planes, 12, 5), those of the point features last, if there are any."""
    legal: NDArray[np.bool_]
    mover: NDArray[np.int64]
    material: NDArray[np.float64]
    """Own material minus the enemy's, as a share of an army."""
    advice: NDArray[np.float32] | None
    """(games, actions, features): what the expected-value player says of each move; None without advice."""

    def only(self, some: NDArray[np.bool_]) -> "Observations":
        """What is seen in some of the games."""
        return Observations(*(None if array is None else array[some] for array in self))  # type: ignore[arg-type]


class VectorGames:
    """Games that begin again when they end."""

    def __init__(
        self, rules: Rules, games: int, seed: int, random_layouts: float, advised: bool = False, placed: float = 0.0,
        featured: bool = False, prior: float = 0.0,
    ) -> None:  # fmt: skip
        """`games` games. A share is `placed`: it begins with the layouts of `pool`, once there are some. Of the others
        a share has any legal layouts, the rest is from the book. `prior`: the weight of usual layouts in advice.
        """
        self.rules, self.advised, self.featured, self.prior = rules, advised, featured, prior
        self.expected = layouts_of(usual_layouts(rules)) if prior else NO_LAYOUTS
        """Layouts that the players expect of each other."""
        learned = round(games * placed)
        drawn = round((games - learned) * random_layouts) if book(rules) else games - learned
        parts = ((drawn, "any", ()), (games - learned - drawn, "book", book(rules)), (learned, "placed", book(rules)))
        self.batches = [
            Batch(rules, number, seed_of(seed, name), tuple(layouts)) for number, name, layouts in parts if number
        ]
        self._placed = self.batches[-1] if learned else None

    def set_layouts(self, pool: NDArray[np.int64]) -> None:
        """The placed games that begin from now on do so with these layouts."""
        assert self._placed is not None, "these games have no share that is placed"
        self._placed.pool = pool

    def layouts(self) -> NDArray[np.int64]:
        """(games, 2, slots): what both armies were set up as."""
        return self.states()[:, at.TYPE : at.TYPE + at.PIECES].reshape(-1, 2, at.PIECES // 2)

    def states(self) -> NDArray[np.int64]:
        """The games as arrays."""
        return np.concatenate([batch.games for batch in self.batches])

    def observe(self) -> Observations:
        """What the players to move see and may do."""
        planes = np.concatenate([batch.planes() for batch in self.batches])
        legal = np.concatenate([batch.legal() for batch in self.batches])
        states, advised = self.states(), None
        if self.featured:
            advised, points = features(self.rules, states, self.prior, self.expected)
            planes = np.concatenate([planes, points.reshape(len(points), -1, *planes.shape[2:])], axis=1)
        elif self.advised:
            advised = advice(self.rules, states, self.prior, self.expected)[..., None]
        return Observations(planes, legal, states[:, at.TO_MOVE], material(self.rules, states), advised)

    def step(self, actions: NDArray[np.int64]) -> Step:
        steps, first = [], 0
        for batch in self.batches:
            steps.append(batch.step(actions[first : first + len(batch)]))
            first += len(batch)
        names = ("mover", "ended", "winner")
        return Step(*(np.concatenate([getattr(step, name) for step in steps]) for name in names))

    def arrays(self) -> Arrays:
        arrays: dict[str, NDArray[np.generic]] = {}
        for number, batch in enumerate(self.batches):
            arrays |= {f"games/{number}": batch.games.copy(), f"dice/{number}": batch.dice.copy()}
        if self._placed is not None:
            arrays["pool"] = self._placed.pool.copy()
        return arrays

    def shapes(self) -> dict[str, Shape]:
        """What the arrays look like."""
        result: dict[str, Shape] = {}
        for number, batch in enumerate(self.batches):
            shapes = batch.shapes()
            result |= {f"games/{number}": shapes["games"], f"dice/{number}": shapes["dice"]}
        return result | ({"pool": self._placed.shapes()["pool"]} if self._placed is not None else {})

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        for number, batch in enumerate(self.batches):
            batch.games[:] = arrays[f"games/{number}"]
            batch.dice[:] = arrays[f"dice/{number}"]
        if self._placed is not None:
            self._placed.pool = arrays["pool"]


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
    """The Elo that best fits shares of the points against baselines, `games` of each."""
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
