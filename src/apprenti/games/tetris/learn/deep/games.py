"""Vectorised games of Tetris for deep Q-learning, by a network on afterstates or on actions.

On afterstates the network values the board after a move, and the game itself says what could be. The value of a board
is the mean, over the pieces that may come, of the best that can be had with each:

    y = Σ_p P(p) · max_a [ r(a) + γ·V(board after a) ],   and r alone where every placement of p ends the game.

With `expected` the sum is computed; without, p is the piece that came.

As the report has it, the network has an output for every action, a key or a placement:

    y = r + γ·max Q(s′, ·) over the actions that are legal in s′,   and y = r at the end.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.arena.executors import cores
from apprenti.core.data import Arrays
from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.network import AfterstateNetwork, NetworkAgent, Worth, empty_board
from apprenti.games.tetris.agents.q_network import ActionNetwork, QNetworkAgent, best_legal, inputs_of, observe
from apprenti.games.tetris.fast.batch import Afterstates, Batch
from apprenti.games.tetris.fast.keys import KeyBatch
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.prospects import Prospects
from apprenti.games.tetris.fast.tables import sixteen
from apprenti.games.tetris.fast.windows import Windows, parse
from apprenti.games.tetris.learn.criteria import parse as parse_criteria
from apprenti.games.tetris.learn.deep.dqn_config import DeepQConfig
from apprenti.games.tetris.learn.deep.networks import ActionModule, BoardModule, CriteriaModule
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


class AfterstateGames(VectorGames):
    """Games played by a network that values afterstates, and what is learned from them."""

    batch: Batch

    def __init__(self, config: DeepQConfig, rules: Rules) -> None:
        super().__init__(config, rules)
        self.threads = config.workers or cores()
        self.prospects = Prospects(rules)
        self.measures = Measures(rules, parse_criteria(config.criteria)) if config.inputs == "criteria" else None
        self.odds = _odds(rules)

    def module(self) -> BoardModule | CriteriaModule:
        """A network with random weights, in torch."""
        if self.measures:
            return CriteriaModule(self.measures, self.config.hidden)
        shapes = parse(self.config.windows, self.rules.width)
        return BoardModule(Windows(self.rules.width, self.rules.height, shapes), self.config.hidden, self.config.head)

    def agent(self, network: AfterstateNetwork) -> NetworkAgent:
        config = self.config
        criteria = self.measures.names if self.measures else ()
        return NetworkAgent(
            config.inputs, config.windows, criteria, config.reward, self.worth.output, self.worth.gamma, network.weights
        )

    # Playing ----------------------------------------------------------------------------------------------------------

    def _starts(self) -> Items:
        """What the network is shown of the boards as they are now."""
        if self.measures:
            values = self.measures.of_last_moves(self.batch) - empty_board(self.measures)
            return {"start": values.astype(np.float32)}
        return {"start": self.batch.columns.copy()}

    def _boot(self, games: NDArray[np.int64]) -> Items:
        """Where a return goes on with what the network says."""
        ended = np.zeros(len(games), np.bool_)
        return {"board": self.batch.columns[games], "piece": self.batch.piece[games].astype(np.int8), "ended": ended}

    def play(self, network: AfterstateNetwork | None, epsilon: float, luck: Stream) -> tuple[list[Items], list[int]]:
        """One move in every game: transitions to store, and the lines of games that are over."""
        self.returns.begin(self._starts(), self.batch.pieces > 0)
        complete, games = self.returns.pop_complete()
        returns = [{**complete, **self._boot(games)}]
        best = (lambda: self._best_actions(network)) if network else None
        over = self.step(self.epsilon_greedy(best, epsilon, luck))
        ended, games = self.returns.pop_ended(over)
        returns.append({**ended, **self._boot(games), "ended": np.ones(len(games), np.bool_)})
        return [items for items in returns if len(items["gain"])], self.renew(over)

    def _best_actions(self, network: AfterstateNetwork) -> Actions:
        """The best action of every game."""
        after = self.batch.afterstates()
        return after.best(self.worth.order(after, network.outputs(self.batch.all_columns, after, self.threads)))

    # Learning ---------------------------------------------------------------------------------------------------------

    def targets(self, sample: Items, chooser: AfterstateNetwork, valuer: AfterstateNetwork) -> Reals:
        """y: the `chooser` says which placement is best, the `valuer` what it is worth (the same network, or not)."""
        boards = sixteen(sample["board"], beyond=(1 << self.rules.height) - 1)
        pieces = np.maximum(sample["piece"].astype(np.int64), 0)  # a game that is over has none
        if self.config.expected:
            boards, pieces = np.repeat(boards, len(self.odds), axis=0), np.tile(np.arange(len(self.odds)), len(boards))
        best = self._best(boards, self.prospects.of(boards, pieces), chooser, valuer)
        if self.config.expected:
            best = best.reshape(-1, len(self.odds)) @ self.odds
        y: Reals = sample["gain"] + np.where(sample["ended"], 0.0, sample["scale"] * best)
        return y

    def _best(
        self, boards: NDArray[np.int32], after: Afterstates, chooser: AfterstateNetwork, valuer: AfterstateNetwork
    ) -> Reals:
        """For each board the worth of the best placement; what the end is worth where every one is the end."""
        outputs = chooser.outputs(boards, after, self.threads)
        places = after.first_best(self.worth.order(after, outputs))
        if chooser is not valuer:
            outputs = valuer.outputs(boards, after, self.threads)
        worth = self.worth.of(after, outputs)
        lost = places < 0
        lost[~lost] = np.isneginf(worth[places[~lost]])
        return np.where(lost, self.worth.at_the_end, worth[places])

    def outputs(self, module: BoardModule | CriteriaModule, sample: Items) -> torch.Tensor:
        """What the network says of the starts of a sample, in torch."""
        if self.measures:
            return module(sample["start"])
        return module(sixteen(sample["start"]))


def _odds(rules: Rules) -> Reals:
    """How likely each piece is, without knowing what came before."""
    count = len(rules.pieces.pieces)
    if rules.randomiser.kind == "weighted":
        return np.diff(rules.randomiser.thresholds(rules.pieces), prepend=0.0)
    if rules.randomiser.kind == "sequence":
        sequence = rules.randomiser.sequence
        return np.array([sequence.count(letter) / len(sequence) for letter in rules.pieces.letters])
    return np.full(count, 1 / count)


def _packed(bits: NDArray[np.bool_ | np.integer]) -> NDArray[np.uint8]:
    return np.packbits(bits, axis=1)


class ActionGames(VectorGames):
    """Games played by a network that values actions, and what is learned from them."""

    def __init__(self, config: DeepQConfig, rules: Rules) -> None:
        super().__init__(config, rules)
        self.inputs = inputs_of(rules, config.form)

    def module(self) -> ActionModule:
        """A network with random weights, in torch."""
        return ActionModule(self.inputs, self.config.hidden, self.batch.actions)

    def agent(self, network: ActionNetwork) -> QNetworkAgent:
        return QNetworkAgent(self.config.form, network.weights)

    def play(self, network: ActionNetwork | None, epsilon: float, luck: Stream) -> tuple[list[Items], list[int]]:
        """One action in every game: transitions to store, and the lines of games that are over."""
        seen = observe(self.batch)
        best = (lambda: best_legal(network.outputs(seen), self.batch.masks())) if network else None
        actions = self.epsilon_greedy(best, epsilon, luck)
        starts: Items = {"seen": _packed(seen), "action": actions.astype(np.int16)}
        self.returns.begin(starts, np.ones(self.batch.size, np.bool_))
        over = self.step(actions)
        returns = []
        for items, games in (self.returns.pop_ended(over), self.returns.pop_complete()):
            returns.append({**items, **self._following(games), "ended": over[games]})
        return [items for items in returns if len(items["gain"])], self.renew(over)

    def _following(self, games: NDArray[np.int64]) -> Items:
        """What is seen, and may be done, after the moves of a return."""
        seen, masks = observe(self.batch)[games], self.batch.masks()[games]
        return {"next_seen": _packed(seen), "next_legal": _packed(masks)}

    def targets(self, sample: Items, chooser: ActionNetwork, valuer: ActionNetwork) -> Reals:
        """y: the `chooser` says which action is best, the `valuer` what it is worth (the same network, or not)."""
        seen = np.unpackbits(sample["next_seen"], axis=1, count=self.inputs)
        legal = np.unpackbits(sample["next_legal"], axis=1, count=self.batch.actions)
        values = valuer.outputs(seen)
        best = best_legal(values if chooser is valuer else chooser.outputs(seen), legal)
        following = values[np.arange(len(best)), best]
        y: Reals = sample["gain"] + np.where(sample["ended"], 0.0, sample["scale"] * following)
        return y

    def outputs(self, module: ActionModule, sample: Items) -> torch.Tensor:
        """What the network says of the actions of a sample, in torch."""
        seen = np.unpackbits(sample["seen"], axis=1, count=self.inputs).astype(np.float32)
        return module(seen)[np.arange(len(seen)), sample["action"].astype(np.int64)]
