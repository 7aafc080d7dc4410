"""The games of an environment: what can be chosen about them, and one at a time by either engine.

Both engines tell the same, to the byte.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import AnyArray, JsonMapping
from apprenti.core.errors import BadOption, UnknownName
from apprenti.core.protocols import CHANCE, Outcome
from apprenti.core.seeds import Stream
from apprenti.games.tetris.board import EMPTY, Board
from apprenti.games.tetris.criteria import CRITERIA, SETS, Move, measure, size_of, values
from apprenti.games.tetris.fast.batch import ENDS, ILLEGAL, IN_THE_AIR, Batch
from apprenti.games.tetris.fast.keys import KEYS, KeyBatch, rows_seen
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.players import why_not
from apprenti.games.tetris.pieces import WIDEST, PieceSet
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import End, State, answer, deal, place, points_for, press, start

REWARDS = ("lines", "square", "points")
WHEN_ILLEGAL = ("terminate", "ignore", "raise")
ENGINES = ("compiled", "readable")
BOARD = "board"


_KINDS: dict[str, tuple[type, ...]] = {
    "rules": (str, Rules),
    "size": (str,),
    "randomiser": (str,),
    "pieces": (str, PieceSet),
    "preview": (bool, type(None)),
    "max_pieces": (int, type(None)),
    "observation": (str, list, tuple),
    "criteria": (str, list, tuple),
    "afterstates": (bool,),
}


@dataclass(frozen=True)
class Options:
    """The options of a Tetris environment, all with defaults: `gymnasium.make(name, size="10x10", reward="square")`."""

    rules: str | Rules = ""
    """`simplified`, `overflow`, `strict`, `tetrisbot`, or a `Rules` of your own; empty for the environment's usual."""
    size: str = ""
    """Columns x rows, like `10x20`."""
    randomiser: str = ""
    """`uniform`, `bag`, `weighted:S=2,Z=2,I=1` or `sequence:IOTSZJL`; empty for that of the rules."""
    pieces: str | PieceSet = ""
    """`rapid`, `classic`, `domino`, or a `PieceSet` of your own; empty for those of the rules."""
    preview: bool | None = None
    """Whether the next piece is known; None for what the rules say."""
    max_pieces: int | None = None
    """The game is truncated after this number of pieces, 0 for never; None for what the rules say."""
    observation: str | Sequence[str] = BOARD
    """`board` for its cells, or criteria: a named set like `dellacherie`, names with commas, or a list of names."""
    reward: str = "lines"
    """For each piece that comes to rest: its `lines`, their `square`, or the `points` of the rules."""
    piece_bonus: float = 0.0
    """Added to the reward for each piece that comes to rest."""
    illegal: str = "terminate"
    """What an illegal action does: `terminate` the game with a penalty, `ignore` it, or `raise` an error."""
    penalty: float = 1.0
    """Taken from the reward when an illegal action terminates the game."""
    criteria: str | Sequence[str] = ()
    """Criteria of the last move to give in `info`, named as for `observation`."""
    afterstates: bool = False
    """Whether `info` holds the board after every legal placement, by action (placements only)."""
    engine: str = "compiled"
    """`compiled`, or `readable`: the same games from plain Python, slower, on any board."""

    @classmethod
    def read(cls, usual_rules: str, given: JsonMapping, keys: bool = False) -> "Options":
        """Options from keywords, of placements or of keys; BadOption or UnknownName for what there is not."""
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                raise UnknownName("option of a Tetris environment", name, known)
        options = cls(**{"rules": usual_rules, **given})
        if keys and options.afterstates:
            raise BadOption("afterstates are given for placements only: use apprenti/Tetris-v0.")
        return options

    def __post_init__(self) -> None:
        for name, kinds in _KINDS.items():
            if not isinstance(getattr(self, name), kinds):
                raise BadOption(f"{name} cannot be {getattr(self, name)!r:.40}: see docs/environments.md.")
        for what, chosen, known in (
            ("reward", self.reward, REWARDS),
            ("way to treat an illegal action", self.illegal, WHEN_ILLEGAL),
            ("engine", self.engine, ENGINES),
        ):
            if chosen not in known:
                raise UnknownName(what, str(chosen), known)
        for name in ("piece_bonus", "penalty"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
                raise BadOption(f"{name} is a finite number, not {value!r}.")
        for name in (*self.seen, *self.in_info):
            size_of(name, self.game.width)
        reason = why_not(self.game)
        if self.engine == "compiled" and reason:
            raise BadOption(f"{reason}: use engine='readable' for other boards.")

    @cached_property
    def game(self) -> Rules:
        """The rules with all that was chosen."""
        chosen: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("randomiser", "pieces", "preview", "max_pieces")
            if getattr(self, name) not in ("", None)
        }
        if isinstance(self.rules, Rules):
            return self.rules.changed(self.size, **chosen)
        return Rules.preset(self.rules or "simplified", self.size, **chosen)

    @cached_property
    def seen(self) -> tuple[str, ...]:
        """The criteria that are observed; empty when the board is."""
        return () if self.observation == BOARD else _names("observation", self.observation)

    @cached_property
    def in_info(self) -> tuple[str, ...]:
        """The criteria that are given in `info`."""
        return _names("criteria", self.criteria) if self.criteria else ()

    @cached_property
    def measures(self) -> dict[tuple[str, ...], Measures]:
        """What measures the criteria that are observed or given in `info`."""
        return {names: Measures(self.game, names) for names in {self.seen, self.in_info} if names}

    @cached_property
    def rewards(self) -> tuple[float, ...]:
        """The reward for a piece that removes 0, 1, 2, … lines."""
        counted = self.game.changed(points=self.reward) if self.reward != "points" else self.game
        return tuple(points_for(counted, lines) + float(self.piece_bonus) for lines in range(WIDEST + 1))


