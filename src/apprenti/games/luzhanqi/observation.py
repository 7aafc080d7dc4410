"""What one player knows: the own layout, the public record, and what follows from them about the enemy's pieces.

A set of types is a whole number with a bit for each type. First each piece for itself: where it began, whether it
moved, how it moved, how its fights ended. Then all together: an army has a number of each type.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from apprenti.core.protocols import Outcome
from apprenti.games.luzhanqi import layout as layouts_
from apprenti.games.luzhanqi import planes
from apprenti.games.luzhanqi.board import SLOTS, move_name
from apprenti.games.luzhanqi.layout import ALLOWED
from apprenti.games.luzhanqi.moves import DIED, NO_PIECE, NO_POINT, WON, targets, types_after
from apprenti.games.luzhanqi.pieces import BOMB, EMPTY, ENGINEER, FLAG, MARSHAL, MOBILE, TYPE_OF, TYPES
from apprenti.games.luzhanqi.play import Fight, Record
from apprenti.games.luzhanqi.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    if flag != NO_POINT and record.carriers[1 - player] == NO_PIECE:
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
    last: dict[int, Shield] = {}
    for seen in record.fights:
        enemy = seen.defender if seen.attacker // SLOTS == player else seen.attacker
        if enemy == seen.defender and seen.result == DIED:
            last[enemy] = Shield(enemy % SLOTS, frozenset(fallen))
        elif enemy == seen.defender or seen.result != WON:
            fallen.add(enemy % SLOTS)
    return tuple(last.values())


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


@dataclass(frozen=True)
class Observation:
    """All that a player may know. It is made of the own layout and the public record; the enemy's layout never
    enters."""

    rules: Rules
    player: int
    """Whose knowledge this is."""
    layout: str
    """The own layout, as far as it is placed."""
    placed: tuple[int, int]
    """How many points each player has filled."""
    record: Record | None
    """What both players have seen; None while the armies are being set up."""

    @property
    def to_move(self) -> int:
        """Whose turn it is."""
        return self.record.to_move if self.record else int(self.placed[0] == SLOTS)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it did."""
        return self.record.outcome if self.record else None

    @cached_property
    def own_types(self) -> tuple[int, ...]:
        """The types of the own pieces, by slot."""
        return tuple(TYPE_OF[letter] for letter in self.layout)

    @cached_property
    def deduced(self) -> tuple[int, ...]:
        """For each slot of the enemy, the set of types its piece can be, judged by that piece alone."""
        if self.record is None:
            return (0,) * SLOTS
        return deduced(self.rules, self.player, self.own_types, self.record)

    @cached_property
    def possible(self) -> tuple[int, ...]:
        """For each slot of the enemy, the set of types its piece can still be: counts included, nothing too many."""
        return possible(self.deduced, self.rules.counts)

    @cached_property
    def shields(self) -> tuple[Shield, ...]:
        """What is known of the enemy's mines where the flag falls only after them; nothing under other rules."""
        return shields(self.rules, self.player, self.record) if self.record else ()

    def planes(self) -> "NDArray[np.float32]":
        """The observation as numbers; `planes.py` says what each plane is."""
        return planes.planes(self)

    @cached_property
    def _legal(self) -> tuple[str, ...]:
        if self.to_move != self.player or self.outcome:
            return ()
        if self.record is None:
            return layouts_.placements(self.layout, self.rules)
        board, carriers = self.record.board, self.record.carriers
        return tuple(
            move_name(origin, target)
            for origin, piece in enumerate(board)
            if piece != NO_PIECE and piece // SLOTS == self.player
            for target in targets(board, origin, self.own_types[piece % SLOTS], piece in carriers, self.rules)
        )

    @property
    def notation(self) -> str:
        """The knowledge on one line: side, own layout, where enemies began, and every move and fight as it was seen."""
        record = self.record
        if record is None:
            return f"{self.player} {self.layout} {self.placed[1 - self.player]}"
        moves = (f"{move_name(move.origin, move.target)}{move.result}" for move in record.moves)
        first = SLOTS * (1 - self.player)
        theirs = "".join("#" if first + slot in record.pieces else EMPTY for slot in range(SLOTS))
        fights = (f"{fight.shown}{fight.flag:d}{fight.revealed[0]:d}{fight.revealed[1]:d}" for fight in record.fights)
        flags = f"{record.flags[0]},{record.flags[1]}"
        return " ".join([str(self.player), self.layout, theirs, flags, ",".join(fights) or "-", *moves])

    def legal_moves(self) -> tuple[str, ...]:
        """The own legal moves; none when it is the other player's turn."""
        return self._legal
