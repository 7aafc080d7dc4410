"""Moves that have been played in many games at once, and what can be computed from them alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, mirrored

Array = NDArray[np.float32]
Batch = dict[str, NDArray[Any]]


@dataclass
class Rollout:
    """The moves of a rollout: every list has an array (games, …) for each, `values` one more for what came after."""

    planes: list[Any] = field(default_factory=list)
    legal: list[Any] = field(default_factory=list)
    advice: list[Any] = field(default_factory=list)
    """What a one-ply player says of each move; nothing without advice."""
    actions: list[Any] = field(default_factory=list)
    log_probabilities: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    """What the position was worth to the player to move."""
    rewards: list[Any] = field(default_factory=list)
    ended: list[Any] = field(default_factory=list)
    own: list[Any] = field(default_factory=list)
    """Whether the learning network chose the move."""
    mover: list[Any] = field(default_factory=list)
    moves: list[Any] = field(default_factory=list)
    """The move itself: origin, target, result, who."""
    targets: list[Any] = field(default_factory=list)
    """What the teacher says each move is worth, 0 where it is not legal; nothing without a teacher."""
    memory: torch.Tensor | None = None
    """What the players remembered at its beginning."""

    def append(self, **rows: NDArray[Any] | None) -> None:
        """Add a move in every game, as far as there is something to add."""
        for name, row in rows.items():
            if row is not None:
                getattr(self, name).append(row)

    def stacked(self, name: str) -> NDArray[Any]:
        """One of the lists as an array (moves, games, …)."""
        return np.stack(getattr(self, name))

    def flat(self, name: str) -> NDArray[Any]:
        """One of the lists as an array (moves · games, …)."""
        array = self.stacked(name)
        return array.reshape(-1, *array.shape[2:])


def sample_actions(
    logits: Array, legal: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[NDArray[np.int64], Array]:
    """Moves drawn from a policy, and their log-probabilities."""
    masked = np.where(legal, logits, -np.inf).astype(np.float32)
    masked -= masked.max(axis=1, keepdims=True)
    actions = (masked + rng.gumbel(size=masked.shape).astype(np.float32)).argmax(axis=1)
    total = np.log(np.exp(masked).sum(axis=1))
    return actions, masked[np.arange(len(masked)), actions] - total


def shuffled(moves: NDArray[np.int64], size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """The moves in random order, so many at a time."""
    order = rng.permutation(moves)
    for first in range(0, len(order), size):
        yield order[first : first + size]


def mirrored_actions(actions: int) -> NDArray[np.int64]:
    """The number of each move seen in a mirror."""
    return np.array([ACTION_OF[mirrored(origin), mirrored(target)] for origin, target in MOVES[:actions]])


def mirrored_batch(batch: Mapping[str, NDArray[Any]], mirror: NDArray[np.int64]) -> Batch:
    """The same moves with left and right exchanged; `mirror` are the mirrored actions."""
    flipped = dict(batch, planes=batch["planes"][..., ::-1], actions=mirror[batch["actions"]])
    for name in ("legal", "advice", "targets"):
        if name in batch:
            flipped[name] = np.zeros_like(batch[name])
            flipped[name][:, mirror] = batch[name]
    return flipped
