"""The replay buffer, and the n-step buffer that turns single moves into returns over several.

The names of their arrays in checkpoints (`memory/…`, `trail/…`) are those of version 0.1.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import AnyArray

Items = dict[str, AnyArray]

LEAST_PRIORITY = 1e-3
"""What is added to an error before it counts: nothing is forgotten for good."""


class ReplayBuffer:
    """The last transitions, up to a capacity; the oldest make room for the newest.

    Uniform, or prioritised (Schaul et al. 2016): drawn in proportion to (error + 0.001)^α, and weighed by
    (size · probability)^−β, divided by the largest of the weights.
    """

    def __init__(self, capacity: int, alpha: float = 0.0, beta: float = 0.0) -> None:
        self.capacity, self.alpha, self.beta = capacity, alpha, beta
        self.size = self.at = 0
        self.items: Items = {}
        self.priorities = np.zeros(capacity)

    def add(self, items: Items) -> None:
        """Store transitions; each new one has the greatest priority so far."""
        count = len(next(iter(items.values())))
        if not self.items:
            self.items = {
                name: np.zeros((self.capacity, *array.shape[1:]), array.dtype) for name, array in items.items()
            }
        places = (self.at + np.arange(count)) % self.capacity
        for name, array in items.items():
            self.items[name][places] = array
        self.priorities[places] = self.priorities[: self.size].max(initial=0.0) or 1.0
        self.at = (self.at + count) % self.capacity
        self.size = min(self.capacity, self.size + count)

    def sample(self, rng: np.random.Generator, count: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Places of a sample, with replacement, and the weight of each in the loss."""
        if not self.alpha:
            return rng.integers(0, self.size, count), np.ones(count, np.float32)
        sums = np.cumsum(self.priorities[: self.size])
        places = np.minimum(np.searchsorted(sums, rng.random(count) * sums[-1], side="right"), self.size - 1)
        weights = (self.size * self.priorities[places] / sums[-1]) ** -self.beta
        return places, (weights / weights.max()).astype(np.float32)

    def get(self, places: NDArray[np.int64]) -> Items:
        """The transitions at some places."""
        return {name: array[places] for name, array in self.items.items()}

    def set_priorities(self, places: NDArray[np.int64], errors: NDArray[np.float64]) -> None:
        """Store how wrong the network was."""
        if self.alpha:
            self.priorities[places] = (np.abs(errors) + LEAST_PRIORITY) ** self.alpha

    def state(self) -> Items:
        stored = {f"memory/{name}": array[: self.size].copy() for name, array in self.items.items()}
        if self.alpha:
            stored["priorities"] = self.priorities[: self.size].copy()
        return {**stored, "memory-at": np.array([self.size, self.at])}

    def restore(self, arrays: Mapping[str, AnyArray]) -> None:
        self.size, self.at = (int(number) for number in arrays["memory-at"])
        self.items = {}
        for name, array in arrays.items():
            if name.startswith("memory/"):
                whole = np.zeros((self.capacity, *array.shape[1:]), array.dtype)
                whole[: self.size] = array
                self.items[name.removeprefix("memory/")] = whole
        self.priorities[: self.size] = arrays.get("priorities", 1.0)


class NStepBuffer:
    """The last n moves of every game: where each began (its `start`), and its return since (`gain`).

    `scale` is γ to the number of moves since: what the network says of the present counts so much.
    """

    def __init__(self, steps: int, games: int, gamma: float) -> None:
        self.steps, self.games, self.gamma = steps, games, gamma
        self.time = 0
        self.starts: Items = {}
        self.gain, self.scale = np.zeros((steps, games)), np.zeros((steps, games))
        self.waiting = np.zeros((steps, games), np.bool_)

    def begin(self, starts: Items, which: NDArray[np.bool_]) -> None:
        """A move begins in some of the games."""
        if not self.starts:
            self.starts = {name: np.zeros((self.steps, *array.shape), array.dtype) for name, array in starts.items()}
        slot = self.time % self.steps
        for name, array in starts.items():
            self.starts[name][slot] = array
        self.gain[slot], self.scale[slot], self.waiting[slot] = 0.0, 1.0, which
        self.time += 1

    def reward(self, rewards: NDArray[np.float64]) -> None:
        """The reward of a move in each game counts for all the moves that led there."""
        self.gain += np.where(self.waiting, self.scale * rewards, 0.0)
        self.scale *= self.gamma

    def pop_complete(self) -> tuple[Items, NDArray[np.int64]]:
        """The starts from n moves ago with their returns, and their games."""
        slot = self.time % self.steps
        return self._pop(np.array([slot]), np.ones(self.games, np.bool_))

    def pop_ended(self, ended: NDArray[np.bool_]) -> tuple[Items, NDArray[np.int64]]:
        """All starts of the games that are over, likewise."""
        return self._pop(np.arange(self.steps), ended)

    def _pop(self, slots: NDArray[np.int64], which: NDArray[np.bool_]) -> tuple[Items, NDArray[np.int64]]:
        steps, games = np.nonzero(self.waiting[slots] & which)
        places = slots[steps]
        items = {name: array[places, games] for name, array in self.starts.items()}
        items["gain"], items["scale"] = self.gain[places, games], self.scale[places, games]
        self.waiting[places, games] = False
        return items, games

    def state(self) -> Items:
        starts = {f"trail/{name}": array.copy() for name, array in self.starts.items()}
        own = {"gain": self.gain, "scale": self.scale, "waiting": self.waiting, "time": np.array([self.time])}
        return {**starts, **{f"trail-{name}": array.copy() for name, array in own.items()}}

    def restore(self, arrays: Mapping[str, AnyArray]) -> None:
        self.starts = {n.removeprefix("trail/"): a.copy() for n, a in arrays.items() if n.startswith("trail/")}
        self.gain, self.scale = arrays["trail-gain"].copy(), arrays["trail-scale"].copy()
        self.waiting, self.time = arrays["trail-waiting"].copy(), int(arrays["trail-time"][0])
