"""One game at a time behind an environment, by either engine. Both tell the same, to the byte."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from apprenti.core.protocols import CHANCE, Outcome
from apprenti.core.seeds import Stream
from apprenti.games.tetris.board import EMPTY, Board
from apprenti.games.tetris.criteria import CRITERIA, Move, measure, values
from apprenti.games.tetris.envs.options import Options
from apprenti.games.tetris.fast.batch import ENDS, ILLEGAL, IN_THE_AIR, Batch
from apprenti.games.tetris.fast.keys import KEYS, KeyBatch, rows_seen
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.state import End, State, answer, deal, place, press, start

Cells = NDArray[np.uint8]
Afterwards = dict[str, NDArray[np.generic]]

BY_MOVE = (End.STICKS_OUT, End.TOO_HIGH)
"""Ends that the move itself brought, and not the next piece or a limit."""


class Game(ABC):
    """One game of an environment: what is seen of it, and what an action does."""

    piece = next_piece = -1
    """As numbers in the set of pieces; -1 for none."""
    lines = points = pieces = 0
    end: End | None = None
    """Why it is over; None while it goes on."""
    board: Cells
    """(rows, width): the cells at rest, row 0 at the bottom."""
    falling: Cells
    """(rows, width): the cells of the piece in play (keys only)."""
    mask: NDArray[np.int8]
    """For each action whether it is legal."""

    def __init__(self, options: Options, keys: bool) -> None:
        self.options, self.rules, self.keys = options, options.game, keys
        self.rotations = max(len(piece.rotations) for piece in self.rules.pieces.pieces)
        self.actions = len(KEYS) if keys else self.rotations * self.rules.width
        self.shape = rows_seen(self.rules) if keys else self.rules.height, self.rules.width

    def renew_arrays(self) -> None:
        """Whoever was given the arrays keeps them; what is given next must be others."""
        self.board, self.mask = self.board.copy(), self.mask.copy()
        if self.keys:
            self.falling = self.falling.copy()

    @abstractmethod
    def seed(self, stream: int) -> None:
        """Set the stream from which the seeds of games are drawn."""

    @abstractmethod
    def begin(self) -> None:
        """A new game, with the next seed of the stream."""

    @abstractmethod
    def play(self, action: int) -> int:
        """Lines removed by the piece that came to rest, `IN_THE_AIR` if none did, `ILLEGAL` (nothing is done)."""

    @abstractmethod
    def give_up(self) -> None:
        """End the game by no rule of Tetris: an illegal action was tried."""

    @abstractmethod
    def criteria(self, names: Sequence[str]) -> NDArray[np.float32]:
        """Criteria of the last move; those of the board alone before the first; 0 if the move ended the game."""

    @abstractmethod
    def afterstates(self, names: Sequence[str]) -> Afterwards:
        """For each action the board after it, the lines it removes, whether it ends the game, criteria if asked."""


class CompiledGame(Game):
    """A game of the compiled engine."""

    def __init__(self, options: Options, keys: bool) -> None:
        super().__init__(options, keys)
        self.batch = (KeyBatch if keys else Batch)(self.rules, 1)
        self._measures = {names: Measures(self.rules, names) for names in {options.seen, options.told} if names}

    def seed(self, stream: int) -> None:
        self.batch.streams[0] = stream

    def begin(self) -> None:
        self.batch.reset()
        self.lines = self.points = self.pieces = 0
        self._look()

    def give_up(self) -> None:
        self.batch.give_up(np.ones(1, np.bool_))
        self._look()

    def _look(self) -> None:
        """Write down what is seen of the game."""
        batch = self.batch
        self.piece, self.next_piece = int(batch.piece[0]), int(batch.next_piece[0])
        self.end = ENDS[batch.outcome[0]]
        self.board, self.mask = batch.boards()[0], batch.masks()[0]
        if isinstance(batch, KeyBatch):
            self.falling = batch.falling()[0]

    def play(self, action: int) -> int:
        board = np.empty(self.shape, np.uint8)
        other: NDArray[Any] = np.empty(self.shape, np.uint8) if self.keys else np.empty(self.actions, np.int8)
        gained, self.piece, self.next_piece, outcome, self.lines, self.points, self.pieces = self.batch.turn(
            action, board, other
        )
        if gained == ILLEGAL:
            return gained
        self.board, self.end = board, ENDS[outcome]
        if self.keys:
            self.falling, self.mask = other, np.full(self.actions, outcome == 0, np.int8)
        else:
            self.mask = other
        return gained

    def criteria(self, names: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(self._measures[tuple(names)].of_last_moves(self.batch)[0], np.float32)

    def afterstates(self, names: Sequence[str]) -> Afterwards:
        return {key: array[0] for key, array in afterwards(self.batch, self._measures.get(tuple(names))).items()}


def afterwards(batch: Batch, measures: Measures | None) -> Afterwards:
    """For each game and each action the board after it and so on; 0 where an action is not legal."""
    after = batch.afterstates()
    spread: Afterwards = {
        "board": np.zeros((batch.size, batch.actions, batch.rules.height, batch.rules.width), np.uint8),
        "lines": np.zeros((batch.size, batch.actions), np.int64),
        "over": np.zeros((batch.size, batch.actions), np.int8),
    }
    packed: Afterwards = {"board": after.boards(), "lines": after.lines, "over": after.over}
    if measures:
        spread["criteria"] = np.zeros((batch.size, batch.actions, measures.size), np.float32)
        packed["criteria"] = measures.of_afterstates(batch, after)
    for key, array in packed.items():
        spread[key][after.game, after.action] = array
    return spread


def cells(board: Board, rows: int, height: int) -> Cells:
    """A board as cells, without what lies above it."""
    seen = np.zeros((rows, board.width), np.uint8)
    for row, letters in enumerate(board.rows[:height]):
        seen[row] = [letter != EMPTY for letter in letters]
    return seen


class ReadableGame(Game):
    """A game of the readable engine; also what pictures are made from, because it knows the colours."""

    state: State
    before: Board
    """The board before the last piece came to rest."""
    last: Placement | None = None
    """Where the last piece came to rest."""

    def seed(self, stream: int) -> None:
        self.seeds = Stream(stream)

    def begin(self) -> None:
        self.chance = Stream(self.seeds.bits())
        self.last = None
        self._look(deal(start(self.rules), self.chance))
        self.before = self.state.board

    def play(self, action: int) -> int:
        if not 0 <= action < self.actions or not self.mask[action]:
            return ILLEGAL
        state, rested = self.state, self._aim(action)
        after = press(state, KEYS[action]) if self.keys else place(state, rested)
        if rested is None:
            self._look(after)
            return IN_THE_AIR
        self.before, self.last = state.board, rested
        self._look(deal(after, self.chance) if after.turn == CHANCE else after)
        return after.tally.lines - state.tally.lines

    def give_up(self) -> None:
        self._look(replace(self.state, piece=None, position=None, outcome=Outcome(End.ILLEGAL)))

    def _aim(self, action: int) -> Any:
        """The placement that an action leads to; None if the piece stays in the air."""
        if self.keys:
            there = answer(self.state, KEYS[action])
            return there if isinstance(there, Placement) else None
        return next(p for p in self.state.legal if p.rotation * self.rules.width + p.column == action)

    def _look(self, state: State) -> None:
        """Write down what is seen of a state."""
        letters, tally = self.rules.pieces.letters, state.tally
        self.state, self.end = state, cast("End | None", state.outcome and state.outcome.reason)
        self.piece, self.next_piece = (letters.index(p) if p else -1 for p in (state.piece, state.next_piece))
        self.lines, self.points, self.pieces = tally.lines, tally.points, tally.pieces
        self.board = cells(state.board, self.shape[0], self.rules.height)
        self.mask = np.zeros(self.actions, np.int8)
        if self.keys:
            self.mask[:] = state.outcome is None
            self.falling = np.zeros(self.shape, np.uint8)
            for cell in state.position.cells(state.shape) if state.position else ():
                self.falling[cell] = 1
        else:
            self.mask[[p.rotation * self.rules.width + p.column for p in state.legal]] = 1

    def criteria(self, names: Sequence[str]) -> NDArray[np.float32]:
        if self.last and self.end in BY_MOVE:  # the move itself ended the game
            return np.zeros(len(Measures(self.rules, names).labels), np.float32)
        move = Move(self.before, self.last or Placement("", 0, 0, ()))
        numbers: list[float] = []
        for name in names:
            numbers += [0.0] if not self.last and CRITERIA[name].of_move else values(move, name)
        return np.array(numbers, np.float32)

    def afterstates(self, names: Sequence[str]) -> Afterwards:
        told: Afterwards = {
            "board": np.zeros((self.actions, *self.shape), np.uint8),
            "lines": np.zeros(self.actions, np.int64),
            "over": np.zeros(self.actions, np.int8),
        }
        if names:
            told["criteria"] = np.zeros((self.actions, len(Measures(self.rules, names).labels)), np.float32)
        for placement in self.state.legal:
            action = placement.rotation * self.rules.width + placement.column
            after = place(self.state, placement)
            told["board"][action] = cells(after.board, self.shape[0], self.rules.height)
            told["lines"][action] = after.tally.lines - self.state.tally.lines
            over = after.outcome is not None and after.outcome.reason in BY_MOVE
            told["over"][action] = over
            if names and not over:
                told["criteria"][action] = list(measure(self.state.board, placement, names).values())
        return told
