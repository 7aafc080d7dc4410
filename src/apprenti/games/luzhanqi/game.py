"""Luzhanqi as the arena, the store and the command line know games for two."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apprenti.core.errors import BadAgent, BadNotation, BadRules
from apprenti.core.protocols import Agent
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi import layout as layouts_
from apprenti.games.luzhanqi.board import SLOTS, move_name, parse_move
from apprenti.games.luzhanqi.rules import PRESETS, Rules
from apprenti.games.luzhanqi.state import State


@dataclass(frozen=True)
class Luzhanqi:
    """The game: its rules, its beginning, its notation."""

    name: str = "luzhanqi"
    family: str = "luzhanqi"
    sides: tuple[str, str] = ("south", "north")
    options: str = f"--rules {', '.join(PRESETS)}"

    def rules(self, text: str = "", size: str = "") -> Rules:
        """The rules by the name of a preset: ccgc, western, casual, training or mini."""
        if size:
            raise BadRules(
                f"luzhanqi has one board of 12 by 5 points (--rules mini: a part of it): leave out the size {size}."
            )
        return Rules.preset(text)

    def begin(self, rules: Rules, players: Sequence[Agent], chances: Sequence[Chance]) -> State:
        """The first position. An agent with `arrange(rules, rng)` sets up its army; for others the book does."""
        both = []
        for player, chance in zip(players, chances, strict=True):
            arrange = getattr(player, "arrange", layouts_.book_layout)
            layout = arrange(rules, chance)
            if not isinstance(layout, str):
                raise BadAgent(f"an agent arranges its army as 25 letters, not as {layout!r}.")
            both.append(layout)
        return State.start(both[0], both[1], rules)

    def opening(self, state: State) -> str:
        """The two layouts."""
        return "/".join(state.layouts)

    def reopen(self, rules: Rules, opening: str) -> State:
        """The first position from its two layouts."""
        layouts = opening.split("/")
        if len(layouts) != 2:
            raise BadNotation(f"an opening is two layouts with a / between them, not {opening!r}.")
        return State.start(layouts[0], layouts[1], rules)

    def read_move(self, state: State, text: str) -> str:
        """A move like `G2F2`; while setting up, a letter or a layout."""
        text = text.strip()
        if state.record is None:
            if len(text) in (1, SLOTS):
                return text.lower()
            raise BadNotation(f"a placement is one letter a to l or a whole layout, not {text!r}.")
        return move_name(*parse_move(text))

    def write_move(self, move: str) -> str:
        """The move itself: it is text."""
        return move

    def rules_to_json(self, rules: Rules) -> dict[str, Any]:
        """Rules as plain data."""
        return rules.to_json()

    def rules_from_json(self, data: dict[str, Any]) -> Rules:
        """Rules from plain data."""
        return Rules.from_json(data)

    def describe(self, rules: Rules) -> str:
        """The rules on one line."""
        return rules.description


GAME = Luzhanqi()
