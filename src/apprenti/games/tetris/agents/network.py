"""A player with a trained network. It needs numpy and the compiled engine, and no torch.

A placement is worth what it gains and what the network says of the board after it. It sees the board
(`board_network.py`), or criteria, or compares criteria with examples.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import ComparedByArrays, check_array, check_number
from apprenti.core.data import AnyArray, Arrays, JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.base import TetrisAgent, placements_of
from apprenti.games.tetris.agents.board_network import BoardNetwork
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.fast.batch import Afterstates, Batch
from apprenti.games.tetris.fast.batch_games import BatchGames
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.fast.prospects import Prospects
from apprenti.games.tetris.fast.tables import columns_of, why_not
from apprenti.games.tetris.fast.windows import Windows, parse
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation
from apprenti.games.tetris.weights import Layout

Reals = NDArray[np.float64]


# What values afterstates ----------------------------------------------------------------------------------------------


@cache
def empty_board(measures: Measures) -> Reals:
    """The criteria of a board with nothing on it."""
    return measures.of_boards(np.zeros((1, measures.rules.width), np.int32))


LAYERS = ("linear", "bias", "first", "first_bias", "second")


@dataclass(frozen=True)
class CriteriaNetwork:
    """Values a placement by its criteria: a linear part, and one layer of rectified units.

    Criteria are counted from those of an empty board: some of them are larger on a taller board for no other reason
    (every empty row has two transitions), and a network that learned on a low board would be lost there. The weights by
    name: `shift` and `scale` of each criterion, then `linear`, `bias`, `first`, `first_bias`, `second`.
    """

    measures: Measures
    weights: Mapping[str, AnyArray]

    def __post_init__(self) -> None:
        size = self.measures.size
        hidden = len(self.weights.get("second", ()))
        shapes = ((size,), (1,), (size, hidden), (hidden,), (hidden,))
        for name, shape in (("shift", (size,)), ("scale", (size,)), *zip(LAYERS, shapes, strict=True)):
            check_array(self.weights, name, shape)

    @cached_property
    def _layers(self) -> tuple[Reals, ...]:
        return tuple(self.weights[name].astype(np.float64) for name in ("shift", "scale", *LAYERS))

    def of_criteria(self, values: Reals) -> Reals:
        """The output for rows of criteria, counted from those of an empty board."""
        shift, scale, linear, bias, first, first_bias, second = self._layers
        x = (values - shift) * scale
        z: Reals = x @ linear + bias[0]
        return z + np.maximum(x @ first + first_bias, 0.0) @ second if len(second) else z

    @property
    def is_linear(self) -> bool:
        """Whether there is a linear part alone."""
        return not len(self.weights["second"])

    def linear_weights(self) -> dict[str, float | list[float]]:
        """The weights of the criteria of a network that is linear, by name: they order placements as it does."""
        layout = Layout(self.measures.names, self.measures.rules.width)
        return layout.weights(self.weights["linear"] * self.weights["scale"])

    def outputs(self, before: NDArray[np.int32], after: Afterstates, threads: int = 1) -> Reals:
        """The output for each placement on the boards `before`."""
        values = self.measures.of_moves(before, after.game, after.columns, after.move)
        return self.of_criteria(values - empty_board(self.measures))


def gaussians(rows: Reals, examples: Reals) -> Reals:
    """(rows, examples): exp(−½ ‖x − e‖²)."""
    squares = (rows**2).sum(axis=1)[:, None] + (examples**2).sum(axis=1) - 2 * rows @ examples.T
    return np.asarray(np.exp(-0.5 * np.maximum(squares, 0.0)))


@dataclass(frozen=True)
class GaussianSum:
    """A sum of Gaussians about examples: what kernel regression knows of the criteria of a placement.

    The arrays by name: `examples`, in units of the `widths` of the criteria, and the `heights` of their bumps.
    """

    measures: Measures
    weights: Mapping[str, AnyArray]

    def __post_init__(self) -> None:
        number, size = len(self.weights.get("heights", ())), self.measures.size
        for name, shape in (("heights", (number,)), ("examples", (number, size)), ("widths", (size,))):
            check_array(self.weights, name, shape)
        if not (self.weights["widths"] > 0).all():
            raise BadAgent("the widths of Gaussians are above 0.")

    def of_criteria(self, values: Reals) -> Reals:
        """The sum for rows of criteria."""
        bumps = gaussians(values / self.weights["widths"], self.weights["examples"])
        return np.asarray(bumps @ self.weights["heights"])

    def outputs(self, before: NDArray[np.int32], after: Afterstates, threads: int = 1) -> Reals:
        """The sum for each placement on the boards `before`."""
        return self.of_criteria(self.measures.of_moves(before, after.game, after.columns, after.move))


# The player -----------------------------------------------------------------------------------------------------------


REWARDS = ("survival", "lines", "square", "pieces")
"""What a move gains: nothing, and −1 at the end; its lines; their square; 1."""
OUTPUTS = ("logistic", "plain")
"""Whether the output is the value, or the logit of the chance to survive (whose value is that chance minus 1)."""


@dataclass(frozen=True)
class Worth:
    """How rewards and outputs make the worth of a placement: r + γ·V, or r alone when it ends the game."""

    reward: str = "survival"
    output: str = "logistic"
    gamma: float = 0.98

    def __post_init__(self) -> None:
        for name, value, known in (("reward", self.reward, REWARDS), ("output", self.output, OUTPUTS)):
            if value not in known:
                raise UnknownName(name, str(value), known)
        check_number("gamma", self.gamma, 0.0, 1.0)
        if self.output == "logistic" and self.reward != "survival":
            raise BadAgent("an output that is the logit of a chance to survive goes with the reward survival.")

    @property
    def at_the_end(self) -> float:
        """What a move gains that ends the game."""
        return -1.0 if self.reward == "survival" else 0.0

    def rewards(self, lines: NDArray[np.integer]) -> Reals:
        """What moves gain that end no game."""
        if self.reward in ("lines", "square"):
            return lines.astype(np.float64) ** (1 if self.reward == "lines" else 2)
        return np.full(len(lines), float(self.reward == "pieces"))

    def values(self, outputs: Reals) -> Reals:
        if self.output == "plain":
            return outputs
        return -1.0 / (1.0 + np.exp(np.clip(outputs, -500, 500)))

    def order(self, after: Afterstates, outputs: Reals) -> Reals:
        """Numbers that order placements as their worth does, also where chances are too near 0 or 1 to differ."""
        return np.where(after.over, -np.inf, outputs) if self.output == "logistic" else self.of(after, outputs)

    def of(self, after: Afterstates, outputs: Reals) -> Reals:
        """The worth of placements; one that ends the game is worth less than anything, see `at_the_end`."""
        worth = self.rewards(after.lines) + self.gamma * self.values(outputs)
        return np.where(after.over, -np.inf, worth)


AfterstateNetwork: TypeAlias = BoardNetwork | CriteriaNetwork | GaussianSum
"""What values afterstates: it sees the board, or criteria, or compares criteria with examples."""
INPUTS = ("board", "criteria", "examples")


class NetworkPlayer(BatchGames):
    """Plays many games at once on the compiled engine."""

    def __init__(self, network: AfterstateNetwork, worth: Worth) -> None:
        self.network, self.worth = network, worth

    def actions(self, batch: Batch) -> NDArray[np.int64]:
        after = batch.afterstates()
        return after.best(self.worth.order(after, self.network.outputs(batch.all_columns, after)))


@dataclass(frozen=True, eq=False)
class NetworkAgent(ComparedByArrays, TetrisAgent):
    """Plays the placement worth most: of the cells of the board after it, or of criteria."""

    inputs: str = "board"
    """`board`: the cells; `criteria`: the numbers of some criteria; `examples`: how near these are to examples."""
    windows: str = "4x4,row"
    criteria: tuple[str, ...] = ()
    reward: str = "survival"
    output: str = "logistic"
    gamma: float = 0.98
    weights_by_name: Arrays = field(default_factory=dict, repr=False)
    _players: dict[tuple[int, int], NetworkPlayer] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.inputs not in INPUTS:
            raise UnknownName("input of a network", str(self.inputs), INPUTS)
        if not self.weights_by_name:
            raise BadAgent("a network is nothing without its weights: the file of arrays is missing.")
        object.__setattr__(self, "criteria", tuple(str(name) for name in self.criteria))
        object.__setattr__(self, "windows", str(self.windows))
        self.worth  # noqa: B018 (refuses what it cannot be)

    @property
    def worth(self) -> Worth:
        """How it values a placement."""
        return Worth(self.reward, self.output, self.gamma)

    def check(self, rules: Rules) -> None:
        self.player(rules)

    def player(self, rules: Rules) -> NetworkPlayer:
        """The network made ready for a size of board."""
        if reason := why_not(rules):
            raise BadAgent(f"a network plays on the compiled engine, and {reason}.")
        size = rules.width, rules.height
        if size not in self._players:
            if self.inputs == "board":
                shapes = parse(self.windows, rules.width)
                network: AfterstateNetwork = BoardNetwork(Windows(*size, shapes), self.weights_by_name)
            else:
                kind = CriteriaNetwork if self.inputs == "criteria" else GaussianSum
                network = kind(Measures(rules, self.criteria), self.weights_by_name)
            self._players[size] = NetworkPlayer(network, self.worth)
        return self._players[size]

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        if linear := self._linear(self.player(observation.rules)):
            return linear.choose(observation, legal, rng)
        values = self._values(observation, legal)
        return max(legal, key=values.__getitem__)

    def values(self, observation: Observation) -> dict[Placement, float]:
        if linear := self._linear(self.player(observation.rules)):
            return linear.values(observation)
        return self._values(observation, placements_of(observation))

    def _values(self, observation: Observation, legal: Sequence[Placement]) -> dict[Placement, float]:
        rules, before = observation.rules, columns_of(observation.board)
        after = Prospects(rules).of(before, np.array([rules.pieces.letters.index(observation.piece)]))
        worth = self.worth.order(after, self.player(rules).network.outputs(before, after))
        worths = dict(zip(after.action.tolist(), worth.tolist(), strict=True))
        return {placement: worths[placement.rotation * rules.width + placement.column] for placement in legal}

    def _linear(self, player: NetworkPlayer) -> LinearAgent | None:
        """The same player as a weighted sum of criteria, if it is nothing more: the kernel plays it much faster."""
        network = player.network
        if self.reward == "survival" and isinstance(network, CriteriaNetwork) and network.is_linear:
            return LinearAgent(network.linear_weights())
        return None

    def compiled(self, rules: Rules) -> NetworkPlayer | CompiledPlayer:
        player = self.player(rules)
        linear = self._linear(player)
        return linear.compiled(rules) if linear else player

    def describe(self) -> tuple[str, JsonObject]:
        chosen: JsonObject = {"windows": self.windows} if self.inputs == "board" else {"criteria": list(self.criteria)}
        rest = {name: getattr(self, name) for name in ("reward", "output", "gamma")}
        return "network", {"inputs": self.inputs, **chosen, **rest}

    def arrays(self) -> Arrays:
        return dict(self.weights_by_name)


def read_network(arrays: Arrays | None = None, **config: Any) -> NetworkAgent:
    """The agent that `describe` and `arrays` wrote."""
    return NetworkAgent(**config, weights_by_name=arrays or {})
