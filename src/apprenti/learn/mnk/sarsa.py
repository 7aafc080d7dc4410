"""SARSA by self-play on m,n,k-games (S. Amar, Tic Tac Toe, 2020; Rummery and Niranjan 1994).

Two players, each with a table of its own, play each other ε-greedily; who begins is drawn. When a game has ended, each
goes back over its own moves and draws their values towards what came after:

    Q(sₜ, aₜ) ← Q(sₜ, aₜ) + learning_rate · (rₜ₊₁ + discount · Q(sₜ₊₁, aₜ₊₁) − Q(sₜ, aₜ))

The reward r is 0 but at the end. Positions that are the same up to symmetry have one value (`symmetric`).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.mnk.table import TableAgent
from apprenti.core.compiled import announcing
from apprenti.core.errors import ApprentiError, BadOption, BadRules
from apprenti.core.seeds import seed_of
from apprenti.games.mnk.codes import FORMS
from apprenti.games.mnk.fast.exact import meets, share_optimal
from apprenti.games.mnk.fast.primitives import board_of
from apprenti.games.mnk.fast.tree import Mask, Tree, tree_of
from apprenti.games.mnk.rules import Rules
from apprenti.learn.mnk.sarsa_kernel import (
    CONSTANT,
    GEOMETRIC,
    LINEAR,
    Options,
    Rewards,
    Schedule,
    Tables,
    against_random,
    best_in,
    put,
    self_play,
)
from apprenti.learn.options import HUGE, at_least_0, positive, share

SCHEDULES = {"constant": CONSTANT, "linear": LINEAR, "geometric": GEOMETRIC}
MEASURED_EXACTLY = 50_000
"""Boards with at most so many positions are judged by all games there are, the others by test games."""
_SMALLEST = 1 << 10


class TableFull(ApprentiError):
    """A table that may not grow any more."""


@dataclass(frozen=True, kw_only=True)
class SarsaConfig:
    """SARSA: two players with tables learn an m,n,k-game from each other."""

    size: str = "3x3x3"
    """Rows x columns x how many in a row, or tictactoe."""
    seed: int = 1
    """Root of all random streams."""
    games: int = 400_000
    """Games of self-play."""
    games_a_step: int = 10_000
    """Games between two measurements, which are also checkpoints."""
    epsilon: float = 0.3
    """ε: how often a player tries any move instead of its best."""
    epsilon_schedule: str = "constant"
    """How ε changes over the games: constant, linear or geometric, towards --epsilon-end."""
    epsilon_end: float = 0.05
    """The last ε, unless it is constant."""
    learning_rate: float = 0.2
    """How far a value moves towards what came after it."""
    learning_schedule: str = "linear"
    """How the learning rate changes: constant (the report), linear or geometric, towards --learning-rate-end."""
    learning_rate_end: float = 0.01
    """The last learning rate, unless it is constant."""
    discount: float = 0.9
    """What a value is worth one move earlier."""
    win: float = 1.0
    """Reward of the winner."""
    loss: float = -1.0
    """Reward of the loser; the report has 0, which makes a loss as good as a draw."""
    draw_first: float = 0.0
    """Reward of a draw for the player who began."""
    draw_second: float = 0.0
    """Reward of a draw for the other; the report also proposes 0.3."""
    symmetric: bool = True
    """All images of a position under the symmetries of the board are learned at once."""
    shared: bool = False
    """Both players write into one table."""
    form: str = "state"
    """What a value belongs to: the state after a move, or the action (the position before it and the move)."""
    initial: float = 0.0
    """The value of what was never visited."""
    most_entries: int = 4_000_000
    """Entries that a table may have; learning ends when it needs more. A million take up to 70 megabytes."""
    test_games: int = 1000
    """Games against the random player after each step, on boards that are too large to be judged exactly."""

    def __post_init__(self) -> None:
        positive(self, "games", "games_a_step", "most_entries", "test_games")
        share(self, "epsilon", "epsilon_end", "learning_rate", "learning_rate_end", "discount")
        for name in ("win", "loss", "draw_first", "draw_second", "initial"):
            if not abs(getattr(self, name)) <= HUGE:
                raise BadOption(f"--{name.replace('_', '-')} must be a number up to {HUGE:g}.")
        at_least_0(self, "seed")
        for name in ("epsilon", "learning"):
            self._check_schedule(name)
        if self.form not in FORMS:
            raise BadOption(f"--form is state or action, not {self.form!r}.")

    def _check_schedule(self, name: str) -> None:
        schedule = getattr(self, f"{name}_schedule")
        if schedule not in SCHEDULES:
            raise BadOption(f"--{name}-schedule is constant, linear or geometric, not {schedule!r}.")
        rate = "epsilon" if name == "epsilon" else "learning_rate"
        if schedule == "geometric" and not (getattr(self, rate) > 0 and getattr(self, f"{rate}_end") > 0):
            option = rate.replace("_", "-")
            raise BadOption(f"--{name}-schedule geometric needs --{option} and --{option}-end above 0.")

    @property
    def rules(self) -> Rules:
        """The board."""
        return Rules.parse(self.size)

    @property
    def steps(self) -> int:
        """Steps of so many games."""
        return math.ceil(self.games / self.games_a_step)


class Sarsa:
    """The learner."""

    game = "mnk"
    Config = SarsaConfig

    def __init__(self, config: SarsaConfig) -> None:
        self.config = config
        self.board = board_of(config.rules)
        self.played = 0
        self.chance = np.array([seed_of(config.seed, "sarsa")], np.uint64)
        tables = 1 if config.shared else 2
        self.keys = np.zeros((tables, _SMALLEST), np.uint64)
        self.values = np.zeros((tables, _SMALLEST))
        self.counts = np.zeros(tables, np.int64)
        self.tree = self._small_tree()

    def _small_tree(self) -> Tree | None:
        """All positions, if they are few enough to be looked at after each step."""
        try:
            return tree_of(self.config.rules, self.config.symmetric, MEASURED_EXACTLY)
        except BadRules:
            return None

    @property
    def made_for(self) -> dict[str, Any]:
        """The board it learned."""
        return self.config.rules.to_json()

    @property
    def done(self) -> bool:
        """Whether all games are played."""
        return self.played >= self.config.games

    @property
    def steps(self) -> tuple[int, int]:
        """Steps done, and all of them."""
        return math.ceil(self.played / self.config.games_a_step), self.config.steps

    def warm_up(self) -> None:
        """Compile what plays and what measures."""
        with announcing("the players"):
            self.play_until(self.played)
            self.measured()

    def step(self) -> dict[str, Any]:
        """Some games of self-play, and what can be said of the first player then."""
        self.play_until(min(self.config.games, self.played + self.config.games_a_step))
        return {
            "generation": self.steps[0],
            "games": self.played,
            "entries": int(self.counts[0]),
            **self.measured(),
        }

    def play_until(self, game: int) -> None:
        """Self-play up to a number of games; the tables grow as they need."""
        config, views = self.config, len(self.board.powers) if self.config.symmetric else 1
        options = Options(views, FORMS.index(config.form), config.initial, config.discount)
        rewards = Rewards(config.win, config.loss, config.draw_first, config.draw_second)
        exploring = Schedule(SCHEDULES[config.epsilon_schedule], config.epsilon, config.epsilon_end)
        learning = Schedule(SCHEDULES[config.learning_schedule], config.learning_rate, config.learning_rate_end)
        while True:
            room = min(config.most_entries, self.keys.shape[1] // 2)
            tables = Tables(self.keys, self.values, self.counts)
            self.played = self_play(
                self.board, tables, room, self.played, game, config.games, options, rewards, exploring, learning,
                self.chance,
            )  # fmt: skip
            if self.played >= game:
                return
            self._grow()

    def _grow(self) -> None:
        """Make room for twice as many entries."""
        config, entries = self.config, self.counts.max()
        if entries + config.rules.cells > config.most_entries:
            raise TableFull(
                f"a table has {entries:,} entries after {self.played:,} games of {config.size}, and --most-entries "
                f"allows {config.most_entries:,}: allow more, play fewer games, or choose a smaller board."
            )
        tables = [self.table(number) for number in range(len(self.keys))]
        self.keys = np.zeros((len(tables), 2 * self.keys.shape[1]), np.uint64)
        self.values = np.zeros(self.keys.shape)
        for number, (keys, values) in enumerate(tables):
            put(self.keys[number], self.values[number], keys, values)

    def table(self, player: int = 0) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """The keys a player has visited, in order, and their values."""
        number = min(player, len(self.keys) - 1)
        places = np.flatnonzero(self.keys[number])
        keys = self.keys[number, places] - np.uint64(1)
        order = np.argsort(keys)
        return keys[order], self.values[number, places][order]

    def measured(self) -> dict[str, Any]:
        """How good the first player is now, when it does not explore: exactly, or by test games on large boards."""
        if self.tree is None:
            return self.tested()
        best = self.best_moves(self.tree)
        met = {name: meets(self.tree, best, name) for name in ("perfect", "random", "worst")}
        return {
            "optimal": share_optimal(self.tree, best),
            **{f"against_{name}": sum(side.score for side in met[name]) / 2 for name in ("perfect", "random")},
            "can_lose": max(side.loss for side in met["worst"]),
        }

    def best_moves(self, tree: Tree, player: int = 0) -> Mask:
        """For every position of a tree the moves that a player may choose when it does not explore."""
        number, best = min(player, len(self.keys) - 1), np.zeros(tree.after.shape, np.bool_)
        keys = tree.keys_in(self.config.form)
        best_in(self.keys[number], self.values[number], self.config.initial, tree.after, keys, best)
        return best

    def tested(self) -> dict[str, Any]:
        """Test games against the random player, half of them as X; they teach nothing."""
        config, views = self.config, len(self.board.powers) if self.config.symmetric else 1
        chance = np.array([seed_of(config.seed, "sarsa", "test", self.played)], np.uint64)
        score = against_random(
            self.board, self.keys[0], self.values[0], views, FORMS.index(config.form), config.initial,
            config.test_games, chance,
        )  # fmt: skip
        return {"against_random": score / config.test_games}

    def agent(self, player: int = 0) -> TableAgent:
        """A player as it is now, without exploration: the first, or the second."""
        config = self.config
        keys, values = self.table(player)
        arrays = {"keys": keys, "values": values}
        return TableAgent(config.rules.size, config.form, config.symmetric, config.initial, arrays)

    def state(self) -> dict[str, Any]:
        """Everything that the next step depends on."""
        arrays: dict[str, NDArray[Any]] = {}
        for number in range(len(self.keys)):
            arrays[f"keys-{number}"], arrays[f"values-{number}"] = self.table(number)
        return {"played": self.played, "chance": int(self.chance[0]), "arrays": arrays}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        arrays, tables = state["arrays"], len(self.keys)
        entries = [len(arrays[f"keys-{number}"]) for number in range(tables)]
        room = _SMALLEST
        while room // 2 < max(entries) + self.config.rules.cells:
            room *= 2
        self.keys, self.values = np.zeros((tables, room), np.uint64), np.zeros((tables, room))
        for number in range(tables):
            put(self.keys[number], self.values[number], arrays[f"keys-{number}"], arrays[f"values-{number}"])
        self.counts = np.array(entries, np.int64)
        self.played = state["played"]
        self.chance = np.array([state["chance"]], np.uint64)
