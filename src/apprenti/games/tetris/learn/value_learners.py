"""Learners of a linear value function: λ-policy iteration, approximate value iteration, LSPI.

The value of a wall, or of a move, is a weighted sum of criteria. A step is: play games with the greedy player of the
weights, add up what the games show (`normal_equations.py`), solve for the next weights by least squares.

λ-policy iteration (Bertsekas & Ioffe 1996; thesis, section 2.2.4). V = r·φ. Each iteration plays M games with the
greedy player of V and moves r, by least squares, towards V plus the temporal differences that the games showed
(equations 2.9 to 2.11). λ = 0 is approximate value iteration, λ = 1 approximate policy iteration. A dead wall is worth
0. `--historic` brings back the error the thesis found (2.14 and 2.15): the dead wall is valued by its criteria, like
any other. It explains the "intriguing phenomenon" of Bertsekas and Ioffe, whose player learned and then forgot.

Approximate value iteration (Tsitsiklis & Van Roy 1996). At every wall of the games, Bellman's equation says what V
should be: the mean over the seven pieces of the best lines + γ V(next wall). The next V is the weighted sum of criteria
nearest to these numbers. Where λ-policy iteration at λ = 0 takes the one piece that was dealt, this takes the mean over
all. Their value function has two criteria, the height of the wall and its holes.

Least-squares policy iteration (Lagoudakis & Parr 2003), on Tetris as Lagoudakis, Parr & Littman (2002). Q(wall, piece,
placement) is a weighted sum of criteria of the move. The moves of a first player are the samples, and they are used
again in every iteration: LSTDQ solves Σ φ (φ − γ φ′)ᵀ w = Σ φ · lines, where φ′ is the mean, over the next piece, of
the criteria of the move that the present player would make. The next player is greedy on Q = w·φ. After each iteration
it plays some games, to see what it is worth; nothing is learned from these. No sample is stored: the first player's
games are played again from their seeds.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from typing import Any, ClassVar, TypeVar

import numpy as np

from apprenti.core.errors import BadOption
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.learn.linear_learner import LinearLearner, LinearLearnerConfig, solve
from apprenti.games.tetris.learn.normal_equations import End, Player, Recorder, Sums, scaled, with_lines
from apprenti.learn.learner import Metrics, at_least_0, mean_score, positive, share

Part = TypeVar("Part")

TOGETHER = 5
"""Games are added up in groups of this size on any number of cores: the sums do not depend on it."""


@dataclass(frozen=True, kw_only=True)
class ValueConfig(LinearLearnerConfig):
    """Learn a linear value function from the games of its own greedy player."""

    iterations: int = 100
    """How many times the value function is fitted."""
    gamma: float = 1.0
    """γ: what a line of the next move is worth now."""
    avoid_death: bool = False
    """The player never ends a game if it can help it; otherwise an end is worth 0 to it, as it is."""
    max_pieces: int = 0
    """Longest game in pieces; 0 for no limit."""

    def __post_init__(self) -> None:
        super().__post_init__()
        share(self, "gamma")
        at_least_0(self, "max_pieces")

    @property
    def longest_game(self) -> int:
        return self.max_pieces


ConfigT = TypeVar("ConfigT", bound=ValueConfig)


class ValueLearner(LinearLearner[ConfigT]):
    """A learner whose step is: play with V, add up what the games show, solve for the next V."""

    start: ClassVar[dict[str, float]] = {"max_height": -10.0, "holes": -1.0}
    worth_of_a_line: ClassVar[float] = 1.0
    """What the greedy player adds to the value of the wall for each line it removes."""

    def __init__(self, config: ConfigT) -> None:
        super().__init__(config)
        self.recorder = Recorder(self.objective.rules, self.layout.names)

    def sums(self) -> Sums:
        """Play with the weights so far; what the games add up to."""
        raise NotImplementedError

    @property
    def end(self) -> End:
        """What the end of a game is to the player. The first weights are no values yet: their player avoids it."""
        return "avoided" if self.config.avoid_death or self.iteration == 0 else "nothing"

    def greedy_games(self, record: Callable[..., Sums], games: int, **options: Any) -> Sums:
        """What games of the greedy player, on all cores, add up to."""
        config, end, objective = self.config, self.end, self.objective
        record = partial(record, self.weights(), gamma=config.gamma, end=end, max_pieces=config.max_pieces, **options)
        seeds = [(seed_of(config.seed, self.name, self.iteration, j), 0) for j in range(games)]
        groups = [seeds[first : first + TOGETHER] for first in range(0, games, TOGETHER)]
        return self.add_up(lambda group: record(group, stop=objective.stop), groups)

    def add_up(self, record: Callable[[Part], Sums], parts: Sequence[Part]) -> Sums:
        """All parts on all cores, added up in their order."""
        return reduce(Sums.plus, self.objective.spread(record, parts))

    def warm_up(self) -> None:
        self.recorder.differences(self.weights(), [(1, 1)], 0.0, max_pieces=1)

    def step(self) -> Metrics:
        sums = self.sums()
        games = len(sums.lines)
        score = mean_score("mean", sums.lines, sums.deaths)
        self.remember(score["mean"])
        change = self.fit(sums)
        self.iteration += 1
        self.objective.games_played += games
        return self.metrics(**score, pieces=sum(sums.pieces), change=change)

    def fit(self, sums: Sums) -> float:
        """Solve for the next weights; by which part they have changed."""
        before, self.vector = self.vector, solve(sums.matrix, sums.vector, sums.squares)
        return float(np.linalg.norm(self.vector - before) / max(1e-300, float(np.linalg.norm(before))))

    def agent(self) -> LinearAgent:
        weights = scaled(self.layout.weights(self.chosen), self.config.gamma if self.worth_of_a_line else 1.0)
        return LinearAgent(with_lines(weights, self.worth_of_a_line) if self.worth_of_a_line else weights)


# λ-policy iteration and approximate value iteration -------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class EpisodesConfig(ValueConfig):
    """Learn from whole games of the greedy player."""

    criteria: str = "bertsekas"
    """A set (bertsekas, dellacherie, bcts, …), or names of criteria with commas."""
    initial_weights: tuple[float, ...] = ()
    """Weights to begin with, one for each component; none for max_height −10, holes −1 and 0 for the others."""
    episodes: int = 100
    """M: games of the greedy player to learn from in each iteration."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "episodes")


