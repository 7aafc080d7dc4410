"""The board: 60 points, its roads and railways, its camps and headquarters, and a number for every move there can be.

A point is a whole number 5·row + column, rows 0 … 11 from the top (`A` … `L`), columns 0 … 4. Player 0, south, owns
rows 6 … 11. The half turn of the board swaps the players: point p becomes 59 − p.
"""

from itertools import pairwise

from apprenti.core.errors import BadNotation

ROWS, COLUMNS = 12, 5
POINTS = ROWS * COLUMNS
SLOTS = 25
"""Points a player fills at the beginning, numbered from the front row, left to right as the owner sees them."""


def _with_half_turn(points: tuple[tuple[int, int], ...]) -> frozenset[int]:
    here = {COLUMNS * row + column for row, column in points}
    return frozenset(here | {turned(point) for point in here})


def turned(point: int) -> int:
    """The same point as the other player sees it."""
    return POINTS - 1 - point


def mirrored(point: int) -> int:
    """The same point with left and right exchanged."""
    row, column = divmod(point, COLUMNS)
    return COLUMNS * row + COLUMNS - 1 - column


HEADQUARTERS = _with_half_turn(((0, 1), (0, 3)))
CAMPS = _with_half_turn(((2, 1), (2, 3), (3, 2), (4, 1), (4, 3)))
RAIL_ROWS = (1, 5, 6, 10)


def _lines() -> tuple[tuple[int, ...], ...]:
    rows = [tuple(COLUMNS * row + column for column in range(COLUMNS)) for row in RAIL_ROWS]
    columns = [tuple(COLUMNS * row + column for row in range(1, 11)) for column in (0, COLUMNS - 1)]
    return (*rows, *columns, (COLUMNS * 5 + 2, COLUMNS * 6 + 2))


LINES = _lines()
"""The straight railways: four rows, two columns, the bridge in the centre."""
RAIL = frozenset(point for line in LINES for point in line)


def _edges() -> frozenset[tuple[int, int]]:
    """All links between neighbours, each once, the smaller point first."""
    links = set()
    for point in range(POINTS):
        row, column = divmod(point, COLUMNS)
        if column < COLUMNS - 1:
            links.add((point, point + 1))
        mountain = row == 5 and column in (1, 3)
        if row < ROWS - 1 and not mountain:
            links.add((point, point + COLUMNS))
        if point in CAMPS:
            for other in (point - 6, point - 4, point + 4, point + 6):
                links.add((min(point, other), max(point, other)))
    return frozenset(links)


EDGES = _edges()
RAIL_EDGES = frozenset((first, second) for line in LINES for first, second in pairwise(line))


def _neighbours(edges: frozenset[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(sorted({first + second - point for first, second in edges if point in (first, second)}))
        for point in range(POINTS)
    )


NEIGHBOURS = _neighbours(EDGES)
RAIL_NEIGHBOURS = _neighbours(RAIL_EDGES)


def _rays(point: int) -> tuple[tuple[int, ...], ...]:
    rays = []
    for line in LINES:
        if point in line:
            at = line.index(point)
            rays += [line[at + 1 :], line[:at][::-1]]
    return tuple(ray for ray in rays if ray)


RAYS = tuple(_rays(point) for point in range(POINTS))
"""From each point, the straight railways that lead away from it, nearest point first."""


def _start() -> tuple[tuple[int, ...], tuple[int, ...]]:
    south = tuple(point for point in range(POINTS // 2, POINTS) if point not in CAMPS)
    return south, tuple(turned(point) for point in south)


START = _start()
"""For each player, the points of slots 0 … 24."""
FRONT_SLOTS = frozenset(slot for slot in range(SLOTS) if START[0][slot] // COLUMNS == 6)
BACK_SLOTS = frozenset(slot for slot in range(SLOTS) if START[0][slot] // COLUMNS >= 10)
HEADQUARTERS_SLOTS = frozenset(slot for slot in range(SLOTS) if START[0][slot] in HEADQUARTERS)


def _beside_mini() -> frozenset[int]:
    """What the mini board leaves out: the corners, and between the railways all but the camps before headquarters."""
    north = ((0, 0), (0, 4), (2, 2), *((row, column) for row in (3, 4) for column in (1, 2, 3)))
    return _with_half_turn(north)


def _beside_micro() -> frozenset[int]:
    """What the micro board leaves out: all but headquarters, the outer railways and what joins them in the back row."""
    kept = (
        (0, 1),
        (0, 3),
        (1, 0),
        (1, 1),
        (1, 3),
        (1, 4),
        *((row, column) for row in range(2, 6) for column in (0, 4)),
    )
    return frozenset(range(POINTS)) - _with_half_turn(kept)


BLOCKED = {"full": frozenset[int](), "mini": _beside_mini(), "micro": _beside_micro()}
"""The points that are not part of a board, by its name. Nothing begins there, goes there or passes there. They are the
same in the mirror and after the half turn, so that all symmetries stay."""
BARE = {"micro": frozenset(range(POINTS)) - HEADQUARTERS - _with_half_turn(((1, 0), (1, 4)))}
"""The points of a board where nothing begins: on the micro board all but headquarters and the railway's corners."""


def owner_of_headquarters(point: int) -> int:
    """The player on whose side a point is."""
    return 0 if point >= POINTS // 2 else 1


def _moves() -> tuple[tuple[int, int], ...]:
    every = [
        (origin, target)
        for origin in range(POINTS)
        for target in sorted({*NEIGHBOURS[origin], *(RAIL - {origin} if origin in RAIL else ())})
    ]
    free = [move for move in every if move[0] not in HEADQUARTERS]
    return (*free, *(move for move in every if move[0] in HEADQUARTERS))


MOVES = _moves()
"""Every (from, to) there can be, by its number. Moves out of headquarters, which most rules forbid, are the last."""
ACTIONS = sum(origin not in HEADQUARTERS for origin, _ in MOVES)
"""How many moves there are while nothing leaves a headquarters."""
ALL_ACTIONS = len(MOVES)
ACTION_OF = {move: number for number, move in enumerate(MOVES)}
TURNED_ACTION = tuple(ACTION_OF[turned(origin), turned(target)] for origin, target in MOVES)
"""The same move as the other player sees it."""

_ROW_LETTERS = "ABCDEFGHIJKL"


def point_name(point: int) -> str:
    """`G2` for row 6, column 2."""
    return f"{_ROW_LETTERS[point // COLUMNS]}{point % COLUMNS}"


NAMES = tuple(map(point_name, range(POINTS)))
_POINT_OF = {name: point for point, name in enumerate(NAMES)}


def parse_point(text: str) -> int:
    """Read `G2`."""
    if text.upper() not in _POINT_OF:
        raise BadNotation(f"a point is a row A … L and a column 0 … 4, like G2, not {text!r}.")
    return _POINT_OF[text.upper()]


def move_name(origin: int, target: int) -> str:
    """`G2F2`."""
    return NAMES[origin] + NAMES[target]


def parse_move(text: str) -> tuple[int, int]:
    """Read `G2F2`."""
    if len(text) != 4:
        raise BadNotation(f"a move is two points, from and to, like G2F2, not {text!r}.")
    return parse_point(text[:2]), parse_point(text[2:])
