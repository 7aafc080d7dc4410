"""Learning where to put the army: the placement model beside PPO's network.

Every iteration it sets up some armies, which go into a pool together with layouts of the book; games begin with any
two of them. When a game ends, its two layouts get its result, and PPO's clipped gain is taken over the pieces of each:
the whole army shares one advantage, what its games came to beyond the mean. Results are few and far between, so it can
also practise: a compiled player of the ladder plays hundreds of games a second from its layouts.
"""

from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from apprenti.agents.luzhanqi.placer import INPUTS, Placer, order, seen_while_placing
from apprenti.agents.luzhanqi.placer import Placements as Placed
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.fast.arrays import types_of
from apprenti.games.luzhanqi.fast.batch import Batch
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.layout import book
from apprenti.games.luzhanqi.rules import Rules
from apprenti.learn.deep.adam import adam_arrays, restore_adam
from apprenti.learn.luzhanqi.baselines import Rung

HIDDEN = 64
ARMIES = 32
"""Armies it sets up for each iteration."""
ENOUGH = 64
"""Results it waits for before it learns from them."""
KEPT = 2048
"""Armies that are remembered until their games end."""
PASSES = 2
TABLES = 128
"""Games of practice side by side."""
_OF_A_BATCH = ("games", "dice", "pool")
"""What they depend on."""


def joined(before: Placed, after: Placed) -> Placed:
    """Both, the older first, and the oldest forgotten when they are too many."""
    return Placed(
        np.concatenate([before.layouts, after.layouts])[-KEPT:],
        np.concatenate([before.slots, after.slots])[-KEPT:],
        np.concatenate([before.chances, after.chances])[-KEPT:],
    )


