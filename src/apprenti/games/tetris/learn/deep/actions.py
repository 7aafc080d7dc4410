"""Deep Q-learning as the report has it: the network has an output for every action, a key or a placement.

y = r + γ·max Q(s′, ·) over the actions that are legal in s′,   and y = r at the end.
"""

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.q_network import ActionNetwork, QNetworkAgent, best_legal, inputs_of, observe
from apprenti.games.tetris.learn.deep.dqn_config import DeepQConfig
from apprenti.games.tetris.learn.deep.networks import ActionModule
from apprenti.games.tetris.learn.deep.replay_buffer import Items
from apprenti.games.tetris.learn.deep.vector_games import Reals, VectorGames
from apprenti.games.tetris.rules import Rules


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
        found = []
        for items, games in (self.returns.pop_ended(over), self.returns.pop_complete()):
            found.append({**items, **self._following(games), "ended": over[games]})
        return [items for items in found if len(items["gain"])], self.renew(over)

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
