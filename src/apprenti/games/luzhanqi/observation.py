"""What one player knows: the own layout and the public record, and what follows from them about the enemy."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from apprenti.core.protocols import Outcome
from apprenti.games.luzhanqi import deduction, planes
from apprenti.games.luzhanqi import layout as layouts_
from apprenti.games.luzhanqi.board import SLOTS, move_name
from apprenti.games.luzhanqi.moves import NOBODY, targets
from apprenti.games.luzhanqi.pieces import EMPTY, TYPE_OF
from apprenti.games.luzhanqi.record import Record
from apprenti.games.luzhanqi.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
        return deduction.deduced(self.rules, self.player, self.own_types, self.record)

    @cached_property
    def possible(self) -> tuple[int, ...]:
        """For each slot of the enemy, the set of types its piece can still be: counts included, nothing too many."""
        return deduction.possible(self.deduced, self.rules.counts)

    @cached_property
    def shields(self) -> tuple[deduction.Shield, ...]:
        """What is known of the enemy's mines where the flag falls only after them; nothing under other rules."""
        return deduction.shields(self.rules, self.player, self.record) if self.record else ()

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
            if piece != NOBODY and piece // SLOTS == self.player
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
        told = (f"{fight.shown}{fight.flag:d}{fight.revealed[0]:d}{fight.revealed[1]:d}" for fight in record.fights)
        flags = f"{record.flags[0]},{record.flags[1]}"
        return " ".join([str(self.player), self.layout, theirs, flags, ",".join(told) or "-", *moves])

    def legal_moves(self) -> tuple[str, ...]:
        """The own legal moves; none when it is the other player's turn."""
        return self._legal
