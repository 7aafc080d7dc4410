"""Who plays the other side in some of the games: earlier selves, so that nothing is forgotten, and a baseline."""

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.core.data import Arrays
from apprenti.games.luzhanqi.learn.baselines import baseline
from apprenti.games.luzhanqi.learn.deep.policy_network import PolicyNetwork
from apprenti.games.luzhanqi.learn.deep.ppo_config import PpoConfig


class Seats(NamedTuple):
    """For each game the side that somebody else plays, −1 for none."""

    past: NDArray[np.int64]
    baseline: NDArray[np.int64]
    network: PolicyNetwork
    """The earlier self."""
    temperature: float = 1.0
    """At which it draws its moves."""


class Opponents:
    """A pool of earlier selves, and the baseline."""

    def __init__(self, config: PpoConfig) -> None:
        self.config, self.baseline = config, baseline(config.opponent)
        self.pool: list[dict[str, torch.Tensor]] = []

    def store(self, network: PolicyNetwork) -> None:
        """Add a copy of the network to the pool; the oldest is forgotten when they are too many."""
        self.pool = [*self.pool, copy.deepcopy(network.state_dict())][-self.config.pool_size :]

    def inform(self, layouts: NDArray[np.int64]) -> None:
        """Tell the baseline layouts that the learner uses, if it is an informed one."""
        self.baseline = self.baseline.knowing(layouts)

    def draw(self, network: PolicyNetwork, rng: np.random.Generator) -> Seats:
        """Sides for an earlier self, drawn from the pool, and for the baseline.

        They are drawn anew for each rollout, so that a game may change hands: learning is from moves, not from games.
        """
        config, games, earlier = self.config, self.config.parallel_games, copy.deepcopy(network)
        if self.pool:
            earlier.load_state_dict(self.pool[int(rng.integers(len(self.pool)))])
        past = _sides(round(config.past_share * games) if self.pool else 0, np.zeros(games, np.bool_), rng)
        return Seats(past, _sides(round(config.opponent_share * games), past >= 0, rng), earlier)

    def arrays(self) -> Arrays:
        return {f"pool/{k}/{name}": t.numpy().copy() for k, one in enumerate(self.pool) for name, t in one.items()}

    def restore(self, arrays: Arrays, names: Sequence[str], count: int) -> None:
        self.pool = [{name: torch.tensor(arrays[f"pool/{k}/{name}"]) for name in names} for k in range(count)]


def _sides(count: int, taken: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """For each game a side, −1 for none: so many games of those that are not taken."""
    sides = np.full(len(taken), -1)
    chosen = rng.permutation(np.flatnonzero(~taken))[:count]
    sides[chosen] = np.arange(len(chosen)) % 2
    return sides
