"""Other policies beside the learner's: earlier selves and a baseline that play the other side, and a magnet.

A magnet is a policy that follows the learner slowly, and to which the learner is drawn. Magnetic mirror descent (Sokota
et al. 2023, eq. 5; as a loss: KL(π ‖ magnet)) goes towards an equilibrium where the plain policy gradient may go in
circles; R-NaD (Perolat et al. 2022) does the same with a policy of earlier.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.core.data import AnyArray, Arrays
from apprenti.games.luzhanqi.learn.config import PpoConfig
from apprenti.games.luzhanqi.learn.deep.policy_network import PolicyNetwork
from apprenti.games.luzhanqi.learn.games import baseline


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
    """For each game a side, −1 for none: `count` games of those that are not taken."""
    sides = np.full(len(taken), -1)
    chosen = rng.permutation(np.flatnonzero(~taken))[:count]
    sides[chosen] = np.arange(len(chosen)) % 2
    return sides


class Magnet:
    """The slow policy."""

    def __init__(self, network: PolicyNetwork, rate: float) -> None:
        self.network, self.rate = copy.deepcopy(network), rate

    def follow(self, network: PolicyNetwork) -> None:
        """Go a share of the way to the learner's weights."""
        with torch.no_grad():
            for own, its in zip(self.network.parameters(), network.parameters(), strict=True):
                own.lerp_(its, self.rate)

    def distance(self, log_policy: torch.Tensor, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """KL(π ‖ magnet), the mean over positions."""
        with torch.no_grad():
            logits, _ = self.network(batch["planes"], None, batch.get("advice"))
            slow = torch.log_softmax(logits.masked_fill(~batch["legal"], -1e9), dim=1)
        return (log_policy.exp() * (log_policy - slow)).sum(dim=1).mean()

    def arrays(self) -> Arrays:
        return {f"magnet/{name}": tensor.numpy().copy() for name, tensor in self.network.state_dict().items()}

    def restore(self, arrays: Mapping[str, AnyArray]) -> None:
        names = list(self.network.state_dict())
        self.network.load_state_dict({name: torch.tensor(arrays[f"magnet/{name}"]) for name in names})
