"""What follows for the enemy's pieces from the own layout and the public record.

A set of types is a whole number with a bit for each type. First each piece for itself: where it began, whether it
moved, how it moved, how its fights ended. Then all together: an army has a number of each type.
"""

from collections.abc import Sequence
from typing import NamedTuple

from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.combat import DIED, WON, types_after
from apprenti.games.luzhanqi.layout import ALLOWED
from apprenti.games.luzhanqi.moves import NOBODY
from apprenti.games.luzhanqi.pieces import BOMB, ENGINEER, FLAG, MARSHAL, MOBILE, TYPE_OF, TYPES
from apprenti.games.luzhanqi.record import Fight, Record
from apprenti.games.luzhanqi.rules import Rules

_ONLY_FLAG, _ONLY_MARSHAL = 1 << FLAG, 1 << MARSHAL


def turning_types(rules: Rules) -> int:
    """The types that may turn on the railway."""
    return 1 << ENGINEER | (1 << BOMB if rules.bombs_turn else 0)


def deduced(rules: Rules, player: int, own_types: Sequence[int], record: Record) -> tuple[int, ...]:
    """For each slot of the enemy, the types its piece can be, judged by that piece alone; 0 where none began."""
    first = SLOTS * (1 - player)
    masks = [ALLOWED[slot] if first + slot in record.pieces else 0 for slot in range(SLOTS)]
    for piece in record.moved:
        if piece // SLOTS != player:
            masks[piece - first] &= turning_types(rules) if piece in record.turned else MOBILE
    flag_is_public = False
    for seen in record.fights:
        own, enemy = (
            (seen.attacker, seen.defender) if seen.attacker // SLOTS == player else (seen.defender, seen.attacker)
        )
        masks[enemy - first] &= _after(rules, own_types[own % SLOTS], enemy, seen, flag_is_public)
        flag_is_public |= seen.revealed[1 - player] or (seen.flag and enemy == seen.defender)
    flag = record.flags[1 - player]
    if flag != NOBODY and record.carriers[1 - player] == NOBODY:
        masks[record.board[flag] - first] &= _ONLY_FLAG
    return tuple(masks)


def _after(rules: Rules, own: int, enemy: int, seen: Fight, flag_is_public: bool) -> int:
    """What a fight tells of the enemy piece in it."""
    if seen.shown:
        return 1 << TYPE_OF[seen.shown[enemy == seen.defender]]
    if seen.flag:
        # the enemy's flag fell; or the own one did, and the enemy piece is a bomb exactly if both are gone
        return _ONLY_FLAG if enemy == seen.defender else types_after(rules, FLAG, False, seen.result)
    types = types_after(rules, own, enemy == seen.defender, seen.result)
    fell = seen.result != WON if enemy == seen.attacker else seen.result != DIED
    if fell and rules.reveal_flag and not flag_is_public:
        types &= _ONLY_MARSHAL if seen.revealed[enemy // SLOTS] else ~_ONLY_MARSHAL
    return types


class Shield(NamedTuple):
    """Under the rule that the flag falls only after all mines: a piece that an attack did not take.

    If it is the flag, not all mines of its owner were gone then.
    """

    slot: int
    fallen: frozenset[int]
    """The owner's slots that had fallen before the attack."""


def shields(rules: Rules, player: int, record: Record) -> tuple[Shield, ...]:
    """What failed attacks on possible flags tell of the mines; the last one for each piece tells most."""
    if rules.flag != "mines":
        return ()
    fallen: set[int] = set()
    found: dict[int, Shield] = {}
    for seen in record.fights:
        enemy = seen.defender if seen.attacker // SLOTS == player else seen.attacker
        if enemy == seen.defender and seen.result == DIED:
            found[enemy] = Shield(enemy % SLOTS, frozenset(fallen))
        elif enemy == seen.defender or seen.result != WON:
            fallen.add(enemy % SLOTS)
    return tuple(found.values())


def possible(masks: Sequence[int], counts: Sequence[int]) -> tuple[int, ...]:
    """For each slot, the types it has in at least one layout that fits the sets and the counts of the types.

    One such layout is found by augmenting paths. In it, a slot of type t can have type u instead exactly if giving
    up one u and passing types on from slot to slot ends with one more t.
    """
    slots = [slot for slot in range(len(masks)) if masks[slot]]
    holders: list[list[int]] = [[] for _ in range(TYPES)]
    for slot in slots:
        if not _assign(slot, masks, counts, holders, set()):
            return tuple(0 for _ in masks)
    reach = [0] * TYPES
    for kind in range(TYPES):
        for slot in holders[kind]:
            reach[kind] |= masks[slot]
    for middle in range(TYPES):
        for kind in range(TYPES):
            if reach[kind] >> middle & 1:
                reach[kind] |= reach[middle]
    result = [0] * len(masks)
    for kind in range(TYPES):
        from_which = sum(1 << other for other in range(TYPES) if reach[other] >> kind & 1) | 1 << kind
        for slot in holders[kind]:
            result[slot] = masks[slot] & from_which
    return tuple(result)


def _assign(slot: int, masks: Sequence[int], counts: Sequence[int], holders: list[list[int]], tried: set[int]) -> bool:
    """Give a slot one of its types, moving others to another of theirs where needed."""
    for kind in range(TYPES):
        if not masks[slot] >> kind & 1 or kind in tried or not counts[kind]:
            continue
        tried.add(kind)
        if len(holders[kind]) < counts[kind]:
            holders[kind].append(slot)
            return True
        for at, other in enumerate(holders[kind]):
            if _assign(other, masks, counts, holders, tried):
                holders[kind][at] = slot
                return True
    return False
