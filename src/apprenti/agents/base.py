"""What every agent of one game has: which game that is, and a word for rules it cannot play."""

from typing import ClassVar

import numpy as np

from apprenti.core.data import Arrays, JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.protocols import AnyRules


class AgentBase:
    """An agent that plays one family of games, under any rules unless it says otherwise."""

    plays: ClassVar[tuple[str, ...]]

    def check(self, rules: AnyRules) -> None:
        """BadAgent, with the reason, for rules it cannot play."""


def same_arrays(mine: Arrays, theirs: Arrays) -> bool:
    """Whether two sets of arrays are the same, name by name."""
    return mine.keys() == theirs.keys() and all(np.array_equal(mine[name], theirs[name]) for name in mine)


class ComparedByArrays:
    """An agent that equals another with the same options and arrays. Two may be equal and large: none is hashed."""

    def describe(self) -> tuple[str, JsonObject]:
        raise NotImplementedError

    def arrays(self) -> Arrays:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComparedByArrays) or self.describe() != other.describe():
            return False
        return same_arrays(self.arrays(), other.arrays())

    __hash__ = None  # type: ignore[assignment]


def check_array(arrays: Arrays, name: str, shape: tuple[int, ...]) -> None:
    """Refuse an array that is missing, of another shape, or no finite numbers."""
    found = arrays.get(name)
    if found is None or found.shape != shape or found.dtype.kind != "f" or not np.isfinite(found).all():
        raise BadAgent(f"this agent needs an array {name!r} of finite numbers of shape {shape}.")


def check_number(name: str, value: object, low: float, high: float) -> None:
    """Refuse an option that is no number in its range."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadAgent(f"{name} is a number from {low:g} to {high:g}, not {value!r:.20}.")
