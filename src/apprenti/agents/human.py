"""A person, by way of whatever asks them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from apprenti.core.seeds import Chance


@dataclass(frozen=True)
class HumanAgent:
    """Asks a person for each command; how, is the business of whoever holds the keyboard."""

    ask: Callable[[Any, Sequence[Any]], Any]
    presses_keys: bool = True

    def choose(self, observation: Any, legal: Sequence[Any], rng: Chance) -> Any:
        """What the person says."""
        return self.ask(observation, legal)
