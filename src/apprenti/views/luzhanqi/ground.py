"""The ground of Luzhanqi as text: roads and railways, camps, headquarters and mountains, without any piece.

The ground looks the same to both players, so it is drawn by spots on the screen: spot 0 is the top left one. For
south, spot and point are the same; north sees point 59 − spot.
"""

from apprenti.games.luzhanqi.board import CAMPS, COLUMNS, EDGES, HEADQUARTERS, POINTS, RAIL_EDGES, ROWS

PITCH = 15
"""From the middle of a column to the middle of the next."""
MIDDLE = PITCH // 2
_CROSSINGS = {
    (False, False): "┌┬┐├┼┤└┴┘",
    (True, True): "╔╦╗╠╬╣╚╩╝",
    (False, True): "╒╤╕╞╪╡╘╧╛",
    (True, False): "╓╥╖╟╫╢╙╨╜",
}
"""Where lines meet, by whether the vertical and the horizontal one are railways."""


def link(spot: int, other: int) -> str:
    """How two spots are linked: `rail`, `road`, or not at all."""
    pair = min(spot, other), max(spot, other)
    if pair not in EDGES or pair[0] < 0 or pair[1] >= POINTS:
        return ""
    return "rail" if pair in RAIL_EDGES else "road"


def beside(spot: int) -> tuple[str, str]:
    """The links to the left and to the right."""
    column = spot % COLUMNS
    return link(spot, spot - 1) if column else "", link(spot, spot + 1) if column < COLUMNS - 1 else ""


def _which(before: str, after: str) -> int:
    """0 if there is only a link after, 1 for both, 2 if there is only one before."""
    return 1 if before and after else 0 if after else 2


def empty(spot: int) -> str:
    """A spot on which nothing stands."""
    if spot in CAMPS:
        return "( )"
    if spot in HEADQUARTERS:
        return "{ }"
    (left, right), up, down = beside(spot), link(spot, spot - COLUMNS), link(spot, spot + COLUMNS)
    crossings = _CROSSINGS["rail" in (up, down), "rail" in (left, right)]
    return crossings[3 * _which(up, down) + _which(left, right)]


def brackets(spot: int) -> str:
    """What stands around a piece on a spot: round in a camp, curly in headquarters."""
    return "()" if spot in CAMPS else "{}" if spot in HEADQUARTERS else "[]"


def between(row: int) -> str:
    """The line between a row of spots and the next."""
    line = [" "] * (PITCH * COLUMNS)
    for column in range(COLUMNS):
        spot, middle = COLUMNS * row + column, MIDDLE + PITCH * column
        kind = link(spot, spot + COLUMNS)
        line[middle] = {"rail": "║", "road": "│", "": "^"}[kind]
        if not kind:
            line[middle - 1] = line[middle + 1] = "^"
        if column < COLUMNS - 1:
            if link(spot, spot + COLUMNS + 1):
                line[middle + PITCH // 2] = "╲"
            if link(spot + 1, spot + COLUMNS):
                line[middle + PITCH // 2] = "╱"
    return "".join(line).rstrip()


BETWEEN = tuple(between(row) for row in range(ROWS - 1))
LEGEND = "( ) camp   { } headquarters   ═ railway   ─ road   ^^^ mountain"
