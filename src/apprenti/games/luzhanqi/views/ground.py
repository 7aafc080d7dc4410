"""The ground of Luzhanqi as text: roads and railways, camps, headquarters and mountains, without any piece.

The ground looks the same to both players, so it is drawn by spots on the screen: spot 0 is the top left one. For
south, spot and point are the same; north sees point 59 − spot. What is not part of the board (`blocked`) is blank.
"""

from functools import cache

from apprenti.games.luzhanqi.board import CAMPS, COLUMNS, EDGES, HEADQUARTERS, POINTS, RAIL_EDGES

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
Points = frozenset[int]
WHOLE: Points = frozenset()
"""Nothing is left out."""


def link(spot: int, other: int, blocked: Points = WHOLE) -> str:
    """How two spots are linked: `rail`, `road`, or not at all."""
    pair = min(spot, other), max(spot, other)
    if pair not in EDGES or pair[0] < 0 or pair[1] >= POINTS or not blocked.isdisjoint(pair):
        return ""
    return "rail" if pair in RAIL_EDGES else "road"


def beside(spot: int, blocked: Points = WHOLE) -> tuple[str, str]:
    """The links to the left and to the right."""
    column = spot % COLUMNS
    left = link(spot, spot - 1, blocked) if column else ""
    return left, link(spot, spot + 1, blocked) if column < COLUMNS - 1 else ""


def _which(before: str, after: str) -> int:
    """0 if there is only a link after, 1 for both, 2 if there is only one before."""
    return 1 if before and after else 0 if after else 2


def empty(spot: int, blocked: Points = WHOLE) -> str:
    """A spot on which nothing stands."""
    if spot in blocked:
        return " "
    if spot in CAMPS:
        return "( )"
    if spot in HEADQUARTERS:
        return "{ }"
    left, right = beside(spot, blocked)
    up, down = link(spot, spot - COLUMNS, blocked), link(spot, spot + COLUMNS, blocked)
    if not (left or right):
        return "║" if "rail" in (up, down) else "│"
    if not (up or down):
        return "═" if "rail" in (left, right) else "─"
    crossings = _CROSSINGS["rail" in (up, down), "rail" in (left, right)]
    return crossings[3 * _which(up, down) + _which(left, right)]


def brackets(spot: int) -> str:
    """What stands around a piece on a spot: round in a camp, curly in headquarters."""
    return "()" if spot in CAMPS else "{}" if spot in HEADQUARTERS else "[]"


@cache
def between(row: int, blocked: Points = WHOLE) -> str:
    """The line between a row of spots and the next."""
    line = [" "] * (PITCH * COLUMNS)
    for column in range(COLUMNS):
        spot, middle = COLUMNS * row + column, MIDDLE + PITCH * column
        line[middle] = {"rail": "║", "road": "│", "": " "}[link(spot, spot + COLUMNS, blocked)]
        if not link(spot, spot + COLUMNS):
            line[middle - 1 : middle + 2] = "^^^"
        if column < COLUMNS - 1:
            if link(spot, spot + COLUMNS + 1, blocked):
                line[middle + PITCH // 2] = "╲"
            if link(spot + 1, spot + COLUMNS, blocked):
                line[middle + PITCH // 2] = "╱"
    return "".join(line).rstrip()
