"""Vectorised games of Tetris for deep Q-learning: what learning from afterstates and from actions share."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Arrays
from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.network import Worth
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.keys import KeyBatch
from apprenti.games.tetris.learn.deep.dqn_config import DeepQConfig
from apprenti.games.tetris.learn.deep.replay_buffer import Items, NStepBuffer
from apprenti.games.tetris.rules import Rules

Actions = NDArray[np.int64]
Reals = NDArray[np.float64]


class VectorGames:
    """Many games at once, and the returns over n moves that they show."""

    batch: Batch | KeyBatch

    def __init__(self, config: DeepQConfig, rules: Rules) -> None:
        self.config, self.rules = config, rules
        kind = KeyBatch if config.form == "keys" else Batch
        self.batch = kind(rules, config.parallel_games, config.seed, "dqn")
        self.batch.reset()
        self.worth = Worth(config.reward, "logistic" if config.error == "logistic" else "plain", config.gamma)
        self.returns = NStepBuffer(config.n_step, config.parallel_games, config.gamma)

    def discount(self, gamma: float) -> None:
        """Discount by γ from now on."""
        self.worth, self.returns.gamma = replace(self.worth, gamma=gamma), gamma

    def epsilon_greedy(self, best: Callable[[], Actions] | None, epsilon: float, luck: Stream) -> Actions:
        """In every game any action with probability ε, otherwise the best; always any if none is known to be best."""
        random = np.array([luck.random() < epsilon for _ in range(self.batch.size)])
        if best is None or random.all():
            return self.batch.random_actions(luck)
        greedy = best()
        return np.where(random, self.batch.random_actions(luck), greedy) if random.any() else greedy

    def step(self, actions: Actions) -> NDArray[np.bool_]:
        lines, over = self.batch.step(actions), self.batch.over
        self.returns.reward(np.where(over, self.worth.at_the_end, self.worth.rewards(lines)))
        return over

    def renew(self, over: NDArray[np.bool_]) -> list[int]:
        """Begin again where a game is over; the lines of these games."""
        scores: list[int] = self.batch.lines[over].tolist()
        self.batch.renew()
        return scores

    def state(self) -> Items:
        return {**{f"batch/{name}": array for name, array in self.batch.state().items()}, **self.returns.state()}

    def restore(self, arrays: Arrays) -> None:
        own = {name.removeprefix("batch/"): array for name, array in arrays.items() if name.startswith("batch/")}
        self.batch.restore(own)
        self.returns.restore(arrays)
