"""Moves that have been played in many games at once, and what can be computed from them alone."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.core.data import AnyArray
from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, POINTS, mirrored
from apprenti.games.luzhanqi.fast.primitives import at

Array = NDArray[np.float32]
Batch = dict[str, AnyArray]


class Rollout:
    """The moves of a rollout: by its name, for each move an array (games, …).

    `planes`, `legal` and `mover` are what was seen and whose turn it was; `actions`, `log_probabilities` and `moves`
    (origin, target, result, who) what was done, and `own` whether the learning network did it; `judged` what the value
    head said to the player to move, with one more for the position after the last; `rewards`, `ended` and `results` (of
    games that ended, for who moved) what came of it. `advice` is what a one-ply player says of each move, `targets`
    what the teacher says, if there is one.
    """

    def __init__(self, hidden: torch.Tensor) -> None:
        self.hidden, self.rows = hidden, defaultdict[str, list[AnyArray]](list)
        """What the players remembered at its beginning, and the arrays."""

    def append(self, **rows: NDArray[np.generic] | None) -> None:
        """Add a move in every game, as far as there is something to add."""
        for name, row in rows.items():
            if row is not None:
                self.rows[name].append(row)

    def stacked(self, name: str) -> AnyArray:
        """(moves, games, …)"""
        return np.stack(self.rows[name])

    def flat(self, name: str) -> AnyArray:
        """(moves · games, …)"""
        return np.concatenate(self.rows[name])


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
    """The moves in random order, `size` at a time."""
    order = rng.permutation(moves)
    for first in range(0, len(order), size):
        yield order[first : first + size]


def whole_games(rollout: Rollout, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """The own moves of a few games at a time, about `size`: a hidden state is followed from move to move."""
    own = rollout.stacked("own")
    moves, games = own.shape
    order, together = rng.permutation(games), max(1, size // moves)
    for first in range(0, games, together):
        marked = np.zeros_like(own)
        marked[:, order[first : first + together]] = True
        chosen = np.flatnonzero((marked & own).ravel())
        if len(chosen):
            yield chosen


_BACK = np.array([ACTION_OF.get((target, origin), -1) for origin, target in MOVES])
"""For each move the one that takes it back, if there is one."""
_PAIRS = np.array([origin * POINTS + target for origin, target in MOVES])


def take_backs(states: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each move takes back the last one of its player, and is no attack (−1: that player has not moved yet)."""
    origin, target = states[:, at.OWN_FROM], states[:, at.OWN_TO]
    before = np.where(states[:, at.TO_MOVE] == 1, POINTS**2 - 1, 0) - origin * POINTS - target
    empty = states[np.arange(len(states)), at.BOARD + np.maximum(origin, 0)] < 0
    back = _BACK[actions]
    return np.asarray((origin >= 0) & empty & (back >= 0) & (_PAIRS[back] == np.abs(before)))


def mirrored_actions(actions: int) -> NDArray[np.int64]:
    """The number of each move seen in a mirror."""
    return np.array([ACTION_OF[mirrored(origin), mirrored(target)] for origin, target in MOVES[:actions]])


def mirrored_batch(batch: Batch, mirror: NDArray[np.int64]) -> Batch:
    """The same moves with left and right exchanged; `mirror` are the mirrored actions."""
    flipped = dict(batch, planes=batch["planes"][..., ::-1], actions=mirror[batch["actions"]])
    for name in ("legal", "advice", "targets"):
        if name in batch:
            flipped[name] = np.zeros_like(batch[name])
            flipped[name][:, mirror] = batch[name]
    return flipped


def advantages(rewards: Array, values: Array, ended: NDArray[np.bool_], gamma: float, lam: float) -> Array:
    """(moves, games): how much better each move was than expected, for who made it (Schulman et al. 2016).

    `values` has one row more than `rewards`: what the position after the last move is worth to its player.
    """
    out = np.zeros_like(rewards)
    later = np.zeros(rewards.shape[1], np.float32)
    for t in range(len(rewards) - 1, -1, -1):
        on = ~ended[t]
        delta = rewards[t] - gamma * values[t + 1] * on - values[t]
        later = delta - gamma * lam * later * on
        out[t] = later
    return out


def outcomes(chances: Array, ended: NDArray[np.bool_], results: NDArray[np.int64], lam: float) -> Array:
    """(moves, games, 3): how likely who made each move is to win, draw and lose, judged later: what the value learns.

    A λ-return of probabilities: at the end of a game what became of it, before a mixture of what the next position and
    the ones after it say. `chances` has one row more than `ended`. What one player wins the other loses.
    """
    out = np.empty((*results.shape, 3), np.float32)
    later = chances[-1]
    for t in range(len(results) - 1, -1, -1):
        ahead = ((1 - lam) * chances[t + 1] + lam * later)[:, ::-1]
        later = np.where(ended[t][:, None], np.eye(3, dtype=np.float32)[results[t]], ahead)
        out[t] = later
    return out
