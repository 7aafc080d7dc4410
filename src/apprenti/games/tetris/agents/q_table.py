"""A player with a table of Q-values: it presses the key, or plays the placement, that its table says is worth most.

In a state that is not in the table it moves at random, as the Tetris Bot report's does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import ComparedByArrays, check_number
from apprenti.core.data import AnyArray, Arrays, JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.protocols import AnyMove
from apprenti.core.seeds import Chance, below, pick
from apprenti.games.tetris.agents import q_table_kernel as compiled
from apprenti.games.tetris.agents.base import TetrisAgent
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.keys import KEYS
from apprenti.games.tetris.fast.players import GameResult, OwnGames, no_results, result_of, stop_signal, why_not
from apprenti.games.tetris.placement import entry
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation

STATES = ("grid", "apart", "differences")
"""`grid`: the cells of board and piece together (the report); `apart`: the cells of the board, and the piece and where
it is; `differences`: clipped differences of neighbouring heights, and the piece (Bdolah and Livnat)."""
MOST_CELLS = {"grid": 128, "apart": 104, "differences": 4096}
_WORD = 2**64


def actions_of(rules: Rules, moves: str) -> int:
    """How many actions there are."""
    rotations = max(len(piece.rotations) for piece in rules.pieces.pieces)
    return len(KEYS) if moves == "keys" else rotations * rules.width


MOVES = ("keys", "placements")


def check_moves(rules: Rules, moves: str) -> None:
    """Refuse moves that cannot be made under these rules."""
    if moves not in MOVES:
        raise UnknownName("kind of move", str(moves), MOVES)
    if moves == "keys" and rules.entry != "top":
        raise BadAgent(
            f"keys need rules strict or tetrisbot: under {rules.name} a piece waits above the board for ever."
        )


def by_number(legal: Sequence[AnyMove], moves: str, width: int) -> dict[int, AnyMove]:
    """Legal moves by the number of their action."""
    if moves == "keys":
        return {KEYS.index(str(move)): move for move in legal}
    return {move.rotation * width + move.column: move for move in legal}


def check_table(rules: Rules, state: str, moves: str, clip: int) -> None:
    """Refuse what cannot be kept in a table."""
    if reason := why_not(rules):
        raise BadAgent(f"a table plays on the compiled engine, and {reason}.")
    if state not in STATES:
        raise UnknownName("kind of state", str(state), STATES)
    check_moves(rules, moves)
    cells = rules.width * (rules.height + max(rules.hidden, 0 if rules.entry == "top" else 4))
    if cells > MOST_CELLS[state]:
        raise BadAgent(f"a state of kind {state} has room for {MOST_CELLS[state]} cells, and this board has {cells}.")
    if not 1 <= clip <= 9:
        raise BadAgent(f"differences of heights are clipped at 1 to 9, not at {clip}.")


def coding(state: str, moves: str, clip: int) -> compiled.Coding:
    """How a state is coded, for compiled code."""
    return compiled.Coding(STATES.index(state), clip, moves == "placements")


def index_of(states: NDArray[np.uint64], room: int = 0) -> NDArray[np.int64]:
    """An index of a list of states, at most half full when `room` states are in it."""
    places = np.empty(1 << max(4, (2 * max(room, len(states), 1) - 1).bit_length()), np.int64)
    compiled.index_states(states, len(states), places)
    return places


@dataclass(frozen=True, eq=False)
class QTableAgent(ComparedByArrays, TetrisAgent):
    """Plays by a table of Q-values."""

    state: str = "grid"
    moves: str = "keys"
    clip: int = 2
    table: Mapping[str, AnyArray] = field(default_factory=dict, repr=False)
    """`states`: two words for each; `values`: a row for each, a column for each action."""
    _index: list[NDArray[np.int64]] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        states, values = self.table.get("states"), self.table.get("values")
        if states is None or values is None or states.dtype != np.uint64 or states.shape != (len(values), 2):
            raise BadAgent("a table needs its arrays: states, two words each, and as many rows of values.")
        if values.dtype != np.float32 or values.ndim != 2 or not np.isfinite(values).all():
            raise BadAgent("the values of a table are finite numbers in single precision, a row for each state.")
        for name, value, known in (("state", self.state, STATES), ("move", self.moves, MOVES)):
            if value not in known:
                raise UnknownName(f"kind of {name}", str(value), known)
        check_number("clip", self.clip, 1, 9)

    @property
    def presses_keys(self) -> bool:
        """Whether it presses keys or plays placements."""
        return self.moves == "keys"

    @property
    def places(self) -> NDArray[np.int64]:
        """The index of the states."""
        if not self._index:
            self._index.append(index_of(self.table["states"]))
        return self._index[0]

    def choose(self, observation: Observation, legal: Sequence[AnyMove], rng: Chance) -> AnyMove:
        self._check(observation.rules)
        low, high = code(observation, self.state, self.moves, self.clip)
        place = compiled.look_up(self.table["states"], self.places, np.uint64(low), np.uint64(high))
        numbers = by_number(legal, self.moves, observation.rules.width)
        if place < 0:
            return self._any(numbers, actions_of(observation.rules, self.moves), rng)
        row = self.table["values"][place]
        highest = max(row[number] for number in numbers)
        best = [number for number in sorted(numbers) if row[number] == highest]
        return numbers[pick(rng, best) if len(best) > 1 else best[0]]

    def _any(self, numbers: dict[int, AnyMove], actions: int, rng: Chance) -> AnyMove:
        """Draw until a legal action comes, as the kernel does."""
        while True:
            drawn = below(rng, actions)
            if drawn in numbers:
                return numbers[drawn]

    def compiled(self, rules: Rules) -> "QTablePlayer":
        self._check(rules)
        return QTablePlayer(self)

    def _check(self, rules: Rules) -> None:
        """Refuse rules that the table is not made for."""
        check_table(rules, self.state, self.moves, self.clip)
        if self.table["values"].shape[1] != actions_of(rules, self.moves):
            raise BadAgent(f"this table was made for another number of actions than {rules.description} has.")

    def describe(self) -> tuple[str, JsonObject]:
        return "q-table", {"state": self.state, "moves": self.moves, "clip": self.clip}

    def arrays(self) -> Arrays:
        return dict(self.table)


@dataclass(frozen=True, eq=False)
class QTablePlayer(OwnGames):
    """Plays whole games by a table in compiled code."""

    agent: QTableAgent
    keeps_moves = False

    def plays(self, rules: Rules) -> bool:
        return not why_not(rules)

    def play(
        self, rules: Rules, seeds: Sequence[tuple[int, int]], keep_moves: int = 0, stop: NDArray[np.int64] | None = None
    ) -> list[GameResult]:
        agent, batch, results = self.agent, Batch(rules, 1), no_results(len(seeds))
        compiled.play_by_table(
            batch.tables, batch.arrays, batch.scratch[0], coding(agent.state, agent.moves, agent.clip),
            compiled.Table(agent.table["states"], agent.table["values"], agent.places),
            np.array(seeds, np.uint64).reshape(-1, 2), results, stop_signal() if stop is None else stop,
        )  # fmt: skip
        return [result_of(row) for row in results]


def code(observation: Observation, state: str, moves: str, clip: int) -> tuple[int, int]:
    """The state as two words: the readable twin of the kernel's `code_of`."""
    rules, board, position = observation.rules, observation.board, observation.position
    piece = rules.pieces[observation.piece]
    if moves == "placements" or position is None:
        position = entry(rules, piece)
    if state == "grid":
        whole = board.encode()
        for row, column in position.cells(piece):
            whole |= 1 << (row * board.width + column)
        return whole % _WORD, whole >> 64
    number = rules.pieces.letters.index(observation.piece)
    if state == "apart":
        low, high = board.encode() % _WORD, board.encode() >> 64
        return low, high | _position(number, position, position.row, moves) << 40
    heights = board.column_heights
    above = min(max(position.row - max(heights), -1), 1) + 1
    return _differences(board, clip), _position(number, position, above, moves)


def _position(piece: int, position: Any, row: int, moves: str) -> int:
    place = row << 8 | (position.column + 2) << 3 | position.rotation
    return piece << 16 | (0 if moves == "placements" else place)


def _differences(board: Board, clip: int) -> int:
    number = 0
    for left, right in zip(board.column_heights, board.column_heights[1:], strict=False):
        number = number * (2 * clip + 1) + min(max(right - left, -clip), clip) + clip
    return number


def read_q_table(arrays: Arrays | None = None, **config: Any) -> QTableAgent:
    """The agent that `describe` and `arrays` wrote."""
    return QTableAgent(**config, table=arrays or {})
