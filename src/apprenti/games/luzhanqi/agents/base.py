"""What all players of Luzhanqi share: setting up, before they move."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import isfinite
from typing import ClassVar

from apprenti.agents.base import AgentBase
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.seeds import Chance, pick
from apprenti.games.luzhanqi.agents.prior import usual_layouts
from apprenti.games.luzhanqi.layout import book, book_layout, uniform_layout, varied_layout
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.rules import Rules

LAYOUTS = {"book": book_layout, "varied": varied_layout, "uniform": uniform_layout}


def next_piece(seen: Observation, legal: Sequence[str], rng: Chance, known: Sequence[str]) -> str:
    """Where a game asks for the army piece by piece: as a known layout goes on or, failing that, any piece."""
    fitting = [layout for layout in known if layout.startswith(seen.layout)]
    return pick(rng, fitting)[len(seen.layout)] if fitting else pick(rng, legal)


@dataclass(frozen=True)
class Player(AgentBase):
    """Sets up from the book or at random; how it moves is for its kinds to say."""

    plays: ClassVar[tuple[str, ...]] = ("luzhanqi",)
    kind: ClassVar[str]
    """What agent files call it."""
    layouts: str = "varied"
    """Where its layouts come from: the `book`, the book with exchanges (`varied`), or all legal ones (`uniform`)."""

    def __post_init__(self) -> None:
        for option in fields(self):
            value, kind = getattr(self, option.name), type(option.default)
            whole = isinstance(value, int) and not isinstance(value, bool)
            number = whole or (isinstance(value, float) and isfinite(value))
            if not {int: whole, float: number, str: isinstance(value, str)}[kind]:
                raise BadAgent(f"option {option.name} is of type {kind.__name__}, not {value!r}.")
        if self.layouts not in LAYOUTS:
            raise UnknownName("source of layouts", str(self.layouts), LAYOUTS)

    def arrange(self, rules: Rules, rng: Chance) -> str:
        return LAYOUTS[self.layouts](rules, rng)

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        if observation.record is None:
            return next_piece(observation, legal, rng, self._usual(observation.rules))
        return self.move(observation, legal, rng)

    def _usual(self, rules: Rules) -> Sequence[str]:
        return {"book": book(rules), "varied": usual_layouts(rules).split(), "uniform": ()}[self.layouts]

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        """One of the legal moves."""
        raise NotImplementedError

    def describe(self) -> tuple[str, JsonObject]:
        return self.kind, {option.name: getattr(self, option.name) for option in fields(self)}
