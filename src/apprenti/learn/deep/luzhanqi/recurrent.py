"""Learning through time: what a network with a memory needs of a rollout."""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.learn.deep.luzhanqi.policy_network import PolicyNetwork
from apprenti.learn.deep.luzhanqi.rollout import Rollout


def whole_games(rollout: Rollout, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """The own moves of a few games at a time, about so many, so that memory can be followed from move to move."""
    own = rollout.stacked("own")
    moves, games = own.shape
    order, together = rng.permutation(games), max(1, size // moves)
    for first in range(0, games, together):
        marked = np.zeros_like(own)
        marked[:, order[first : first + together]] = True
        chosen = np.flatnonzero((marked & own).ravel())
        if len(chosen):
            yield chosen


def unrolled_memory(network: PolicyNetwork, rollout: Rollout, chosen: NDArray[np.int64]) -> torch.Tensor:
    """What was remembered at some moves, with its gradient back to the beginning of the rollout."""
    assert rollout.memory is not None
    time, game = np.divmod(chosen, len(rollout.mover[0]))
    games = np.unique(game)
    memory, found = rollout.memory[games], []
    for mover, moves, ended in zip(rollout.mover, rollout.moves, rollout.ended, strict=True):
        found.append(memory[torch.arange(len(games)), torch.from_numpy(mover[games])])
        memory = network.update_memory(memory, moves[games], ended[games])
    return torch.stack(found)[torch.from_numpy(time), torch.from_numpy(np.searchsorted(games, game))]
