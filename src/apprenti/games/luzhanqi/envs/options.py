"""What can be chosen about the environments of Luzhanqi, and what follows for actions and observations.

An action is seen as the player to move sees it: for north the board, and with it every move, is turned by half. So
one policy plays both sides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from apprenti.core.errors import BadRules, UnknownName
from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import Chance, Stream
from apprenti.games.luzhanqi.board import COLUMNS, MOVES, POINTS, ROWS, SLOTS
from apprenti.games.luzhanqi.layout import book_layout, uniform_layout
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS
from apprenti.games.luzhanqi.planes import PLANES
from apprenti.games.luzhanqi.rules import Rules

if TYPE_CHECKING:
    from apprenti.games.luzhanqi.envs.game import Game

FORMS = ("flat", "two_stage")
SETUPS = ("book", "random", "placements")
ORIGINS = np.array([origin for origin, _ in MOVES])
TARGETS = np.array([target for _, target in MOVES])
"""For each move by its number, where it comes from and where it goes to."""


@dataclass(frozen=True)
class Options:
    """The options that both environments have."""

    rules: str | Rules = "ccgc"
    """`ccgc`, `western`, `casual`, `training`, `mini`, or a `Rules` of your own."""
    actions: str = "flat"
    """`flat`: an action is a move, 1 176 of them. `two_stage`: first the point of a piece, then the point it goes to,
    60 actions; the same player acts twice."""
    setup: str = "book"
    """Layouts drawn from the `book`, from all legal ones (`random`), or `placements`: the player places 25 pieces, from
    the front row, left to right, an action for each letter."""

    def __post_init__(self) -> None:
        for what, chosen, known in (("form of actions", self.actions, FORMS), ("setup", self.setup, SETUPS)):
            if chosen not in known:
                raise UnknownName(what, str(chosen), known)
        if self.game.repetition:
            raise BadRules("environments play the compiled game, which does not count repetitions: set repetition=0.")

    @cached_property
    def game(self) -> Rules:
        """The rules."""
        return self.rules if isinstance(self.rules, Rules) else Rules.preset(self.rules)

    @property
    def two_stage(self) -> bool:
        """Whether a move is two actions."""
        return self.actions == "two_stage"

    @property
    def moves(self) -> int:
        """How many actions are for moving; those for placing come after them."""
        return POINTS if self.two_stage else self.game.actions

    @cached_property
    def letters(self) -> str:
        """The letters that can be placed, by action; the last is for a point that stays empty, in reduced armies."""
        if self.setup != "placements":
            return ""
        return LETTERS + (EMPTY if sum(self.game.counts) < SLOTS else "")

    @property
    def size(self) -> int:
        """How many actions there are."""
        return self.moves + len(self.letters)

    @property
    def planes(self) -> int:
        """The planes of the game; with two stages one more, for the piece that has been picked up."""
        return PLANES + self.two_stage

    def spaces(self) -> tuple[spaces.Box, spaces.Discrete]:
        """What is observed, and what can be done."""
        bounded = bool(self.game.quiet_limit)
        high = 1.0 if bounded else np.inf  # quiet moves are counted on, where nothing ends them
        seen: spaces.Box = spaces.Box(0.0, high, (self.planes, ROWS, COLUMNS), np.float32)
        return seen, spaces.Discrete(self.size)

    def layout(self, rng: Chance) -> str:
        """A layout for a player who does not place its own: of the book, unless any is wanted."""
        return (uniform_layout if self.setup == "random" else book_layout)(self.game, rng)

    def begin(self, chance: Stream, agents: tuple[AnyAgent, ...] = (), sides: Sequence[Stream] = ()) -> "Game":
        """A new game in which both sides set up in the same way."""
        from apprenti.games.luzhanqi.envs.game import Game

        placed = self.setup == "placements"
        return Game(self, ("", "") if placed else (self.layout(chance), self.layout(chance)))

    def empty_mask(self) -> NDArray[np.int8]:
        """A mask that allows nothing."""
        return np.zeros(self.size, np.int8)


def read_options(given: Mapping[str, Any]) -> Options:
    """Options from keywords; UnknownName for what there is not."""
    known = ("rules", "actions", "setup")
    for name in given:
        if name not in known:
            raise UnknownName("option of a Luzhanqi environment", name, known)
    return Options(**given)