class Placement:
    """The placement model, what it has set up, and what has come of it."""

    def __init__(self, rules: Rules, seed: int, rate: float, entropy: float, clip: float) -> None:
        self.rules, self.entropy, self.clip = rules, entropy, clip
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.network = nn.Sequential(nn.Linear(INPUTS, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, SLOTS))
        with torch.no_grad():
            self.network[2].weight *= 0.1  # almost every legal layout as likely, at first
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=rate, eps=1e-5)
        pieces = len(order(rules))
        self.known = Placed(
            np.zeros((0, SLOTS), np.int64), np.zeros((0, pieces), np.int64), np.zeros((0, pieces), np.float32)
        )
        self.results: list[tuple[int, float]] = []
        """(number of the army since the beginning, points − ½) of games that have ended."""
        self.drawn = 0
        """Armies set up since the beginning; the last of them are `known`."""
        self.against_book = [0.0, 0.0]
        """Points and games of its armies against the book's, since it last told."""
        self._book = np.array([types_of(layout) for layout in book(rules)], np.int64).reshape(-1, SLOTS)
        self._seed = seed

    @cached_property
    def tables(self) -> Batch:
        """The games of practice; compiled code is loaded only now."""
        return Batch(self.rules, TABLES, self._seed, book(self.rules))

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights, by the names agents know."""
        return {f"placer.{name}": tensor.numpy().copy() for name, tensor in self.network.state_dict().items()}

    def pool(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Fresh armies, and as many of the book (if there is one for these rules)."""
        fresh = Placer(self.arrays).place(self.rules, rng.random((ARMIES, len(order(self.rules)))))
        self.known = joined(self.known, fresh)
        self.drawn += ARMIES
        if not len(self._book):
            return fresh.layouts
        return np.concatenate([fresh.layouts, self._book[rng.integers(len(self._book), size=ARMIES)]])

    def ended(self, layouts: NDArray[np.int64], points: NDArray[np.float64]) -> None:
        """(games, 2, slots) layouts of games that have ended, and south's points."""
        places = {layout.tobytes(): place for place, layout in enumerate(self.known.layouts)}
        before = self.drawn - len(self.known.layouts)
        for pair, south in zip(np.ascontiguousarray(layouts, np.int64), points, strict=True):
            found = [places.get(layout.tobytes()) for layout in pair]
            for place, result in zip(found, (south, 1 - south), strict=True):
                if place is not None:
                    self.results.append((before + place, float(result) - 0.5))
                    if None in found:
                        self.against_book = [self.against_book[0] + float(result), self.against_book[1] + 1]

    def practise(self, player: Rung, moves: int, rng: np.random.Generator) -> None:
        """So many moves of a player of the ladder against itself, from fresh armies and those of the book."""
        self.tables.pool = self.pool(rng)
        layouts, points = [], []
        for _ in range(moves):
            armies = self.tables.games[:, at.TYPE : at.TYPE + at.PIECES].reshape(TABLES, 2, SLOTS).copy()
            step = self.tables.step(player.moves(self.rules, self.tables.games, rng))
            over = step.ended > 0
            layouts.append(armies[over])
            points.append(np.where(step.winner < 0, 0.5, step.winner == 0)[over])
        self.ended(np.concatenate(layouts), np.concatenate(points))

    def learn(self) -> dict[str, float]:
        """A few passes over what came of the armies, if it is enough; how random it still is, and how it fares."""
        first = self.drawn - len(self.known.layouts)
        told = [(number - first, result) for number, result in self.results if number >= first]
        if len(told) < ENOUGH:
            return {}
        self.results = []
        places, results = np.array([place for place, _ in told]), np.array([result for _, result in told])
        gains = torch.from_numpy(((results - results.mean()) / (results.std() + 1e-6)).astype(np.float32))[:, None]
        inputs, free = seen_while_placing(self.rules, self.known.slots[places])
        slots, before = torch.from_numpy(self.known.slots[places]), torch.from_numpy(self.known.chances[places])
        for _ in range(PASSES):
            logits = self.network(torch.from_numpy(inputs)).masked_fill(~torch.from_numpy(free), -1e9)
            policy = torch.log_softmax(logits, dim=2)
            ratio = torch.exp(policy.gather(2, slots[:, :, None]).squeeze(2) - before)
            bounded = torch.clamp(ratio, 1 - self.clip, 1 + self.clip)
            entropy = -(policy.exp() * policy).sum(dim=2).mean()
            loss = -torch.min(ratio * gains, bounded * gains).mean() - self.entropy * entropy
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
        said = {"placement_entropy": float(entropy.detach())}
        points, games = self.against_book
        if games:
            said["placement_against_book"] = points / games
        self.against_book = [0.0, 0.0]
        return said

    # Keeping ----------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything the next iteration depends on."""
        arrays = {f"placement/{name}": array for name, array in self.arrays.items()}
        arrays |= {f"placement/{name}": array.copy() for name, array in self.known._asdict().items()}
        if "tables" in self.__dict__:
            arrays |= {f"placement/tables/{name}": getattr(self.tables, name).copy() for name in _OF_A_BATCH}
        arrays |= adam_arrays(self.optimiser, "placement/adam")
        return {"results": self.results, "drawn": self.drawn, "against_book": self.against_book, "arrays": arrays}

    def restore(self, state: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Go on from a saved state."""
        self.drawn, self.against_book = state["drawn"], list(state["against_book"])
        self.results = [(int(number), float(result)) for number, result in state["results"]]
        self.known = Placed(*(np.array(arrays[f"placement/{name}"]) for name in Placed._fields))
        if "placement/tables/games" in arrays:
            self.tables.games[:], self.tables.dice[:] = (arrays[f"placement/tables/{name}"] for name in _OF_A_BATCH[:2])
            self.tables.pool = arrays["placement/tables/pool"]
        names = list(self.network.state_dict())
        self.network.load_state_dict({name: torch.tensor(arrays[f"placement/placer.{name}"]) for name in names})
        restore_adam(self.optimiser, arrays, "placement/adam")
