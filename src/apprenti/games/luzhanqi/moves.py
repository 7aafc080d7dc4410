"""Where pieces can go, and what happens when one attacks another.

A step over any link, a straight slide on rails, and for some pieces any way through the rails. What a fight tells about
the pieces follows from the same table of results.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from apprenti.games.luzhanqi.board import CAMPS, HEADQUARTERS, NEIGHBOURS, RAIL_NEIGHBOURS, RAYS, SLOTS
from apprenti.games.luzhanqi.pieces import BOMB, ENGINEER, FLAG, MINE, MOBILE, RANKS, TYPES
from apprenti.games.luzhanqi.rules import Rules

Board = Sequence[int]
"""For each point the piece on it, or −1. A piece is a number: 25·player + the slot it began on."""
NO_PIECE = NO_POINT = -1
"""On a point where nothing stands; and for a flag whose place is not public."""
Points = frozenset[int]
"""The points that are not part of the board (`Rules.blocked`)."""


def slides(board: Board, origin: int, blocked: Points = frozenset()) -> Iterator[int]:
    """The points of a straight slide from here: through empty ones, up to and including the first piece."""
    for ray in RAYS[origin]:
        for point in ray:
            if point in blocked:
                break
            yield point
            if board[point] != NO_PIECE:
                break


def ways(board: Board, origin: int, blocked: Points = frozenset()) -> Iterator[int]:
    """The points an engineer reaches by rail: through empty ones, turning freely, a piece only at the end."""
    seen, waiting = {origin, *blocked}, [origin]
    while waiting:
        for point in RAIL_NEIGHBOURS[waiting.pop()]:
            if point not in seen:
                seen.add(point)
                yield point
                if board[point] == NO_PIECE:
                    waiting.append(point)


def ordinary_reach(board: Board, origin: int, blocked: Points = frozenset()) -> set[int]:
    """The points any piece here could go to, if they are free for it."""
    return {*NEIGHBOURS[origin], *slides(board, origin, blocked)} - blocked


def may_leave(origin: int, kind: int, carries: bool, rules: Rules) -> bool:
    """Whether a piece of this type can move from here at all."""
    locked = rules.headquarters == "lock" and origin in HEADQUARTERS and not carries
    return bool(MOBILE >> kind & 1) and not locked


def turns(kind: int, rules: Rules) -> bool:
    """Whether a piece of this type may turn on the railway."""
    return kind == ENGINEER or (kind == BOMB and rules.bombs_turn)


def targets(board: Board, origin: int, kind: int, carries: bool, rules: Rules) -> list[int]:
    """Where the piece on `origin` can move to, in order; its type is `kind`."""
    if not may_leave(origin, kind, carries, rules):
        return []
    owner, blocked = board[origin] // SLOTS, rules.blocked
    reach = {*NEIGHBOURS[origin], *(ways if turns(kind, rules) else slides)(board, origin, blocked)} - blocked
    return sorted(
        point for point in reach if board[point] == NO_PIECE or (board[point] // SLOTS != owner and point not in CAMPS)
    )


DIED, WON, BOTH_DIED, MOVED = range(4)
"""The result of a move, for the piece that moved, with the numbers of the engine protocol."""
RESULTS = ("died", "won", "both_died", "moved")


def fight(attacker: int, defender: int, rules: Rules, mines_left: bool = True) -> int:
    """The result of an attack. `mines_left`: whether the defender still has mines, where the rules ask for it."""
    if defender == FLAG and rules.flag == "mines" and mines_left:
        return DIED
    if attacker == BOMB and defender == FLAG and not rules.bomb_takes_flag:
        return DIED
    if BOMB in (attacker, defender):
        return BOTH_DIED
    if defender == FLAG:
        return WON
    if defender == MINE:
        if attacker == ENGINEER:
            return WON
        return DIED if rules.mine == "stays" else BOTH_DIED
    if RANKS[attacker] == RANKS[defender]:
        return BOTH_DIED
    return WON if RANKS[attacker] > RANKS[defender] else DIED


@cache
def types_after(rules: Rules, own: int, own_attacks: bool, result: int) -> int:
    """The types an enemy piece may have, as bits, after a fight with an own piece in which no flag fell."""
    types = 0
    for enemy in range(TYPES):
        attacker, defender = (own, enemy) if own_attacks else (enemy, own)
        results = {fight(attacker, defender, rules, mines_left) for mines_left in (True, False)}
        flag_fell = own_attacks and enemy == FLAG and result != DIED
        if result in results and not flag_fell:
            types |= 1 << enemy
    return types
