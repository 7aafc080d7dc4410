"""Many games of Tetris at once on the compiled engine, one placement each at a time.

For who decides outside the kernel: a network that values boards by the hundred, a Gymnasium environment. The games
are, piece for piece and move for move, those of the readable engine with the same seeds.

    batch = Batch(Rules.preset("simplified", "10x20"), games=64, seed=1)
    batch.reset()
    after = batch.afterstates()           # every legal placement of every game
    value = network(after.boards())       # (placements, rows, columns)
    lines = batch.step(after.best(value))
    batch.renew()                         # games that are over begin anew
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import DTypeLike, NDArray

from apprenti.core.compiled import announcing
from apprenti.core.data import Numbers, like
from apprenti.core.errors import BadOption, BadRules, IllegalMove
from apprenti.core.protocols import Outcome
from apprenti.core.seeds import Stream, seed_of
from apprenti.games.tetris.board import EMPTY, Board
from apprenti.games.tetris.fast.tables import LANES, Arrays, columns_of, scratch, sixteen, tables_for, why_not
from apprenti.games.tetris.kernel import batch as compiled
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.layout import AfterstateArrays
from apprenti.games.tetris.placement import Placement, entry, legal_placements
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import End, State, Tally

Ints = NDArray[np.int64]

Turn = tuple[int, int, int, int, int, int, int]
"""What one action did (the lines of a piece that came to rest; `IN_THE_AIR` if none did; `ILLEGAL`), then of the game:
the piece in play, the next one, how it ended as a place in `ENDS`, lines, points, pieces."""
IN_THE_AIR, ILLEGAL = at.IN_THE_AIR, at.ILLEGAL

ENDS = (None, End.STICKS_OUT, End.TOO_HIGH, End.NO_ROOM, End.LAST_PIECE, End.ILLEGAL)
"""How a game of a batch ended, by its number; None while it goes on."""


Planes = NDArray[np.number]
"""(…, rows, width): cells, 1 where something is."""


def planes(
    columns: NDArray[np.int32], rows: int, width: int, dtype: DTypeLike = np.uint8, out: Planes | None = None
) -> Planes:
    """Boards cell by cell, (…, rows, width), from their columns as bits: row 0 is the bottom, 1 a full cell.

    They are written into `out`, if that is given: an array that this has returned before.
    """
    out = np.empty((*columns.shape[:-1], rows, width), dtype) if out is None else out
    write = compiled.write_byte_planes if out.dtype.itemsize == 1 else compiled.write_planes
    write(sixteen(columns).ravel(), rows, width, out.reshape(-1))
    return out


def afterstate_arrays(count: int) -> AfterstateArrays:
    """Room for this many afterstates."""
    return AfterstateArrays(
        np.empty(count * LANES, np.int32), np.empty(count * at.MOVE_SIZE, np.int32), np.empty(count, np.uint8),
        np.empty(count, np.int64), np.empty(count, np.int64),
    )  # fmt: skip


@dataclass(frozen=True)
class Afterstates:
    """The board after each legal placement of each game, one after the other: game by game, action by action."""

    rows: int
    width: int
    starts: Ints
    """Where the placements of each game begin; those of game i end where the next ones begin."""
    game: Ints
    """For each placement its game."""
    action: Ints
    """For each placement its action."""
    columns: NDArray[np.int32]
    """(placements, 16): the columns of the board after it as bits, row 0 the lowest bit; walls beyond the width."""
    lines: Ints
    """Lines it removes."""
    over: NDArray[np.bool_]
    """Whether it ends the game."""
    move: NDArray[np.int32]
    """(placements, 3): lines removed, cells of the piece in them, twice the landing height."""

    @classmethod
    def of(cls, rules: Rules, starts: Ints, arrays: AfterstateArrays) -> "Afterstates":
        """What the kernel has written, as much of it as `starts` counts."""
        n = int(starts[-1])
        columns, move = arrays.boards.reshape(-1, LANES)[:n], arrays.moves.reshape(-1, at.MOVE_SIZE)[:n]
        lines, over = move[:, at.M_LINES].astype(np.int64), arrays.over[:n].view(np.bool_)
        return cls(rules.height, rules.width, starts, arrays.owner[:n], arrays.action[:n], columns, lines, over, move)

    def __len__(self) -> int:
        return len(self.game)

    def boards(self, dtype: DTypeLike = np.uint8) -> NDArray[np.number]:
        """The boards cell by cell: (placements, rows, width), row 0 at the bottom."""
        return planes(self.columns, self.rows, self.width, dtype)

    def first_best(self, values: NDArray[np.number]) -> Ints:
        """For each game the place, among all placements, of its best value, the first of equals; -1 if it has none."""
        best = np.full(len(self.starts) - 1, -1, np.int64)
        playing = self.starts[1:] > self.starts[:-1]
        if len(values):
            most = np.maximum.reduceat(values, self.starts[:-1][playing])
            tops = np.flatnonzero(values == np.repeat(most, np.diff(self.starts)[playing]))
            owners = self.game[tops]
            first = np.concatenate([[True], owners[1:] != owners[:-1]])
            best[owners[first]] = tops[first]
        return best

    def best(self, values: NDArray[np.number]) -> Ints:
        """For each game the action of its best value, the first of equals; -1 for a game that is over."""
        places = self.first_best(values)
        return np.where(places < 0, -1, self.action[places] if len(self) else -1)


def _rebuilt(
    kind: type["Batch"], rules: Rules, games: int, threads: int, state: dict[str, NDArray[np.generic]]
) -> "Batch":
    """A copy of a batch that shares nothing with it."""
    batch = kind(rules, games, None, threads=threads)
    batch.restore(state)
    return batch


class Batch:
    """Games of one set of rules, side by side. An action is a number: rotation × width + column."""

    def __init__(
        self, rules: Rules, games: int, seed: int | None = 0, name: object = "batch", threads: int = 1
    ) -> None:
        """`seed` may be None for a batch that is restored: to name a stream for each game takes a while."""
        if reason := why_not(rules):
            raise BadRules(reason + ".")
        if games < 1 or threads < 1:
            raise BadOption(f"a batch has at least one game and one thread, not {games} and {threads}.")
        self.rules, self.size, self.threads = rules, games, threads
        self.rotations = max(len(piece.rotations) for piece in rules.pieces.pieces)
        self.actions = self.rotations * rules.width
        """How many actions there are; which of them are legal depends on the piece and the board."""
        self.rows = rules.height
        """Rows of a board that is seen."""
        self.tables: Arrays = tuple(tables_for(rules))
        """The rules as arrays, for compiled code."""
        self._games = np.zeros((games, at.BATCH_SIZE), np.int64)
        self._games[:, at.G_PIECE] = -1
        self._flat_games = self._games.ravel()
        self._chances = np.zeros((games, 2), np.uint64)
        if seed is not None:
            self._chances[:, 1] = [seed_of(seed, name, index) for index in range(games)]
        # What is known of the games, each an array with one entry a game: views that change with every step
        self.all_columns = np.zeros((games, LANES), np.int32)
        """(games, 16): the columns of each board as bits, row 0 the lowest, and the walls beyond the width."""
        self.columns = self.all_columns[:, : rules.width]
        """(games, width): the same without these walls."""
        self.columns_before = np.zeros((games, LANES), np.int32)
        """(games, 16): the columns before the last piece came to rest; those of the board itself in a new game."""
        self.last_move = np.zeros((games, at.MOVE_SIZE), np.int32)
        """(games, 3): of the last piece, lines removed, cells of it in them, twice its landing height; 0 at first."""
        self.streams = self._chances[:, 1]
        """The states of the streams from which each game draws the seeds of its next ones."""
        self.piece, self.next_piece = self._games[:, at.G_PIECE], self._games[:, at.G_NEXT]
        """Pieces as numbers in the set; -1 for a game that is over, and for a next piece that the rules hide."""
        self.lines, self.points, self.pieces = (
            self._games[:, place] for place in (at.G_LINES, at.G_POINTS, at.G_PIECES)
        )
        """Of the game: lines removed, points, pieces placed."""
        self.outcome = self._games[:, at.G_OUTCOME]
        """Why the game is over, as a place in `ENDS`; 0 while it goes on."""
        self.arrays: Arrays = (
            self.all_columns.ravel(), self.columns_before.ravel(), self._flat_games, self._chances.ravel(),
            self.last_move.ravel(),
        )  # fmt: skip
        """The games as flat arrays: boards, boards before, all else, streams, last moves."""
        self.scratch = [scratch(boards=1)[:2] for _ in range(threads)]
        """Space to work in, for each thread."""
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    @property
    def last_lines(self) -> Ints:
        """Lines that the last piece removed; 0 at first."""
        return self.last_move[:, at.M_LINES].astype(np.int64)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether the game is over."""
        return np.not_equal(self.outcome, at.GOES_ON)

    @property
    def dead(self) -> NDArray[np.bool_]:
        """Whether the rules ended the game, and not a limit."""
        return self.over & ~self.truncated

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether the last piece that the rules allow has been played."""
        return np.equal(self.outcome, at.LAST_PIECE)

    def boards(
        self, dtype: DTypeLike = np.uint8, which: Ints | slice = slice(None), out: Planes | None = None
    ) -> Planes:
        """The boards of all games or of some: (games, rows, width), row 0 at the bottom, 1 for a full cell.

        Where keys are pressed the hidden rows are there too, and those above an open board.
        """
        return planes(self.all_columns[which], self.rows, self.rules.width, dtype, out)

    def masks(self) -> NDArray[np.int8]:
        """(games, actions): 1 where an action is legal. A game that is over has none."""
        masks = np.empty((self.size, self.actions), np.int8)
        compiled.write_masks(self._flat_games, masks.ravel(), self.rotations, self.rules.width)
        return masks

    # What moves them ------------------------------------------------------------------------------------------------

    def reset(self, seeds: Sequence[int] | NDArray[np.uint64] | None = None) -> None:
        """Begin all games anew. With seeds, game i draws its pieces as `Stream(seeds[i])` does.

        Without, each game has a stream of its own (by the root seed, the name and its number in the batch) from which
        the seeds of its first and all later games are drawn.
        """
        if seeds is not None:
            if len(seeds) != self.size:
                raise BadOption(f"a batch of {self.size} games needs as many seeds, not {len(seeds)}.")
            self._chances[:, 0] = np.asarray(seeds, np.uint64)
        self._begin(np.ones(self.size, np.bool_), seeds is not None)

    def set_up(self, index: int, board: Board, piece: str, next_piece: str | None = None) -> None:
        """Give one game a position of your own: its board, the piece that appears now and, if it is known, the next.

        What it has scored and its streams stay as they are; a bag is full.
        """
        rules = self.rules
        if (board.width, board.height) != (rules.width, rules.height) or board.highest > rules.height:
            raise BadOption(f"the board must be {rules.width}x{rules.height}, with nothing above its top row.")
        self.all_columns[index] = sixteen(columns_of(board)[0, : rules.width], beyond=(1 << rules.height) - 1)
        self.columns_before[index], self.last_move[index] = self.all_columns[index], 0
        own = self._games[index]
        own[at.G_BAG], own[at.G_NEXT] = 0, self._letters.index(rules.pieces[next_piece].letter) if next_piece else -1
        number = self._letters.index(rules.pieces[piece].letter)
        compiled.set_up(self.tables, self.arrays, index, number, self.scratch[0])

    def renew(self) -> Ints:
        """Begin those games anew that are over, each with the next seed of its own stream; which they were."""
        over = self.over
        if over.any():
            self._begin(over, False)
        return np.flatnonzero(over)

    def _begin(self, which: NDArray[np.bool_], given: bool) -> None:
        with announcing("Tetris games side by side", Batch):
            compiled.begin_games(self.tables, self.arrays, which, given, self.scratch[0])

    def step(self, actions: NDArray[np.integer] | Sequence[int]) -> Ints:
        actions = self.one_each(actions)
        legal = self.legal(actions)
        if not legal.all():
            wrong = int(np.argmin(legal))
            raise IllegalMove(self.complaint(wrong, int(actions[wrong])))
        self.play(actions, legal)
        return self.last_lines

    def legal(self, actions: Ints) -> NDArray[np.bool_]:
        """Whether each game's action is legal; in a game that is over none is."""
        legal = np.empty(self.size, np.uint8)
        compiled.find_legal(self._flat_games, actions, self.rules.width, legal)
        return legal.view(np.bool_)

    def play(self, actions: Ints, legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Play in those games whose action is legal, and leave the others alone; in which a piece came to rest."""
        given = self.tables, self.arrays, actions, legal
        self._share(lambda room, first, last: compiled.step_games(*given, room, first, last))
        return legal

    def turn(self, action: int, board: NDArray[np.uint8], mask: NDArray[np.int8]) -> Turn:
        """For a single game, all in one call: play an action and write its board and mask into these arrays.

        Nothing is done if the action is not legal.
        """
        turn: Turn = compiled.step_and_see(
            self.tables, self.arrays, action, self.scratch[0], board.ravel(), mask, self.rotations
        )
        return turn

    def give_up(self, which: NDArray[np.bool_]) -> None:
        """End some games by no rule of Tetris: somebody tried what is not legal."""
        self._games[which, at.G_OUTCOME] = at.GIVEN_UP
        self._games[which, at.G_PIECE] = -1
        self._games[which, at.G_ALLOWED :] = 0

    def one_each(self, actions: NDArray[np.integer] | Sequence[int]) -> Ints:
        """Actions as the kernel reads them."""
        numbers = np.ascontiguousarray(actions, np.int64)
        if numbers.shape != (self.size,):
            raise BadOption(f"a batch of {self.size} games needs as many actions, not an array of {numbers.shape}.")
        return numbers

    def complaint(self, index: int, action: int) -> str:
        """What is wrong with an action that is not legal, in one sentence."""
        if self.piece[index] < 0:
            return f"game {index} is over or has not begun: begin it with reset() or renew()."
        rotation, column = divmod(action, self.rules.width)
        letter = self.rules.pieces.letters[self.piece[index]]
        return (
            f"action {action} of game {index} (rotation {rotation}, column {column}) is not legal for piece {letter}."
        )

    def random_actions(self, rng: Stream) -> Ints:
        """For each game one of its legal actions, each as likely; -1 for a game that is over."""
        actions, luck = np.empty(self.size, np.int64), np.array([rng.state], np.uint64)
        compiled.draw_actions(self._flat_games, self._starts(), self.rules.width, luck, actions)
        rng.state = int(luck[0])
        return actions

    def _starts(self) -> Ints:
        starts = np.empty(self.size + 1, np.int64)
        compiled.count_legal(self._flat_games, starts)
        return starts

    def afterstates(self) -> Afterstates:
        """The board after every legal placement of every game; nothing is played."""
        starts = self._starts()
        given, out = (self.tables, self.arrays, starts), afterstate_arrays(int(starts[-1]))
        self._share(lambda room, first, last: compiled.write_afterstates(*given, room, tuple(out), first, last))
        return Afterstates.of(self.rules, starts, out)

    def _share(self, work: Callable[[Arrays, int, int], None]) -> None:
        """Let each thread do its part of the games."""
        if self._pool is None:
            work(self.scratch[0], 0, self.size)
            return
        cuts = [self.size * part // self.threads for part in range(self.threads + 1)]
        list(self._pool.map(work, self.scratch, cuts[:-1], cuts[1:]))

    # What is kept, and how it looks to the readable engine ------------------------------------------------------------

    def state(self) -> dict[str, NDArray[np.generic]]:
        return {name: array.copy() for name, array in self._kept().items()}

    def _kept(self) -> dict[str, NDArray[np.generic]]:
        """All there is of the games, under the names of files."""
        boards = {"boards": self.all_columns, "before": self.columns_before}
        return {**boards, "games": self._games, "chances": self._chances, "moves": self.last_move}

    def shapes(self) -> dict[str, Numbers]:
        """What a saved state looks like: nothing in it points outside the arrays that compiled code reads."""
        pieces, rows, most = len(self._letters), self.rules.height + self.rules.hidden + at.WIDEST, 2**62
        low, high = np.zeros(at.BATCH_SIZE, np.int64), np.full(at.BATCH_SIZE, most)
        low[[at.G_PIECE, at.G_NEXT]], high[[at.G_PIECE, at.G_NEXT]] = -1, pieces - 1
        high[[at.G_OUTCOME, at.G_ROTATION]] = at.GIVEN_UP, at.MOST_ROTATIONS - 1
        low[[at.G_ROW, at.G_COLUMN]], high[[at.G_ROW, at.G_COLUMN]] = -at.WIDEST, (rows, self.rules.width)
        boards, state = (0, 2 ** min(31, rows) - 1), self.state()
        ranges = {"boards": boards, "before": boards, "games": (low, high), "moves": (0, 2**20)}
        return {name: like(array, *ranges.get(name, ())) for name, array in state.items()}

    def restore(self, state: dict[str, NDArray[np.generic]]) -> None:
        for name, array in state.items():
            self._kept()[name][...] = array

    @classmethod
    def of(cls, rules: Rules, state: dict[str, NDArray[np.generic]]) -> "Batch":
        """The games of a saved state."""
        return _rebuilt(cls, rules, len(state["boards"]), 1, state)

    def copies(self, picks: Ints, seeds: NDArray[np.uint64] | None = None) -> "Batch":
        """Copies of some of the games, each as often as it is picked; with seeds each goes on with its own pieces."""
        state = {name: array[picks] for name, array in self.state().items()}
        if seeds is not None:
            state["chances"][:, 0] = seeds
        return Batch.of(self.rules, state)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.rules, self.size, self.threads, self.state())

    @cached_property
    def _letters(self) -> str:
        return self.rules.pieces.letters

    def board(self, index: int) -> Board:
        """The board of one game; which piece a cell came from is not known, every full one is `#`."""
        rows = self.rules.height + self.rules.hidden
        cells = planes(self.all_columns[index], rows, self.rules.width)
        return Board(tuple("".join(EMPTY if not cell else "#" for cell in row) for row in cells), self.rules.hidden)

    def observe(self, index: int) -> State:
        """One game as a state of the readable engine (for views and agents; how often lines went together is lost)."""
        own = self._games[index]
        piece, next_piece = (self._letters[k] if k >= 0 else None for k in (own[at.G_PIECE], own[at.G_NEXT]))
        bag = "".join(letter for k, letter in enumerate(self._letters) if own[at.G_BAG] >> k & 1)
        tally = Tally(int(own[at.G_LINES]), int(own[at.G_POINTS]), 0, int(own[at.G_PIECES]))
        position = entry(self.rules, self.rules.pieces[piece]) if piece else None
        end = ENDS[own[at.G_OUTCOME]]
        outcome = Outcome(end, truncated=end is End.LAST_PIECE, scores=(float(tally.points),)) if end else None
        dealt = int(own[at.G_DEALT])
        return State(self.rules, self.board(index), piece, next_piece, bag, dealt, tally, position, outcome)

    def action_of(self, placement: Placement) -> int:
        """The action that is a placement."""
        return placement.rotation * self.rules.width + placement.column

    def placement_of(self, index: int, action: int) -> Placement:
        """The placement that an action is in one game."""
        state = self.observe(index)
        for placement in legal_placements(self.rules, state.board, state.piece) if state.piece else ():
            if self.action_of(placement) == action:
                return placement
        raise IllegalMove(self.complaint(index, action))
