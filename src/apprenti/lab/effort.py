"""How much is played to measure something."""

from dataclasses import dataclass

from apprenti.arena.executors import cluster, cores
from apprenti.core.errors import BadOption
from apprenti.core.options import check_types

MOST_GAMES = 10**9
"""More than anybody can play, or remember."""


@dataclass(frozen=True)
class Effort:
    """How many games, from which seed, on how many cores, and when it is enough."""

    games: int = 100
    seed: int = 1
    workers: int = 0
    """Cores to use; 0 for all."""
    precision: float = 0.0
    """Go on until the interval's half-width is this part of the mean; 0 to play just `games`."""
    seconds: float = 0.0
    """Stop after this time; the games under way count as cut short. 0 for no limit."""

    def __post_init__(self) -> None:
        check_types(Effort, vars(self))
        if not 1 <= self.games <= MOST_GAMES:
            raise BadOption(f"--games is from 1 to {MOST_GAMES}, not {self.games}.")
        if not 0 <= self.precision < 1:
            raise BadOption(f"--precision is a part of the mean, like 0.05, not {self.precision:g}.")
        if not 0 <= self.workers <= 256:
            raise BadOption(f"--workers is a number of cores from 1 to 256, or 0 for all, not {self.workers}.")

    @property
    def cores(self) -> int:
        """Cores that will be used: of this machine, or of the cluster that was chosen."""
        place = cluster()
        return place.workers if place else self.workers or cores()
