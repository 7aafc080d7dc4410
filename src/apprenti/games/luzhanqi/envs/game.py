"""One game behind an environment: the compiled one, from the first placement to the end."""

import sys

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import IllegalMove
from apprenti.core.protocols import Outcome
from apprenti.envs.game import EnvGame, Mask
from apprenti.games.luzhanqi import State
from apprenti.games.luzhanqi import layout as layouts_
from apprenti.games.luzhanqi.board import ACTION_OF, COLUMNS, ROWS, SLOTS, move_name, parse_move, turned
from apprenti.games.luzhanqi.envs.options import ORIGINS, TARGETS, Options
from apprenti.games.luzhanqi.fast.arrays import REASONS, replayed, rules_array, types_of
from apprenti.games.luzhanqi.fast.primitives import at, begun, legal_all, planes_of
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.planes import PLANES

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