@dataclass(frozen=True, kw_only=True)
class LambdaPolicyIterationConfig(EpisodesConfig):
    """λ-policy iteration: a linear value function follows the temporal differences of its own greedy player."""

    lam: float = 0.3
    """λ: 0 looks one move ahead and then trusts V, 1 trusts only whole games."""
    random_start: bool = False
    """First weights drawn by the seed, each from a standard normal law (thesis, section 2.4.2)."""
    historic: bool = False
    """Bertsekas and Ioffe's error: the dead wall is worth what its criteria say, and not 0."""

    def __post_init__(self) -> None:
        super().__post_init__()
        share(self, "lam")
        if self.random_start and self.initial_weights:
            raise BadOption("--random-start draws the first weights: leave out --initial-weights.")


class LambdaPolicyIteration(ValueLearner[LambdaPolicyIterationConfig]):
    """The learner of λ-policy iteration."""

    Config = LambdaPolicyIterationConfig
    name = "lambda-policy-iteration"

    def __init__(self, config: LambdaPolicyIterationConfig) -> None:
        super().__init__(config)
        if config.random_start:
            self.vector = np.random.default_rng(seed_of(config.seed, self.name, "start")).normal(size=self.layout.size)
            self.best = self.best[0], self.vector

    @property
    def end(self) -> End:
        end = super().end
        return "criteria" if self.config.historic and end == "nothing" else end

    def sums(self) -> Sums:
        config = self.config
        return self.greedy_games(self.recorder.differences, config.episodes, lam=config.lam, historic=config.historic)


@dataclass(frozen=True, kw_only=True)
class ApproximateValueIterationConfig(EpisodesConfig):
    """Approximate value iteration: a linear value function is fitted to its own Bellman backups."""

    criteria: str = "tsitsiklis"
    """A set (tsitsiklis, bertsekas, dellacherie, …), or names of criteria with commas."""


class ApproximateValueIteration(ValueLearner[ApproximateValueIterationConfig]):
    """The learner of approximate value iteration."""

    Config = ApproximateValueIterationConfig
    name = "approximate-value-iteration"

    def __init__(self, config: ApproximateValueIterationConfig) -> None:
        super().__init__(config)
        self.recorder.odds()  # refuses pieces that depend on those before

    def sums(self) -> Sums:
        return self.greedy_games(self.recorder.backups, self.config.episodes)


# Least-squares policy iteration ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class LspiConfig(ValueConfig):
    """LSPI: the values of all moves from one set of sampled moves, again and again."""

    criteria: str = "lagoudakis"
    """A set (lagoudakis, bertsekas, dellacherie, …), or names of criteria with commas."""
    initial_weights: tuple[float, ...] = ()
    """Weights of the player whose moves are the samples; none for max_height_change −1, holes_change −4,
    bumpiness_change −1, lines 2 and 0 for the others."""
    iterations: int = 20
    """How many times the values are fitted."""
    samples: int = 10_000
    """Moves of the first player to learn from."""
    test_games: int = 100
    """Fresh games after each iteration, which measure the player and teach nothing."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "samples", "test_games")


class LeastSquaresPolicyIteration(ValueLearner[LspiConfig]):
    """The learner of least-squares policy iteration."""

    Config = LspiConfig
    name = "lspi"
    start: ClassVar[dict[str, float]] = {
        "max_height_change": -1.0, "holes_change": -4.0, "bumpiness_change": -1.0, "lines": 2.0,
    }  # fmt: skip
    worth_of_a_line = 0.0

    def __init__(self, config: LspiConfig) -> None:
        super().__init__(config)
        self.recorder.odds()  # refuses pieces that depend on those before
        self._first = self.vector
        self.before = Player(self.weights())

    @cached_property
    def sampled(self) -> list[tuple[tuple[int, int], int]]:
        """The seeds of the first player's games, and how many moves of each are samples."""

        def games() -> Iterator[tuple[tuple[int, int], int]]:
            left, number = self.config.samples, 0
            player = self.objective.player(self._first)
            while left > 0:
                pair = (seed_of(self.config.seed, self.name, "samples", number), 0)
                rules = replace(self.objective.rules, max_pieces=min(left, self.config.max_pieces or left))
                pieces = play(rules, player, [pair], stop=self.objective.stop)[0].tally.pieces
                yield pair, pieces
                left, number = left - pieces, number + 1

        return list(games())

    def warm_up(self) -> None:
        super().warm_up()
        self.objective.warm_up()

    def sums(self) -> Sums:
        weights, end, objective = self.weights(), self.end, self.objective

        def record(game: tuple[tuple[int, int], int]) -> Sums:
            pair, pieces = game
            return self.recorder.pairs(
                weights, self.before, [pair], self.config.gamma, end=end, max_pieces=pieces, stop=objective.stop
            )

        return self.add_up(record, self.sampled)

    def step(self) -> Metrics:
        change = self.fit(self.sums())
        return self.tested(self.config.test_games, pieces=self.config.samples, change=change)
