"""A game of Tetris as data: immutable states, and the functions that lead from one to the next.

Chance is explicit. `place` (or `press`, key by key) leads to a state that waits for a piece, `deal` gives it one. No
random generator lives in a state.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from apprenti.core.errors import BadNotation, IllegalMove
from apprenti.core.game import StateBase
from apprenti.core.protocols import CHANCE, OVER, Outcome, Reason
from apprenti.core.seeds import Chance, below
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.dealer import hardest
from apprenti.games.tetris.pieces import WIDEST, Piece
from apprenti.games.tetris.placement import Placement, Position, drop, entry, has_room, legal_placements, settle
from apprenti.games.tetris.rules import Rules

COMMANDS = ("L", "R", "D", "N", "H", "T")
"""Left, right, drop, nothing, clockwise (horaire), anticlockwise (trigonométrique)."""

SHIFTS = ("L0", "R0", "H0", "T0")
"""The same keys without the row that the piece falls after each: for real time, where a clock presses N."""

CLASSIC = (0, 40, 100, 300, 1200)


class End(Reason):
    """How a game ends."""

    STICKS_OUT = "sticks_out", "the piece sticks out of the board"
    TOO_HIGH = "too_high", "the pile is too high"
    NO_ROOM = "no_room", "no room for the next piece"
    LAST_PIECE = "last_piece", "the last piece has been played"
    ILLEGAL = "illegal", "an illegal action was tried"


def points_for(rules: Rules, lines: int) -> int:
    """The points of a move that removes this many lines."""
    if rules.points == "classic":
        return CLASSIC[min(lines, 4)]
    return lines * lines if rules.points == "square" else lines


@dataclass(frozen=True)
class Tally:
    """What has been scored so far."""

    lines: int = 0
    points: int = 0
    last_points: int = field(default=0, compare=False)
    """Points of the last piece, for the eye: positions that differ in them alone are the same."""
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
    """What the player knows. The pieces left in a bag are known to a player that has counted."""

    rules: Rules
    board: Board
    piece: str
    """The piece in play; empty when there is none, after the end and before a deal."""
    next_piece: str | None
    remaining: str
    """Letters still in the bag; empty under other randomisers."""
    dealt: int
    tally: Tally
    position: Position | None

    @property
    def notation(self) -> str:
        """The knowledge on one line."""
        where = f" {self.position.rotation},{self.position.row},{self.position.column}" if self.position else ""
        return f"{self.board.notation} {self.piece or '-'} {self.next_piece or '-'} {self.remaining or '-'}{where}"


@dataclass(frozen=True)
class State(StateBase[Placement | str, Observation]):
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
    def turn(self) -> int:
        return OVER if self.outcome else CHANCE if self.piece is None else 0

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

    def legal_moves(self) -> tuple[Placement, ...]:
        """The placements of the piece in play."""
        return self.legal

    def legal_keys(self) -> tuple[str, ...]:
        """The keys; one without effect may be pressed too."""
        return COMMANDS if self.turn == 0 else ()

    def play(self, move: Placement | str) -> "State":
        if self.turn == CHANCE:
            return _dealt(self, str(move))
        self.refuse_if_over()
        return press(self, move) if isinstance(move, str) else place(self, move)

    def deal(self, rng: Chance) -> "State":
        return deal(self, rng)

    def chances(self) -> tuple[tuple[str, float], ...]:
        return law_of_deal(self) if self.turn == CHANCE else ()

    def observation(self, player: int = 0) -> Observation:
        return Observation(
            self.rules, self.board, self.piece or "", self.next_piece, self.bag, self.dealt, self.tally, self.position
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


def law_of_draw(state: State) -> tuple[tuple[str, float], ...]:
    """The pieces that the randomiser can give next, and how likely each is."""
    letters, randomiser = state.rules.pieces.letters, state.rules.randomiser
    if randomiser.kind == "sequence":
        return ((randomiser.sequence[state.dealt % len(randomiser.sequence)], 1.0),)
    if randomiser.kind == "worst":
        return ((hardest(state.rules, state.board), 1.0),)
    if randomiser.kind == "weighted":
        tops = (0.0, *randomiser.thresholds(state.rules.pieces))
        law = ((letter, high - low) for letter, low, high in zip(letters, tops, tops[1:], strict=False))
        return tuple((letter, share) for letter, share in law if share > 0)
    left = state.bag or letters if randomiser.kind == "bag" else letters
    return tuple((letter, 1 / len(left)) for letter in left)


def law_of_deal(state: State) -> tuple[tuple[str, float], ...]:
    """What a deal can draw: one piece or, the first time where the next one is shown, two."""
    law = law_of_draw(state)
    if not state.rules.preview or state.next_piece is not None:
        return law
    return tuple(
        (first + second, share * other) for first, share in law for second, other in law_of_draw(drawn(state, first))
    )


def drawn(state: State, piece: str) -> State:
    """The state after this piece was drawn."""
    bag = state.bag
    if state.rules.randomiser.kind == "bag":
        bag = (bag or state.rules.pieces.letters).replace(piece, "")
    return replace(state, bag=bag, dealt=state.dealt + 1)


def draw(state: State, rng: Chance) -> str:
    """The next piece of the randomiser."""
    letters, randomiser = state.rules.pieces.letters, state.rules.randomiser
    if randomiser.kind == "sequence":
        return randomiser.sequence[state.dealt % len(randomiser.sequence)]
    if randomiser.kind == "worst":
        return hardest(state.rules, state.board)
    if randomiser.kind == "weighted":
        top = rng.random()
        thresholds = randomiser.thresholds(state.rules.pieces)
        return next((letter for letter, high in zip(letters, thresholds, strict=True) if top < high), letters[-1])
    left = state.bag or letters if randomiser.kind == "bag" else letters
    return left[below(rng, len(left))]


def deal(state: State, rng: Chance) -> State:
    """Bring the next piece into play; the game is over if there is no room for it."""
    letters, later = "", state
    for _ in range(_draws(state)):
        letters += draw(later, rng)
        later = drawn(later, letters[-1])
    return _dealt(state, letters)


def _draws(state: State) -> int:
    """How many pieces a deal draws: the one to play unless it is known already, and the next if it is shown."""
    if state.turn != CHANCE:
        raise IllegalMove("a piece is dealt only when the last one has come to rest.")
    return (state.next_piece is None) + state.rules.preview


def _dealt(state: State, letters: str) -> State:
    """The next piece in play, when these have been drawn."""
    if len(letters) != _draws(state) or not set(letters) <= set(state.rules.pieces.letters):
        raise IllegalMove(f"{letters!r} cannot be dealt here: `chances` says what can.")
    for letter in letters:
        state = drawn(state, letter)
    coming = (state.next_piece or "") + letters
    piece, next_piece = coming[0], coming[1] if state.rules.preview else None
    shape = state.rules.pieces[piece]
    if not has_room(state.rules, state.board, shape):
        end = Outcome(End.NO_ROOM, scores=(float(state.tally.points),))
        return replace(state, piece=None, next_piece=next_piece, outcome=end)
    return replace(state, piece=piece, next_piece=next_piece, position=entry(state.rules, shape))


def _ended(rules: Rules, placement: Placement, board: Board, tally: Tally) -> Outcome | None:
    """Why the game is over after a placement, if it is."""
    scores = (float(tally.points),)
    if placement.top > rules.rows:
        return Outcome(End.STICKS_OUT, scores=scores)
    if board.highest > rules.height:
        return Outcome(End.TOO_HIGH, scores=scores)
    if rules.max_pieces and tally.pieces >= rules.max_pieces:
        return Outcome(End.LAST_PIECE, truncated=True, scores=scores)
    return None


def _rested(state: State, placement: Placement) -> State:
    """The piece comes to rest; full lines are removed unless it sticks out."""
    rules = state.rules
    if placement.top > rules.rows:
        board, lines = state.board.with_cells(placement.cells, placement.piece), 0
    else:
        board, lines = settle(state.board, placement, len(state.board.rows))
    tally = state.tally.plus(rules, lines)
    outcome = _ended(rules, placement, board, tally)
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
    if command not in (*COMMANDS, *SHIFTS):
        raise BadNotation(f"a command is one of {' '.join(COMMANDS)} or P:column:rotation, not {command!r}.")
    piece, here = state.shape, state.position
    if command == "D":
        return _dropped(state, piece, here)
    there = _steered(piece, here, command[0])
    there = there if _fits(state, there.cells(piece)) else here
    return there if command in SHIFTS else _fallen(state, piece, there)


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
