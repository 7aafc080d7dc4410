"""Many games of Tetris at once, played key by key: the Tetris of people, and of the report's Q-learning.

An action is a key: L R D H T N (left, right, drop, clockwise, anticlockwise, nothing), and then the piece comes down by
one row, or to rest. The games are those of `press` in the readable engine with the same seeds.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import DTypeLike, NDArray

from apprenti.core.errors import IllegalMove
from apprenti.core.seeds import Stream
from apprenti.games.tetris.fast.batch import Batch, Ints, Planes, Turn
from apprenti.games.tetris.kernel import keys as compiled
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.placement import Position
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import State

KEYS: tuple[str, ...] = compiled.KEYS


def rows_seen(rules: Rules) -> int:
    """Rows in which the piece in play can be: those of the board, the hidden ones, or those above an open board."""
    if rules.entry == "top":
        return rules.height + rules.hidden
    return rules.height + max(rotation.height for piece in rules.pieces.pieces for rotation in piece.rotations)


class KeyBatch(Batch):
    """Games of one set of rules, side by side. An action is a place in `KEYS`."""

    def __init__(self, rules: Rules, games: int, seed: int = 0, name: object = "batch", threads: int = 1) -> None:
        super().__init__(rules, games, seed, name, threads)
        self.actions = len(KEYS)
        self.rows = rows_seen(rules)

    def step(self, actions: NDArray[np.integer] | Sequence[int]) -> Ints:
        return np.where(self.press(actions), self.last_lines, 0)

    def press(self, actions: NDArray[np.integer] | Sequence[int]) -> NDArray[np.bool_]:
        """Press one key in every game; in which of them the piece came to rest."""
        keys = self.one_each(actions)
        legal = self.legal(keys)
        if not legal.all():
            wrong = int(np.argmin(legal))
            raise IllegalMove(self.complaint(wrong, int(keys[wrong])))
        return self.play(keys, legal)

    def legal(self, actions: Ints) -> NDArray[np.bool_]:
        return np.asarray((actions >= 0) & (actions < len(KEYS)) & (self.piece >= 0))

    def play(self, actions: Ints, legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        rested = np.empty(self.size, np.uint8)
        given = self.tables, self.arrays, actions, legal, rested
        self._share(lambda room, first, last: compiled.press_keys(*given, room, first, last))
        return rested.view(np.bool_)

    def complaint(self, index: int, action: int) -> str:
        if self.piece[index] < 0:
            return super().complaint(index, action)
        return f"an action is the number of a key, 0 to {len(KEYS) - 1} for {' '.join(KEYS)}, not {action}."

    def masks(self) -> NDArray[np.int8]:
        masks = np.ones((self.size, len(KEYS)), np.int8)
        over = self.piece < 0
        if over.any():
            masks[over] = 0
        return masks

    def turn(self, action: int, board: NDArray[np.uint8], falling: NDArray[np.generic]) -> Turn:
        """For a single game, all in one call: press a key and write the cells at rest and in play into these arrays.

        Nothing is done if the action is no key or the game is over.
        """
        turn: Turn = compiled.press_and_see(
            self.tables, self.arrays, action, self.scratch[0], board.ravel(), falling.ravel(), self.rows
        )
        return turn

    def random_actions(self, rng: Stream) -> Ints:
        keys, luck = np.empty(self.size, np.int64), np.array([rng.state], np.uint64)
        compiled.draw_keys(self._flat_games, luck, keys)
        rng.state = int(luck[0])
        return keys

    def falling(
        self, dtype: DTypeLike = np.uint8, which: Ints | slice = slice(None), out: Planes | None = None
    ) -> Planes:
        """The cells of the piece in play, of all games or of some: (games, rows, width)."""
        games = self._games[which]
        out = np.empty((len(games), self.rows, self.rules.width), dtype) if out is None else out
        compiled.write_falling(self.tables, games.ravel(), self.rows, self.rules.width, out.reshape(-1))
        return out

    @property
    def positions(self) -> Ints:
        """(games, 3): rotation of the piece in play, and row and column of the lower left corner of its box."""
        return self._games[:, at.G_ROTATION : at.G_COLUMN + 1]

    def observe(self, index: int) -> State:
        state = super().observe(index)
        rotation, row, column = (int(number) for number in self.positions[index])
        return replace(state, position=Position(rotation, row, column)) if state.piece else state
