"""Least-squares policy iteration (Lagoudakis & Parr 2003), on Tetris as Lagoudakis, Parr & Littman (2002).

Q(wall, piece, placement) is a weighted sum of criteria of the move. The moves of a first player are the samples, and
they are used again in every iteration: LSTDQ solves Σ φ (φ − γ φ′)ᵀ w = Σ φ · lines, where φ′ is the mean, over the
next piece, of the criteria of the move that the present player would make. The next player is greedy on Q = w·φ. After
each iteration it plays some games, to see what it is worth; nothing is learned from these.

No sample is stored: the first player's games are played again from their seeds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce

from apprenti.core.seeds import seed_of
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.learn.normal_equations import End, Player, Sums
from apprenti.games.tetris.learn.value_function import ValueConfig, ValueLearner
from apprenti.learn.learner import Metrics, positive


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
    """The learner."""

    Config = LspiConfig
    name = "lspi"
    start = {"max_height_change": -1.0, "holes_change": -4.0, "bumpiness_change": -1.0, "lines": 2.0}  # noqa: RUF012
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
        weights, objective = self.weights(), self.objective
        end: End = "avoided" if self.config.avoid_death or self.iteration == 0 else "nothing"

        def record(game: tuple[tuple[int, int], int]) -> Sums:
            pair, pieces = game
            return self.recorder.pairs(
                weights, self.before, [pair], self.config.gamma, end=end, max_pieces=pieces, stop=objective.stop
            )

        return reduce(Sums.plus, objective.spread(record, self.sampled))

    def step(self) -> Metrics:
        change = self._fit(self.sums())
        return self.tested(self.config.test_games, pieces=self.config.samples, change=change)