def _names(option: str, chosen: str | Sequence[str]) -> tuple[str, ...]:
    """Criteria by the name of a set, as names with commas, or as a list."""
    if isinstance(chosen, str):
        chosen = SETS.get(chosen) or tuple(name.strip() for name in chosen.split(",") if name.strip())
    names = tuple(chosen)
    if not names:
        raise BadOption(f"{option} needs at least one criterion.")
    if len(set(names)) < len(names):
        raise BadOption(f"{option} names a criterion twice.")
    for name in names:
        if name not in CRITERIA:
            choices = [*CRITERIA, *SETS, *([BOARD] if option == "observation" else [])]
            raise UnknownName("criterion or set of criteria", str(name), choices)
    return names


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
        """The caller keeps the arrays it was given; what is given next must be others."""
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
        other: AnyArray = np.empty(self.shape, np.uint8) if self.keys else np.empty(self.actions, np.int8)
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
        return np.asarray(self.options.measures[tuple(names)].of_last_moves(self.batch)[0], np.float32)

    def afterstates(self, names: Sequence[str]) -> Afterwards:
        return {key: array[0] for key, array in afterwards(self.batch, self.options.measures.get(tuple(names))).items()}


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
            return np.zeros(self.options.measures[tuple(names)].size, np.float32)
        move = Move(self.before, self.last or Placement("", 0, 0, ()))
        numbers: list[float] = []
        for name in names:
            numbers += [0.0] if not self.last and CRITERIA[name].of_move else values(move, name)
        return np.array(numbers, np.float32)

    def afterstates(self, names: Sequence[str]) -> Afterwards:
        spread: Afterwards = {
            "board": np.zeros((self.actions, *self.shape), np.uint8),
            "lines": np.zeros(self.actions, np.int64),
            "over": np.zeros(self.actions, np.int8),
        }
        if names:
            spread["criteria"] = np.zeros((self.actions, self.options.measures[tuple(names)].size), np.float32)
        for placement in self.state.legal:
            action = placement.rotation * self.rules.width + placement.column
            after = place(self.state, placement)
            spread["board"][action] = cells(after.board, self.shape[0], self.rules.height)
            spread["lines"][action] = after.tally.lines - self.state.tally.lines
            over = after.outcome is not None and after.outcome.reason in BY_MOVE
            spread["over"][action] = over
            if names and not over:
                spread["criteria"][action] = list(measure(self.state.board, placement, names).values())
        return spread
