"""The words of rare events: a game as a process that begins again when it has ended, and can be taken up anywhere."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from apprenti.core.protocols import AnyAgent, AnyRules

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]
States = NDArray[np.int64]
"""A row for each stored state."""
OUT_OF_REACH = 1 << 62
"""A level that is not reached: trials go on to a low state or the end."""
DEPTH, ODDS = 1, 2.0
"""Russian roulette (Kahn & Harris 1951): a trial that falls below the level that lies `DEPTH` under its own, and below
each one further down, is given up, but for one in `ODDS`, which from then on stands for all of them."""


@dataclass(frozen=True)
class Departures:
    """The first level reached from low states."""

    states: States
    measures: dict[str, int]
    """What was counted meanwhile."""
    ends: int
    """Games that ended meanwhile."""
    at_once: int
    """Those of them that ended before they reached the level."""
    moves: int


@dataclass(frozen=True)
class Climb:
    """Trials from one level to the next."""

    states: States
    """Where those are that reached it."""
    weights: Reals
    """For how many trials each of them stands."""
    ended: Reals
    """The same for the trials whose game ended."""
    peaks: Ints
    """How far each trial came."""
    moves: int

    @property
    def successes(self) -> Reals:
        """The weights of all that came as far as the level, or to the end."""
        return np.concatenate([self.weights, self.ended])


class Process(Protocol):
    """A game that begins again when it has ended, and can be taken up from any of its states. Threads may share it."""

    @property
    def first_level(self) -> int:
        """An importance above that of low states."""

    @property
    def stop(self) -> NDArray[np.int64]:
        """An array whose first number, set to 1, ends everything at the next move."""

    def leave(self, seed: int, level: int, crossings: int, most_ends: int, most_moves: int) -> Departures:
        """Play until a level was reached so often, each time from a low state; less if one of the limits is met."""

    def climb(self, states: States, picks: Ints, seed: int, levels: tuple[int, ...]) -> Climb:
        """From each picked state, at the last level but one, until the last one, a low state, or the end is reached.

        Trials that fall far are given up by Russian roulette.
        """


@runtime_checkable
class Splits(Protocol):
    """A game whose ends can be so rare that they are measured by splitting."""

    def process(self, rules: AnyRules, agent: AnyAgent) -> Process | None:
        """The game of an agent as such a process; None where it cannot be one."""
