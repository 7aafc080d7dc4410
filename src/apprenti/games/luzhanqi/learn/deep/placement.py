"""Learning where to put the army: the placement model beside PPO's network.

Every iteration it sets up some armies, which go into a pool together with layouts of the book; games begin with any
two of them. When a game ends, its two layouts get its result, and PPO's clipped loss is taken over the pieces of each:
the whole army shares one advantage, what its games came to beyond the mean. Results are few and far between, so it can
also practise: a compiled baseline plays hundreds of games a second from its layouts.
"""

from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from apprenti.core.data import AnyArray, Each, JsonData, Number, Numbers, Row, Whole, like
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.agents.network import INPUTS, Placements, Placer, order, seen_while_placing
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.fast.arrays import Batch, types_of
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.layout import MIRRORED_SLOTS, book
from apprenti.games.luzhanqi.learn.config import PpoConfig
from apprenti.games.luzhanqi.learn.games import Baseline
from apprenti.games.luzhanqi.pieces import TYPES
from apprenti.games.luzhanqi.rules import Rules
from apprenti.learn.deep.adam import adam_arrays, adam_shapes, restore_adam
from apprenti.learn.learner import Metrics

HIDDEN = 64
ARMIES = 32
"""Armies it sets up for each iteration."""
MIN_RESULTS = 64
"""Results it waits for before it learns from them."""
STORED = 2048
"""Armies that are stored until their games end."""
KNOWN = 192
"""Armies that an informed opponent knows."""
EPOCHS = 2
PRACTICE_GAMES = 128
"""Games of practice side by side."""
_STORED_NAMES = ("layouts", "slots", "chances")
"""What the parts of the armies are called in checkpoints."""
_PRACTICE_NAMES = ("games", "dice", "pool")
"""What the games of practice depend on."""


def joined(before: Placements, after: Placements) -> Placements:
    """Both, the older first, and the oldest forgotten when they are too many."""
    return Placements(*(np.concatenate([before[i], after[i]])[-STORED:] for i in range(3)))


