"""Q-learning by value iteration (Watkins 1989; Tetris Bot report, chapter 8), on boards small enough for a table.

    Q(s, a) ← (1 − α)·Q(s, a) + α·(r + γ·max Q(s′, ·)),   r the square of the lines removed,

with an action at random with probability ε_end + (ε − ε_end)·exp(−decay·time). A state is added to the table when it is
met, every action worth 0. The report prints it with time counted in moves, each learned from when it is made: that is
`--no-backward --clock moves`.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import JsonData, SavedState, Varies, like
from apprenti.core.errors import BadAgent, BadOption, UnknownName
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.agents.q_table import QTableAgent, actions_of, check_table, coding, index_of
from apprenti.games.tetris.agents.q_table_kernel import Table
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.learn import q_learning_kernel as compiled
from apprenti.games.tetris.learn.config import QConfig
from apprenti.learn.learner import Learner, Metrics, at_least_0, mean_score, one_of, positive, share, share_of_points

SMALLEST = 1 << 12
"""States there is room for at first."""
LONGEST = 1 << 14
"""Moves after which a long episode is learned from before its end."""
CLOCKS = {"episodes": compiled.EPISODE, "moves": compiled.MOVES}
"""What time is counted in."""
SAVED = ("desk-columns", "desk-before", "desk-own", "desk-chances", "desk-moves")
"""The arrays of the game under way, by their names in a saved state."""


@dataclass(frozen=True, kw_only=True)
class QLearningConfig(QConfig):
    """Q-learning: a table of what every action is worth in every state that was met."""

    rules: str = "tetrisbot"
    """simplified, overflow, strict or tetrisbot."""
    size: str = "8x8"
    """Columns x rows."""
    pieces: str = "domino"
    """Set of pieces: domino, small (five of at most 2 x 2 cells), rapid or classic; empty for the set of the rules."""
    state: str = "grid"
    """grid (cells of board and piece together, the report), apart (the two apart), or differences (of heights)."""
    max_difference: int = 2
    """With --state differences: none counts more than this."""
    form: str = "keys"
    """What a value belongs to: keys (L R D H T N), or placements."""
    reward: str = "square"
    """What a move gains: square (of its lines) or lines."""
    learning_rate: float = 0.5
    """α: how far a value moves towards its target."""
    learning_rate_end: float = 0.0
    """α in the end, if it falls."""
    learning_rate_decay: float = 0.0
    """How fast α falls, as ε does; 0 for a constant α."""
    clock: str = "episodes"
    """What ε and α fall with: episodes, or moves (the report's text)."""
    backward: bool = True
    """Learn from the moves of an episode at its end, the last first; --no-backward learns from each at once (the
    report's text)."""
    iterations: int = 20
    """Steps of the run; what was learned is stored after each."""
    episodes: int = 2500
    """Games to learn from in each iteration."""
    max_pieces: int = 200
    """Longest game in pieces; 0 for no limit."""
    workers: int = 0
    """Not used: episodes follow one another. The result does not depend on it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "episodes")
        share(self, "learning_rate", "learning_rate_end")
        at_least_0(self, "max_pieces", "learning_rate_decay")
        one_of(self, "clock", *CLOCKS)
        one_of(self, "reward", "square", "lines")
        try:
            check_table(self.game(), self.state, self.form, self.max_difference)
        except (BadAgent, UnknownName) as error:
            raise BadOption(f"--size, --state, --form or --max-difference: {error}") from None


class QLearning(Learner[QLearningConfig]):
    """The learner."""

    game = "tetris"
    Config = QLearningConfig

    def __init__(self, config: QLearningConfig) -> None:
        super().__init__(config)
        self.rules = config.game()
        self.batch = Batch(self.rules, 1)
        columns, _, own, chances, _ = self.batch.arrays
        columns[self.rules.width :], own[:] = (1 << self.rules.height) - 1, 0
        chances[1] = seed_of(config.seed, "q-learning", "games")
        self.luck = np.array([seed_of(config.seed, "q-learning", "luck")], np.uint64)
        self.counts = np.zeros(compiled.COUNTS, np.int64)
        self.counts[compiled.LAST] = -1
        self.transitions, self.rewards = np.zeros((LONGEST, 3), np.int64), np.zeros(LONGEST)
        self.states: NDArray[np.uint64] = np.zeros((0, 2), np.uint64)
        self.values: NDArray[np.float32] = np.zeros((0, actions_of(self.rules, config.form)), np.float32)
        self.visits: NDArray[np.int64] = np.zeros(0, np.int64)
        self.make_room(SMALLEST)

    def make_room(self, room: int) -> None:
        """A larger table with the same states in it."""
        size = self.size
        self.states, self.values, self.visits = (
            np.concatenate([array[:size], np.zeros((room - size, *array.shape[1:]), array.dtype)])
            for array in (self.states, self.values, self.visits)
        )
        self.places = index_of(self.states[:size], room)

    @property
    def size(self) -> int:
        """States in the table."""
        return int(self.counts[compiled.STATES])

    def warm_up(self) -> None:
        learner = QLearning(replace(self.config, iterations=1, episodes=1, max_pieces=1, test_pieces=1))
        learner.step()

    def step(self) -> Metrics:
        config, counts = self.config, self.counts
        last = config.episodes * (self.iteration + 1)
        began = counts.copy()
        while counts[compiled.EPISODE] < last:
            if self.size >= len(self.states):
                self.make_room(2 * len(self.states))
            self._learn(last)
        self.iteration += 1
        episodes, pieces, lines = (counts - began)[[compiled.EPISODE, compiled.PIECES, compiled.LINES]]
        metrics = {
            "generation": self.iteration,
            "best": int(counts[compiled.BEST]),
            "mean": float(lines / episodes),
            "pieces": float(pieces / episodes),
            "states": self.size,
            "moves": int(counts[compiled.MOVES]),
            "epsilon": config.epsilon_at(int(counts[CLOCKS[config.clock]])),
            "games": int(counts[compiled.EPISODE]),
        }
        return {**metrics, **self._test()} if config.test_games else metrics

    def _learn(self, last: int) -> None:
        """Go on to the last episode, or until the table is full."""
        config = self.config
        options = compiled.Options(
            compiled.Fall(config.learning_rate, config.learning_rate_end, config.learning_rate_decay),
            compiled.Fall(config.epsilon, config.epsilon_end, config.epsilon_decay),
            config.gamma, config.reward == "square", config.backward, config.max_pieces, config.clock == "moves",
        )  # fmt: skip
        compiled.learn_episodes(
            self.batch.tables, self.batch.arrays, self.batch.scratch[0],
            coding(config.state, config.form, config.max_difference), Table(self.states, self.values, self.places),
            compiled.Memory(self.visits, self.transitions, self.rewards, self.counts), options, self.luck, last,
        )  # fmt: skip

    def _test(self) -> Metrics:
        """Fresh games by the table: mean lines, and the share that lasted to the last piece."""
        config, rules = self.config, self.rules.changed(max_pieces=self.config.test_pieces)
        name = (config.seed, "q-learning", "test")
        seeds = [(seed_of(*name, i, "pieces"), seed_of(*name, i, "player")) for i in range(config.test_games)]
        games = self.agent().compiled(rules).play(rules, seeds)
        died = sum(game.died for game in games)
        lines = mean_score("test", [game.tally.lines for game in games], died)
        return lines | share_of_points("lasted", 1 - died / len(games), len(games))

    def agent(self) -> QTableAgent:
        config, size = self.config, self.size
        table: dict[str, NDArray[np.generic]] = {
            "states": self.states[:size].copy(),
            "values": self.values[:size].copy(),
        }
        return QTableAgent(config.state, config.form, config.max_difference, table)

    def known(self) -> NDArray[np.float64]:
        """How well what states are made of is known: (rows, columns), how often each was met.

        For cells (grid, apart), how often each was full, row 0 at the bottom. For differences, how often each pair of
        neighbouring columns (a column of the array) had which one: row 0 is the most negative.
        """
        states, visits, width = self.states[: self.size], self.visits[: self.size], self.rules.width
        if self.config.state == "differences":
            return self._known_differences(states[:, 0].astype(np.int64), visits)
        rows = self.rules.height + self.rules.hidden
        cells = np.zeros(rows * width)
        compiled.visits_of_cells(states, visits, cells)
        return cells.reshape(rows, width)

    def _known_differences(self, numbers: NDArray[np.int64], visits: NDArray[np.int64]) -> NDArray[np.float64]:
        base, pairs = 2 * self.config.max_difference + 1, self.rules.width - 1
        known = np.zeros((base, pairs))
        for pair in reversed(range(pairs)):  # the last pair is the last digit
            known[:, pair] = np.bincount(numbers % base, visits, base)
            numbers = numbers // base
        return known

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        size = self.size
        return {
            "states": self.states[:size], "values": self.values[:size], "met": self.visits[:size],
            **dict(zip(SAVED, self.batch.arrays, strict=True)), "luck": self.luck, "counts": self.counts,
        }  # fmt: skip

    def state(self) -> SavedState:
        return {"generation": self.iteration, "arrays": {name: array.copy() for name, array in self._arrays().items()}}

    def varies(self) -> Varies:
        arrays = self._arrays()
        bounds = dict(zip(SAVED, (shape.flat() for shape in self.batch.shapes().values()), strict=True))
        grown = {name: like(arrays[name], grows=True) for name in ("states", "values", "met")}
        return {"arrays": {**bounds, **grown, "counts": like(self.counts, low=-1)}}

    def restore(self, state: JsonData) -> None:
        arrays = state["arrays"]
        self.iteration = state["generation"]
        for name, array in zip(SAVED, self.batch.arrays, strict=True):
            array[:] = arrays[name]
        self.luck[:] = arrays["luck"]
        size, last = len(arrays["states"]), arrays["counts"][compiled.LAST]
        if not (len(arrays["values"]) == len(arrays["met"]) == arrays["counts"][compiled.STATES] == size > last):
            raise ValueError("every state has its values and was counted")
        self.counts[compiled.STATES] = 0
        self.make_room(max(SMALLEST, 1 << max(0, size).bit_length()))
        self.counts[:] = arrays["counts"]
        self.states[:size], self.values[:size] = arrays["states"], arrays["values"]
        self.visits[:size] = arrays["met"]
        self.places = index_of(self.states[:size], len(self.states))
