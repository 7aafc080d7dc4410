"""A best response to a frozen network, learned by PPO: what somebody wins who practises against it alone.

The learner begins as another network, has one side of every game, and the frozen player the other, each with layouts of
its own. What it learns is a lower bound of what can be won: a better learner, or more time, may find more.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.core.data import Arrays
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.agents.known_layouts import layouts_of
from apprenti.games.luzhanqi.agents.network import PolicyNetworkAgent
from apprenti.games.luzhanqi.fast.arrays import Step, rules_array
from apprenti.games.luzhanqi.fast.primitives import begun
from apprenti.games.luzhanqi.learn.config import PpoConfig
from apprenti.games.luzhanqi.learn.deep.opponents import Opponents, Seats
from apprenti.games.luzhanqi.learn.deep.policy_network import PolicyNetwork
from apprenti.games.luzhanqi.learn.deep.ppo import Ppo
from apprenti.games.luzhanqi.learn.deep.rollout import sample_actions
from apprenti.games.luzhanqi.learn.games import VectorGames
from apprenti.games.luzhanqi.rules import Rules

Layouts = NDArray[np.int64]


def network_of(agent: PolicyNetworkAgent, rules: Rules) -> PolicyNetwork:
    """The network of an agent, in torch."""
    weights = {name: array for name, array in agent.weights.items() if not name.startswith("placer.")}
    network = PolicyNetwork(
        weights["stem.weight"].shape[0], agent.layers, rules.actions, agent.memory, "advice" in weights, agent.features
    )
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    return network


class FrozenGames(VectorGames):
    """Games between a learner and a frozen player, who have the first move in turn, each with layouts of its own."""

    def __init__(self, rules: Rules, games: int, seed: int, own: Layouts, its: Layouts, prior: float = 0.0) -> None:
        super().__init__(rules, games, seed, 1.0, advised=True, featured=True, prior=prior)
        self.frozen = np.arange(games) % 2
        """The side of the frozen player in each game."""
        self.points: list[float] = []
        """What the learner got in each game that has ended."""
        self._layouts, self._seed = (own, its), seed
        self.begun = np.zeros(1, np.int64)
        """Games that have been begun; the layouts of each depend on its number alone."""
        self._begin(np.arange(games))

    def _begin(self, numbers: NDArray[np.int64]) -> None:
        for number in numbers:
            rng = np.random.Generator(np.random.PCG64(seed_of(self._seed, "frozen", int(self.begun[0]))))
            self.begun += 1
            pair = [each[rng.integers(len(each))] for each in self._layouts]
            first, second = pair if self.frozen[number] == 1 else pair[::-1]
            self.batches[0].games[number] = begun(rules_array(self.rules), first, second)

    def step(self, actions: NDArray[np.int64]) -> Step:
        step = super().step(actions)
        ended = step.ended > 0
        points = np.where(step.winner < 0, 0.5, step.winner != self.frozen)
        self.points += points[ended].tolist()
        self._begin(np.flatnonzero(ended))
        return step

    def arrays(self) -> Arrays:
        return {**super().arrays(), "begun": self.begun.copy()}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        super().restore(arrays)
        self.begun[:] = arrays["begun"]


class FrozenOpponent(Opponents):
    """One network, which plays the same side of each game for ever."""

    def __init__(self, config: PpoConfig, network: PolicyNetwork, temperature: float) -> None:
        super().__init__(config)
        sides = np.arange(config.parallel_games) % 2
        self._seats = Seats(sides, np.full(len(sides), -1), network, max(temperature, 1e-3))

    def store(self, network: PolicyNetwork) -> None:
        """It knows no earlier selves."""

    def draw(self, network: PolicyNetwork, rng: np.random.Generator) -> Seats:
        return self._seats


class BestResponse(Ppo):
    """PPO against a frozen network."""

    def __init__(
        self, config: PpoConfig, begins_as: PolicyNetworkAgent, frozen: PolicyNetworkAgent, own: Layouts, its: Layouts
    ) -> None:
        super().__init__(config)
        self.begin_as(begins_as.weights)
        self.opponents = FrozenOpponent(config, network_of(frozen, self.rules), frozen.temperature)
        self._layouts, self._frozen = (own, its), frozen
        self._placer = {name: array for name, array in begins_as.weights.items() if name.startswith("placer.")}
        self.games = self._fresh(config.parallel_games, config.seed)

    def _fresh(self, games: int, seed: int) -> FrozenGames:
        made = FrozenGames(self.rules, games, seed, *self._layouts, self.config.prior)
        if self.config.prior:
            made.expected = layouts_of(self._frozen.expected(self.rules))
        return made

    def agent(self) -> PolicyNetworkAgent:
        return PolicyNetworkAgent(self.config.temperature, self._weights() | self._placer, self.config.prior)

    def measure(self, games: int, seed: int) -> list[float]:
        """What it gets in so many new games that teach it nothing, drawing its moves as its agent does."""
        vector, rng = self._fresh(games, seed), np.random.Generator(np.random.PCG64(seed))
        seats, first = self.opponents.draw(self.network, rng), np.full(games, np.nan)
        while np.isnan(first).any():
            seen = vector.observe()
            its = seen.mover == vector.frozen
            logits = self._policy(self.network, seen, None)[0] / max(self.config.temperature, 1e-3)
            if its.any():
                logits[its] = self._policy(seats.network, seen.only(its), None)[0] / seats.temperature
            step = vector.step(sample_actions(logits, seen.legal, rng)[0])
            points = np.where(step.winner < 0, 0.5, step.winner != vector.frozen)
            first = np.where((step.ended > 0) & np.isnan(first), points, first)  # the first game of each: no bias
        return [float(point) for point in first]
