"""The hello-world of agents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from apprenti.core.data import JsonObject
from apprenti.core.errors import UnknownName
from apprenti.core.seeds import Chance, pick

T = TypeVar("T")


@dataclass(frozen=True)
class RandomAgent:
    """Any legal move of any game, each as likely."""

    acts: str = "placements"
    """`placements`, or `commands` to press keys like a person where a game has them."""

    def __post_init__(self) -> None:
        if self.acts not in ("placements", "commands"):
            raise UnknownName("kind of move", str(self.acts), ("placements", "commands"))

    @property
    def presses_keys(self) -> bool:
        """Whether it presses keys."""
        return self.acts == "commands"

    def choose(self, observation: object, legal: Sequence[T], rng: Chance) -> T:
        return pick(rng, legal)

    def probabilities(self, observation: object, legal: Sequence[T]) -> Sequence[float]:
        return [1 / len(legal)] * len(legal)

    def describe(self) -> tuple[str, JsonObject]:
        return "random", {"acts": self.acts}
