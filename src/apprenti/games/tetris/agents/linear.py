"""Players with weights: the placement with the greatest value is played.

One base class plays by an `Evaluator`; the four kinds under it are how files and lines of text describe one.

One more piece ahead, a move is worth its own criteria plus the best that can be had next: the next move's criteria and
the board after it. A next piece is *fatal* when every placement of it ends the game: the move with less probability of
that is better, whatever the rest; among equals the mean over the other pieces decides.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.base import TIES, TetrisAgent, placements_of, probabilities
from apprenti.games.tetris.criteria import CRITERIA, Move, values
from apprenti.games.tetris.dealer import NEVER, best_answer, ends_game
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation
from apprenti.games.tetris.weights import (
    LOOKS,
    CountedSum,
    Evaluator,
    TermWeights,
    Weights,
    check,
    frozen,
    ratio_on_grid,
    thawed,
)

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.players import CompiledPlayer


# The value of a placement ---------------------------------------------------------------------------------------------


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


def value_of(rules: Rules, sums: Sequence[CountedSum], move: Move) -> float:
    """The value of a placement; one that ends the game is worth less than anything."""
    if ends_game(rules, move):
        return NEVER
    value = 0.0
    for one in sums:
        sum_ = one.bias + move_value(one.weights, move) + board_value(one.weights, move)
        value += one.sign * max(one.least, sum_)
    return value


# One more piece ahead -------------------------------------------------------------------------------------------------


def odds(observation: Observation) -> Iterator[tuple[str, float]]:
    """The pieces that may come next and how likely they are, up to a factor, for who does not look at the preview.

    The worst dealer chooses when the piece has been placed; who looks ahead takes its pieces for equally likely.
    """
    rules = observation.rules
    letters, randomiser, shown = rules.pieces.letters, rules.randomiser, observation.next_piece or ""
    if randomiser.kind == "sequence":
        yield randomiser.sequence[(observation.dealt - len(shown)) % len(randomiser.sequence)], 1.0
    elif randomiser.kind == "bag":
        yield from ((letter, 1.0) for letter in observation.remaining + shown or letters)
    elif randomiser.kind == "weighted":
        thresholds = (0.0, *randomiser.thresholds(rules.pieces))
        shares = zip(letters, thresholds, thresholds[1:], strict=False)
        yield from ((letter, high - low) for letter, low, high in shares if high > low)
    else:
        yield from ((letter, 1.0) for letter in letters)


Prospects = dict[Placement, tuple[float, float]]
"""For each placement that does not end the game, how likely a fatal next piece is, and its value otherwise."""


def prospects(evaluator: Evaluator, observation: Observation, legal: Sequence[Placement]) -> Prospects:
    """What placements lead to, one more piece ahead."""
    if evaluator.look == "next_piece" and observation.next_piece is None:
        raise BadAgent("this player must know the next piece, and these rules hide it: use rules with a preview.")
    sums, rules = _counted(evaluator, observation), observation.rules
    coming = [(observation.next_piece, 1.0)] if evaluator.look == "next_piece" else list(odds(observation))
    each = {}
    for move in (Move(observation.board, placement) for placement in legal):
        if not ends_game(rules, move):
            fatal, value = _prospect(rules, sums, move, coming)
            each[move.placement] = fatal, value + move_value(sums[0].weights, move)
    return each


def _prospect(
    rules: Rules, sums: Sequence[CountedSum], move: Move, coming: Sequence[tuple[str | None, float]]
) -> tuple[float, float]:
    """How likely a fatal piece is, and the mean value of the best answer to the others."""
    fatal = sum_ = mass = 0.0
    for letter, share in coming:
        value = best_answer(rules, move.after, letter or "", partial(value_of, rules, sums))
        if value == NEVER:
            fatal += share
        else:
            sum_ += share * value
            mass += share
    return fatal, sum_ / mass if mass else 0.0


def in_order(each: Prospects, legal: Sequence[Placement]) -> dict[Placement, float]:
    """Numbers that order placements as their prospects do."""
    worths = [value for _, value in each.values()]
    risks = sorted({fatal for fatal, _ in each.values()})
    step = min((b - a for a, b in itertools.pairwise(risks)), default=1.0)
    penalty = (1 + max(worths, default=0.0) - min(worths, default=0.0)) / step
    worth = {placement: value - penalty * fatal for placement, (fatal, value) in each.items()}
    return {placement: worth.get(placement, NEVER) for placement in legal}


# The players ----------------------------------------------------------------------------------------------------------


def _counted(evaluator: Evaluator, observation: Observation) -> tuple[CountedSum, ...]:
    """The sums that count on the board of an observation."""
    return evaluator.counted(observation.rules.width, observation.rules.height, observation.board.highest)


class WeightedAgent(TetrisAgent):
    """A player with an evaluator."""

    def __post_init__(self) -> None:
        self.evaluator.check()

    @cached_property
    def evaluator(self) -> Evaluator:
        """How it values placements."""
        raise NotImplementedError

    def describe(self) -> tuple[str, JsonObject]:
        """Its kind and its options, as files have them."""
        raise NotImplementedError

    def check(self, rules: Rules) -> None:
        if self.evaluator.look == "next_piece" and not rules.preview:
            raise BadAgent("this player must know the next piece, and these rules hide it: add --preview.")
        for weights in self.evaluator.sums:
            check(dict(weights), rules.width)

    def _values(self, observation: Observation, legal: Sequence[Placement]) -> dict[Placement, float]:
        """The value of each placement, without a look ahead."""
        sums, rules = _counted(self.evaluator, observation), observation.rules
        return {placement: value_of(rules, sums, Move(observation.board, placement)) for placement in legal}

    def values(self, observation: Observation) -> dict[Placement, float]:
        legal = placements_of(observation)
        if self.evaluator.look:
            return in_order(prospects(self.evaluator, observation, legal), legal)
        return self._values(observation, legal)

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        if not self.evaluator.look:
            values = list(self._values(observation, legal).values())
            return TIES[self.evaluator.ties](observation, legal, values, rng)
        each = prospects(self.evaluator, observation, legal)
        return max(each, key=lambda placement: (-each[placement][0], each[placement][1])) if each else legal[0]

    def compiled(self, rules: Rules) -> "CompiledPlayer":
        from apprenti.games.tetris.fast.players import CompiledPlayer

        return CompiledPlayer(self.evaluator)


@dataclass(frozen=True)
class LinearAgent(WeightedAgent):
    """Plays the placement with the greatest weighted sum of criteria."""

    weights: Weights
    ties: str = "first"
    """How equal placements are told apart: see `Evaluator`."""

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator("sum", (frozen(self.weights),), ties=self.ties)

    def contributions(self, observation: Observation) -> dict[Placement, dict[str, float]]:
        each = self.values(observation).items()
        return {placement: self._terms(observation, placement, value) for placement, value in each}

    def _terms(self, observation: Observation, placement: Placement, value: float) -> dict[str, float]:
        """Each criterion, weighed. What is the same for every placement is left out of the value, and taken off."""
        if value == NEVER:
            return {"end of the game": NEVER}
        move, terms = Move(observation.board, placement), {}
        for name, weight in self.weights.items():
            numbers = weight if isinstance(weight, Sequence) else (weight,)
            terms[name] = sum(w * v for w, v in zip(numbers, values(move, name), strict=True))
        rest = value - sum(terms.values())
        return terms if abs(rest) <= 1e-6 * (1 + abs(value)) else {**terms, "the same for all": rest}

    def probabilities(self, observation: Observation, legal: Sequence[Placement]) -> list[float]:
        return probabilities(self.ties, observation, legal, list(self._values(observation, legal).values()))

    def describe(self) -> tuple[str, JsonObject]:
        return "linear", {"weights": dict(self.weights), **({"ties": self.ties} if self.ties != "first" else {})}


@dataclass(frozen=True)
class LookaheadAgent(WeightedAgent):
    """A linear player that looks one piece further."""

    weights: Weights
    look: str = "expectimax"
    """`next_piece`: the next piece is known; `expectimax`: the mean over the pieces that may come."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.look not in LOOKS:
            raise UnknownName("way to look ahead", self.look, LOOKS)

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator("sum", (frozen(self.weights),), look=self.look)

    def describe(self) -> tuple[str, JsonObject]:
        return "lookahead", {"weights": dict(self.weights), "look": self.look}


