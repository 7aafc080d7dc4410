"""Deep Q-learning on afterstates: the network values the board after a move, and the game itself says what could be.

The value of a board is the mean, over the pieces that may come, of the best that can be had with each:

    y = Σ_p P(p) · max_a [ r(a) + γ·V(board after a) ],   and r alone where every placement of p ends the game.

With `expected` the sum is computed; without, p is the piece that came.
"""

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.arena.executors import cores
from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.network import AfterstateNetwork, NetworkAgent, empty_board
from apprenti.games.tetris.fast.batch import Afterstates, Batch
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.prospects import Prospects
from apprenti.games.tetris.fast.tables import sixteen
from apprenti.games.tetris.fast.windows import Windows, parse
from apprenti.games.tetris.learn.criteria import parse as parse_criteria
from apprenti.games.tetris.learn.deep.dqn_config import DeepQConfig
from apprenti.games.tetris.learn.deep.networks import BoardModule, CriteriaModule
from apprenti.games.tetris.learn.deep.replay_buffer import Items
from apprenti.games.tetris.learn.deep.vector_games import Actions, Reals, VectorGames
from apprenti.games.tetris.rules import Rules


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
        found = [{**complete, **self._boot(games)}]
        best = (lambda: self._best_actions(network)) if network else None
        over = self.step(self.epsilon_greedy(best, epsilon, luck))
        ended, games = self.returns.pop_ended(over)
        found.append({**ended, **self._boot(games), "ended": np.ones(len(games), np.bool_)})
        return [items for items in found if len(items["gain"])], self.renew(over)

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
