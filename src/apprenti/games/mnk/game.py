"""The m,n,k-games as the rest of the project sees them: tic-tac-toe, gomoku, and any board."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from apprenti.core.data import JsonData
from apprenti.core.errors import BadNotation, BadRules
from apprenti.core.game import Game
from apprenti.core.protocols import Reason
from apprenti.games.mnk.rules import PRESETS, Rules
from apprenti.games.mnk.state import MARKS, End, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Options:
    """Which board."""

    rules: str = ""
    """tictactoe or gomoku: a board by its name."""
    size: str = ""
    """Rows x columns x how many in a row win, like 5x5x4, up to 19x19."""


@dataclass(frozen=True)
class MnkGame(Game[Rules, State, int, State]):
    """One of them by name. A named game has one size; `mnk` has any."""

    name: str
    usual: str = "3x3x3"
    family: str = "mnk"
    sides: tuple[str, ...] = ("X", "O")
    RulesType = Rules
    StateType = State
    Reasons = End
    Options: ClassVar[type[Any]] = Options

    def _chosen(self, usual: Rules | None, options: JsonData) -> Rules:
        text, size = options.get("rules", ""), options.get("size", "")
        if usual is not None and not (text or size):
            return self._own(usual)
        if text and text != self.name and text not in PRESETS:
            raise BadRules(f"{self.name} has the rules {', '.join(PRESETS)}, or a --size like 5x5x4, not {text!r}.")
        if text != self.name and text in PRESETS and self.name in PRESETS:
            raise BadRules(f"{self.name} has one set of rules, its own: for those of {text} play {text}.")
        named = PRESETS.get(text) or PRESETS.get(self.name)
        rules = Rules.parse(size) if size else named or Rules.parse(self.usual)
        if named and rules != named:
            raise BadRules(f"{named.name} is {named.size}: for another board play mnk --size {rules.size}.")
        return rules

    def _own(self, usual: Rules) -> Rules:
        """A named game has its own board, whatever an agent is used to."""
        return PRESETS.get(self.name, usual)

    def opponent(self, rules: Rules) -> str:
        if self.name == "tictactoe":
            return "sarsa-tictactoe"
        return "mnk-perfect" if rules.solved_soon else "mnk-threats"

    def read_state(self, rules: Rules, text: str) -> State:
        state = State.parse(text, rules.k)
        if state.rules != rules:
            raise BadNotation(f"{text!r} is a position of {state.rules.size}, and {rules.size} is played.")
        return state

    def read_move(self, state: State, text: str) -> int:
        text = text.strip().lower()
        if re.fullmatch(r"[0-9]{1,3}", text):
            return int(text)
        match = re.fullmatch(r"([a-z])([0-9]{1,2})", text)
        column, row = (ord(match[1]) - ord("a"), int(match[2]) - 1) if match else (-1, -1)
        if not (0 <= column < state.rules.columns and 0 <= row < state.rules.rows):
            last = state.rules.name_of(state.rules.cells - 1)
            raise BadNotation(f"a move is a cell, its column and row, from a1 to {last}, not {text[:20]!r}.")
        return row * state.rules.columns + column

    def actions(self, rules: Rules) -> int:
        """The cells."""
        return rules.cells

    def action_of(self, state: State, move: int) -> int:
        """A move is the number of its cell."""
        return move

    def planes(self, observation: State, player: int) -> "NDArray[np.int8]":
        """(rows, columns, 2): 1 where a player's own marks are, and where the other's are."""
        import numpy as np

        rules, marks = observation.rules, MARKS if player == 0 else MARKS[::-1]
        cells = np.frombuffer(observation.cells.encode(), np.uint8).reshape(rules.rows, rules.columns, 1)
        return np.equal(cells, np.frombuffer(marks.encode(), np.uint8)).view(np.int8)

    def reason(self, code: str) -> Reason:
        return End.ROW if code.endswith(" in a row") else super().reason(code)


TICTACTOE = MnkGame("tictactoe")
GOMOKU = MnkGame("gomoku")
MNK = MnkGame("mnk")
