"""What the enemy's pieces may be: all layouts that fit everything a player knows, each as likely.

Every deduction but one speaks of a single piece, so the layouts are the ways to give the 25 slots types from their
sets (`Observation.deduced`) with the army's number of each type. These are counted exactly, by a table over how many
of each type are left, and drawn from that table: no sample is ever rejected. The exception is the rule that the flag
falls only after all mines: what failed attacks tell of flag and mines together is subtracted from the counts, and
samples that do not fit are drawn again.

The readable half is `deduction.possible`: which types there are in any of these layouts. How many layouts there are is
counted by the kernel alone, and compared with brute force in the tests.

When it is the enemy's turn one thing more is known, which is not considered here: that it can move at all. Only small
armies ever cannot; `worlds` of the game leaves such layouts out.

Layouts are as likely as uniform setting-up makes them. How a player sets up and moves by habit is not considered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import IllegalMove
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.fast.arrays import Ints
from apprenti.games.luzhanqi.kernel.counting import count_by_class, count_ways, draw
from apprenti.games.luzhanqi.observation import Observation, Shield, possible
from apprenti.games.luzhanqi.pieces import FLAG, MINE, NONE, TYPES

Shares = NDArray[np.float64]


def dice_from(rng: Chance) -> NDArray[np.uint64]:
    """The state of a compiled stream of random numbers, drawn from any chance."""
    return np.array([int(rng.random() * 2.0**62)], dtype=np.uint64)


@dataclass(frozen=True)
class Assignments:
    """All ways to give slots types, where a slot has a set of types and each type a number of pieces."""

    sets: tuple[int, ...]
    """For each slot the types it allows, as bits; 0 for a slot without a piece."""
    counts: tuple[int, ...]

    @cached_property
    def tight(self) -> tuple[int, ...]:
        """The sets, without what no assignment has."""
        return possible(self.sets, self.counts)

    @cached_property
    def open_slots(self) -> tuple[int, ...]:
        """The slots whose type is not known."""
        return tuple(slot for slot, types in enumerate(self.tight) if types & (types - 1))

    @cached_property
    def _numbers(self) -> Ints:
        """How many pieces of each type the open slots have."""
        left = np.array(self.counts, dtype=np.int64)
        for types in self.tight:
            if types and not types & (types - 1):
                left[types.bit_length() - 1] -= 1
        return left

    @cached_property
    def _members(self) -> Ints:
        """The class of each type: types that the same open slots allow are one."""
        classes: dict[tuple[int, ...], int] = {}
        members = np.full(TYPES, -1, dtype=np.int64)
        for kind in range(TYPES):
            slots = tuple(slot for slot in self.open_slots if self.tight[slot] >> kind & 1)
            if slots and self._numbers[kind]:
                members[kind] = classes.setdefault(slots, len(classes))
        return members

    @cached_property
    def _tables(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Allowed classes of each open slot; pieces and stride of each class; ways to go on from each state."""
        members, numbers = self._members, self._numbers
        size = int(members.max(initial=-1)) + 1
        counts = np.array([numbers[members == place].sum() for place in range(size)], dtype=np.int64)
        strides = np.array([prod(int(c) + 1 for c in counts[:place]) for place in range(size)], dtype=np.int64)
        allowed = np.zeros(len(self.open_slots), dtype=np.int64)
        for number, slot in enumerate(self.open_slots):
            for kind in range(TYPES):
                if self.tight[slot] >> kind & 1 and members[kind] >= 0:
                    allowed[number] |= 1 << int(members[kind])
        return allowed, counts, strides, count_ways(allowed, counts, strides)

    @cached_property
    def total(self) -> int:
        """How many there are (beyond 2⁵³ rounded, as floating-point numbers are)."""
        if any(types and not tight for types, tight in zip(self.sets, self.tight, strict=True)):
            return 0
        _, counts, _, ways = self._tables
        within = 1
        for place, count in enumerate(counts):
            kinds = self._numbers[self._members == place]
            within *= factorial(int(count)) // prod(factorial(int(number)) for number in kinds)
        return int(ways[-1]) * within

    @cached_property
    def marginals(self) -> Shares:
        """For each slot and type, the share of the assignments in which the slot has that type."""
        shares = np.zeros((len(self.sets), TYPES))
        for slot, types in enumerate(self.tight):
            if types and not types & (types - 1):
                shares[slot, types.bit_length() - 1] = 1.0
        if self.open_slots:
            allowed, counts, strides, ways = self._tables
            by_class = count_by_class(allowed, counts, strides, ways) / ways[-1]
            for kind, place in enumerate(self._members):
                if place >= 0:
                    shares[list(self.open_slots), kind] = by_class[:, place] * self._numbers[kind] / counts[place]
        return shares

    def draw(self, dice: NDArray[np.uint64], count: int) -> Ints:
        """`count` assignments, each as likely: rows of types by slot, 12 where there is no piece."""
        fixed = [types.bit_length() - 1 if types else NONE for types in self.tight]
        out = np.tile(np.array(fixed, dtype=np.int64), (count, 1))
        if self.open_slots:
            rows = np.empty((count, len(self.open_slots)), dtype=np.int64)
            draw(*self._tables, self._members, self._numbers, dice, rows)
            out[:, list(self.open_slots)] = rows
        return out


@dataclass(frozen=True)
class Beliefs:
    """The layouts of the enemy that fit everything a player knows."""

    assignments: Assignments
    shields: tuple[Shield, ...] = ()

    @classmethod
    def of(cls, seen: Observation) -> "Beliefs":
        """The beliefs of a player."""
        if seen.record is None:
            raise IllegalMove("before the armies are set up there is nothing to believe about them.")
        return cls(Assignments(seen.deduced, seen.rules.counts), seen.shields)

    @cached_property
    def _excluded(self) -> tuple[Assignments, ...]:
        """The assignments a shield excludes: that slot is the flag, and all mines had fallen before."""
        return tuple(
            Assignments(
                tuple(
                    types & 1 << FLAG if slot == shield.slot else types & ~(0 if slot in shield.fallen else 1 << MINE)
                    for slot, types in enumerate(self.assignments.sets)
                ),
                self.assignments.counts,
            )
            for shield in self.shields
            if self.assignments.sets[shield.slot] >> FLAG & 1
        )

    @property
    def total(self) -> int:
        """How many layouts fit."""
        return self.assignments.total - sum(some.total for some in self._excluded)

    def marginals(self) -> Shares:
        """For each of the enemy's slots and each type, how likely it is; exact. A slot without a piece has zeros."""
        shares = self.assignments.marginals * self.assignments.total
        for some in self._excluded:
            if some.total:
                shares = shares - some.marginals * some.total
        return np.asarray(shares / self.total)

    def sample(self, rng: Chance, count: int) -> Ints:
        """`count` layouts of the enemy, each as likely: rows of types by slot, 12 where there is no piece."""
        dice = dice_from(rng)
        rows = self.assignments.draw(dice, count)
        while not all(fits := [self._fits(row) for row in rows] if self.shields else [True]):
            wrong = [number for number, good in enumerate(fits) if not good]
            rows[wrong] = self.assignments.draw(dice, len(wrong))
        return rows

    def _fits(self, row: Sequence[int]) -> bool:
        mines = {slot for slot in range(SLOTS) if row[slot] == MINE}
        return not any(row[shield.slot] == FLAG and mines <= shield.fallen for shield in self.shields)
