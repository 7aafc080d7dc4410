"""One game behind an environment of Luzhanqi: what can be chosen, and the compiled game from the first placement on.

An action is seen as the player to move sees it: for north the board, and with it every move, is turned by half. So
one policy plays both sides.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from apprenti.core.data import JsonMapping
from apprenti.core.errors import BadRules, IllegalMove, UnknownName
from apprenti.core.protocols import AnyAgent, Outcome
from apprenti.core.seeds import Chance, Stream
from apprenti.envs.game import EnvGame, Mask
from apprenti.games.luzhanqi import State
from apprenti.games.luzhanqi import layout as layouts_
from apprenti.games.luzhanqi.board import ACTION_OF, COLUMNS, MOVES, POINTS, ROWS, SLOTS, move_name, parse_move, turned
from apprenti.games.luzhanqi.fast.arrays import REASONS, replayed, rules_array, types_of
from apprenti.games.luzhanqi.fast.primitives import at, begun, legal_all, planes_of
from apprenti.games.luzhanqi.layout import book_layout, uniform_layout
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS
from apprenti.games.luzhanqi.planes import PLANES
from apprenti.games.luzhanqi.rules import Rules

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
        placed = self.setup == "placements"
        return Game(self, ("", "") if placed else (self.layout(chance), self.layout(chance)))

    def empty_mask(self) -> NDArray[np.int8]:
        """A mask that allows nothing."""
        return np.zeros(self.size, np.int8)


def read_options(given: JsonMapping) -> Options:
    """Options from keywords; UnknownName for what there is not."""
    known = ("rules", "actions", "setup")
    for name in given:
        if name not in known:
            raise UnknownName("option of a Luzhanqi environment", name, known)
    return Options(**given)


Planes = NDArray[np.float32]


class Game(EnvGame):
    """A game of the compiled engine."""

    def __init__(self, options: Options, layouts: tuple[str, str]) -> None:
        """Begin with these layouts; an empty one is placed letter by letter."""
        self.options, self.layouts = options, list(layouts)
        self.array: NDArray[np.int64] | None = None
        self.chosen: int | None = None
        """With two stages, the point of the piece that has been picked up, as its owner sees it."""
        self._mask: Mask | None = None
        self._state: State | None = None
        self._moves: list[str] = []
        self._begin()

    def _begin(self) -> None:
        if all(len(layout) == SLOTS for layout in self.layouts):
            south, north = (layouts_.check(layout, self.options.game) for layout in self.layouts)
            self.array = begun(self.rules, types_of(south), types_of(north))

    @property
    def rules(self) -> NDArray[np.int64]:
        """The rules for the compiled game. Always the same array: a copy could be written to, and that is another type
        for the compiler."""
        return rules_array(self.options.game)

    @property
    def to_act(self) -> int:
        if self.array is None:
            return 0 if len(self.layouts[0]) < SLOTS else 1
        return int(self.array[at.TO_MOVE])

    @property
    def outcome(self) -> Outcome | None:
        if self.array is None or self.array[at.OUTCOME] == at.GOING_ON:
            return None
        code, winner = int(self.array[at.OUTCOME]), int(self.array[at.WINNER])
        return Outcome.between_two(REASONS[code], None if winner < 0 else winner, truncated=code == at.LONG)

    @property
    def state(self) -> State:
        if self._state is None or self._state.record is None:
            south, north = self.layouts
            rules = self.options.game
            self._state = State(rules, (south, north)) if self.array is None else State.start(south, north, rules)
        for move in self._moves:
            self._state = self._state.play(move)
        self._moves = []
        return self._state

    def planes(self, player: int) -> Planes:
        if self.array is None:
            placed = len(self.layouts[0]), len(self.layouts[1])
            seen = Observation(self.options.game, player, self.layouts[player], placed, None).planes()
        else:
            seen = planes_of(self.rules, self.array, player).reshape(PLANES, ROWS, COLUMNS)
        if not self.options.two_stage:
            return seen
        picked: Planes = np.zeros((1, ROWS, COLUMNS), np.float32)
        if self.chosen is not None and player == self.to_act:
            picked[0, self.chosen // COLUMNS, self.chosen % COLUMNS] = 1
        return np.concatenate((seen, picked))

    @property
    def mask(self) -> Mask:
        if self._mask is None:
            self._mask = self.options.empty_mask()
            self._mask[self._legal_actions()] = 1
        return self._mask.copy()

    def _legal_actions(self) -> NDArray[np.int64]:
        if self.array is None:
            letters = layouts_.placements(self.layouts[self.to_act], self.options.game)
            return np.array([self.options.moves + self.options.letters.index(letter) for letter in letters])
        marked = np.zeros((1, self.options.game.actions), np.bool_)
        if self.outcome is None:
            legal_all(self.rules, self.array[None], marked)
        moves = np.flatnonzero(marked[0])
        if not self.options.two_stage:
            return moves
        return ORIGINS[moves] if self.chosen is None else TARGETS[moves[ORIGINS[moves] == self.chosen]]

    def act(self, action: int) -> None:
        if not 0 <= action < self.options.size or not self.mask[action]:
            raise IllegalMove(f"action {action} is not legal now: choose one that the mask allows.")
        self._mask = None
        if self.array is None:
            self.layouts[self.to_act] += self.options.letters[action - self.options.moves]
            self._begin()
        elif self.options.two_stage and self.chosen is None:
            self.chosen = action
        else:
            number = ACTION_OF[self.chosen, action] if self.chosen is not None else action
            move = (int(ORIGINS[number]), int(TARGETS[number]))
            self.move(*(move if self.to_act == 0 else map(turned, move)))

    def play(self, move: str) -> None:
        self.move(*parse_move(move))

    def move(self, origin: int, target: int) -> None:
        """Make a move in the frame of the game."""
        name = move_name(origin, target)
        assert self.array is not None, "the armies are being set up"
        if replayed(self.rules, self.array, np.array([[origin, target]])) is None:
            raise IllegalMove(f"{name} is not legal now.")
        self._mask = self.chosen = None
        self._moves.append(name)

    def render(self, mode: str | None, player: int | None = None) -> str | None:
        """The board as text, as a player sees it or with everything open: returned in mode `ansi`, else printed."""
        from apprenti.games.luzhanqi.views import VIEW
        from apprenti.views.view import Look

        text = VIEW.screen(self.state, Look(player, colour=mode == "human" and sys.stdout.isatty())) + "\n"
        if mode == "ansi":
            return text
        print(text, flush=True)
        return None
