"""TD(λ) by self-play with n-tuples on m,n,k-games (Sutton 1988; Lucas 2008; Thill, Koch, Konen 2012).

One value function plays both sides ε-greedily. V is the value of a position to the player who has just moved: tanh of
the sum of one entry from the table of every window (`agents/learned.py`). When a game has ended, its positions are
gone over from the last one back, each towards what came after it, seen from the other side:

    Gₜ = −(λ · Gₜ₊₁ + (1 − λ) · V(sₜ₊₁)),   wᵢ ← wᵢ + learning_rate · (Gₜ − V(sₜ)) · (1 − V(sₜ)²)

G of the last position is 1 for a win and 0 for a draw. Before a random move, G is that of the best move instead.
"""

from dataclasses import dataclass

import numpy as np

from apprenti.agents.base import RandomAgent
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.compiled import announcing
from apprenti.core.data import SEED, JsonData, Varies
from apprenti.core.errors import BadOption
from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import seed_of
from apprenti.games.mnk.agents.learned import LONGEST, NTupleAgent, windows_of
from apprenti.games.mnk.agents.simple import OnePlyAgent
from apprenti.games.mnk.codes import lines_of
from apprenti.games.mnk.game import MNK
from apprenti.games.mnk.learn.n_tuple_kernel import Game, Rates, self_play
from apprenti.games.mnk.rules import Rules
from apprenti.learn.learner import Learner, LearnerConfig, Metrics, at_least_0, positive, share, share_of_points


@dataclass(frozen=True, kw_only=True)
class NTupleConfig(LearnerConfig):
    """TD(λ) with tables over lines: a learned player for boards that are too large for a table of positions."""

    size: str = "7x7x4"
    """Rows x columns x how many in a row, or gomoku."""
    length: int = 7
    """Cells of the longest window, from K to 9: its table has a place for all that these can hold."""
    iterations: int = 40
    """Steps of the run; the player is measured, and what was learned is stored, after each."""
    episodes: int = 5_000
    """Games of self-play to learn from in each iteration."""
    epsilon: float = 0.25
    """ε: share of random moves."""
    learning_rate: float = 0.01
    """How far a value moves towards its target, at first."""
    learning_rate_end: float = 0.0005
    """The learning rate when as many iterations are over as the run began with; it falls by equal steps until then."""
    lam: float = 0.7
    """λ: how far the end of a game is heard; 1 for the end alone."""
    test_games: int = 40
    """Games after each iteration against the random player, and against the one-ply player, which teach nothing."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "episodes")
        share(self, "epsilon", "learning_rate", "learning_rate_end", "lam")
        at_least_0(self, "seed", "test_games")
        if not self.rules.k <= self.length <= LONGEST:
            raise BadOption(f"--length is from {self.rules.k}, a row of {self.size}, to {LONGEST}, not {self.length}.")

    @property
    def rules(self) -> Rules:
        """The board."""
        return Rules.parse(self.size)

    @property
    def made_for(self) -> JsonData:
        return self.rules.to_json()


class NTuple(Learner[NTupleConfig]):
    """The learner."""

    game = "mnk"
    Config = NTupleConfig

    def __init__(self, config: NTupleConfig) -> None:
        super().__init__(config)
        self.lines, self.windows = lines_of(config.rules), windows_of(config.rules, config.length)
        self.weights = np.zeros(self.windows.entries)
        self.chance = np.array([seed_of(config.seed, "n-tuple")], np.uint64)
        self.falls_over = config.iterations
        """Iterations over which the learning rate falls; a run that is made longer goes on with the last one."""

    def warm_up(self) -> None:
        with announcing("the players"):
            self._play(0)

    def step(self) -> Metrics:
        self._play(self.config.episodes)
        self.iteration += 1
        row: Metrics = {"generation": self.iteration, "games": self.iteration * self.config.episodes}
        if games := self.config.test_games:
            row |= share_of_points("against_random", self.against(RandomAgent()), games)
            row |= share_of_points("against_one_ply", self.against(OnePlyAgent()), games)
        return row

    def _play(self, games: int) -> None:
        cells, windows = self.config.rules.cells, len(self.windows.first)
        game = Game(
            np.zeros(cells, np.int64), np.zeros((2, len(self.lines.cells)), np.int64), np.zeros((2, windows), np.int64),
            np.zeros((cells, windows), np.int64), np.zeros(cells), np.zeros(cells, np.bool_),
        )  # fmt: skip
        rates = Rates(self.config.epsilon, self._learning_rate(), self.config.lam)
        self_play(self.lines, self.windows, self.weights, game, games, rates, self.chance)

    def _learning_rate(self) -> float:
        first, last = self.config.learning_rate, self.config.learning_rate_end
        return first + (last - first) * min(1.0, self.iteration / self.falls_over)

    def against(self, other: AnyAgent) -> float:
        """The share of the points against another player, half of the games as X."""
        agent, games, total = self.agent(), self.config.test_games, 0.0
        for number in range(games):
            side = number % 2
            seeds = seeds_of_game(seed_of(self.config.seed, "n-tuple", "test", self.iteration), number, 2)
            played = play_game(MNK, self.config.rules, (agent, other) if side == 0 else (other, agent), seeds)
            total += played.outcome.scores[side]
        return total / games

    def agent(self) -> NTupleAgent:
        return NTupleAgent(self.config.size, self.config.length, {"weights": self.weights.astype(np.float32)})

    def state(self) -> JsonData:
        return {
            "iteration": self.iteration,
            "falls_over": self.falls_over,
            "chance": int(self.chance[0]),
            "arrays": {"weights": self.weights.copy()},
        }

    def varies(self) -> Varies:
        return {"chance": SEED}

    def restore(self, state: JsonData) -> None:
        self.iteration, self.falls_over = state["iteration"], state["falls_over"]
        self.chance = np.array([state["chance"]], np.uint64)
        self.weights = state["arrays"]["weights"].copy()
