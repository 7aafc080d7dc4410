"""Where things lie in the kernel's flat arrays, and which of these functions are given together.

`work` holds one board and what is known of it. It is a table of rows of `STRIDE` numbers; column c of the board is at
`row + PAD + c`, and beyond the edges lie walls, so that a load shifted by a few columns finds what the rules say.
"""

from collections import namedtuple

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel.lanes import LANES, address
from apprenti.games.tetris.weights import MOST_UNITS

PAD = 4
STRIDE = 40
WIDEST = 5
"""The widest piece, in columns."""
NARROW = 10
"""On boards up to this width a piece of three columns or more has at most eight places, others have at most twelve."""

MOST_TERMS = 31
MOST_PIECES = 32
MOST_ORIENTATIONS = 4 * MOST_PIECES

_FIRST = PAD
# The board: a column is a number, bit r is row r; and its heights
COLUMNS, HEIGHTS = (_FIRST + row * STRIDE for row in range(2))
# Rows full in every column left of this one; in this one and every one right of it
LEFT_AND, RIGHT_AND = (_FIRST + row * STRIDE for row in range(2, 4))
# Some sums over the whole board; and 1 for every pair of columns inside the board, 0 with a wall
TOTALS, INNER = (_FIRST + row * STRIDE for row in range(4, 6))
# A piece dropped at every column: the sums of heights, and the columns around it afterwards
SUMS = _FIRST + 6 * STRIDE
AFTER = _FIRST + 7 * STRIDE  # a row for each column from two left of the piece to two right of it
RUNS = AFTER + (WIDEST + 4) * STRIDE  # the same for the wells in them
# Two rows a term: what each column gives to a sum; or what all to its left, and all from it on, give to a maximum
SHARES = RUNS + (WIDEST + 4) * STRIDE
WORK_SIZE = SHARES - _FIRST + 2 * MOST_TERMS * STRIDE

# `shapes`: one row for each orientation of each piece
WIDTH, HEIGHT, CELLS = 0, 1, 2
LEFT = 3  # empty columns left of it in its matrix
ENTRY = 4  # the row of its lowest cell where the player is first asked; far above when it drops from above the pile
LOW, TOP, MASK = 5, 5 + WIDEST, 5 + 2 * WIDEST  # for each of its columns: lowest row, highest row plus one, cells
DOWN = 5 + 3 * WIDEST  # empty rows above it in its matrix
SHAPE_SIZE = DOWN + 1
FAR = 99

# `weights`: one for each term, the unit of the grid they lie on, one for each column, one for each pair of columns, and
# the value of every possible sum of heights
UNIT = MOST_TERMS
OF_COLUMN = 32 + PAD
OF_PAIR = OF_COLUMN + STRIDE
OF_SUM = OF_PAIR + STRIDE
# With units: how many there are beside the sum. Each has weights after those of the sum, and its own bias, what its sum
# is at least (minus infinity for the sum itself), and the sign with which it counts
UNITS, BIAS, LEAST, SIGN = (OF_SUM + 1024 + place for place in range(4))
# For each height of the pile how much further on the weights begin that count there: 0 without regimes
REGIMES = SIGN + 1
PILE_HEIGHTS = 32
WEIGHTS_SIZE = REGIMES + PILE_HEIGHTS

# `game`: the rules as numbers
(
    BOARD_WIDTH,  # columns
    ROWS,  # rows in which a piece may come to rest
    LIMIT,  # a pile higher than this, after lines are removed, ends the game
    WALKS,  # 1: pieces appear at the top and move there through free cells; 0: they drop from above
    SAFE_HEIGHT,  # a pile no higher than this is not in the way at the top
    RANDOMISER,
    PIECES,
    SEQUENCE,  # length of a fixed sequence
    POINTS,
    MAX_PIECES,
    PREVIEW,  # 1: the next piece is known
    BOARD_ROWS,  # rows in which a piece can be steered, hidden ones included
    GRAVITY_FIRST,  # rows that a piece comes down before the player is first asked
) = range(13)
GAME_SIZE = 13
UNIFORM, BAG, WEIGHTED, FIXED = range(4)
NO_POINTS, CLASSIC_POINTS, SQUARE_POINTS = range(3)

