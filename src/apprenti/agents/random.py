"""The hello-world of agents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apprenti.core.errors import UnknownName
from apprenti.core.seeds import Chance, pick


@dataclass(frozen=True)
class RandomAgent:
    """Any legal move, each as likely."""

    acts: str = "placements"
    """`placements`, or `commands` to press keys like a person."""

    def __post_init__(self) -> None:
        if self.acts not in ("placements", "commands"):
            raise UnknownName("kind of move", str(self.acts), ("placements", "commands"))

    def choose(self, observation: Any, legal: Sequence[Any], rng: Chance) -> Any:
        """One of the legal moves."""
        return pick(rng, legal)


@dataclass(frozen=True)
class RandomMoves:
    """Any legal move of any game for two, each as likely."""

    def choose(self, observation: Any, legal: Sequence[Any], rng: Chance) -> Any:
        """One of the legal moves."""
        return pick(rng, legal)

    def describe(self) -> tuple[str, dict[str, Any]]:
        """Kind and options, from which the agent can be built again."""
        return "random-moves", {}
