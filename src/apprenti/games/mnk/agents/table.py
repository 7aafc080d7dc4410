"""A learned table: what each move of an m,n,k-game is worth to the player who makes it."""

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Arrays, JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.seeds import Chance, pick
from apprenti.games.mnk.codes import FORMS, Keys, keys_of, powers
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import State


class TableAgent:
    """Plays the move of the greatest value, of equals any; what is not in the table has the value `unknown`."""

    plays = ("mnk",)

    def __init__(
        self,
        size: str = "3x3x3",
        form: str = "state",
        symmetric: bool = True,
        unknown: float = 0.0,
        arrays: Arrays | None = None,
    ) -> None:
        if form not in FORMS:
            raise UnknownName("form of table", form, FORMS)
        self.rules = Rules.parse(size)
        powers(self.rules)  # refuses boards that are too large
        self.form, self.symmetric, self.unknown = form, bool(symmetric), float(unknown)
        if not math.isfinite(self.unknown):
            raise BadAgent(f"the value of what is unknown must be a finite number, not {unknown}.")
        arrays = arrays or {}
        self.keys: Keys = np.asarray(arrays.get("keys", ()), np.uint64)
        self.table: NDArray[np.float64] = np.asarray(arrays.get("values", ()), np.float64)
        if self.keys.shape != self.table.shape or self.keys.ndim != 1 or not np.isfinite(self.table).all():
            raise BadAgent("a table is a list of keys and as many finite values.")
        if not (self.keys[1:] > self.keys[:-1]).all():
            raise BadAgent("the keys of a table must be in order, each once.")

    def check(self, rules: Rules) -> None:
        if rules != self.rules:
            raise BadAgent(f"this player has learned {self.rules.size} and cannot play {rules.size}.")

    def values(self, state: State, moves: Sequence[int] | None = None) -> dict[int, float]:
        self.check(state.rules)
        moves = state.legal_moves() if moves is None else moves
        if not moves:
            return {}
        keys = keys_of(state, moves, self.form, self.symmetric)
        places = np.searchsorted(self.keys, keys)
        known = self._padded_keys[places] == keys
        found = np.where(known, self._padded_values[places], self.unknown)
        return dict(zip(moves, found.tolist(), strict=True))

    @cached_property
    def _padded_keys(self) -> Keys:
        """With one more key that is none, so that a search always ends on one."""
        return np.append(self.keys, np.uint64(2**64 - 1))

    @cached_property
    def _padded_values(self) -> NDArray[np.float64]:
        return np.append(self.table, self.unknown)

    def best(self, state: State, moves: Sequence[int] | None = None) -> tuple[int, ...]:
        """The moves it may choose: all of the greatest value."""
        values = self.values(state, moves)
        return tuple(move for move, value in values.items() if value == max(values.values()))

    def choose(self, observation: State, legal: Sequence[int], rng: Chance) -> int:
        return pick(rng, self.best(observation, legal))

    def describe(self) -> tuple[str, JsonObject]:
        shown: JsonObject = {"form": self.form, "symmetric": self.symmetric, "unknown": self.unknown}
        return "table", {"size": self.rules.size, **shown}

    def arrays(self) -> Arrays:
        return {"keys": self.keys, "values": self.table}

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TableAgent)
            and self.describe() == other.describe()
            and np.array_equal(self.keys, other.keys)
            and np.array_equal(self.table, other.table)
        )

    __hash__ = None  # type: ignore[assignment]  # two tables may be equal and large

    def __repr__(self) -> str:
        return f"TableAgent({self.rules.size}, {self.form}, {len(self.keys)} values)"
