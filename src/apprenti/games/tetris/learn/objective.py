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
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from apprenti.arena.executors import cluster, cores, in_a_task
from apprenti.arena.splitting import Levels, Repetition, repeat
from apprenti.arena.statistics import interval
from apprenti.core.data import Each, Number, Varies
from apprenti.core.machine import held_back
from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.agents.described import looking
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.agents.lookahead import LookaheadAgent
from apprenti.games.tetris.agents.regimes import RegimesAgent
from apprenti.games.tetris.agents.relu import ReluAgent, Unit
from apprenti.games.tetris.fast.players import BlockOfGames, CompiledPlayer, Games, play, stop_signal
from apprenti.games.tetris.fast.splitting import TetrisProcess, ladder
from apprenti.games.tetris.fast.tables import (
    Plan,
    board_options,
    in_regimes,
    plan_of,
    weights_for,
    weights_of_many,
    with_units,
)
from apprenti.games.tetris.learn.config import LinearConfig, SearchConfig
from apprenti.games.tetris.learn.criteria import Vector, parse
from apprenti.games.tetris.learn.usual import Usual
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import Layout, TermWeights, summed
from apprenti.learn.learner import Learner, Metrics, mean_score

Part = TypeVar("Part")
Result = TypeVar("Result")

CONFIDENCE = 0.95
"""A candidate is dropped when, with this confidence, it is below the elite."""

TRIALS = 400
"""Trials of a level in a repetition of the splitting; the first level is reached a quarter as often."""
LONGEST = 1_000_000
"""Moves after which who hardly ever climbs is looked at no longer."""

