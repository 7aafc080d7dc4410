"""A magnet: a policy that follows the learner slowly, and to which the learner is drawn.

Magnetic mirror descent (Sokota et al. 2023, eq. 5; as a loss: KL(π ‖ magnet)) goes towards an equilibrium where the
plain policy gradient may go in circles; R-NaD (Perolat et al. 2022) does the same with a policy of earlier.
"""

import copy
from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray

from apprenti.core.data import Arrays
from apprenti.games.luzhanqi.learn.deep.policy_network import PolicyNetwork


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

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        names = list(self.network.state_dict())
        self.network.load_state_dict({name: torch.tensor(arrays[f"magnet/{name}"]) for name in names})
