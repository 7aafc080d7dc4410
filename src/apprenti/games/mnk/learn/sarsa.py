"""SARSA by self-play on m,n,k-games (S. Amar, Tic Tac Toe, 2020; Rummery and Niranjan 1994).

Two players, each with a table of its own, play each other ε-greedily; who begins is drawn. When a game has ended, each
goes back over its own moves and draws their values towards what came after:

    Q(sₜ, aₜ) ← Q(sₜ, aₜ) + learning_rate · (rₜ₊₁ + γ · Q(sₜ₊₁, aₜ₊₁) − Q(sₜ, aₜ))

The reward r is 0 but at the end. Positions that are the same up to symmetry have one value (`symmetric`), or each game
is also learned as the report's five symmetries show it (`report_symmetries`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.data import SEED, AnyArray, JsonData, Newer, Varies, Whole, like
from apprenti.core.errors import ApprentiError, BadOption, BadRules
from apprenti.core.seeds import seed_of
from apprenti.games.mnk.agents.learned import TableAgent
from apprenti.games.mnk.codes import FORMS, keys_of
from apprenti.games.mnk.fast.exact import Mask, Tree, meets, share_optimal, tree_of
from apprenti.games.mnk.fast.primitives import board_of
from apprenti.games.mnk.learn.sarsa_kernel import (
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
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import State, symmetries
from apprenti.learn.learner import (
    Learner,
    LearnerConfig,
    Metrics,
    at_least_0,
    finite,
    one_of,
    positive,
    share,
    share_of_points,
)

SCHEDULES = {"constant": CONSTANT, "linear": LINEAR, "geometric": GEOMETRIC}
REPORT = (0, 1, 2, 3, 5, 6)
"""Of the eight symmetries of a square board those that are no reflections in a diagonal."""
MEASURED_EXACTLY = 50_000
"""Boards with at most this number of positions are judged by all games there are, the others by test games."""
_SMALLEST = 1 << 10


class TableFull(ApprentiError):
    """A table that may not grow any more."""


@dataclass(frozen=True, kw_only=True)
class SarsaConfig(LearnerConfig):
    """SARSA: two players with tables learn an m,n,k-game from each other."""

    size: str = "3x3x3"
    """Rows x columns x how many in a row, or tictactoe."""
    iterations: int = 40
    """Steps of the run; the player is measured, and what was learned is stored, after each."""
    episodes: int = 10_000
    """Games of self-play to learn from in each iteration."""
    epsilon: float = 0.3
    """ε: share of random moves at first."""
    epsilon_schedule: str = "constant"
    """How ε changes over the games: constant, linear or geometric, towards --epsilon-end."""
    epsilon_end: float = 0.05
    """Share of random moves in the end, unless it is constant."""
    learning_rate: float = 0.2
    """How far a value moves towards its target."""
    learning_rate_schedule: str = "linear"
    """How the learning rate changes: constant (the report), linear or geometric, towards --learning-rate-end."""
    learning_rate_end: float = 0.01
    """The last learning rate, unless it is constant."""
    gamma: float = 0.9
    """Discount of a move later."""
    win_reward: float = 1.0
    """For the game won."""
    loss_reward: float = -1.0
    """For the game lost; the report has 0, which makes a loss as good as a draw."""
    draw_reward_first: float = 0.0
    """For a draw, if the player began."""
    draw_reward_second: float = 0.0
    """For a draw, if the other began; the report also proposes 0.3."""
    symmetric: bool = True
    """All images of a position under the symmetries of the board are learned at once."""
    report_symmetries: bool = False
    """Of the symmetries only the report's five, on square boards: quarter turns, the half turn and two mirrors."""
    names: tuple[str, str] = ("first", "second")
    """Names of the two players: each is stored under its own, RUN/NAME."""
    shared: bool = False
    """Both players write into one table."""
    form: str = "state"
    """What a value belongs to: the state after a move, or the action (the position before it and the move)."""
    initial_value: float = 0.0
    """The value of what was never tried."""
    max_entries: int = 4_000_000
    """Entries that a table may have; learning ends when it needs more. A million take up to 70 megabytes."""
    test_games: int = 1000
    """Games against the random player after each iteration, which teach nothing, on boards too large to be judged
    exactly."""

    may_change = frozenset({"workers", "iterations", "max_entries"})
    """A run that is made longer goes on with the rates it ended with."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "episodes", "max_entries", "test_games")
        share(self, "epsilon", "epsilon_end", "learning_rate", "learning_rate_end", "gamma")
        finite(self, "win_reward", "loss_reward", "draw_reward_first", "draw_reward_second", "initial_value")
        at_least_0(self, "seed")
        for name in ("epsilon", "learning_rate"):
            self._check_schedule(name)
        one_of(self, "form", *FORMS)
        if len(set(self.names)) < 2 or not all(re.fullmatch(r"[\w-]+", name) for name in self.names):
            raise BadOption(f"--names are two different words of letters, digits and dashes, not {self.names}.")
        if self.report_symmetries and not (self.symmetric and len(symmetries(self.rules)) == 8):
            raise BadOption("--report-symmetries are those of a square board: say such a --size, no --no-symmetric.")

    def _check_schedule(self, name: str) -> None:
        one_of(self, f"{name}_schedule", *SCHEDULES)
        ends, option = (getattr(self, name), getattr(self, f"{name}_end")), name.replace("_", "-")
        if getattr(self, f"{name}_schedule") == "geometric" and not min(ends) > 0:
            raise BadOption(f"--{option}-schedule geometric needs --{option} and --{option}-end above 0.")

    @property
    def rules(self) -> Rules:
        """The board."""
        return Rules.parse(self.size)

    @property
    def made_for(self) -> JsonData:
        return self.rules.to_json()

    @property
    def games(self) -> int:
        """Games of self-play in all iterations."""
        return self.iterations * self.episodes

    @property
    def folded(self) -> bool:
        """Whether one entry of the table stands for all images of a position."""
        return self.symmetric and not self.report_symmetries

    @property
    def images(self) -> NDArray[np.int64]:
        """The numbers of the symmetries under which a game is learned, each on its own; the first changes nothing."""
        return np.array(REPORT if self.report_symmetries else (0,))


class Sarsa(Learner[SarsaConfig]):
    """The learner."""

    game = "mnk"
    Config = SarsaConfig

    def __init__(self, config: SarsaConfig) -> None:
        super().__init__(config)
        self.board = board_of(config.rules)
        self.played = 0
        self.chance = np.array([seed_of(config.seed, "sarsa")], np.uint64)
        tables = 1 if config.shared else 2
        self.keys = np.zeros((tables, _SMALLEST), np.uint64)
        self.values = np.zeros((tables, _SMALLEST))
        self.counts = np.zeros(tables, np.int64)
        self.falls_over = config.games
        """Games over which chance and the learning rate fall: those that the run was begun with."""
        self.tree = self._small_tree()

    def _small_tree(self) -> Tree | None:
        """All positions, if they are few enough to be looked at after each step."""
        try:
            return tree_of(self.config.rules, self.config.folded, MEASURED_EXACTLY)
        except BadRules:
            return None

    def warm_up(self) -> None:
        with announcing("the players"):
            self.play_until(self.played)
            self.measured()

    def step(self) -> Metrics:
        self.play_until(min(self.config.games, self.played + self.config.episodes))
        return {
            "generation": self.iteration,
            "games": self.played,
            "entries": int(self.counts[0]),
            **self.measured(),
        }

    def play_until(self, game: int) -> None:
        """Self-play up to a number of games; the tables grow as they need."""
        config = self.config
        options = Options(self._views, config.images, FORMS.index(config.form), config.initial_value, config.gamma)
        rewards = Rewards(config.win_reward, config.loss_reward, config.draw_reward_first, config.draw_reward_second)
        exploring = Schedule(SCHEDULES[config.epsilon_schedule], config.epsilon, config.epsilon_end)
        learning = Schedule(SCHEDULES[config.learning_rate_schedule], config.learning_rate, config.learning_rate_end)
        while True:
            room = min(config.max_entries, self.keys.shape[1] // 2)
            tables = Tables(self.keys, self.values, self.counts)
            self.played = self_play(
                self.board, tables, room, self.played, game, self.falls_over, options, rewards, exploring, learning,
                self.chance,
            )  # fmt: skip
            self.iteration = self.played // config.episodes
            if self.played >= game:
                return
            self._grow()

    @property
    def _views(self) -> int:
        """How many symmetries a key stands for."""
        return len(self.board.powers) if self.config.folded else 1

    @property
    def _new(self) -> int:
        """Entries that one game may add to a table."""
        return self.config.rules.cells * len(self.config.images)

    def _grow(self) -> None:
        """Make room for twice as many entries."""
        config, entries = self.config, self.counts.max()
        if entries + self._new > config.max_entries:
            raise TableFull(
                f"a table has {entries:,} entries after {self.played:,} games of {config.size}, and --max-entries "
                f"allows {config.max_entries:,}: allow more, play fewer games, or choose a smaller board."
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

    def measured(self) -> Metrics:
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
        best_in(self.keys[number], self.values[number], self.config.initial_value, tree.after, keys, best)
        return best

    def tested(self) -> Metrics:
        """Test games against the random player, half of them as X; they teach nothing."""
        config = self.config
        chance = np.array([seed_of(config.seed, "sarsa", "test", self.played)], np.uint64)
        score = against_random(
            self.board, self.keys[0], self.values[0], self._views, FORMS.index(config.form), config.initial_value,
            config.test_games, chance,
        )  # fmt: skip
        return share_of_points("against_random", score / config.test_games, config.test_games)

    def agent(self, player: int = 0) -> TableAgent:
        config = self.config
        keys, values = self.table(player)
        arrays = {"keys": keys, "values": values}
        return TableAgent(config.rules.size, config.form, config.folded, config.initial_value, arrays)

    def players(self) -> dict[str, TableAgent]:
        """Both players by their names."""
        return {name: self.agent(number) for number, name in enumerate(self.config.names)}

    def state(self) -> JsonData:
        arrays: dict[str, AnyArray] = {}
        for number in range(len(self.keys)):
            arrays[f"keys-{number}"], arrays[f"values-{number}"] = self.table(number)
        numbers = {"played": self.played, "falls_over": self.falls_over, "chance": int(self.chance[0])}
        return {**numbers, "arrays": arrays}

    def varies(self) -> Varies:
        tables = {name: like(array, grows=True) for name, array in self.state()["arrays"].items()}
        return {"chance": SEED, "falls_over": Newer(Whole(1)), "arrays": tables}

    def restore(self, state: JsonData) -> None:
        arrays, tables = state["arrays"], len(self.keys)
        entries = [len(arrays[f"keys-{number}"]) for number in range(tables)]
        if entries != [len(arrays[f"values-{number}"]) for number in range(tables)]:
            raise ValueError("a table has as many keys as values")
        room = _SMALLEST
        while room // 2 < max(entries) + self._new:
            room *= 2
        self.keys, self.values = np.zeros((tables, room), np.uint64), np.zeros((tables, room))
        for number in range(tables):
            put(self.keys[number], self.values[number], arrays[f"keys-{number}"], arrays[f"values-{number}"])
        self.counts = np.array(entries, np.int64)
        self.played, self.falls_over = state["played"], state.get("falls_over", self.falls_over)
        self.iteration = self.played // self.config.episodes
        self.chance = np.array([state["chance"]], np.uint64)


_USUAL = SarsaConfig()


def learned(agent: TableAgent, decisions: Sequence[tuple[State, int]], score: float) -> TableAgent:
    """The agent after the report's update of its own moves, the last first; only these entries of its table differ."""
    table = dict(zip(agent.keys.tolist(), agent.table.tolist(), strict=True))
    wanted = _reward(decisions, score)
    for state, move in reversed(decisions):
        key = int(keys_of(state, [move], agent.form, agent.symmetric)[0])
        value = table.get(key, agent.unknown)
        table[key] = value + _USUAL.learning_rate * (wanted - value)
        wanted = _USUAL.gamma * table[key]
    keys = sorted(table)
    arrays = {"keys": np.array(keys, np.uint64), "values": np.array([table[key] for key in keys])}
    return TableAgent(agent.rules.size, agent.form, agent.symmetric, agent.unknown, arrays)


def _reward(decisions: Sequence[tuple[State, int]], score: float) -> float:
    """What the end of the game is worth, as when the table was learned."""
    began = bool(decisions) and decisions[0][0].to_move == 0
    draw = _USUAL.draw_reward_first if began else _USUAL.draw_reward_second
    return {1.0: _USUAL.win_reward, 0.0: _USUAL.loss_reward}.get(score, draw)