class Placement:
    """The placement model, what it has set up, and what has come of it."""

    def __init__(self, config: PpoConfig, rules: Rules) -> None:
        self.config, self.rules = config, rules
        self._seed = seed_of(config.seed, "placement") % 2**63
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self._seed)
            self.network = nn.Sequential(nn.Linear(INPUTS, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, SLOTS))
        with torch.no_grad():
            self.network[2].weight *= 0.1  # almost every legal layout as likely, at first
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate_placement, eps=1e-5)
        pieces = len(order(rules))
        self.armies = Placements(
            np.zeros((0, SLOTS), np.int64), np.zeros((0, pieces), np.int64), np.zeros((0, pieces), np.float32)
        )
        self.results: list[tuple[int, float]] = []
        """(number of the army since the beginning, points − ½) of games that have ended."""
        self.drawn = 0
        """Armies set up since the beginning; the last of them are stored."""
        self.against_book = [0.0, 0.0]
        """Points and games of its armies against the book's, since the last update."""
        self.book_layouts = np.array([types_of(layout) for layout in book(rules)], np.int64).reshape(-1, SLOTS)

    @cached_property
    def practice(self) -> Batch:
        """The games of practice; compiled code is loaded only now."""
        return Batch(self.rules, PRACTICE_GAMES, self._seed, book(self.rules))

    @property
    def weights(self) -> dict[str, NDArray[np.generic]]:
        """The weights, by the names agents know."""
        return {f"placer.{name}": tensor.numpy().copy() for name, tensor in self.network.state_dict().items()}

    def pool(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Fresh armies, half of them seen in a mirror, and as many of the book (if there is one for these rules)."""
        fresh = Placer(self.weights).place(self.rules, rng.random((ARMIES, len(order(self.rules)))))
        fresh.layouts[ARMIES // 2 :] = fresh.layouts[ARMIES // 2 :, MIRRORED_SLOTS]
        self.armies = joined(self.armies, fresh)
        self.drawn += ARMIES
        if not len(self.book_layouts):
            return fresh.layouts
        return np.concatenate([fresh.layouts, self.book_layouts[rng.integers(len(self.book_layouts), size=ARMIES)]])

    def habits(self) -> NDArray[np.int64]:
        """Layouts that somebody who has met this player often knows: its last ones, and those of the book."""
        return np.concatenate([self.armies.layouts[-KNOWN:], np.repeat(self.book_layouts, 4, axis=0)])

    def ended(self, layouts: NDArray[np.int64], points: NDArray[np.float64]) -> None:
        """(games, 2, slots) layouts of games that have ended, and south's points."""
        places = {layout.tobytes(): place for place, layout in enumerate(self.armies.layouts)}
        before = self.drawn - len(self.armies.layouts)
        for pair, south in zip(np.ascontiguousarray(layouts, np.int64), points, strict=True):
            numbers = [places.get(layout.tobytes()) for layout in pair]
            for place, result in zip(numbers, (south, 1 - south), strict=True):
                if place is not None:
                    self.results.append((before + place, float(result) - 0.5))
                    if None in numbers:
                        self.against_book = [self.against_book[0] + float(result), self.against_book[1] + 1]

    def practise(self, player: Baseline, moves: int, rng: np.random.Generator) -> None:
        """Moves of a baseline against itself, from fresh armies and those of the book."""
        games = self.practice
        games.pool = self.pool(rng)
        player = player.knowing(self.habits())
        layouts, points = [], []
        for _ in range(moves):
            armies = games.games[:, at.TYPE : at.TYPE + at.PIECES].reshape(PRACTICE_GAMES, 2, SLOTS).copy()
            step = games.step(player.moves(self.rules, games.games, rng))
            over = step.ended > 0
            layouts.append(armies[over])
            points.append(np.where(step.winner < 0, 0.5, step.winner == 0)[over])
        self.ended(np.concatenate(layouts), np.concatenate(points))

    def learn(self) -> Metrics:
        """A few epochs over what came of the armies, if it is enough; its entropy, and its share against the book."""
        first = self.drawn - len(self.armies.layouts)
        known = [(number - first, result) for number, result in self.results if number >= first]
        if len(known) < MIN_RESULTS:
            return {}
        self.results = []
        places, results = (np.array(column) for column in zip(*known, strict=True))
        advantages = torch.from_numpy(((results - results.mean()) / (results.std() + 1e-6)).astype(np.float32))[:, None]
        metrics = {"placement_entropy": self._update(places, advantages)}
        points, games = self.against_book
        if games:
            metrics["placement_against_book"] = points / games
        self.against_book = [0.0, 0.0]
        return metrics

    def _update(self, places: NDArray[np.int64], advantages: torch.Tensor) -> float:
        """Gradient steps on PPO's clipped loss over all pieces of some armies; the entropy before the last."""
        slots, before = self.armies.slots[places], torch.from_numpy(self.armies.log_probabilities[places])
        inputs, free = seen_while_placing(self.rules, slots)
        chosen = torch.from_numpy(slots)[:, :, None]
        clip, weight = self.config.clip, self.config.entropy_weight_placement
        for _ in range(EPOCHS):
            logits = self.network(torch.from_numpy(inputs)).masked_fill(~torch.from_numpy(free), -1e9)
            policy = torch.log_softmax(logits, dim=2)
            ratio = torch.exp(policy.gather(2, chosen).squeeze(2) - before)
            bounded = torch.clamp(ratio, 1 - clip, 1 + clip)
            entropy = -(policy.exp() * policy).sum(dim=2).mean()
            loss = -torch.min(ratio * advantages, bounded * advantages).mean() - weight * entropy
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
        return float(entropy.detach())

    # State ------------------------------------------------------------------------------------------------------------

    def state(self) -> JsonData:
        arrays = {f"placement/{name}": array for name, array in self.weights.items()}
        arrays |= {f"placement/{name}": self.armies[i].copy() for i, name in enumerate(_STORED_NAMES)}
        if "practice" in self.__dict__:
            arrays |= {f"placement/tables/{name}": getattr(self.practice, name).copy() for name in _PRACTICE_NAMES}
        arrays |= adam_arrays(self.optimiser, "placement/adam")
        return {"results": self.results, "drawn": self.drawn, "against_book": self.against_book, "arrays": arrays}

    def varies(self) -> JsonData:
        """What varies in a state; of the arrays, too."""
        slots, types = Numbers("int64", (None, self.armies.slots.shape[1]), 0, SLOTS - 1), (0, TYPES)
        arrays: JsonData = {
            "placement/layouts": like(self.armies.layouts, *types, grows=True), "placement/slots": slots,
            "placement/chances": like(self.armies.log_probabilities, grows=True),
            **adam_shapes(self.optimiser, "placement/adam"),
            **{f"placement/tables/{name}": shape for name, shape in self.practice.shapes().items()},
        }  # fmt: skip
        return {"results": Each(Row((Whole(), Number()))), "arrays": arrays}

    def restore(self, state: JsonData, arrays: dict[str, AnyArray]) -> None:
        self.drawn, self.against_book = state["drawn"], list(state["against_book"])
        self.results = [(int(number), float(result)) for number, result in state["results"]]
        self.armies = Placements(*(np.array(arrays[f"placement/{name}"]) for name in _STORED_NAMES))
        if "placement/tables/games" in arrays:
            games, dice, self.practice.pool = (arrays[f"placement/tables/{name}"] for name in _PRACTICE_NAMES)
            self.practice.games[:], self.practice.dice[:] = games, dice
        names = list(self.network.state_dict())
        self.network.load_state_dict({name: torch.tensor(arrays[f"placement/placer.{name}"]) for name in names})
        restore_adam(self.optimiser, arrays, "placement/adam")
