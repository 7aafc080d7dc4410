"""Rules, boards and weights as the flat arrays the kernel reads."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadAgent, BadRules
from apprenti.games.tetris.board import EMPTY, Board
from apprenti.games.tetris.criteria import CRITERIA
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.lanes import LANES
from apprenti.games.tetris.kernel.layout import MARKS, NUMBERS, Dealing, Tables
from apprenti.games.tetris.kernel.plan import TERM, Plan
from apprenti.games.tetris.pieces import Piece
from apprenti.games.tetris.placement import entry, legal_placements
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import GRID_BITS, LARGEST, Evaluator, TermWeights

__all__ = [
    "LANES", "TALLEST", "Arrays", "Plan", "Tables", "columns_of", "count_bits", "dealing", "options_for",
    "orientations", "packed", "plan_for", "plan_of", "scratch", "sixteen", "tables_for", "weights_for",
    "weights_of_many", "why_not",
]  # fmt: skip

Arrays = tuple[NDArray[np.generic], ...]
TALLEST = 30
NEVER_ENDS = 2**62
_RANDOMISERS = {"uniform": at.UNIFORM, "bag": at.BAG, "weighted": at.WEIGHTED, "sequence": at.FIXED}
_TIES = {"first": "", "random": "random_ties", "dellacherie": "far_ties"}
_POINTS = {"lines": at.NO_POINTS, "classic": at.CLASSIC_POINTS, "square": at.SQUARE_POINTS}


def why_not(rules: Rules) -> str | None:
    """Why the kernel cannot play these rules; None if it can."""
    if rules.randomiser.kind == "worst":
        return "the worst dealer deals by the readable rules alone"
    if not 4 <= rules.width <= LANES or not 4 <= rules.height <= TALLEST:
        return f"the compiled engine plays boards of 4 to {LANES} columns and 4 to {TALLEST} rows"
    if rules.rows > TALLEST + 1:
        return f"the compiled engine needs all rows a piece can reach, here {rules.rows}, to be {TALLEST + 1} at most"
    return None


def _shape_row(rules: Rules, piece: Piece, rotation: int) -> NDArray[np.int32]:
    shape = piece.rotations[rotation]
    row = np.zeros(at.SHAPE_SIZE, np.int32)
    row[at.WIDTH], row[at.HEIGHT], row[at.CELLS], row[at.LEFT] = shape.width, shape.height, len(shape.cells), shape.left
    row[at.DOWN] = shape.down
    row[at.ENTRY] = entry(rules, piece).turned(piece, rotation).row if rules.entry == "top" else at.FAR
    row[at.LOW : at.LOW + at.WIDEST] = at.FAR
    for column in range(shape.width):
        row[at.LOW + column], row[at.TOP + column] = shape.lowest[column], shape.highest[column] + 1
        row[at.MASK + column] = sum(1 << r for r, c in shape.cells if c == column)
    return row


def sixteen(columns: NDArray[np.int32], beyond: int = 0) -> NDArray[np.int32]:
    """Columns with room for sixteen, as the kernel has them; those right of the board are all `beyond`."""
    if columns.shape[-1] == LANES:
        return np.ascontiguousarray(columns, np.int32)
    wide = np.full((*columns.shape[:-1], LANES), beyond, np.int32)
    wide[..., : columns.shape[-1]] = columns
    return wide


def columns_of(board: Board) -> NDArray[np.int32]:
    """A board as sixteen columns of bits, as one of many."""
    cells = np.array([[cell != EMPTY for cell in row] for row in board.rows])
    return sixteen((cells << np.arange(len(board.rows))[:, None]).sum(axis=0, dtype=np.int32)[None])


def count_bits(numbers: NDArray[np.integer]) -> NDArray[np.int64]:
    """How many of the lowest 32 bits of each number are set."""
    return np.asarray((numbers[..., None] >> np.arange(32) & 1).sum(axis=-1), np.int64)


def scratch(boards: int = 2) -> Arrays:
    """Space for the kernel to work in: boards, marks, numbers."""
    return _aligned(boards * at.WORK_SIZE), np.zeros(MARKS, np.int64), np.zeros(NUMBERS)


def _aligned(size: int) -> NDArray[np.int32]:
    """Space whose first board lies at the address of a whole register: elsewhere games take up to a fifth longer."""
    room = np.zeros(size + LANES, np.int32)
    first = -(room.ctypes.data // room.itemsize + at.COLUMNS) % LANES
    return room[first : first + size]


def dealing(rules: Rules) -> Dealing:
    """How pieces are dealt and counted."""
    game = np.zeros(at.GAME_SIZE, np.int64)
    game[at.RANDOMISER], game[at.POINTS] = _RANDOMISERS[rules.randomiser.kind], _POINTS[rules.points]
    game[at.PIECES], game[at.MAX_PIECES] = len(rules.pieces.pieces), rules.max_pieces or NEVER_ENDS
    game[at.SEQUENCE], game[at.PREVIEW] = len(rules.randomiser.sequence), rules.preview
    letters = rules.pieces.letters
    shares = rules.randomiser.thresholds(rules.pieces) if rules.randomiser.kind == "weighted" else (0.0,)
    sequence = [letters.index(letter) for letter in rules.randomiser.sequence] or [0]
    return Dealing(game, np.array(shares), np.array(sequence, np.int64))


def tables_for(rules: Rules) -> Tables:
    """The arrays of a set of rules."""
    tables = _tables(replace(rules, max_pieces=0))  # else every number of pieces would have tables of its own
    game = tables.game.copy()
    game[at.MAX_PIECES] = rules.max_pieces or NEVER_ENDS
    return tables._replace(game=game)


def orientations(rules: Rules) -> list[tuple[str, int]]:
    """For each orientation the letter and rotation."""
    return [(piece.letter, rotation) for piece in rules.pieces.pieces for rotation in range(len(piece.rotations))]


@lru_cache(maxsize=256)
def _tables(rules: Rules) -> Tables:
    reason = why_not(rules)
    if reason:
        raise BadRules(reason + ".")
    game, shares, sequence = dealing(rules)
    game[at.BOARD_WIDTH], game[at.ROWS], game[at.LIMIT] = rules.width, rules.rows, rules.height
    game[at.WALKS], game[at.GRAVITY_FIRST] = rules.entry == "top", rules.gravity_first
    game[at.BOARD_ROWS] = rules.height + rules.hidden
    rows: list[NDArray[np.int32]] = []
    pieces: list[int] = []
    open_: list[int] = []
    empty = Board.empty(rules.width, rules.height, rules.hidden)
    for piece in rules.pieces.pieces:
        pieces += [len(rows), len(piece.rotations)]
        legal = legal_placements(rules, empty, piece.letter)
        for rotation in range(len(piece.rotations)):
            rows.append(_shape_row(rules, piece, rotation))
            open_.append(sum(1 << p.column for p in legal if p.rotation == rotation))
    game[at.SAFE_HEIGHT] = min(row[at.ENTRY] for row in rows)
    return Tables(game, np.concatenate(rows), np.array(pieces, np.int64), np.array(open_, np.int64), shares, sequence)


def weights_for(folded: TermWeights) -> NDArray[np.float64]:
    """One weighted sum as the kernel reads it: the weights of a player that has no other."""
    weights = np.zeros(at.WEIGHTS_SIZE)
    for term, weight in folded.terms.items():
        weights[TERM[term]] = weight
    weights[at.UNIT] = folded.unit
    weights[at.OF_COLUMN : at.OF_COLUMN + len(folded.columns)] = folded.columns
    weights[at.OF_PAIR + 1 : at.OF_PAIR + 1 + len(folded.pairs)] = folded.pairs
    weights[at.OF_SUM : at.OF_SUM + len(folded.table)] = folded.table
    return weights


def weights_of_many(parts: NDArray[np.float64], vectors: NDArray[np.float64], together: int = 1) -> NDArray[np.float64]:
    """The weights of many players, a row each: what `weights_for` and `fold` give one by one, to the bit.

    `parts` has a row for each component of a vector: the kernel's weights of the player with 1 there and 0 elsewhere.
    `together` is the number of rows that lie on one grid.
    """
    if not (np.abs(vectors) < LARGEST).all():
        raise BadAgent(f"the weights of a player must be finite numbers below {LARGEST:g}.")
    used = np.flatnonzero(parts.any(axis=0))
    sums = np.zeros((len(vectors), len(used)))
    for part, numbers in zip(parts[:, used], vectors.T, strict=True):  # one by one: the order in which `fold` adds
        sums += numbers[:, None] * part
    largest = np.abs(sums).max(axis=1, initial=0.0)
    largest = largest.reshape(-1, together).max(axis=1).repeat(together)
    units = np.where(largest > 0, 2.0 ** np.maximum(-1000, np.frexp(largest)[1] - GRID_BITS), 1.0)
    rows = np.zeros((len(vectors), parts.shape[1]))
    rows[:, used] = np.round(sums / units[:, None]) * units[:, None]
    rows[:, at.UNIT] = units
    return rows


def packed(
    rows: NDArray[np.float64], evaluator: Evaluator, biases: NDArray[np.float64] | tuple[float, ...]
) -> NDArray[np.float64]:
    """(…, sums, weights) → (…, all weights), as the kernel reads those of a player.

    Regimes begin at heights of the pile. Units have `biases`, (…, units), which are put onto the grid of the weights.
    """
    each = rows.copy()
    if evaluator.kind == "units":
        grid = rows[..., 1:, at.UNIT]
        each[..., 0, at.UNITS], each[..., 0, at.LEAST], each[..., 0, at.SIGN] = rows.shape[-2] - 1, -np.inf, 1.0
        each[..., 1:, at.BIAS], each[..., 1:, at.SIGN] = np.round(biases / grid) * grid, evaluator.signs
    regimes = np.searchsorted(evaluator.heights, np.arange(at.PILE_HEIGHTS), side="right")
    each[..., 0, at.REGIMES : at.REGIMES + at.PILE_HEIGHTS] = regimes * at.WEIGHTS_SIZE
    return each.reshape(*each.shape[:-2], -1)


def options_for(rules: Rules, evaluator: Evaluator) -> list[str]:
    """What else a plan has: how the player looks, breaks ties and joins sums; how wide the board and the pieces are."""
    options = [_TIES[evaluator.ties], evaluator.look, "units" if evaluator.kind == "units" else ""]
    widest = max(rotation.width for piece in rules.pieces.pieces for rotation in piece.rotations)
    options += ["narrow" if rules.width <= at.NARROW else "", "slim" if widest < at.WIDEST else ""]
    return [name for name in options if name]


def plan_for(folded: TermWeights, *options: str) -> Plan:
    """What has to be computed for a player. Weights of 0 are left out only where that is sure to change nothing."""
    names = {term for term, weight in folded.terms.items() if weight}
    names |= {"column_heights"} if any(folded.columns) else set()
    names |= {"height_differences"} if any(folded.pairs) else set()
    names |= {"height_rbf"} if folded.table else set()
    return Plan(frozenset(names | set(options)))


def plan_of(names: Iterable[str], *options: str) -> Plan:
    """What has to be computed for any player with these criteria, whatever its weights: one compilation for all."""
    names = set(names)
    terms = {term for name in names for term, _ in CRITERIA[name].shares(1)}
    return Plan(frozenset({*terms, *names & {*TERM}, *options}))
