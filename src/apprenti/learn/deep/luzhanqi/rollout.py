"""Moves that have been played in many games at once, and what can be computed from them alone."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, mirrored

Array = NDArray[np.float32]


def mirrored_actions(actions: int) -> NDArray[np.int64]:
    """The number of each move seen in a mirror."""
    return np.array([ACTION_OF[mirrored(origin), mirrored(target)] for origin, target in MOVES[:actions]])


def advantages(rewards: Array, values: Array, ended: NDArray[np.bool_], gamma: float, lam: float) -> Array:
    """(moves, games): how much better each move was than expected, for who made it.

    `values` has one row more than `rewards`: what the position after the last move is worth to its player.
    """
    found = np.zeros_like(rewards)
    later = np.zeros(rewards.shape[1], np.float32)
    for t in range(len(rewards) - 1, -1, -1):
        on = ~ended[t]
        delta = rewards[t] - gamma * values[t + 1] * on - values[t]
        later = delta - gamma * lam * later * on
        found[t] = later
    return found


def drawn(logits: Array, legal: NDArray[np.bool_], rng: np.random.Generator) -> tuple[NDArray[np.int64], Array]:
    """Moves drawn from a policy, and the logarithm of their probability."""
    masked = np.where(legal, logits, -np.inf).astype(np.float32)
    masked -= masked.max(axis=1, keepdims=True)
    actions = (masked + rng.gumbel(size=masked.shape).astype(np.float32)).argmax(axis=1)
    total = np.log(np.exp(masked).sum(axis=1))
    return actions, masked[np.arange(len(masked)), actions] - total


@dataclass
class Rollout:
    """Moves that have been played, each array (moves, games) and more."""

    planes: list[Any] = field(default_factory=list)
    legal: list[Any] = field(default_factory=list)
    advice: list[Any] = field(default_factory=list)
    """What a one-ply player says of each move; nothing if nobody asks."""
    actions: list[Any] = field(default_factory=list)
    chances: list[Any] = field(default_factory=list)
    """The logarithm of the probability with which each was chosen."""
    rewards: list[Any] = field(default_factory=list)
    ended: list[Any] = field(default_factory=list)
    ours: list[Any] = field(default_factory=list)
    """Whether the learning network chose it."""
    mover: list[Any] = field(default_factory=list)
    heard: list[Any] = field(default_factory=list)
    """The move itself: origin, target, result, who."""
    taught: list[Any] = field(default_factory=list)
    """What the teacher says each move is worth, 0 where it is not legal; nothing when nobody teaches."""
    remembered: torch.Tensor | None = None
    """What the players remembered at its beginning."""

    def stacked(self, name: str) -> NDArray[Any]:
        """One of them as an array."""
        return np.stack(getattr(self, name))

    def flat(self, name: str) -> NDArray[Any]:
        """One of them with moves and games in one row."""
        array = self.stacked(name)
        return array.reshape(-1, *array.shape[2:])
