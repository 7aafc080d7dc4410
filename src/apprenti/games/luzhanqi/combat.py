"""Combat: what happens when one piece attacks another, and what the result tells about the pieces."""

from functools import cache

from apprenti.games.luzhanqi.pieces import BOMB, ENGINEER, FLAG, MINE, RANKS, TYPES
from apprenti.games.luzhanqi.rules import Rules

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
