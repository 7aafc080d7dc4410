"""A small network on criteria: a weighted sum, and rectified linear units (ReLU) beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.base import ValuesPlacements
from apprenti.games.tetris.agents.linear import board_value, move_value
from apprenti.games.tetris.agents.ties import TIES
from apprenti.games.tetris.criteria import CRITERIA, Move
from apprenti.games.tetris.dealer import NEVER, ends_game
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation
from apprenti.games.tetris.weights import (
    LARGEST,
    MOST_UNITS,
    Items,
    TermWeights,
    Weights,
    check,
    fold_together,
    frozen,
    on_grid,
)

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.players import CompiledPlayer


@dataclass(frozen=True)
class Unit:
    """sign · max(0, weighted sum + bias)."""

    weights: Weights
    bias: float
    sign: float

    def __post_init__(self) -> None:
        check(self.weights)
        if any(CRITERIA[name].is_change for name in self.weights):
            raise BadAgent("a unit takes no criteria that are changes against the board before the move.")
        if isinstance(self.bias, bool) or not isinstance(self.bias, int | float) or not abs(self.bias) < LARGEST:
            raise BadAgent(f"the bias of a unit must be a finite number below {LARGEST:g}, not {self.bias!r:.20}.")
        if self.sign not in (1, -1):
            raise BadAgent(f"the sign of a unit is 1 or -1, not {self.sign!r:.20}.")


@lru_cache(maxsize=256)
def _folded(weights: tuple[Items, ...], width: int, height: int) -> list[TermWeights]:
    return fold_together([dict(one) for one in weights], width, height)


@dataclass(frozen=True)
class ReluAgent(ValuesPlacements):
    """Plays the placement with the greatest value: a weighted sum of criteria and what the units add to it."""

    weights: Weights
    units: tuple[Unit, ...]

    def __post_init__(self) -> None:
        check(self.weights)
        if not 1 <= len(self.units) <= MOST_UNITS:
            raise BadAgent(f"a network on criteria has 1 to {MOST_UNITS} units, not {len(self.units)}.")

    def check(self, rules: Rules) -> None:
        for weights in self._each:
            check(weights, rules.width)

    @property
    def _each(self) -> list[Weights]:
        """The weights of the sum, then those of each unit."""
        return [self.weights, *(unit.weights for unit in self.units)]

    def value(self, observation: Observation, placement: Placement) -> float:
        rules, move = observation.rules, Move(observation.board, placement)
        if ends_game(rules, move):
            return NEVER
        plain, *others = _folded(tuple(map(frozen, self._each)), rules.width, rules.height)
        return _sum(plain, move) + sum(
            unit.sign * max(0.0, on_grid(unit.bias, folded.unit) + _sum(folded, move))
            for unit, folded in zip(self.units, others, strict=True)
        )

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        values = [self.value(observation, placement) for placement in legal]
        return TIES["first"](observation, legal, values, rng)

    def describe(self) -> tuple[str, JsonObject]:
        return "relu", {
            "weights": [dict(weights) for weights in self._each],
            "biases": [unit.bias for unit in self.units],
            "signs": [unit.sign for unit in self.units],
        }

    def compiled(self, rules: Rules) -> "CompiledPlayer":
        from apprenti.games.tetris.fast.players import CompiledPlayer

        units = tuple((frozen(unit.weights), unit.bias, unit.sign) for unit in self.units)
        return replace(CompiledPlayer.of(self.weights), units=units)


def _sum(folded: TermWeights, move: Move) -> float:
    return move_value(folded, move) + board_value(folded, move)


def read_relu(weights: Sequence[Weights], biases: Sequence[float], signs: Sequence[float]) -> ReluAgent:
    """An agent from its description: the weights of the sum and of each unit, and the units' biases and signs."""
    first, *others = weights
    return ReluAgent(first, tuple(Unit(*unit) for unit in zip(others, biases, signs, strict=True)))
