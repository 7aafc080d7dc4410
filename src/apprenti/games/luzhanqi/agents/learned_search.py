"""A learned network inside a search: flat Monte-Carlo in sampled worlds that begins with what the network knows.

The network's favourite moves alone are tried, so that each is tried in more worlds in the same time; and what their
playouts come to is added to what the network thinks of them, where the plain Monte-Carlo player adds a one-ply value.
The best of them is played; or one is drawn from π ∝ π₀·exp(q/β), so that nobody can rely on what it plays.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from apprenti.agents.base import check_number
from apprenti.core.data import Arrays, JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.mlp import draw
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.agents.monte_carlo import MonteCarloPlayer
from apprenti.games.luzhanqi.agents.network import PolicyNetworkAgent
from apprenti.games.luzhanqi.observation import Observation


class LearnedSearchAgent(PolicyNetworkAgent):
    """Tries the network's favourite moves in sampled worlds, and plays the one that comes out best."""

    def __init__(
        self,
        moves: int = 8,
        trust: float = 2.0,
        arrays: Arrays | None = None,
        draws: bool = False,
        **search: Any,
    ) -> None:
        """`moves`: how many favourites are tried; `trust`: what the logarithm of a move's probability counts beside
        its playouts, in points; `draws`: draw from π ∝ π₀·exp(q/β), β the `trust`, instead of playing the best move.
        All else are options of the Monte-Carlo player: worlds, depth, march, noise, seconds, prior.
        """
        super().__init__(1.0, arrays, search.get("prior", 0.0))
        if isinstance(moves, bool) or not (isinstance(moves, int) and 1 <= moves <= 1000):
            raise BadAgent(f"a learned search tries 1 to 1000 favourite moves, not {moves!r}.")
        check_number("trust", trust, 0, 1000)
        if not isinstance(draws, bool) or (draws and trust == 0):
            raise BadAgent("a learned search that draws its moves has draws true and a trust above 0.")
        if {"layouts", "prejudice", "known"} & set(search):
            raise BadAgent("a learned search sets up as its network does and has no prejudice but its network's.")
        self.moves, self.trust, self.draws = moves, float(trust), draws
        self.search = MonteCarloPlayer(**search)

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        if observation.record is None:
            return super().choose(observation, legal, rng)
        probabilities, _ = self.policy(observation, legal)
        favourites = np.argsort(-probabilities, kind="stable")[: self.moves]
        bias = self.trust * np.log(np.maximum(probabilities, 1e-12))
        search = self.search
        if self.prior:
            search = replace(search, known=self.expected(observation.rules))
        best, values = search.halved(observation, legal, bias, favourites, rng)
        if not self.draws:
            return legal[best]
        chances = np.exp((values - values[favourites].max()) / self.trust)
        return legal[draw(chances / chances.sum(), rng.random())]

    def describe(self) -> tuple[str, JsonObject]:
        options = self.search.describe()[1]
        search = {name: options[name] for name in ("worlds", "depth", "march", "noise", "seconds", "prior")}
        return "luzhanqi-learned-search", {"moves": self.moves, "trust": self.trust, "draws": self.draws, **search}
