"""A learned network that plays Luzhanqi, in numpy alone: what `learn/deep/army_network.py` computes with torch."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, POINTS, TURNED_ACTION, parse_move
from apprenti.games.luzhanqi.layout import book_layout
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.planes import PLANES
from apprenti.games.luzhanqi.rules import Rules

Array = NDArray[np.float32]


def _relu(x: Array) -> Array:
    return np.maximum(x, 0)


class ArmyNetworkAgent:
    """Plays by a learned policy: drawn from it, or its most likely move when the temperature is 0."""

    def __init__(self, temperature: float = 0.5, arrays: Mapping[str, NDArray[Any]] | None = None) -> None:
        if not 0 <= temperature <= 10:
            raise BadAgent(f"a temperature is from 0 to 10, not {temperature}.")
        self.temperature = float(temperature)
        self.weights = {name: np.asarray(array, np.float32) for name, array in (arrays or {}).items()}
        self._check()

    def _check(self) -> None:
        try:
            channels = self.weights["stem.weight"].shape[0]
            shapes = {
                "stem.weight": (channels, PLANES),
                "place": (POINTS, channels),
                "judge.weight": (self.weights["judge.bias"].shape[0], self.weights["squeeze.bias"].shape[0] * POINTS),
            }
            wrong = [name for name, shape in shapes.items() if self.weights[name].shape != shape]
        except (KeyError, IndexError) as error:
            raise BadAgent(f"these weights are not a network for luzhanqi ({error} is missing).") from None
        if wrong or not all(np.isfinite(array).all() for array in self.weights.values()):
            raise BadAgent(f"these weights are not a network for luzhanqi: {', '.join(wrong) or 'not finite'}.")

    @cached_property
    def layers(self) -> int:
        """How many rounds of messages."""
        return sum(name.startswith("mixes.") for name in self.weights)

    def _linear(self, name: str, x: Array) -> Array:
        return np.asarray(x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"])

    def evaluate(self, planes: Array) -> tuple[Array, Array]:
        """(games, planes, 12, 5) → logits of all pairs of points (games, 60, 60), and values (games,)."""
        games = len(planes)
        x = planes.reshape(games, PLANES, POINTS).transpose(0, 2, 1)
        h = _relu(self._linear("stem", x) + self.weights["place"])
        for layer in range(self.layers):
            mix = self.weights[f"mixes.{layer}"]
            mixed = np.matmul(mix.reshape(-1, POINTS), h).reshape(games, len(mix), POINTS, -1).transpose(0, 2, 1, 3)
            h = h + _relu(self._linear(f"joins.{layer}", mixed.reshape(games, POINTS, -1)))
        offer, ask = self._linear("offer", h), self._linear("ask", h)
        logits = np.matmul(offer[..., :-1], ask[..., :-1].transpose(0, 2, 1)) / np.sqrt(offer.shape[-1] - 1)
        logits = logits + offer[..., -1:] + ask[..., -1:].transpose(0, 2, 1)
        judged = _relu(self._linear("judge", _relu(self._linear("squeeze", h)).reshape(games, -1)))
        return logits, np.tanh(self._linear("value", judged))[:, 0]

    def policy(self, observation: Observation, legal: Sequence[str]) -> tuple[Array, float]:
        """The probability of each legal move, and the value for the player to move."""
        logits, value = self.evaluate(observation.planes()[np.newaxis])
        actions = [ACTION_OF[parse_move(move)] for move in legal]
        if observation.player == 1:
            actions = [TURNED_ACTION[action] for action in actions]
        chosen = np.array([logits[0][MOVES[action]] for action in actions], np.float64)
        chosen = np.exp((chosen - chosen.max()) / max(self.temperature, 1e-6))
        return np.asarray(chosen / chosen.sum(), np.float32), float(value[0])

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        """A move drawn from the policy."""
        chances, _ = self.policy(observation, legal)
        if self.temperature == 0:
            return legal[int(chances.argmax())]
        return legal[min(int(np.searchsorted(np.cumsum(chances), rng.random())), len(legal) - 1)]

    def arrange(self, rules: Rules, rng: Chance) -> str:
        """From the book."""
        return book_layout(rules, rng)

    def describe(self) -> tuple[str, dict[str, Any]]:
        """Kind and options, from which the agent can be built again."""
        return "luzhanqi-network", {"temperature": self.temperature}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights."""
        return dict(self.weights)
