"""A best response to a frozen network, learned by PPO: what is won by practising against it alone.

The learner begins as another network, has one side of every game, and the frozen player the other, each with layouts of
its own. What it learns is a lower bound of what can be won: a better learner, or more time, may find more.
"""

from collections.abc import Mapping
from functools import cached_property
from time import process_time

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.core.data import (
    AnyArray,
    AnyOf,
    Arrays,
    JsonData,
    JsonObject,
    Newer,
    Number,
    Numbers,
    SavedState,
    Shape,
    Varies,
    Whole,
    like,
)
from apprenti.core.errors import BadOption
from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.agents.known_layouts import drawn_layouts, layouts_of
from apprenti.games.luzhanqi.agents.network import PLACER_SHAPES, PolicyNetworkAgent, feed_forward
from apprenti.games.luzhanqi.fast.arrays import Step, rules_array
from apprenti.games.luzhanqi.fast.primitives import begun
from apprenti.games.luzhanqi.learn.config import BestResponseConfig, PpoConfig
from apprenti.games.luzhanqi.learn.deep.opponents import Opponents, Seats
from apprenti.games.luzhanqi.learn.deep.policy_network import PolicyNetwork
from apprenti.games.luzhanqi.learn.deep.ppo import Ppo
from apprenti.games.luzhanqi.learn.deep.rollout import sample_actions
from apprenti.games.luzhanqi.learn.games import VectorGames
from apprenti.games.luzhanqi.rules import Rules
from apprenti.learn.learner import Metrics, share_of_points

Layouts = NDArray[np.int64]
FROZEN = "frozen/"
"""Before the names of the frozen player's arrays, which the run keeps: it does not look for that player again."""
WEIGHTS = AnyOf(tuple(Numbers("float32", (None,) * dimensions) for dimensions in (1, 2, 3)))
"""Of any network; the frozen player says whether they fit together."""


def network_of(agent: PolicyNetworkAgent, rules: Rules) -> PolicyNetwork:
    """The network of an agent, in torch."""
    weights = {name: array for name, array in agent.weights.items() if not name.startswith("placer.")}
    network = PolicyNetwork(
        weights["stem.weight"].shape[0], agent.layers, rules.actions, agent.recurrent_units, "advice" in weights,
        agent.features, win_draw_loss=len(weights["value.bias"]) == 3,
    )  # fmt: skip
    try:
        network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    except RuntimeError:  # its parts fit together, and are of other sizes than those that are learned
        raise BadOption("that network has layers of other sizes than networks that are learned here.") from None
    return network


class FrozenGames(VectorGames):
    """Games between a learner and a frozen player, who have the first move in turn, each with layouts of its own."""

    def __init__(self, rules: Rules, games: int, seed: int, own: Layouts, its: Layouts, prior: float = 0.0) -> None:
        super().__init__(rules, games, seed, 1.0, advised=True, featured=True, prior=prior)
        self.frozen = np.arange(games) % 2
        """The side of the frozen player in each game."""
        self._layouts, self._seed = (own, its), seed
        self.begun = np.zeros(1, np.int64)
        """Games that have been begun; the layouts of each depend on its number alone."""
        self._begin(np.arange(games))

    def _begin(self, numbers: NDArray[np.int64]) -> None:
        for number in numbers:
            rng = np.random.Generator(np.random.PCG64(seed_of(self._seed, "frozen", int(self.begun[0]))))
            self.begun += 1
            pair = [each[rng.integers(len(each))] for each in self._layouts]
            first, second = pair if self.frozen[number] == 1 else pair[::-1]
            self.batches[0].games[number] = begun(rules_array(self.rules), first, second)

    def step(self, actions: NDArray[np.int64]) -> Step:
        step = super().step(actions)
        self._begin(np.flatnonzero(step.ended))
        return step

    def points(self, step: Step) -> NDArray[np.float64]:
        """What the learner got in each game, where one has ended."""
        return np.where(step.winner < 0, 0.5, step.winner != self.frozen)

    def arrays(self) -> Arrays:
        return {**super().arrays(), "begun": self.begun.copy()}

    def shapes(self) -> dict[str, Shape]:
        return {**super().shapes(), "begun": like(self.begun, 0, 2**62)}

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        super().restore(arrays)
        self.begun[:] = arrays["begun"]


class FrozenOpponent(Opponents):
    """One network, which plays the same side of each game for ever."""

    def __init__(self, config: PpoConfig, network: PolicyNetwork, temperature: float) -> None:
        super().__init__(config)
        sides = np.arange(config.parallel_games) % 2
        self._seats = Seats(sides, np.full(len(sides), -1), network, max(temperature, 1e-3))

    def store(self, network: PolicyNetwork) -> None:
        """It knows no earlier selves."""

    def draw(self, network: PolicyNetwork, rng: np.random.Generator) -> Seats:
        return self._seats


