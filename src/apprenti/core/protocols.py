"""The three nouns of the project, as protocols: what a game, an agent and an outcome are to everybody else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from apprenti.core.seeds import Chance


@dataclass(frozen=True)
class Outcome:
    """How a game ended and why. `winner` is a player's number, None for a draw or a game for one."""

    reason: str
    winner: int | None = None
    truncated: bool = False
    """True when a limit stopped the game and not its rules."""


class Agent(Protocol):
    """Who decides. An agent never learns while it plays, prints nothing and touches no file."""

    def choose(self, observation: Any, legal: Sequence[Any], rng: Chance) -> Any:
        """One of the legal moves."""
        ...
