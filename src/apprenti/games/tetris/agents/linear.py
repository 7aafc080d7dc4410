"""A weighted sum of criteria for every placement; the greatest is played."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.base import ValuesPlacements, placements_of
from apprenti.games.tetris.agents.ties import TIES, check_ties, probabilities
from apprenti.games.tetris.criteria import CRITERIA, Move, values
from apprenti.games.tetris.dealer import NEVER, ends_game
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation
from apprenti.games.tetris.weights import Items, TermWeights, Weights, check, fold, frozen, ratio_on_grid

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.players import CompiledPlayer


@lru_cache(maxsize=256)
def folded_for(weights: Items, width: int, height: int) -> TermWeights:
    """The weights reduced for a size of board."""
    return fold(dict(weights), width, height)


def move_value(folded: TermWeights, move: Move) -> float:
    """The weighted sum of the criteria of the move."""
    return sum(weight * values(move, term)[0] for term, weight in folded.terms.items() if CRITERIA[term].of_move)


def board_value(folded: TermWeights, move: Move) -> float:
    """The weighted sum of the criteria of the board after the move."""
    value = 0.0
    for term, weight in folded.terms.items():
        criterion = CRITERIA[term]
        if weight and not criterion.of_move:
            measured = values(move, term)[0]
            value += ratio_on_grid(weight, measured, folded.unit) if criterion.is_ratio else weight * measured
    heights = move.after.column_heights
    value += sum(weight * height for weight, height in zip(folded.columns, heights, strict=True))
    differences = [abs(a - b) for a, b in itertools.pairwise(heights)]
    value += sum(weight * difference for weight, difference in zip(folded.pairs, differences, strict=True))
    return value + (folded.table[sum(heights)] if folded.table else 0.0)


def value_of(rules: Rules, folded: TermWeights, move: Move) -> float:
    """The value of a placement; one that ends the game is worth less than anything."""
    return NEVER if ends_game(rules, move) else move_value(folded, move) + board_value(folded, move)


def contributions_of(agent: "LinearAgent", observation: Observation) -> dict[Placement, dict[str, float]]:
    """For each legal placement the terms of its value."""
    return {placement: _terms(agent, observation, placement) for placement in placements_of(observation)}


def _terms(agent: "LinearAgent", observation: Observation, placement: Placement) -> dict[str, float]:
    """Each criterion, weighed. What is the same for every placement is left out of the value, and taken off here."""
    value = agent.value(observation, placement)
    if value == NEVER:
        return {"end of the game": NEVER}
    move, terms = Move(observation.board, placement), {}
    for name, weight in agent.weights.items():
        numbers = weight if isinstance(weight, Sequence) else (weight,)
        terms[name] = sum(w * v for w, v in zip(numbers, values(move, name), strict=True))
    rest = value - sum(terms.values())
    return terms if abs(rest) <= 1e-6 * (1 + abs(value)) else {**terms, "the same for all": rest}


@dataclass(frozen=True)
class LinearAgent(ValuesPlacements):
    """Plays the placement with the greatest weighted sum of criteria."""

    weights: Weights
    ties: str = "first"
    """Equal placements: `first` plays the lowest rotation, then the leftmost column; `random` draws one; `dellacherie`
    plays the one farthest from where the piece appears (`ties.priority`)."""

    def __post_init__(self) -> None:
        check(self.weights)
        check_ties(self.ties)

    def check(self, rules: Rules) -> None:
        check(self.weights, rules.width)

    def value(self, observation: Observation, placement: Placement) -> float:
        rules = observation.rules
        folded = folded_for(frozen(self.weights), rules.width, rules.height)
        return value_of(rules, folded, Move(observation.board, placement))

    def contributions(self, observation: Observation) -> dict[Placement, dict[str, float]]:
        return contributions_of(self, observation)

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        values = [self.value(observation, placement) for placement in legal]
        return TIES[self.ties](observation, legal, values, rng)

    def probabilities(self, observation: Observation, legal: Sequence[Placement]) -> list[float]:
        values = [self.value(observation, placement) for placement in legal]
        return probabilities(self.ties, observation, legal, values)

    def describe(self) -> tuple[str, JsonObject]:
        return "linear", {"weights": dict(self.weights), **({"ties": self.ties} if self.ties != "first" else {})}

    def compiled(self, rules: Rules) -> "CompiledPlayer":
        from apprenti.games.tetris.fast.players import CompiledPlayer

        return CompiledPlayer.of(self.weights, ties=self.ties)


def evaluation_weights(a: float, b: float, c: float, d: float, norm: int = 0) -> dict[str, float]:
    """The Tetris Bot's quality of a move, a·lines − b·heights − c·holes − d·bumpiness, of norm 1 if asked for."""
    if norm not in (0, 1, 2):
        raise BadAgent(f"weights are normalised by norm 1 or 2, or not at all (0), not by {norm!r}.")
    size = {0: 1.0, 1: abs(a) + abs(b) + abs(c) + abs(d), 2: math.hypot(a, b, c, d)}[norm]
    if not size > 0:
        raise BadAgent("weights that are all 0 cannot be normalised.")
    return {"lines": a / size, "sum_heights": -b / size, "holes": -c / size, "bumpiness": -d / size}
