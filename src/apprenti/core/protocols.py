"""The nouns of the project, as protocols: what an outcome, an agent and a learner are to everybody else."""

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


class Learner(Protocol):
    """What makes agents. It owns exploration and chance, and knows nothing of files or screens.

    Made from a frozen config dataclass, whose fields are its command line. N steps are, to the bit, the same as k
    steps, `state`, `restore` into a new learner, and N − k steps. `state` is plain data.
    """

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        ...

    @property
    def steps(self) -> tuple[int, int]:
        """Steps done, and all of them."""
        ...

    def warm_up(self) -> None:
        """Compile what will be needed; nothing is learned."""
        ...

    def step(self) -> dict[str, Any]:
        """Learn a little; return what can be said of it."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything the next step depends on, as plain data."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        ...

    def agent(self) -> Any:
        """The agent so far."""
        ...


class Agent(Protocol):
    """Who decides. An agent never learns while it plays, prints nothing and touches no file."""

    def choose(self, observation: Any, legal: Sequence[Any], rng: Chance) -> Any:
        """One of the legal moves."""
        ...
