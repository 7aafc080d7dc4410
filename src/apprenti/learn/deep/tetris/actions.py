"""Deep Q-learning as the report has it: the network has an output for every action, a key or a placement.

y = r + γ·max Q(s′, ·) over the actions that are legal in s′,   and y = r at the end.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.tetris.network import Worth
from apprenti.agents.tetris.q_network import QNetworkAgent, best_legal, inputs_of, observe
from apprenti.core.seeds import Stream
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.keys import KeyBatch
from apprenti.games.tetris.rules import Rules
from apprenti.learn.deep.tetris.replay_buffer import Items, Trail

if TYPE_CHECKING:
    from apprenti.learn.deep.tetris.dqn import DeepQConfig


def _packed(bits: NDArray[Any]) -> NDArray[np.uint8]:
    return np.packbits(bits, axis=1)


class ActionGames:
    """Games played by a network that values actions, and what is learned from them."""

    def __init__(self, config: "DeepQConfig", rules: Rules, threads: int) -> None:
        self.config, self.rules = config, rules
        kind = KeyBatch if config.form == "keys" else Batch
        self.batch = kind(rules, config.parallel_games, config.seed, "dqn")
        self.batch.reset()
        self.inputs = inputs_of(rules, config.form)
        self.worth = Worth(config.reward, "plain", config.gamma)
        self.trail = Trail(config.n_step, config.parallel_games, config.gamma)

    def discount(self, gamma: float) -> None:
        """Discount by γ from now on."""
        self.worth, self.trail.gamma = replace(self.worth, gamma=gamma), gamma

    def module(self) -> Any:
        """A network with random weights, in torch."""
        from apprenti.learn.deep.tetris.networks import ActionModule

        return ActionModule(self.inputs, self.config.hidden, self.batch.actions)

    def agent(self, network: Any) -> QNetworkAgent:
        """A network as a player."""
        return QNetworkAgent(self.config.form, network.weights)

    def play(self, network: Any, epsilon: float, luck: Stream) -> tuple[list[Items], list[int]]:
        """One action in every game: transitions to remember, and the lines of games that are over."""
        batch, seen = self.batch, observe(self.batch)
        actions = self._actions(network, seen, epsilon, luck)
        self.trail.begin({"seen": _packed(seen), "action": actions.astype(np.int16)}, np.ones(batch.size, np.bool_))
        lines, over = batch.step(actions), batch.over
        self.trail.reward(np.where(over, self.worth.at_the_end, self.worth.gains(lines)))
        found = []
        for items, games in (self.trail.take_ended(over), self.trail.take_ripe()):
            found.append({**items, **self._following(games), "ended": over[games]})
        scores = batch.lines[over].tolist()
        batch.renew()
        return [items for items in found if len(items["gain"])], scores

    def _following(self, games: NDArray[np.int64]) -> Items:
        """What is seen, and may be done, after the moves of a return."""
        seen, masks = observe(self.batch)[games], self.batch.masks()[games]
        return {"next_seen": _packed(seen), "next_legal": _packed(masks)}

    def _actions(self, network: Any, seen: NDArray[Any], epsilon: float, luck: Stream) -> NDArray[np.int64]:
        """The best action of every game, or with probability ε any."""
        drawn = np.array([luck.random() < epsilon for _ in range(self.batch.size)])
        if network is None or drawn.all():
            return self.batch.random_actions(luck)
        best = best_legal(network.outputs(seen), self.batch.masks())
        return np.where(drawn, self.batch.random_actions(luck), best) if drawn.any() else best

    def targets(self, sample: Items, chooser: Any, valuer: Any) -> NDArray[np.float64]:
        """y: the `chooser` says which action is best, the `valuer` what it is worth (the same network, or not)."""
        seen = np.unpackbits(sample["next_seen"], axis=1, count=self.inputs)
        legal = np.unpackbits(sample["next_legal"], axis=1, count=self.batch.actions)
        values = valuer.outputs(seen)
        best = best_legal(values if chooser is valuer else chooser.outputs(seen), legal)
        following = values[np.arange(len(best)), best]
        y: NDArray[np.float64] = sample["gain"] + np.where(sample["ended"], 0.0, sample["scale"] * following)
        return y

    def outputs(self, module: Any, sample: Items) -> Any:
        """What the network says of the actions of a sample, in torch."""
        seen = np.unpackbits(sample["seen"], axis=1, count=self.inputs).astype(np.float32)
        return module(seen)[np.arange(len(seen)), sample["action"].astype(np.int64)]

    def state(self) -> Items:
        """The games and their trail, as arrays."""
        return {**{f"batch/{name}": array for name, array in self.batch.state().items()}, **self.trail.state()}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a saved state."""
        own = {name.removeprefix("batch/"): array for name, array in arrays.items() if name.startswith("batch/")}
        self.batch.restore(own)
        self.trail.restore(arrays)