class BestResponse(Ppo):
    """PPO against a frozen network."""

    Config = BestResponseConfig
    config: BestResponseConfig

    def __init__(self, config: BestResponseConfig) -> None:
        super().__init__(config)
        self.spent, self.tests_made = 0.0, 0
        self._placer: dict[str, NDArray[np.generic]] = {}
        self._meet(PolicyNetworkAgent(config.temperature, self._weights(), config.prior))

    def _meet(self, frozen: PolicyNetworkAgent) -> None:
        self.frozen = frozen
        self.opponents = FrozenOpponent(self.config, network_of(frozen, self.rules), frozen.temperature)
        self._draw_again()

    def _draw_again(self) -> None:
        """Forget layouts and games: they are drawn when they are needed."""
        for name in ("layouts", "games"):
            self.__dict__.pop(name, None)

    def play_against(self, agent: AnyAgent) -> None:
        self._meet(feed_forward(agent, self.config.against))

    def begin_as(self, arrays: Mapping[str, AnyArray]) -> None:
        super().begin_as(arrays)
        self._placer = {name: array for name, array in arrays.items() if name.startswith("placer.")}
        if self.config.against:
            self._draw_again()
        else:
            self._meet(self.agent())

    @property
    def prior(self) -> float:
        """As the frozen player's: both expect the same of each other."""
        return self.frozen.prior

    @cached_property
    def layouts(self) -> tuple[Layouts, Layouts]:
        """(layouts, slots): the learner's own, and those of the frozen player."""
        seed = self.config.seed
        return self._layouts_of(self.agent(), seed + 1), self._layouts_of(self.frozen, seed)

    def _layouts_of(self, agent: PolicyNetworkAgent, seed: int) -> Layouts:
        return layouts_of(" ".join(drawn_layouts(agent, self.rules, self.config.layouts, seed)))

    @cached_property
    def games(self) -> VectorGames:
        return self._fresh(self.config.parallel_games, self.config.seed)

    def _fresh(self, games: int, seed: int) -> FrozenGames:
        made = FrozenGames(self.rules, games, seed, *self.layouts, self.prior)
        if self.prior:
            made.expected = layouts_of(self.frozen.expected(self.rules))
        return made

    def agent(self) -> PolicyNetworkAgent:
        return PolicyNetworkAgent(self.config.temperature, self._weights() | self._placer, self.prior)

    # Time and tests ---------------------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        return super().done or self._has_spent(1, 1)

    def _has_spent(self, part: int, of: int) -> bool:
        """Whether this part of the time, or without a limit of time of the iterations, is over."""
        limit, spent = (self.config.seconds, self.spent) if self.config.seconds else (self.config.steps, self.iteration)
        return spent >= limit * part / of

    def step(self) -> Metrics:
        first = self._tested("share_before")
        began = process_time()
        row = self.iterate()
        if self.config.seconds:
            self.spent += process_time() - began
            row["processor_seconds"] = self.spent
        return row | first | self._tested("share")

    def _tested(self, name: str) -> Metrics:
        """The share of the points in the last of the tests that are due, if any is."""
        tests = self.config.tests
        due = sum(self._has_spent(number, tests) for number in range(tests + 1))
        if not self.config.test_games or due <= self.tests_made:
            return {}
        self.tests_made = due
        points = self.measure(self.config.test_games, self.config.seed + 1 + due)
        return share_of_points(name, sum(points) / len(points), len(points))

    def measure(self, games: int, seed: int) -> list[float]:
        """What it gets in some new games that teach it nothing, drawing its moves as its agent does."""
        vector, rng = self._fresh(games, seed), np.random.Generator(np.random.PCG64(seed))
        seats, first = self.opponents.draw(self.network, rng), np.full(games, np.nan)
        while np.isnan(first).any():
            seen = vector.observe()
            its = seen.mover == vector.frozen
            logits = self.policy_of(self.network, seen, None)[0] / max(self.config.temperature, 1e-3)
            if its.any():
                logits[its] = self.policy_of(seats.network, seen.only(its), None)[0] / seats.temperature
            step = vector.step(sample_actions(logits, seen.legal, rng)[0])
            first = np.where((step.ended > 0) & np.isnan(first), vector.points(step), first)  # of each game: no bias
        return [float(point) for point in first]

    # State ------------------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        frozen = {f"{FROZEN}{name}": array for name, array in self.frozen.arrays().items()}
        return super().arrays() | self._placer | frozen

    def shapes(self) -> JsonData:
        placer = {name: Numbers("float32", shape) for name, shape in PLACER_SHAPES.items()}
        own = {f"{FROZEN}{name}": Newer(WEIGHTS) for name in self.frozen.arrays()}  # another network may lack them
        return super().shapes() | placer | own | {f"{FROZEN}*": WEIGHTS}

    def state(self) -> SavedState:
        frozen: JsonObject = {"temperature": self.frozen.temperature, "prior": self.frozen.prior}
        made: SavedState = {"spent": self.spent, "tests_made": self.tests_made, "frozen": frozen}
        return {**super().state(), **made}

    def varies(self) -> Varies:
        return {**super().varies(), "spent": Number(0), "tests_made": Whole(0)}

    def restore(self, state: JsonData) -> None:
        arrays, frozen = state["arrays"], state["frozen"]
        weights = {name.removeprefix(FROZEN): array for name, array in arrays.items() if name.startswith(FROZEN)}
        self._placer = {name: arrays[name] for name in PLACER_SHAPES if name in arrays}
        self._meet(PolicyNetworkAgent(frozen["temperature"], weights, frozen["prior"]))
        self.spent, self.tests_made = state["spent"], state["tests_made"]
        super().restore(state)
