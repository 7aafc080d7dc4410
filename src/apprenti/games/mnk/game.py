"""The m,n,k-games as the rest of the project sees them: tic-tac-toe, gomoku, and any board."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apprenti.core.errors import BadNotation, BadRules
from apprenti.core.protocols import Agent
from apprenti.core.seeds import Chance
from apprenti.games.mnk.rules import LONGEST, PRESETS, Rules
from apprenti.games.mnk.state import State


@dataclass(frozen=True)
class MnkGame:
    """One of them by name. A named game has one size; `mnk` has any."""

    name: str
    usual: str = "3x3x3"
    family: str = "mnk"
    sides: tuple[str, str] = ("X", "O")

    @property
    def options(self) -> str:
        """What can be chosen."""
        named = PRESETS.get(self.name)
        return f"{named.size}, always" if named else f"--size like 5x5x4, up to {LONGEST}x{LONGEST}"

    def rules(self, text: str = "", size: str = "") -> Rules:
        """The rules by the name of a preset or a size."""
        if text and text != self.name and text not in PRESETS:
            raise BadRules(f"{self.name} has the rules {', '.join(PRESETS)}, or a --size like 5x5x4, not {text!r}.")
        if text != self.name and text in PRESETS and self.name in PRESETS:
            raise BadRules(f"{self.name} has one set of rules, its own: for those of {text} play {text}.")
        named = PRESETS.get(text) or PRESETS.get(self.name)
        rules = Rules.parse(size) if size else named or Rules.parse(self.usual)
        if named and rules != named:
            raise BadRules(f"{named.name} is {named.size}: for another board play mnk --size {rules.size}.")
        return rules

    def begin(self, rules: Rules, players: Sequence[Agent] = (), chances: Sequence[Chance] = ()) -> State:
        """The empty board."""
        return State.start(rules)

    def opening(self, state: State) -> str:
        """The position as text."""
        return state.notation

    def reopen(self, rules: Rules, opening: str) -> State:
        """A position from its text, on the board of these rules."""
        state = State.parse(opening, rules.k)
        if state.rules != rules:
            raise BadNotation(f"{opening!r} is a position of {state.rules.size}, and {rules.size} is played.")
        return state

    def read_move(self, state: State, text: str) -> int:
        """A move from text: the number of a cell, or column and row like `b2`, `a1` being the top left corner."""
        text = text.strip().lower()
        if re.fullmatch(r"[0-9]{1,3}", text):
            return int(text)
        match = re.fullmatch(r"([a-z])([0-9]{1,2})", text)
        column, row = (ord(match[1]) - ord("a"), int(match[2]) - 1) if match else (-1, -1)
        if not (0 <= column < state.rules.columns and 0 <= row < state.rules.rows):
            last = state.rules.cells - 1
            raise BadNotation(f"a move is a cell from 0 to {last}, or column and row like a1, not {text[:20]!r}.")
        return row * state.rules.columns + column

    def write_move(self, move: int) -> str:
        """A move as text: the number of the cell."""
        return str(move)

    def rules_to_json(self, rules: Rules) -> dict[str, Any]:
        """Rules as plain data."""
        return rules.to_json()

    def rules_from_json(self, data: dict[str, Any]) -> Rules:
        """Rules from plain data."""
        return Rules.from_json(data)

    def describe(self, rules: Rules) -> str:
        """The rules on one line."""
        return rules.description


TICTACTOE = MnkGame("tictactoe")
GOMOKU = MnkGame("gomoku")
MNK = MnkGame("mnk")
