"""What agents have in common, and the simplest two of any game: any legal move, and a learned table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np

from apprenti.core.data import Arrays, JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import AnyMove, AnyObservation, AnyRules
from apprenti.core.seeds import Chance, pick


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
    array = arrays.get(name)
    if array is None or array.shape != shape or array.dtype.kind != "f" or not np.isfinite(array).all():
        raise BadAgent(f"this agent needs an array {name!r} of finite numbers of shape {shape}.")


def check_number(name: str, value: object, low: float, high: float) -> None:
    """Refuse an option that is no number in its range."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadAgent(f"{name} is a number from {low:g} to {high:g}, not {value!r:.20}.")


# Any move ------------------------------------------------------------------------------------------------------------

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


# A learned table -----------------------------------------------------------------------------------------------------

Values = dict[str, float]
"""What each legal move is worth, by its text."""
Table = dict[str, Values]
"""The values of each observation, by its text."""


def packed_table(table: Table) -> Arrays:
    """A table as arrays: a line of text for each value (observation, tab, move), and the values."""
    lines = "\n".join(f"{seen}\t{move}" for seen, row in table.items() for move in row)
    values = [value for row in table.values() for value in row.values()]
    return {"texts": np.frombuffer(lines.encode(), np.uint8), "values": np.array(values, np.float64)}


def unpacked_table(arrays: Arrays) -> Table:
    """The table that `packed_table` wrote; BadAgent if it is none."""
    texts, values = arrays.get("texts", np.zeros(0, np.uint8)), arrays.get("values", np.zeros(0))
    if texts.dtype != np.uint8 or values.dtype != np.float64 or not np.isfinite(values).all():
        raise BadAgent("a table of values is bytes of text and finite numbers.")
    try:
        lines = [line.split("\t") for line in texts.tobytes().decode().splitlines()]
        table: Table = {}
        for (seen, move), value in zip(lines, values.tolist(), strict=True):
            table.setdefault(seen, {})[move] = value
    except ValueError:
        raise BadAgent("a table of values has a line for each: an observation, a tab and a move.") from None
    return table


def best_moves(values: Values, texts: Sequence[str]) -> list[int]:
    """The places of those moves that are worth most; what is not in the table is worth least."""
    known = [values.get(text, float("-inf")) for text in texts]
    return [place for place, value in enumerate(known) if value == max(known)]


class QValuesAgent(ComparedByArrays):
    """Plays the move of the greatest value, of equals any; any legal move where nothing is known."""

    def __init__(self, game: str, rules: JsonObject, arrays: Arrays | None = None) -> None:
        self.game: AnyGame = GAMES.load(game)
        self.rules = self.game.rules_from_json(dict(rules))
        self.table = unpacked_table(arrays or {})
        self.plays = (self.game.family,)

    def check(self, rules: AnyRules) -> None:
        if rules != self.rules:
            learned, asked = (self.game.describe(some) for some in (self.rules, rules))
            raise BadAgent(f"this player has learned {learned} and cannot play {asked}.")

    def choose(self, observation: AnyObservation, legal: Sequence[AnyMove], rng: Chance) -> AnyMove:
        values = self.table.get(self.game.write_observation(observation), {})
        best = best_moves(values, [self.game.write_move(move) for move in legal])
        return legal[best[0] if len(best) == 1 else pick(rng, best)]

    def values(self, observation: AnyObservation) -> dict[AnyMove, float]:
        values = self.table.get(self.game.write_observation(observation), {})
        if self.game.players == 1:
            return dict(values)
        return {self.game.read_move(observation, text): value for text, value in values.items()}

    def describe(self) -> tuple[str, JsonObject]:
        return "q-values", {"game": self.game.name, "rules": self.game.rules_to_json(self.rules)}

    def arrays(self) -> Arrays:
        return packed_table(self.table)