WeightedPlayer = LinearAgent | LookaheadAgent | RegimesAgent | ReluAgent
Scores = tuple[NDArray[np.float64], NDArray[np.bool]]


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
    heights: tuple[int, ...] = ()
    """Heights of the pile at which regimes begin; a vector has the weights of one regime after the other."""
    look: str = ""
    """How players look ahead; empty if they do not."""
    units: int = 0
    """Rectified linear units of a player; a vector has their weights after those of the sum, then their biases."""
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
        return cls(rules, layout, config.workers or cores(), unit, rare, heights, look, units)

    def __post_init__(self) -> None:
        options = board_options(self.rules, bool(self.heights))
        options += ["units"] if self.units else [self.look] if self.look else []
        self._plan: Plan = plan_of(self.layout.names, *options)
        self._block = BlockOfGames(self.rules, self._plan, self.stop)
        self._pace = 1.0
        """Seconds of a game, as far as is known: only the size of a cluster's tasks depends on it."""

    @property
    def size(self) -> int:
        """The length of a vector."""
        return self.layout.size * (len(self.heights) + 1 + self.units) + self.units

    def agent(self, vector: Sequence[float] | Vector) -> WeightedPlayer:
        if self.units:
            return self._network(np.asarray(vector))
        regimes = np.reshape(vector, (-1, self.layout.size))
        players = tuple(LinearAgent(self.layout.weights(weights)) for weights in regimes)
        agent = RegimesAgent(self.heights, players) if self.heights else players[0]
        return looking(agent, self.look) if self.look else agent

    def _network(self, vector: Vector) -> ReluAgent:
        """A vector as an agent with units."""
        weights, biases = self._sums(vector[None])
        plain, *others = map(self.layout.weights, weights[0])
        return ReluAgent(plain, tuple(map(Unit, others, biases[0].tolist(), self._signs.tolist())))

    def _sums(self, vectors: Vector) -> tuple[Vector, Vector]:
        """(vector, sum, weight) of vectors with units, and (vector, unit) the biases."""
        weights = vectors[:, : -self.units].reshape(len(vectors), -1, self.layout.size)
        return weights, self.usual.biases(weights[:, 1:], vectors[:, -self.units :])

    @property
    def _signs(self) -> Vector:
        """Half of the units are taken off."""
        return np.resize([1.0, -1.0], self.units)

    def player(self, vector: Sequence[float] | Vector) -> CompiledPlayer:
        """A vector as a compiled player."""
        return replace(self.agent(vector).compiled(self.rules), plan=self._plan)

    def _prepared(self, vectors: Sequence[Vector]) -> NDArray[np.float64]:
        """The vectors as the kernel reads them, one a row."""
        if self.units:
            weights, biases = self._sums(np.asarray(vectors))
            each = weights_of_many(self._parts, weights.reshape(-1, self.layout.size), self.units + 1)
            return with_units(each.reshape(*weights.shape[:2], -1), biases, self._signs)
        rows = weights_of_many(self._parts, np.reshape(vectors, (-1, self.layout.size)))
        return in_regimes(rows.reshape(len(vectors), -1, rows.shape[1]), self.heights) if self.heights else rows

    @cached_property
    def _parts(self) -> NDArray[np.float64]:
        """For each component, the kernel's weights of the player with 1 there and 0 elsewhere, on no grid."""
        size = self.rules.width, self.rules.height
        players = [self.layout.weights(vector) for vector in np.eye(self.layout.size)]
        return np.array([weights_for(TermWeights(*summed(weights, *size), 0.0)) for weights in players])

    def _scores(self, weights: NDArray[np.float64], seeds: list[tuple[int, int]], pool: Executor) -> Scores:
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
            scores, died = self._scores(self._prepared([vector]), seeds, pool)
        self.games_played += games
        return mean_score(called, scores[0].tolist(), games if died.all() else 0)

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
        weights = self._prepared(vectors)
        totals, deaths, played = (np.zeros(len(vectors)) for _ in range(3))
        alive = np.arange(len(vectors))
        with self._threads() as pool:
            for first, last in _rounds(games) if racing else [(0, games)]:
                scores, died = self._scores(weights[alive], seeds[first:last], pool)
                self.games_played += scores.size
                totals[alive] += scores.sum(axis=1)
                deaths[alive] += died.sum(axis=1)
                played[alive] += last - first
                if racing:
                    alive = alive[_in_the_race(totals[alive], deaths[alive], played[alive], elite, bar)]
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
            return max(one.rate(self.unit), _least_rate(one, self.unit))

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

    def __getstate__(self) -> dict[str, Any]:
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

    def agent(self) -> WeightedPlayer:
        return self.objective.agent(self.chosen if self.chosen and self.done else self.vector)

    def final_state(self) -> dict[str, Any]:
        """What is remembered for the end."""
        return {"recent": self.recent, "chosen": self.chosen} if self.config.finalists else {}

    def varies(self) -> Varies:
        vector = Each(Number(), self.objective.size)
        return {"recent": Each(vector), "chosen": Each(Number())}

    def restore_final(self, state: dict[str, Any]) -> None:
        """Go on with it."""
        self.recent, self.chosen = state.get("recent", []), state.get("chosen", [])


def _least_rate(one: Repetition, unit: str) -> float:
    """The rate if a single trial of the last level had come to the end: what a repetition without an end can say."""
    seen = math.prod(share for share in one.shares if share) / TRIALS
    return max(1, one.climbs) * seen / max(1, one.measures[unit])


def _rounds(games: int) -> list[tuple[int, int]]:
    """Games 0–1, 1–2, 2–4, 4–8, …: after each round the slowest may be dropped."""
    edges = [0, 1]
    while edges[-1] < games:
        edges.append(min(games, edges[-1] * 2))
    return list(pairwise(edges))


@cache
def _interval_of_one(deaths: int) -> tuple[float, float]:
    """The interval of a mean from so many deaths, for a total of 1: the same few numbers are asked for all the time."""
    return interval(1.0, deaths, CONFIDENCE)


def _in_the_race(
    totals: Vector, deaths: Vector, played: Vector, elite: int, bar: float = -math.inf
) -> NDArray[np.bool]:
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
