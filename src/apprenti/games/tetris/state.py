"""A game of Tetris as data: immutable states, and the functions that lead from one to the next.

Chance is explicit. `place` (or `press`, key by key) leads to a state that waits for a piece, `deal` gives it one. No
random generator lives in a state.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from apprenti.core.errors import BadNotation, IllegalMove
from apprenti.core.protocols import Outcome
from apprenti.core.seeds import Chance, below
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.pieces import WIDEST, Piece
from apprenti.games.tetris.placement import Placement, Position, drop, entry, legal_placements, settle
from apprenti.games.tetris.rules import Rules

COMMANDS = ("L", "R", "D", "N", "H", "T")
"""Left, right, drop, nothing, clockwise (horaire), anticlockwise (trigonométrique)."""

CLASSIC = (0, 40, 100, 300, 1200)


def points_for(rules: Rules, lines: int) -> int:
    """The points of a move that removes so many lines."""
    if rules.points == "classic":
        return CLASSIC[min(lines, 4)]
    return lines * lines if rules.points == "square" else lines


@dataclass(frozen=True)
class Tally:
    """What has been scored so far."""

    lines: int = 0
    points: int = 0
    last_points: int = 0
    """Points of the last piece."""
    pieces: int = 0
    clears: tuple[int, ...] = (0,) * WIDEST
    """How often one line was removed at once, how often two, …"""

    def plus(self, rules: Rules, lines: int) -> "Tally":
        """The tally after one more piece."""
        points = points_for(rules, lines)
        clears = tuple(n + (lines == size) for size, n in enumerate(self.clears, 1))
        return Tally(self.lines + lines, self.points + points, points, self.pieces + 1, clears)


@dataclass(frozen=True)
class Observation:
    """What the player knows. The pieces left in a bag are known to whoever has counted."""

    rules: Rules
    board: Board
    piece: str
    next_piece: str | None
    remaining: str
    """Letters still in the bag; empty under other randomisers."""
    dealt: int
    tally: Tally
    position: Position


@dataclass(frozen=True)
class State:
    """A game at one moment: either a piece is in play, or the next one has to be dealt, or it is over."""

    rules: Rules
    board: Board
    piece: str | None = None
    next_piece: str | None = None
    bag: str = ""
    dealt: int = 0
    """Pieces drawn so far, the visible next one included."""
    tally: Tally = field(default_factory=Tally)
    position: Position | None = None
    outcome: Outcome | None = None

    @property
    def waiting(self) -> bool:
        """Whether a piece has to be dealt."""
        return self.piece is None and self.outcome is None

    @property
    def shape(self) -> Piece:
        """The piece in play."""
        if self.piece is None:
            raise IllegalMove("no piece is in play: deal one first.")
        return self.rules.pieces[self.piece]

    @cached_property
    def legal(self) -> tuple[Placement, ...]:
        """The placements of the piece in play."""
        if self.piece is None or self.outcome:
            return ()
        return legal_placements(self.rules, self.board, self.piece)

    @property
    def legal_commands(self) -> tuple[str, ...]:
        """The keys that do something; a key without effect may be pressed too."""
        return COMMANDS if self.piece and not self.outcome else ()

    def observation(self) -> Observation:
        """What the player knows."""
        if self.piece is None or self.position is None:
            raise IllegalMove("nothing to observe: the game waits for a piece or is over.")
        return Observation(
            self.rules, self.board, self.piece, self.next_piece, self.bag, self.dealt, self.tally, self.position
        )

    @property
    def notation(self) -> str:
        """The position on one line: board, piece, next piece, and the score so far."""
        return (
            f"{self.board.notation} {self.piece or '-'} {self.next_piece or '-'} {self.tally.lines} {self.tally.points}"
        )


def start(rules: Rules) -> State:
    """An empty board, waiting for its first piece."""
    return State(rules, Board.empty(rules.width, rules.height, rules.hidden))


def draw(state: State, rng: Chance) -> tuple[str, State]:
    """The next piece of the randomiser, and the state after the draw."""
    letters, randomiser = state.rules.pieces.letters, state.rules.randomiser
    bag = state.bag
    if randomiser.kind == "sequence":
        piece = randomiser.sequence[state.dealt % len(randomiser.sequence)]
    elif randomiser.kind == "bag":
        bag = bag or letters
        piece = bag[below(rng, len(bag))]
        bag = bag.replace(piece, "")
    elif randomiser.kind == "weighted":
        drawn = rng.random()
        thresholds = randomiser.thresholds(state.rules.pieces)
        piece = next((letter for letter, top in zip(letters, thresholds, strict=True) if drawn < top), letters[-1])
    else:
        piece = letters[below(rng, len(letters))]
    return piece, replace(state, bag=bag, dealt=state.dealt + 1)


def deal(state: State, rng: Chance) -> State:
    """Bring the next piece into play; the game is over if there is no room for it."""
    if not state.waiting:
        raise IllegalMove("a piece is dealt only when the last one has come to rest.")
    piece = state.next_piece
    if piece is None:
        piece, state = draw(state, rng)
    next_piece = None
    if state.rules.preview:
        next_piece, state = draw(state, rng)
    shape = state.rules.pieces[piece]
    position = entry(state.rules, shape)
    if state.rules.entry == "top" and not state.board.is_free(position.cells(shape)):
        return replace(state, piece=None, next_piece=next_piece, outcome=Outcome("no room for the next piece"))
    return replace(state, piece=piece, next_piece=next_piece, position=position)


def _ended(rules: Rules, placement: Placement, board: Board, pieces: int) -> Outcome | None:
    """Why the game is over after a placement, if it is."""
    if placement.top > rules.rows:
        return Outcome("the piece sticks out of the board")
    if board.highest > rules.height:
        return Outcome("the pile is too high")
    if rules.max_pieces and pieces >= rules.max_pieces:
        return Outcome("the last piece has been played", truncated=True)
    return None


def _rested(state: State, placement: Placement) -> State:
    """The piece comes to rest; full lines are removed unless it sticks out."""
    rules = state.rules
    if placement.top > rules.rows:
        board, lines = state.board.with_cells(placement.cells, placement.piece), 0
    else:
        board, lines = settle(state.board, placement, len(state.board.rows))
    tally = state.tally.plus(rules, lines)
    outcome = _ended(rules, placement, board, tally.pieces)
    return replace(state, board=board, piece=None, position=None, tally=tally, outcome=outcome)


def place(state: State, placement: Placement) -> State:
    """Play a placement: the state waits for the next piece, or the game is over."""
    if placement not in state.legal:
        raise IllegalMove(f"{placement} is not a legal placement of piece {state.piece} here.")
    return _rested(state, placement)


def press(state: State, command: str) -> State:
    """Play one command: a key and then one row down, or a direct placement `P:column:rotation`."""
    if command.startswith("P") and state.piece:
        return place(state, find_placement(state.legal, command))
    there = answer(state, command)
    return _rested(state, there) if isinstance(there, Placement) else replace(state, position=there)


def answer(state: State, command: str) -> Position | Placement:
    """Where a key, and then gravity, leads the piece in play: to a place in the air, or to rest."""
    if state.piece is None or state.position is None or state.outcome:
        raise IllegalMove("no piece is in play.")
    if command not in COMMANDS:
        raise BadNotation(f"a command is one of {' '.join(COMMANDS)} or P:column:rotation, not {command!r}.")
    piece, here = state.shape, state.position
    if command == "D":
        return _dropped(state, piece, here)
    there = _steered(piece, here, command)
    return _fallen(state, piece, there if _fits(state, there.cells(piece)) else here)


def _steered(piece: Piece, here: Position, command: str) -> Position:
    """Where a key would bring the piece."""
    if command in "HT":
        turn = piece.clockwise if command == "H" else piece.anticlockwise
        return here.turned(piece, turn(here.rotation))
    return here.moved(0, {"L": -1, "R": 1, "N": 0}[command])


def _fits(state: State, cells: Sequence[tuple[int, int]]) -> bool:
    """Whether a piece may be there; above an open board there is always room."""
    if state.rules.entry == "above":
        return all(0 <= column < state.rules.width for _, column in cells)
    return state.board.is_free(cells)


def _dropped(state: State, piece: Piece, here: Position) -> Placement:
    """The placement of a piece let go where it is."""
    if state.rules.entry == "above":
        return drop(state.board, piece, here.rotation, here.column)
    while state.board.is_free(here.moved(-1, 0).cells(piece)):
        here = here.moved(-1, 0)
    return Placement(piece.letter, here.rotation, here.column, here.cells(piece))


def _fallen(state: State, piece: Piece, here: Position) -> Position | Placement:
    """One row of gravity: down, or at rest. A piece above an open board waits until it is dropped."""
    if state.rules.entry == "above":
        return here
    below_it = here.moved(-1, 0)
    if state.board.is_free(below_it.cells(piece)):
        return below_it
    return Placement(piece.letter, here.rotation, here.column, here.cells(piece))


def find_placement(legal: Sequence[Placement], text: str) -> Placement:
    """The legal placement written as `P:column:rotation`."""
    match = re.fullmatch(r"P:(\d{1,9}):(\d{1,9})", text)
    if not match:
        raise BadNotation(f"a direct placement is written P:column:rotation, like P:3:0, not {text!r:.40}.")
    column, rotation = int(match[1]), int(match[2])
    for placement in legal:
        if (placement.column, placement.rotation) == (column, rotation):
            return placement
    raise IllegalMove(f"the piece cannot be brought to column {column} in rotation {rotation} here.")