@dataclass(frozen=True)
class RegimesAgent(WeightedAgent):
    """Plays by one of several weighted sums; the height of the pile before the move says which."""

    heights: Sequence[int]
    """The heights from which on the second sum counts, the third, and so on."""
    weights: Sequence[Weights]
    look: str = ""
    """As `LookaheadAgent` has it; empty for the piece in play alone."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "heights", tuple(self.heights))
        object.__setattr__(self, "weights", tuple(self.weights))
        super().__post_init__()

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator("regimes", tuple(map(frozen, self.weights)), tuple(self.heights), look=self.look)

    def describe(self) -> tuple[str, JsonObject]:
        look = {"look": self.look} if self.look else {}
        return "regimes", {"heights": list(self.heights), "weights": [dict(one) for one in self.weights], **look}


@dataclass(frozen=True)
class ReluAgent(WeightedAgent):
    """A small network on criteria: a weighted sum, and rectified linear units (ReLU) beside it."""

    weights: Sequence[Weights]
    """Of the sum, then of each unit."""
    biases: Sequence[float]
    signs: Sequence[float]

    def __post_init__(self) -> None:
        for name in ("weights", "biases", "signs"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        super().__post_init__()

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator("units", tuple(map(frozen, self.weights)), (), tuple(self.biases), tuple(self.signs))

    def describe(self) -> tuple[str, JsonObject]:
        weights = [dict(one) for one in self.weights]
        return "relu", {"weights": weights, "biases": list(self.biases), "signs": list(self.signs)}


def agent_of(evaluator: Evaluator) -> WeightedAgent:
    """The agent that plays by an evaluator, of the kind under which files know it."""
    each = [thawed(one) for one in evaluator.sums]
    if evaluator.kind == "units":
        return ReluAgent(each, evaluator.biases, evaluator.signs)
    if evaluator.kind == "regimes":
        return RegimesAgent(evaluator.heights, each, evaluator.look)
    return LookaheadAgent(each[0], evaluator.look) if evaluator.look else LinearAgent(each[0], evaluator.ties)


def evaluation_weights(a: float, b: float, c: float, d: float, norm: int = 0) -> dict[str, float]:
    """The Tetris Bot's quality of a move, a·lines − b·heights − c·holes − d·bumpiness, of norm 1 if asked for."""
    if norm not in (0, 1, 2):
        raise BadAgent(f"weights are normalised by norm 1 or 2, or not at all (0), not by {norm!r}.")
    size = {0: 1.0, 1: abs(a) + abs(b) + abs(c) + abs(d), 2: math.hypot(a, b, c, d)}[norm]
    if not size > 0:
        raise BadAgent("weights that are all 0 cannot be normalised.")
    return {"lines": a / size, "sum_heights": -b / size, "holes": -c / size, "bumpiness": -d / size}
