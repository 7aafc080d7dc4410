"""The board of Luzhanqi as text, as one player sees it or with everything open.

The observer sits at the bottom; the names of the points stay those of the one frame. What a player is shown comes from
that player's observation and from nothing else. The ground (roads and railways, camps, headquarters, mountains) looks
the same to both, so it is drawn by spots on the screen: spot 0 is the top left one. For south, spot and point are the
same; north sees point 59 − spot. What is not part of the board (`blocked`) is blank.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import wrap

from apprenti.core.errors import IllegalMove
from apprenti.core.protocols import AnyAgent
from apprenti.games.luzhanqi.board import (
    CAMPS,
    COLUMNS,
    EDGES,
    HEADQUARTERS,
    NAMES,
    POINTS,
    RAIL_EDGES,
    ROWS,
    SLOTS,
    move_name,
    parse_move,
    turned,
)
from apprenti.games.luzhanqi.moves import NO_PIECE, NO_POINT
from apprenti.games.luzhanqi.pieces import NAMES as PIECE_NAMES
from apprenti.games.luzhanqi.play import Record
from apprenti.games.luzhanqi.rules import Rules
from apprenti.games.luzhanqi.state import State
from apprenti.games.luzhanqi.views.pieces import (
    INSIDE,
    LEGEND,
    Shown,
    centred,
    counted,
    in_words,
    rules_in_words,
    seen_by,
    seen_open,
    width_of,
)
from apprenti.views.view import Look, View, best_of

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


MARGIN = "   "
WIDTH = 80
"""Columns of a terminal that shows everything."""
_CODES = {"own": "1;97;44", "enemy": "1;97;41", "dim": "2", "last": "93", "aim": "1;92", "cursor": "7"}
_LINES = {"rail": "═", "road": "─", "": " "}
_WORDS = ("attacker died", "attacker won", "both died", "moved")
"""The results of a move, by their numbers."""


def painted(text: str, *codes: str, colour: bool) -> str:
    """The text in colours, where there are any."""
    chosen = [_CODES[code] for code in codes if code]
    return f"\x1b[{';'.join(chosen)}m{text}\x1b[0m" if colour and chosen and text.strip() else text


def board_lines(
    pieces: Mapping[int, Shown], look: Look, aims: frozenset[int], blocked: frozenset[int], rows: range = range(ROWS)
) -> list[str]:
    """The board, or some rows of it as they are seen, with the names of columns and rows."""
    turn = look.eyes == 1
    numbers = range(COLUMNS - 1, -1, -1) if turn else range(COLUMNS)
    lines = [MARGIN + "".join(centred(str(number), PITCH) for number in numbers).rstrip()]
    for row in rows:
        spots = range(COLUMNS * row, COLUMNS * (row + 1))
        points = [turned(spot) if turn else spot for spot in spots]
        cells = [
            _cell(spot, point, pieces.get(point), look, aims, blocked)
            for spot, point in zip(spots, points, strict=True)
        ]
        lines.append(f" {NAMES[points[0]][0]} {''.join(cells)}".rstrip())
        if row != rows[-1] and not look.small:
            lines.append(MARGIN + painted(between(row, blocked), "dim", colour=look.colour))
    return lines


def _cell(spot: int, point: int, piece: Shown | None, look: Look, aims: frozenset[int], blocked: frozenset[int]) -> str:
    """A spot with its links to the left and to the right."""
    token = _token(spot, point, piece, look, aims, blocked)
    army = ("own" if piece.own else "enemy") if piece else ""
    mark = "aim" if point in aims or point == look.chosen else "last" if point in look.last else ""
    codes = [army, mark, "cursor" if point == look.cursor else ""]
    room = PITCH - width_of(token)
    left, right = (_LINES[kind] for kind in beside(spot, blocked))
    before, after = left * (room // 2), right * (room - room // 2)
    middle = painted(token, *(codes if any(codes) else ["dim"]), colour=look.colour)
    return painted(before, "dim", colour=look.colour) + middle + painted(after, "dim", colour=look.colour)


def _token(
    spot: int, point: int, piece: Shown | None, look: Look, aims: frozenset[int], blocked: frozenset[int]
) -> str:
    """What stands on a spot, between brackets that say what is to be said of it: the cursor before all else."""
    marks = (
        ("▸◂", point == look.cursor),
        ("**", point == look.chosen),
        ("▪▪", point in aims),
        ("<>", point in look.last),
    )
    around = next((brackets for brackets, holds in marks if holds), "")
    if piece:
        around = around or brackets(spot)
        return around[0] + centred(piece.text, INSIDE) + around[1]
    nothing = empty(spot, blocked)
    if not around:
        return nothing
    inside = "▪" if point in aims else nothing if len(nothing) == 1 else " "
    return inside if around == "▪▪" else around[0] + inside + around[1]


def aims_of(state: State, look: Look) -> frozenset[int]:
    """Where the piece that has been picked up can go."""
    if look.chosen is None or look.eyes is None or state.record is None:
        return frozenset()
    moves = map(parse_move, state.observation(look.eyes).legal_moves())
    return frozenset(target for origin, target in moves if origin == look.chosen)


def status_lines(state: State, look: Look, chinese: bool = False) -> list[str]:
    """How far the game is, who lost what, and where a flag has been shown."""
    record = state.record
    if record is None:
        return []
    first = f" move {len(record.moves) + 1}, quiet {record.quiet}{_limit(state.rules)}"
    for move in record.moves[-2:]:  # the own move and the answer to it
        first += f"  {move_name(move.origin, move.target)}: {_WORDS[move.result]}"
    if look.eyes is None:
        south, north = state.types[:SLOTS], state.types[SLOTS:]
        return [first, _losses("south", 0, record, south, chinese), _losses("north", 1, record, north, chinese)]
    own = state.observation(look.eyes).own_types
    theirs = state.observation(1 - look.eyes).own_types if look.open else None
    enemy = _losses("the enemy", 1 - look.eyes, record, theirs, chinese)
    return [first, _losses("you", look.eyes, record, own, chinese), enemy]


def _limit(rules: Rules) -> str:
    """What a number of quiet moves leads to."""
    what = "draws" if rules.quiet_draw else "loses"
    return f" of {rules.quiet_limit} ({rules.quiet_limit} {what})" if rules.quiet_limit else ""


def _losses(name: str, player: int, record: Record, types: Sequence[int] | None, chinese: bool) -> str:
    """What an army has lost; `types` are those of its slots, if they may be seen."""
    fallen = [piece for piece in record.pieces - record.alive if piece // SLOTS == player]
    shown = f"; flag on {NAMES[record.flags[player]]}" if record.flags[player] != NO_POINT else ""
    if types is None or not fallen:
        lost = "nothing" if not fallen else "one piece" if len(fallen) == 1 else f"{len(fallen)} pieces"
    else:
        room = WIDTH - len(f" {name} lost {shown}")
        lost = counted((types[piece % SLOTS] for piece in fallen), room, chinese)
    return f" {name} lost {lost}{shown}"


def neighbour(point: int, key: str, blocked: frozenset[int], turn: bool = False) -> int:
    """The next point of the board in a direction of the screen; at its edge, the same."""
    down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[key]
    row, column = divmod(turned(point) if turn else point, COLUMNS)
    while True:
        row, column = row + down, column + right
        if not (0 <= row < ROWS and 0 <= column < COLUMNS):
            return point
        spot = COLUMNS * row + column
        if spot not in blocked:
            return turned(spot) if turn else spot


@dataclass(frozen=True)
class LuzhanqiView(View[State]):
    """The view of Luzhanqi."""

    chinese: bool = False
    """The pieces by their Chinese names."""

    def screen(self, state: State, look: Look) -> str:
        seen = None if look.eyes is None else state.observation(look.eyes)
        hidden = not look.open
        pieces = seen_by(seen, self.chinese) if seen and hidden else seen_open(state, self.chinese, look.eyes or 0)
        lines = board_lines(pieces, look, aims_of(state, look), state.rules.blocked)
        lines += status_lines(state, look, self.chinese)
        if seen and look.cursor is not None:
            under = f"{NAMES[look.cursor]}: {in_words(seen, look.cursor, self.chinese)}"
            lines += wrap(under, WIDTH, initial_indent=" ", subsequent_indent=" " * 5)
        elif seen and hidden:
            lines.append(f" {LEGEND}")
        return "\n".join([*lines, *([f" hint: {best_of(look.hints)}"] if look.hints else [])])

    def start(self, state: State) -> int:
        return COLUMNS * (6 if state.to_move == 0 else 5) + 2

    def walk(self, state: State, point: int, key: str, eyes: int) -> int:
        return neighbour(point, key, state.rules.blocked, turn=eyes == 1)

    def pick(self, state: State, chosen: int | None, point: int) -> tuple[int | None, str | None]:
        if state.record is None:
            raise IllegalMove("the armies are being set up: place letters or a whole layout.")
        if chosen == point:
            return None, None
        piece = state.record.board[point]
        if piece == NO_PIECE or piece // SLOTS != state.to_move:
            if chosen is None:
                raise IllegalMove(f"none of your pieces stands on {NAMES[point]}: pick up the one to move first.")
            return None, move_name(chosen, point)
        if not any(parse_move(move)[0] == point for move in state.legal_moves()):
            name = PIECE_NAMES[state.observation(state.to_move).own_types[piece % SLOTS]]
            raise IllegalMove(f"your {name} on {NAMES[point]} cannot move.")
        return point, None

    def points(self, move: str) -> tuple[int, ...]:
        return parse_move(move) if len(move) == 4 else ()

    def how(self, state: State) -> str:
        return f"a move from point to point, like {next(iter(state.legal_moves()), 'G2F2')}"

    def said(self, state: State, move: str) -> str:
        return f"{move} ({state.last_result.replace('_', ' ')})" if move and state.last_result else move

    def about(self, rules: Rules) -> tuple[str, ...]:
        return rules_in_words(rules)

    def explains(self, agent: AnyAgent) -> bool:
        return True

    def explain(self, agent: AnyAgent, player: int, state: State, small: bool = False) -> str:
        from apprenti.games.luzhanqi.views.beliefs import explained  # loads compiled code: not for a page of help

        return explained(agent, player, state, small)


VIEW = LuzhanqiView()
