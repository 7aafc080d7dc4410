"""How good vectors of weights are: games on all cores, the same pieces for all, and racing.

Results depend on the seeds alone, never on the number of cores nor on where they are: rounds are played to the end by
everybody before anybody is dropped.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import pairwise, product
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from apprenti.arena.executors import cluster, cores, in_a_task
from apprenti.arena.splitting import Levels, Repetition, repeat
from apprenti.arena.statistics import interval
from apprenti.core.data import Each, JsonData, Number, Varies
from apprenti.core.machine import held_back
from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.agents.linear import WeightedAgent, agent_of
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.players import BlockOfGames, CompiledPlayer, Games, play, stop_signal
from apprenti.games.tetris.fast.splitting import TetrisProcess, ladder
from apprenti.games.tetris.fast.tables import Plan, options_for, packed, plan_of, weights_for, weights_of_many
from apprenti.games.tetris.learn.config import LinearConfig, SearchConfig
from apprenti.games.tetris.learn.criteria import Vector, parse
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import Evaluator, Items, Layout, TermWeights, frozen, summed
from apprenti.learn.learner import Learner, Metrics, mean_score

Part = TypeVar("Part")
Result = TypeVar("Result")

CONFIDENCE = 0.95
"""A candidate is dropped when, with this confidence, it is below the elite."""

TRIALS = 400
"""Trials of a level in a repetition of the splitting; the first level is reached a quarter as often."""
LONGEST = 1_000_000
"""Moves after which who hardly ever climbs is looked at no longer."""

Scores = tuple[NDArray[np.float64], NDArray[np.bool]]


USUAL_GAMES, USUAL_MOVES = 64, 100


@dataclass(frozen=True)
class Usual:
    """What criteria are in the games of a player: their means over its placements, and their mean deviation.

    The bias of a unit is counted from there, in units of how far criteria usually are from their means. Without that
    nearly all units drawn by chance would be 0 for every placement, or for none.
    """

    means: Vector | float
    deviation: float

    @classmethod
    def of(cls, rules: Rules, criteria: Sequence[str], weights: Vector, seed: int) -> Self:
        """Play some games with a weighted sum."""
        batch, measures = Batch(rules, USUAL_GAMES, seed_of(seed, "usual")), Measures(rules, criteria)
        batch.reset()
        chosen: list[NDArray[np.float64]] = []
        for _ in range(USUAL_MOVES):
            after = batch.afterstates()
            numbers = measures.of_afterstates(batch, after)
            places = after.first_best(np.where(after.over, -np.inf, numbers @ weights))
            chosen.append(numbers[places])
            batch.step(after.action[places])
            batch.renew()
        rows = np.concatenate(chosen)
        return cls(rows.mean(axis=0), float(np.sqrt(rows.var(axis=0).mean())))

    def biases(self, weights: Vector, numbers: Vector) -> Vector:
        """(…, unit): the biases of units with such weights, (…, unit, weight), from numbers about as large as these."""
        return np.asarray(numbers * self.deviation - (weights * self.means).sum(axis=-1))


NO_WEIGHTS: Items = ()


def form_of(heights: tuple[int, ...] = (), units: int = 0, look: str = "") -> Evaluator:
    """What is common to all candidates: an evaluator that lacks its weights and biases.

    Half of the units are taken off. A vector has the weights of one sum after the other, then the biases of the units.
    """
    if units:
        signs = tuple(1.0 if unit % 2 == 0 else -1.0 for unit in range(units))
        return Evaluator("units", (NO_WEIGHTS,) * (units + 1), signs=signs)
    return Evaluator("regimes" if heights else "sum", (NO_WEIGHTS,) * (len(heights) + 1), heights, look=look)


@dataclass
class Objective:
    """Plays games with vectors of weights."""

    rules: Rules
    layout: Layout
    workers: int = 0
    unit: str = "lines"
    """`lines` or `points`."""
    rare: bool = False
    """Candidates are judged by splitting, and their fitness is the logarithm of 1 + their mean score."""
    form: Evaluator = field(default_factory=form_of)
    """What is common to all players but for their weights."""
    usual: Usual = field(default_factory=lambda: Usual(0.0, 1.0))
    """What the criteria are in usual games: biases are counted from there."""
    games_played: int = 0
    stop: NDArray[np.int64] = field(default_factory=stop_signal)

    @classmethod
    def of(
        cls, config: LinearConfig, rules: Rules, unit: str = "lines", heights: tuple[int, ...] = (), units: int = 0
    ) -> "Objective":
        """The objective that a learner's options ask for."""
        rare = isinstance(config, SearchConfig) and config.measure == "rare"
        look = config.look if isinstance(config, SearchConfig) and config.look != "none" else ""
        layout = Layout(parse(config.criteria), rules.width)
        return cls(rules, layout, config.workers or cores(), unit, rare, form_of(heights, units, look))

    def __post_init__(self) -> None:
        self._plan: Plan = plan_of(self.layout.names, *options_for(self.rules, self.form))
        self._block = BlockOfGames(self.rules, self._plan, self.stop)
        self._pace = 1.0
        """Seconds of a game, as far as is known: only the size of a cluster's tasks depends on it."""

    @property
    def size(self) -> int:
        """The length of a vector."""
        return self.layout.size * len(self.form.sums) + len(self.form.signs)

    def _sums(self, vectors: Vector) -> tuple[Vector, Vector]:
        """(vector, sum, weight) of vectors, and (vector, unit) the biases."""
        numbers = self.layout.size * len(self.form.sums)
        weights = vectors[:, :numbers].reshape(len(vectors), -1, self.layout.size)
        if not self.form.signs:
            return weights, vectors[:, numbers:]
        return weights, self.usual.biases(weights[:, 1:], vectors[:, numbers:])

    def evaluator(self, vector: Sequence[float] | Vector) -> Evaluator:
        """A vector as what values placements."""
        weights, biases = self._sums(np.asarray(vector)[None])
        sums = tuple(frozen(self.layout.weights(row)) for row in weights[0])
        return replace(self.form, sums=sums, biases=tuple(biases[0].tolist()))

    def agent(self, vector: Sequence[float] | Vector) -> WeightedAgent:
        return agent_of(self.evaluator(vector))

    def player(self, vector: Sequence[float] | Vector) -> CompiledPlayer:
        """A vector as a compiled player."""
        return CompiledPlayer(self.evaluator(vector), self._plan)

    def prepared(self, vectors: Sequence[Vector]) -> NDArray[np.float64]:
        """The vectors as the kernel reads them, one a row."""
        weights, biases = self._sums(np.asarray(vectors))
        together = weights.shape[1] if self.form.kind == "units" else 1
        rows = weights_of_many(self._parts, weights.reshape(-1, self.layout.size), together)
        return packed(rows.reshape(*weights.shape[:2], -1), self.form, biases)

    @cached_property
    def _parts(self) -> NDArray[np.float64]:
        """For each component, the kernel's weights of the player with 1 there and 0 elsewhere, on no grid."""
        size = self.rules.width, self.rules.height
        players = [self.layout.weights(vector) for vector in np.eye(self.layout.size)]
        return np.array([weights_for(TermWeights(*summed(weights, *size), 0.0)) for weights in players])

    def scores_of(self, weights: NDArray[np.float64], seeds: list[tuple[int, int]], pool: Executor) -> Scores:
        """(vector, game) → the score, and whether the rules ended the game. All threads play, in one call each."""
        games = Games.of(self.rules, self._plan, weights, seeds, stop=self.stop)
        if cluster() is None:
            for thread in [pool.submit(games.play) for _ in range(self.workers)]:
                thread.result()
        else:
            self._gather(games, seeds, pool)
        return games.scores(self.unit), games.died

    def _gather(self, games: Games, seeds: list[tuple[int, int]], pool: Executor) -> None:
        """The same on a cluster, block by block: some vectors with all seeds, or one vector with some."""
        place, number = cluster(), len(games.weights) * len(seeds)
        size = in_a_task(number, self._pace, place.workers if place else 1)
        rows, columns = max(1, size // len(seeds)), min(size, len(seeds))
        corners = list(product(range(0, len(games.weights), rows), range(0, len(seeds), columns)))
        blocks = [(games.weights[i : i + rows], seeds[j : j + columns]) for i, j in corners]
        spent = 0.0
        for (i, j), (results, seconds) in zip(corners, pool.map(self._block, *zip(*blocks, strict=True)), strict=True):
            games.results[i : i + rows, j : j + columns] = results
            spent += seconds
        self._pace = spent / number

    def mean(self, vector: Vector, games: int, seed: int, *name: object, called: str = "test") -> Metrics:
        """The mean score of one vector over fresh games, spread over the cores, and its interval of 95 %."""
        if self.rare:
            return {called: self.score(self._split([vector], games, seed, *name)[0])}
        seeds = [(seed_of(seed, *name, j), 0) for j in range(games)]
        with self._threads() as pool:
            scores, died = self.scores_of(self.prepared([vector]), seeds, pool)
        self.games_played += games
        return mean_score(called, scores[0].tolist(), int(died.sum()))

    def fitness(
        self,
        vectors: Sequence[Vector],
        games: int,
        elite: int,
        racing: bool,
        seed: int,
        *name: object,
        bar: float = -math.inf,
    ) -> list[float]:
        """The mean score of each vector over the same games; with racing, of the games until it was dropped.

        `bar` is a score that a candidate must reach to be kept at all, whatever the others do.
        """
        if not vectors:
            return []
        if self.rare:
            return self._split(vectors, games, seed, *name)
        seeds = [(seed_of(seed, *name, j), 0) for j in range(games)]
        weights = self.prepared(vectors)
        totals, deaths, played = (np.zeros(len(vectors)) for _ in range(3))
        alive = np.arange(len(vectors))
        with self._threads() as pool:
            for first, last in rounds_of(games) if racing else [(0, games)]:
                scores, died = self.scores_of(weights[alive], seeds[first:last], pool)
                self.games_played += scores.size
                totals[alive] += scores.sum(axis=1)
                deaths[alive] += died.sum(axis=1)
                played[alive] += last - first
                if racing:
                    alive = alive[in_the_race(totals[alive], deaths[alive], played[alive], elite, bar)]
                if not len(alive):
                    break
        return [float(mean) for mean in totals / played]

    def _split(self, vectors: Sequence[Vector], repetitions: int, seed: int, *name: object) -> list[float]:
        """The fitness of each vector by splitting: the same levels and the same seeds for all."""
        rows = ladder(self.rules)
        levels = Levels(rows, (TRIALS // 4, *[TRIALS] * len(rows)))

        def task(part: tuple[Vector, int]) -> float:
            process = TetrisProcess(self.rules, self.player(part[0]), self.stop)
            one = repeat(process, levels, seed_of(seed, *name, part[1]), LONGEST)
            return max(one.rate(self.unit), least_rate(one, self.unit))

        parts = [(vector, number) for vector in vectors for number in range(repetitions)]
        rates = np.array(self.spread(task, parts)).reshape(len(vectors), repetitions)
        self.games_played += len(parts)
        return [math.log1p(1 / float(rate)) for rate in rates.mean(axis=1)]

    def score(self, fitness: float) -> float:
        """The mean score that a fitness stands for."""
        return math.expm1(fitness) if self.rare else fitness

    def spread(self, task: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
        """The task done for each part, on all cores; the results in the order of the parts."""
        with self._threads() as pool:
            return list(pool.map(_Spread(task, self), parts))

    def warm_up(self) -> None:
        player = self.player([1.0] * self.size)
        if self.rare:
            repeat(TetrisProcess(self.rules, player), Levels(ladder(self.rules)[:1], (2, 2)), 1, LONGEST)
        else:
            play(replace(self.rules, max_pieces=1), player, [(1, 1)])

    @contextmanager
    def _threads(self) -> Iterator[Executor]:
        """Where to play. When something goes wrong the games under way end at once: a good player's take hours."""
        if place := cluster():
            try:
                yield place
            finally:
                place.close()
            return
        self.stop = stop_signal()
        with held_back(self.stop):
            try:
                yield self._pool
            finally:
                self.stop[0] = 1

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.workers)

    def __getstate__(self) -> JsonData:
        return {name: value for name, value in self.__dict__.items() if name != "_pool"}  # threads cannot be sent


@dataclass
class _Spread:
    """What is done for each part, and the signal that ends it, wherever that is."""

    task: Callable[[Any], Any]
    objective: Objective

    @property
    def stop(self) -> NDArray[np.int64]:
        return self.objective.stop

    def __call__(self, part: Any) -> Any:
        return self.task(part)


ConfigT = TypeVar("ConfigT", bound=SearchConfig)


class SearchLearner(Learner[ConfigT]):
    """A learner that judges vectors of weights by their games."""

    game = "tetris"
    scales = True

    def __init__(self, config: ConfigT, unit: str = "lines", heights: tuple[int, ...] = (), units: int = 0) -> None:
        super().__init__(config)
        self.objective = Objective.of(config, config.game(max_pieces=config.max_pieces), unit, heights, units)
        self.recent: list[list[float]] = []
        self.chosen: list[float] = []

    def warm_up(self) -> None:
        self.objective.warm_up()

    @property
    @abstractmethod
    def vector(self) -> Vector:
        """The weights that are the agent now."""

    @abstractmethod
    def candidates(self) -> list[Vector]:
        """The vectors of the newest generation, or of the next where each is drawn anew."""

    def candidate_agents(self) -> list[AnyAgent]:
        """The candidates as players."""
        return [self.objective.agent(vector) for vector in self.candidates()]

    def finish(self) -> None:
        """Remember the vector; after the last step judge those of the last steps again, on seeds of their own.

        The best of many noisy candidates looks better than it is: luck does not come twice.
        """
        config = self.config
        if not config.finalists:
            return
        self.recent = [*self.recent, self.vector.tolist()][-config.finalists :]
        if self.done:
            vectors = [np.array(one) for one in self.recent]
            name = (config.seed, "final", self.iteration)
            scores = self.objective.fitness(vectors, config.final_games, len(vectors), False, *name)
            self.chosen = self.recent[int(np.argmax(scores))]

    def agent(self) -> WeightedAgent:
        return self.objective.agent(self.chosen if self.chosen and self.done else self.vector)

    def final_state(self) -> JsonData:
        """What is remembered for the end."""
        return {"recent": self.recent, "chosen": self.chosen} if self.config.finalists else {}

    def varies(self) -> Varies:
        vector = Each(Number(), self.objective.size)
        return {"recent": Each(vector), "chosen": Each(Number())}

    def restore_final(self, state: JsonData) -> None:
        """Go on with it."""
        self.recent, self.chosen = state.get("recent", []), state.get("chosen", [])


def least_rate(one: Repetition, unit: str) -> float:
    """The rate if a single trial of the last level had come to the end: what a repetition without an end can say."""
    seen = math.prod(share for share in one.shares if share) / TRIALS
    return max(1, one.climbs) * seen / max(1, one.measures[unit])


def rounds_of(games: int) -> list[tuple[int, int]]:
    """Games 0–1, 1–2, 2–4, 4–8, …: after each round the slowest may be dropped."""
    edges = [0, 1]
    while edges[-1] < games:
        edges.append(min(games, edges[-1] * 2))
    return list(pairwise(edges))


@cache
def _interval_of_one(deaths: int) -> tuple[float, float]:
    """The interval of a mean from some deaths, for a total of 1: the same few numbers are asked for all the time."""
    return interval(1.0, deaths, CONFIDENCE)


def in_the_race(totals: Vector, deaths: Vector, played: Vector, elite: int, bar: float = -math.inf) -> NDArray[np.bool]:
    """The candidates whose interval still reaches the bar and the elite.

    A game cut short counts its score but no death; who never died may be as good as anybody.
    """
    counts, which = np.unique(deaths, return_inverse=True)
    bounds = np.array([_interval_of_one(int(number)) if number else (0.0, math.inf) for number in counts])[which]
    lows = np.where(deaths > 0, totals * bounds[:, 0], totals / played)
    highs = np.where(deaths > 0, totals * np.where(deaths > 0, bounds[:, 1], 1.0), math.inf)
    if len(totals) > elite:
        bar = max(bar, float(np.sort(lows)[::-1][elite - 1]))
    return highs >= bar
