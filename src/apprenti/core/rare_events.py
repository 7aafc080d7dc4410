"""The words of rare events: a game as a process that begins again when it has ended, and can be taken up anywhere."""

import math
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
States = NDArray[np.int64]
"""A row for each stored state."""
NEVER = 1 << 62
"""A level that is not reached: trials go on to a low state or the end."""


@dataclass(frozen=True)
class Departures:
    """The first level reached from low states."""

    states: States
    score: float
    """What was scored meanwhile."""
    ends: int
    """Games that ended meanwhile."""
    moves: int

    @property
    def rate(self) -> float:
        """How often the level was reached, per unit of score."""
        return len(self.states) / self.score if self.score else math.inf


@dataclass(frozen=True)
class Climb:
    """Trials from one level to the next."""

    states: States
    """Where those are that reached it."""
    ended: int
    """Trials whose game ended."""
    peaks: Ints
    """How far each trial came."""
    moves: int


class Process(Protocol):
    """A game that begins again when it has ended, and can be taken up from any of its states."""

    @property
    def first_level(self) -> int:
        """An importance above that of low states."""
        ...

    @property
    def stop(self) -> Any:
        """An array whose first number, set to 1, ends everything at the next move."""
        ...

    def leave(self, seed: int, level: int, crossings: int) -> Departures:
        """Play until a level was reached so often, each time from a low state; fewer if games end all the time."""
        ...

    def climb(self, states: States, picks: Ints, seed: int, level: int) -> Climb:
        """From each picked state until the level is reached, the state is low, or the game ends."""
        ...


@runtime_checkable
class Splits(Protocol):
    """A game whose ends can be so rare that they are measured by splitting."""

    def process(self, rules: Any, agent: Any) -> Process | None:
        """The game of an agent as such a process; None where it has no compiled form."""
        ...
