"""A player with a network that has one output for every action: keys, or placements. In numpy; no torch is needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import ComparedByArrays, check_array
from apprenti.core.data import AnyArray, Arrays, JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.protocols import AnyMove
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.base import TetrisAgent, placements_of
from apprenti.games.tetris.agents.q_table import MOVES, actions_of, by_number, check_moves
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.batch_games import BatchGames
from apprenti.games.tetris.fast.keys import KEYS, KeyBatch, rows_seen
from apprenti.games.tetris.fast.players import why_not
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation

Reals = NDArray[np.float64]


def inputs_of(rules: Rules, moves: str) -> int:
    """How many numbers the network is shown."""
    if moves == "keys":
        return 2 * rows_seen(rules) * rules.width + len(rules.pieces.pieces)
    return rules.height * rules.width + len(rules.pieces.pieces)


def observe(batch: Batch) -> NDArray[np.uint8]:
    """(games, inputs): the cells of the board, those of the piece for who presses keys, and which piece it is."""
    parts = [batch.boards().reshape(batch.size, -1)]
    if isinstance(batch, KeyBatch):
        parts.append(batch.falling().reshape(batch.size, -1))
    pieces = np.arange(len(batch.rules.pieces.pieces))
    return np.concatenate([*parts, (batch.piece[:, None] == pieces).astype(np.uint8)], axis=1)


def observed(observation: Observation, moves: str) -> NDArray[np.uint8]:
    """The same for one observation of the readable engine."""
    rules, board = observation.rules, observation.board
    rows = rows_seen(rules) if moves == "keys" else rules.height
    cells = np.array([[board.is_full(row, column) for column in range(rules.width)] for row in range(rows)], np.uint8)
    parts = [cells.ravel()]
    if moves == "keys":
        falling = np.zeros((rows, rules.width), np.uint8)
        position = observation.position
        for row, column in position.cells(rules.pieces[observation.piece]) if position else ():
            falling[row, column] = 1
        parts.append(falling.ravel())
    piece = [letter == observation.piece for letter in rules.pieces.letters]
    return np.concatenate([*parts, np.array(piece, np.uint8)])[None]


@dataclass(frozen=True)
class ActionNetwork:
    """Layers of rectified units; `0`, `0_bias`, `1`, `1_bias`, … are their weights."""

    weights: Mapping[str, AnyArray]

    def outputs(self, seen: NDArray[np.number]) -> Reals:
        """(positions, actions): what every action is worth."""
        x, last = seen.astype(np.float64), len(self.weights) // 2 - 1
        for layer in range(last + 1):
            x = x @ self.weights[f"{layer}"] + self.weights[f"{layer}_bias"]
            x = np.maximum(x, 0.0) if layer < last else x
        return x


def best_legal(values: Reals, masks: NDArray[np.integer]) -> NDArray[np.int64]:
    """For each row the first of its legal actions with the highest value."""
    best: NDArray[np.int64] = np.argmax(np.where(masks != 0, values, -np.inf), axis=1)
    return best


@dataclass(frozen=True, eq=False)
class QNetworkAgent(ComparedByArrays, TetrisAgent):
    """Plays the action with the highest output."""

    moves: str = "placements"
    weights_by_name: Arrays = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.moves not in MOVES:
            raise UnknownName("kind of move", str(self.moves), MOVES)
        if "0_bias" not in self.weights_by_name or "0" not in self.weights_by_name:
            raise BadAgent("a network is nothing without its weights: the file of arrays is missing.")
        before = len(self.weights_by_name["0"])
        for layer in range(len(self.weights_by_name) // 2):
            units = len(self.weights_by_name.get(f"{layer}_bias", ()))
            check_array(self.weights_by_name, f"{layer}_bias", (units,))
            check_array(self.weights_by_name, f"{layer}", (before, units))
            before = units

    @property
    def presses_keys(self) -> bool:
        """Whether it presses keys or plays placements."""
        return self.moves == "keys"

    @property
    def network(self) -> ActionNetwork:
        """Its network."""
        return ActionNetwork(self.weights_by_name)

    def _check(self, rules: Rules) -> None:
        check_moves(rules, self.moves)
        if reason := why_not(rules):
            raise BadAgent(f"this player needs the compiled engine, and {reason}.")
        wanted, last = inputs_of(rules, self.moves), len(self.weights_by_name) // 2 - 1
        actions = actions_of(rules, self.moves)
        if len(self.weights_by_name["0"]) != wanted or len(self.weights_by_name[f"{last}_bias"]) != actions:
            raise BadAgent(f"this network was trained on another size or other pieces than {rules.description}.")

    def choose(self, observation: Observation, legal: Sequence[AnyMove], rng: Chance) -> AnyMove:
        values = self._values(observation, legal)
        return max(values, key=values.__getitem__)

    def values(self, observation: Observation) -> dict[AnyMove, float]:
        return self._values(observation, KEYS if self.presses_keys else placements_of(observation))

    def _values(self, observation: Observation, legal: Sequence[AnyMove]) -> dict[AnyMove, float]:
        """The outputs by move, in the order of the actions."""
        self._check(observation.rules)
        numbers = by_number(legal, self.moves, observation.rules.width)
        values = self.network.outputs(observed(observation, self.moves))[0]
        return {numbers[number]: float(values[number]) for number in sorted(numbers)}

    def compiled(self, rules: Rules) -> "QNetworkPlayer":
        self._check(rules)
        return QNetworkPlayer(self.moves, self.network)

    def describe(self) -> tuple[str, JsonObject]:
        return "q-network", {"moves": self.moves}

    def arrays(self) -> Arrays:
        return dict(self.weights_by_name)


@dataclass(frozen=True, eq=False)
class QNetworkPlayer(BatchGames):
    """Plays many games at once on the compiled engine."""

    moves: str
    network: ActionNetwork
    keeps_moves = False

    def batch(self, rules: Rules, games: int) -> Batch:
        return (KeyBatch if self.moves == "keys" else Batch)(rules, games)

    def actions(self, batch: Batch) -> NDArray[np.int64]:
        return best_legal(self.network.outputs(observe(batch)), batch.masks())


def read_q_network(arrays: Arrays | None = None, **config: Any) -> QNetworkAgent:
    """The agent that `describe` and `arrays` wrote."""
    return QNetworkAgent(**config, weights_by_name=arrays or {})
