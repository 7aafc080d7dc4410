"""An observation as numbers, for learning: 54 planes of 12 × 5 points, as the observing player sees the board.

South sees the board as it is; for north it is turned by half. So the own side is always at the bottom.

| plane | what it holds, 0 where not said |
|---|---|
| 0 … 11 | 1 where an own piece of type a … l stands |
| 12 … 23 | 1 where an enemy piece stands that can be of type a … l |
| 24 … 35 | 1 where an enemy piece began that has fallen and can have been of type a … l |
| 36, 37 | 1 where an own, an enemy piece stands that has moved |
| 38, 39 | 1 where an own, an enemy piece stands that has survived a fight |
| 40 | 1 where an own piece stands that was seen turning on the railway |
| 41, 42 | 1 where the own, the enemy's flag is, if that is public |
| 43 | 1 where a piece stands that carries a flag |
| 44 | 1 where the last move came from |
| 45 … 48 | 1 where the last move went to, if its piece died, won, died together with the other, moved |
| 49 | everywhere: moves without attack, as a share of the quiet limit (of 100 if there is none) |
| 50 | everywhere: moves played, as a share of the limit of moves (of 1550 if there is none) |
| 51, 52, 53 | 1 on the railway, in camps, in headquarters, where the board has them |
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi.board import CAMPS, COLUMNS, HEADQUARTERS, POINTS, RAIL, ROWS, SLOTS, START
from apprenti.games.luzhanqi.moves import NO_PIECE, NO_POINT
from apprenti.games.luzhanqi.pieces import NONE, TYPES
from apprenti.games.luzhanqi.play import Record
from apprenti.games.luzhanqi.rules import Rules

if TYPE_CHECKING:
    from apprenti.games.luzhanqi.observation import Observation

    Array = NDArray[np.float32]

OWN, ENEMY, FALLEN = 0, TYPES, 2 * TYPES
MOVED, SURVIVED, TURNED, FLAGS, CARRIES, FROM, TO, QUIET, PLAYED, GROUND = 36, 38, 40, 41, 43, 44, 45, 49, 50, 51
PLANES = 54
LONGEST = 1550
"""No game under the championship's rules has more moves."""


def scales(rules: Rules) -> tuple[float, float]:
    """By what the quiet counter and the number of moves are divided."""
    return float(rules.quiet_limit or 100), float(rules.max_moves or LONGEST)


def planes(seen: "Observation") -> "Array":
    """The planes of an observation."""
    out = np.zeros((PLANES, POINTS), dtype=np.float32)
    for at, ground in enumerate((RAIL, CAMPS, HEADQUARTERS)):
        out[GROUND + at, sorted(ground - seen.rules.blocked)] = 1
    if seen.record is None:
        for slot, kind in enumerate(seen.own_types):
            if kind != NONE:
                out[OWN + kind, START[seen.player][slot]] = 1
    else:
        _pieces(seen, seen.record, out)
        _history(seen, seen.record, out)
    turned = out if seen.player == 0 else out[:, ::-1]
    return np.ascontiguousarray(turned.reshape(PLANES, ROWS, COLUMNS))


def _mark(out: "Array", plane: int, point: int, types: int) -> None:
    for kind in range(TYPES):
        if types >> kind & 1:
            out[plane + kind, point] = 1


def _pieces(seen: "Observation", record: Record, out: "Array") -> None:
    """What stands where, and what is known of it."""
    survivors = record.survivors
    for point, piece in enumerate(record.board):
        if piece == NO_PIECE:
            continue
        enemy = int(piece // SLOTS != seen.player)
        slot = piece % SLOTS
        if enemy:
            _mark(out, ENEMY, point, seen.possible[slot])
        else:
            out[OWN + seen.own_types[slot], point] = 1
            out[TURNED, point] = piece in record.turned
        out[MOVED + enemy, point] = piece in record.moved
        out[SURVIVED + enemy, point] = piece in survivors
        out[CARRIES, point] = piece in record.carriers
    for piece in record.pieces - record.alive:
        if piece // SLOTS != seen.player:
            _mark(out, FALLEN, START[1 - seen.player][piece % SLOTS], seen.possible[piece % SLOTS])


def _history(seen: "Observation", record: Record, out: "Array") -> None:
    """Flags, the last move and the clocks."""
    for player, point in enumerate(record.flags):
        if point != NO_POINT:
            out[FLAGS + (player != seen.player), point] = 1
    if record.moves:
        last = record.moves[-1]
        out[FROM, last.origin] = 1
        out[TO + last.result, last.target] = 1
    quiet, played = scales(seen.rules)
    out[QUIET] = record.quiet / quiet
    out[PLAYED] = len(record.moves) / played


MOVE_INPUTS = 2 * POINTS + 4 + 1
"""60 for where a move came from, 60 for where it went (the own side at the bottom), 4 for what became of its piece (it
died, won, died together with the other, moved), and one that is 1 for an own move. All of it is public."""


def move_inputs(moves: NDArray[np.int64], player: int) -> NDArray[np.float32]:
    """(moves, 125) from rows of origin, target, result and who moved: what a recurrent network is given after each."""
    out = np.zeros((len(moves), MOVE_INPUTS), np.float32)
    row = np.arange(len(moves))
    points = moves[:, :2] if player == 0 else POINTS - 1 - moves[:, :2]
    out[row, points[:, 0]] = 1
    out[row, POINTS + points[:, 1]] = 1
    out[row, 2 * POINTS + moves[:, 2]] = 1
    out[row, MOVE_INPUTS - 1] = moves[:, 3] == player
    return out
