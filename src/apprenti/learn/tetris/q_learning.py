"""Q-learning by value iteration (Watkins 1989; Tetris Bot report, chapter 8), on boards small enough for a table.

    Q(s, a) ← (1 − α)·Q(s, a) + α·(r + γ·max Q(s′, ·)),   r the square of the lines removed,

with an action at random with probability ε = ε_min + (ε_max − ε_min)·exp(−δ·episode). A state is added to the table
when it is met, every action worth 0.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.tetris.q_table import QTableAgent, actions_of, check_table, coding, index_of
from apprenti.agents.tetris.q_table_kernel import Table
from apprenti.core.errors import BadAgent, BadOption, UnknownName
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.rules import Rules
from apprenti.learn.options import at_least_0, positive, share
from apprenti.learn.tetris import q_learning_kernel as compiled

SMALLEST = 1 << 12
"""States there is room for at first."""
LONGEST = 1 << 14
"""Moves after which a long episode is learned from before its end."""
SAVED = ("desk-columns", "desk-before", "desk-own", "desk-chances", "desk-moves")
"""The arrays of the game under way, by their names in a saved state."""


@dataclass(frozen=True, kw_only=True)
class QLearningConfig:
    """Q-learning: a table of what every action is worth in every state that was met."""

    rules: str = "tetrisbot"
    """simplified, overflow, strict or tetrisbot."""
    size: str = "8x8"
    """Columns x rows."""
    pieces: str = "domino"
    """Set of pieces: domino, small (five of at most 2 x 2 cells), rapid or classic; empty for the set of the rules."""
    state: str = "grid"
    """grid (cells of board and piece together, the report), apart (the two apart), or differences (of heights)."""
    clip: int = 2
    """With --state differences: none counts more than this."""
    moves: str = "keys"
    """What an action is: keys (L R D H T N), or placements."""
    reward: str = "square"
    """What a move gains: square (of its lines) or lines."""
    alpha: float = 0.5
    """Learning factor."""
    gamma: float = 0.95
    """Discount of a move later."""
    epsilon_max: float = 1.0
    """Share of random moves in the first episode."""
    epsilon_min: float = 0.0
    """Share of random moves in the end."""
    epsilon_delta: float = 0.0001
    """How fast it falls: by exp(-delta) with every episode."""
    backward: bool = True
    """Learn from the moves of an episode at its end, the last first; --no-backward learns from each at once."""
    max_episodes: int = 50_000
    """Games to learn from."""
    max_blocks: int = 200
    """Longest game in pieces; 0 for no limit."""
    generations: int = 20
    """How many times progress is kept."""
    test_games: int = 20
    """Fresh games with the table after each generation; 0 for none."""
    test_pieces: int = 1000
    """Longest of these games in pieces."""
    seed: int = 1
    """Root of all random streams."""
    workers: int = 0
    """Not used: episodes follow one another. The result does not depend on it."""

    def __post_init__(self) -> None:
        positive(self, "max_episodes", "generations", "test_pieces")
        share(self, "alpha", "gamma", "epsilon_max", "epsilon_min")
        at_least_0(self, "epsilon_delta", "max_blocks", "test_games", "workers")
        if self.reward not in ("square", "lines"):
            raise BadOption(f"--reward is square or lines, not {self.reward!r}.")
        if self.generations > self.max_episodes:
            raise BadOption(f"--generations must be at most --max-episodes ({self.max_episodes}).")
        try:
            check_table(self.game(), self.state, self.moves, self.clip)
        except (BadAgent, UnknownName) as error:
            raise BadOption(f"--size, --state, --moves or --clip: {error}") from None

    def game(self) -> Rules:
        """The rules."""
        return Rules.preset(self.rules, self.size, **({"pieces": self.pieces} if self.pieces else {}))

    def epsilon_at(self, episode: int) -> float:
        """The share of random moves."""
        return self.epsilon_min + (self.epsilon_max - self.epsilon_min) * math.exp(-self.epsilon_delta * episode)


class QLearning:
    """The learner."""

    game = "tetris"
    Config = QLearningConfig
    fixed = ("generations",)
    """How fast chance and step sizes fall depends on it, so that a run cannot be made longer."""

    def __init__(self, config: QLearningConfig) -> None:
        self.config, self.rules = config, config.game()
        self.generation = 0
        self.batch = Batch(self.rules, 1)
        columns, _, own, chances, _ = self.batch.arrays
        columns[self.rules.width :], own[:] = (1 << self.rules.height) - 1, 0
        chances[1] = seed_of(config.seed, "q-learning", "games")
        self.luck = np.array([seed_of(config.seed, "q-learning", "luck")], np.uint64)
        self.counts = np.zeros(compiled.COUNTS, np.int64)
        self.counts[compiled.LAST] = -1
        self.trail, self.gains = np.zeros((LONGEST, 3), np.int64), np.zeros(LONGEST)
        self.states: NDArray[np.uint64] = np.zeros((0, 2), np.uint64)
        self.values: NDArray[np.float32] = np.zeros((0, actions_of(self.rules, config.moves)), np.float32)
        self.met: NDArray[np.int64] = np.zeros(0, np.int64)
        self._make_room(SMALLEST)

    def _make_room(self, room: int) -> None:
        """A larger table with the same states in it."""
        known = self.known
        self.states, self.values, self.met = (
            np.concatenate([kept[:known], np.zeros((room - known, *kept.shape[1:]), kept.dtype)])
            for kept in (self.states, self.values, self.met)
        )
        self.places = index_of(self.states[:known], room)

    @property
    def known(self) -> int:
        """States in the table."""
        return int(self.counts[compiled.STATES])

    @property
    def made_for(self) -> dict[str, Any]:
        """The rules of the games it learned from."""
        pieces = {"pieces": self.config.pieces} if self.config.pieces else {}
        return {"name": self.config.rules, "size": self.config.size, **pieces}

    @property
    def done(self) -> bool:
        """Whether all episodes are done."""
        return self.generation >= self.config.generations

    @property
    def steps(self) -> tuple[int, int]:
        """Generations done, and all of them."""
        return self.generation, self.config.generations

    def warm_up(self) -> None:
        """Compile the episodes and the games of the test."""
        from dataclasses import replace

        learner = QLearning(replace(self.config, max_episodes=1, generations=1, max_blocks=1, test_pieces=1))
        learner.step()

    def step(self) -> dict[str, Any]:
        """One generation: its share of the episodes."""
        config, counts = self.config, self.counts
        last = config.max_episodes * (self.generation + 1) // config.generations
        began = counts.copy()
        while counts[compiled.EPISODE] < last:
            if self.known >= len(self.states):
                self._make_room(2 * len(self.states))
            self._learn(last)
        self.generation += 1
        episodes, pieces, lines = (counts - began)[[compiled.EPISODE, compiled.PIECES, compiled.LINES]]
        metrics = {
            "generation": self.generation,
            "best": int(counts[compiled.BEST]),
            "mean": float(lines / episodes),
            "pieces": float(pieces / episodes),
            "states": self.known,
            "moves": int(counts[compiled.MOVES]),
            "epsilon": config.epsilon_at(int(counts[compiled.EPISODE])),
            "games": int(counts[compiled.EPISODE]),
        }
        return {**metrics, **self._test()} if config.test_games else metrics

    def _learn(self, last: int) -> None:
        """Go on to the last episode, or until the table is full."""
        config, first = self.config, int(self.counts[compiled.EPISODE])
        epsilons = np.array([config.epsilon_at(episode) for episode in range(first, last)])
        options = (config.alpha, config.gamma, config.reward == "square", config.backward, config.max_blocks)
        compiled.learn_episodes(
            self.batch.tables, self.batch.arrays, self.batch.scratch[0],
            coding(config.state, config.moves, config.clip), Table(self.states, self.values, self.places),
            compiled.Memory(self.met, self.trail, self.gains, self.counts), compiled.Options(*options), self.luck,
            epsilons, first,
        )  # fmt: skip

    def _test(self) -> dict[str, float]:
        """Fresh games by the table: mean lines, and the share that lasted to the last piece."""
        config, rules = self.config, self.rules.changed(max_pieces=self.config.test_pieces)
        name = (config.seed, "q-learning", "test")
        seeds = [(seed_of(*name, i, "pieces"), seed_of(*name, i, "player")) for i in range(config.test_games)]
        games = self.agent().compiled(rules).play(rules, seeds)
        lasted = sum(not game.died for game in games) / len(games)
        return {"test": float(np.mean([game.tally.lines for game in games])), "lasted": lasted}

    def agent(self) -> QTableAgent:
        """The table so far as a player."""
        config, known = self.config, self.known
        table: dict[str, NDArray[Any]] = {
            "states": self.states[:known].copy(),
            "values": self.values[:known].copy(),
        }
        return QTableAgent(config.state, config.moves, config.clip, table)

    def cells(self) -> NDArray[np.float64]:
        """(rows, columns): how often each cell was full in the states met, row 0 at the bottom (--state grid only)."""
        rows = self.rules.height + self.rules.hidden
        cells = np.zeros(rows * self.rules.width)
        compiled.visits_of_cells(self.states[: self.known], self.met[: self.known], cells)
        return cells.reshape(rows, self.rules.width)

    def state(self) -> dict[str, Any]:
        """Everything that the next step depends on."""
        known = self.known
        arrays: dict[str, NDArray[Any]] = {
            "states": self.states[:known], "values": self.values[:known], "met": self.met[:known],
            **dict(zip(SAVED, self.batch.arrays, strict=True)), "luck": self.luck, "counts": self.counts,
        }  # fmt: skip
        return {"generation": self.generation, "arrays": {name: array.copy() for name, array in arrays.items()}}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        arrays = state["arrays"]
        self.generation = state["generation"]
        for name, array in zip(SAVED, self.batch.arrays, strict=True):
            array[:] = arrays[name]
        self.luck[:] = arrays["luck"]
        known = len(arrays["states"])
        self.counts[compiled.STATES] = 0
        self._make_room(max(SMALLEST, 1 << max(0, known).bit_length()))
        self.counts[:] = arrays["counts"]
        self.states[:known], self.values[:known] = arrays["states"], arrays["values"]
        self.met[:known] = arrays["met"]
        self.places = index_of(self.states[:known], len(self.states))