# `result`: what is known of a finished game
R_LINES, R_PIECES, R_POINTS, R_DIED, R_CLEARS, R_MOVES = 0, 1, 2, 3, 4, 4 + WIDEST
RESULT_SIZE = 5 + WIDEST

# A game of a batch: what is known of it besides its board
(
    G_PIECE,  # the piece in play, -1 when there is none
    G_NEXT,  # the next piece, -1 when it is not known
    G_BAG,  # a bit for each piece still in the bag
    G_DEALT,  # pieces drawn so far, the visible next one included
    G_LINES,
    G_POINTS,
    G_PIECES,
    G_OUTCOME,  # why it is over
    G_ROTATION,  # the piece in play: its rotation, and the lower left corner of its box
    G_ROW,
    G_COLUMN,
    G_ALLOWED,  # for each of up to four rotations the columns the piece may be dropped at, as bits
) = range(12)
MOST_ROTATIONS = 4
BATCH_SIZE = G_ALLOWED + MOST_ROTATIONS
GOES_ON, STICKS_OUT, TOO_HIGH, NO_ROOM, LAST_PIECE, GIVEN_UP = range(6)
# What a placement was, beside the board after it: lines removed, cells of the piece in them, twice the landing height
M_LINES, M_CELLS, M_LANDING = range(3)
MOVE_SIZE = 3
# What an action may do instead of letting a piece rest, beside the number of lines it removes
IN_THE_AIR, ILLEGAL = -1, -2


# What functions are given together: flat arrays where Python calls, pointers to them inside ---------------------------


# What is called for every step takes plain tuples from Python: Numba needs 1 µs more to look at a named one.

Tables = namedtuple("Tables", "game shapes pieces open_ shares sequence")
"""A set of rules: as numbers; a row for each orientation of each piece; for each piece its first orientation and how
many it has; for each orientation the columns it may be dropped at when nothing is in the way, as bits; for each piece
the share of it and of all before it, if they are weighted; the pieces in their order, if it is fixed."""

Dealing = namedtuple("Dealing", "game shares sequence")
"""What of a set of rules says how pieces are dealt and counted."""

Scratch = namedtuple("Scratch", "work allowed reach")
"""Space to work in: a board and what is known of it; for each orientation the columns it may be dropped at, as bits;
marks for `placement.py`. What is in it means nothing to the next call."""

PlayerScratch = namedtuple("PlayerScratch", "work ahead allowed answers reach bag values odds")
"""The same for a player of whole games, and another board with what is allowed there; a bit for each piece still in the
bag; for each column the value of a drop; for each piece the probability that it comes next."""

Game = namedtuple("Game", "columns before own chance move")
"""One of many games side by side: sixteen columns, walls beyond the edge; the same before the last piece came to rest;
all else that is known of it; two streams, one for the pieces and one for the seeds of games to come; the last move."""

AfterstateArrays = namedtuple("AfterstateArrays", "boards moves over owner action")
"""What placements lead to: the board, what the move was, 1 if it ends the game; whose it was, and the action."""

MARKS = 2 * MOST_ORIENTATIONS + 16
BASES = LANES + MOST_PIECES
"""In the numbers, behind values and odds: for the sum and each unit the linear part of the board before a move."""
NUMBERS = BASES + MOST_UNITS + 1


@inlined
def scratch_in(arrays):
    boards, marks = arrays
    return Scratch(address(boards, 0), address(marks, 0), address(marks, 2 * MOST_ORIENTATIONS))


@inlined
def player_scratch_in(arrays):
    boards, marks, numbers = arrays
    return PlayerScratch(
        address(boards, 0), address(boards, WORK_SIZE), address(marks, 0), address(marks, MOST_ORIENTATIONS),
        address(marks, 2 * MOST_ORIENTATIONS), address(marks, 2 * MOST_ORIENTATIONS + 8), address(numbers, 0),
        address(numbers, LANES),
    )  # fmt: skip


@inlined
def game_in(games, i):
    boards, before, own, chances, moves = games
    return Game(
        address(boards, i * LANES), address(before, i * LANES), address(own, i * BATCH_SIZE),
        address(chances, 2 * i), address(moves, i * MOVE_SIZE),
    )  # fmt: skip
