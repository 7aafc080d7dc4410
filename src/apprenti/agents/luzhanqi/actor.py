"""The actor of the LuJunQi report: a perceptron over pairs (piece, point), and one that places the army."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadAgent
from apprenti.core.mlp import Mlp, Vector, restricted
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.layout import book_layout
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS, NONE, TYPES
from apprenti.games.luzhanqi.placing import PLACES, half_board, legal_places
from apprenti.games.luzhanqi.report_state import INPUTS, PAIRS, of_observation
from apprenti.games.luzhanqi.rules import Rules


def drawn(chances: Vector, luck: float) -> int:
    """A place in a list of probabilities."""
    edges = np.cumsum(chances)
    return min(int(np.searchsorted(edges, luck * edges[-1], side="right")), len(chances) - 1)


class ActorAgent:
    """Draws its moves, and its army if it has learned to place one, from its policy."""

    def __init__(self, twice: bool = False, arrays: Mapping[str, NDArray[Any]] | None = None) -> None:
        arrays = arrays or {}
        self.twice = bool(twice)
        self.actor = Mlp.from_arrays(arrays, "actor")
        self.placer = Mlp.from_arrays(arrays, "placer") if any(name.startswith("placer/") for name in arrays) else None
        self._check(self.actor, INPUTS, PAIRS)
        if self.placer:
            self._check(self.placer, PLACES, PLACES)

    def _check(self, network: Mlp, inputs: int, outputs: int) -> None:
        first, last = network.layers[0], network.layers[-1]
        if first.shape[1] != inputs + 1 or last.shape[0] != outputs:
            raise BadAgent(f"an actor of luzhanqi has {inputs} inputs and {outputs} outputs here.")
        if not all(np.isfinite(layer).all() for layer in network.layers):
            raise BadAgent("an actor has finite weights.")

    def policy(self, observation: Observation, legal: Sequence[str]) -> Vector:
        """The probability of each legal move."""
        x, pairs = of_observation(observation, legal)
        return restricted(self.actor.forward(x)[-1], pairs, self.twice)

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        """A move drawn from the policy, as the report insists: the best strategy need not be deterministic."""
        return legal[drawn(self.policy(observation, legal), rng.random())]

    def arrange(self, rules: Rules, rng: Chance) -> str:
        """The army: placed piece by piece by the placement model, or from the book."""
        if not self.placer:
            return book_layout(rules, rng)
        placed = [NONE] * SLOTS
        for _ in range(sum(rules.counts)):
            legal = legal_places(placed, rules)
            chances = restricted(self.placer.forward(half_board(placed))[-1], legal, self.twice)
            slot, kind = divmod(int(legal[drawn(chances, rng.random())]), TYPES)
            placed[slot] = kind
        return "".join(EMPTY if kind == NONE else LETTERS[kind] for kind in placed)

    def describe(self) -> tuple[str, dict[str, Any]]:
        """Kind and options, from which the agent can be built again."""
        return "luzhanqi-actor", {"twice": self.twice}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The networks."""
        return self.actor.arrays("actor") | (self.placer.arrays("placer") if self.placer else {})
