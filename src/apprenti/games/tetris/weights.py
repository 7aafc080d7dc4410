"""What placements are worth to a player with weights, reduced to as few terms as possible and put on a grid.

Many criteria are combinations of others: the mean height is the sum divided by the width, a change against the board
before the move differs from the plain criterion by what is the same for every placement. `fold` reduces a player's
weights to the terms both engines compute, all whole numbers (or halves), and rounds each weight to a multiple of a
power of two about 2⁻³⁰ of the largest. Sums of such products are exact in 64-bit arithmetic whatever the order of
addition: a tie is a tie, on every machine, in Python and in the kernel.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, islice, pairwise

from apprenti.core.errors import BadAgent, UnknownName
from apprenti.games.tetris.criteria import CRITERIA, height_rbf_at, is_group, labels, size_of

GRID_BITS = 30
LARGEST = 1e100
"""Weights are smaller than this, so that no sum of them overflows."""

MOST_UNITS = 16
"""Rectified linear units that a player may have beside its weighted sum."""

Weights = Mapping[str, float | Sequence[float]]
Items = tuple[tuple[str, float | tuple[float, ...]], ...]
"""Weights as a value that can be a key."""


def frozen(weights: Weights) -> Items:
    """Weights as a value that can be a key."""
    return tuple((name, tuple(w) if isinstance(w, Sequence) else w) for name, w in weights.items())


def thawed(items: Items) -> dict[str, float | list[float]]:
    """Weights by criterion, as files have them."""
    return {name: list(w) if isinstance(w, tuple) else w for name, w in items}


@dataclass(frozen=True)
class TermWeights:
    """What both engines evaluate: a weight for each term, each column, each pair of columns, each sum of heights."""

    terms: dict[str, float]
    columns: Sequence[float]
    pairs: Sequence[float]
    table: Sequence[float]
    """The value of every possible sum of heights; empty when unused."""
    unit: float
    """The grid all weights lie on."""


def check(weights: Weights, width: int | None = None) -> None:
    """Refuse unknown criteria, weights that are no numbers, and groups of the wrong length."""
    if not weights:
        raise BadAgent("a linear player needs at least one criterion with its weight.")
    for name, weight in weights.items():
        numbers = list(weight) if isinstance(weight, Sequence) else [weight]
        if is_group(name) != isinstance(weight, Sequence):
            wanted = "a list of weights" if is_group(name) else "one weight"
            raise BadAgent(f"criterion {name} takes {wanted}.")
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) < LARGEST:
                raise BadAgent(f"the weight of {name} must be a finite number below {LARGEST:g}, not {number!r:.20}.")
        if width and is_group(name) and len(numbers) != size_of(name, width):
            raise BadAgent(
                f"criterion {name} takes {size_of(name, width)} weights on a board {width} columns wide, "
                f"and this player has {len(numbers)}."
            )


def fold(weights: Weights, width: int, height: int) -> TermWeights:
    """Reduce a player's weights for one size of board."""
    return fold_together([weights], width, height)[0]


def fold_together(each: Sequence[Weights], width: int, height: int) -> list[TermWeights]:
    """Reduce several weights onto one grid, so that what is added up of their sums is exact, too."""
    for weights in each:
        check(weights, width)
    parts = [summed(weights, width, height) for weights in each]
    largest = max((abs(n) for terms, *lists in parts for n in chain(terms.values(), *lists)), default=0.0)
    return [_on_grid(*part, unit_of(largest)) for part in parts]


Summed = tuple[dict[str, float], list[float], list[float], list[float]]


def summed(weights: Weights, width: int, height: int) -> Summed:
    """Weights of terms, columns, pairs of columns and sums of heights, not yet on a grid; linear in the weights."""
    lists = {name: [float(w) for w in weight] for name, weight in weights.items() if isinstance(weight, Sequence)}
    terms: dict[str, float] = {}
    for name, weight in weights.items():
        if not isinstance(weight, Sequence):
            for term, share in CRITERIA[name].shares(width):
                terms[term] = terms.get(term, 0.0) + share * float(weight)
    columns = lists.get("column_heights", [0.0] * width)
    pairs = lists.get("height_differences", [0.0] * (width - 1))
    return terms, columns, pairs, _table(lists.get("height_rbf"), width, height)


def _table(weights: list[float] | None, width: int, height: int) -> list[float]:
    """The value of every possible sum of heights, from the weights of the five bumps."""
    if weights is None:
        return []
    bumps = (height_rbf_at(sum_ / width, height) for sum_ in range(width * height + 1))
    return [sum(w * b for w, b in zip(weights, values, strict=True)) for values in bumps]


def unit_of(largest: float) -> float:
    """The grid of weights of which this is the largest."""
    return 2.0 ** max(-1000, math.frexp(largest)[1] - GRID_BITS) if largest else 1.0


def on_grid(number: float, unit: float) -> float:
    """The nearest number on a grid."""
    return round(number / unit) * unit


@lru_cache(maxsize=256)
def _folded(sums: tuple[Items, ...], width: int, height: int) -> tuple[TermWeights, ...]:
    """Several sums of weights, reduced onto one grid."""
    return tuple(fold_together([dict(one) for one in sums], width, height))


def _on_grid(
    terms: dict[str, float], columns: list[float], pairs: list[float], table: list[float], unit: float
) -> TermWeights:
    rounded = partial(on_grid, unit=unit)
    return TermWeights(
        {term: rounded(weight) for term, weight in terms.items()},
        tuple(map(rounded, columns)),
        tuple(map(rounded, pairs)),
        tuple(map(rounded, table)),
        unit,
    )


def ratio_on_grid(weight: float, mean: float, unit: float) -> float:
    """A weighted mean (which is no whole number), rounded to the grid as the kernel does."""
    return on_grid(weight * mean, unit)


LOOKS = ("next_piece", "expectimax")
TIE_RULES = ("first", "random", "dellacherie")


def check_ties(name: str) -> None:
    """Refuse an unknown tie rule."""
    if name not in TIE_RULES:
        raise UnknownName("way to break ties", name, TIE_RULES)


@dataclass(frozen=True)
class CountedSum:
    """A weighted sum that counts as sign · max(least, bias + sum)."""

    weights: TermWeights
    bias: float = 0.0
    least: float = -math.inf
    sign: float = 1.0


@dataclass(frozen=True)
class Evaluator:
    """How a player with weights values placements: the one description that both engines and the learners take."""

    kind: str
    """`sum`: one weighted sum of criteria; `regimes`: several, of which the height of the pile before the move picks
    one; `units`: one, and rectified linear units beside it, s₀ + Σ signₖ · max(0, sₖ + biasₖ)."""
    sums: tuple[Items, ...]
    """The weights of each sum by criterion."""
    heights: tuple[int, ...] = ()
    """Of regimes: the heights of the pile from which on the second sum counts, the third, and so on."""
    biases: tuple[float, ...] = ()
    signs: tuple[float, ...] = ()
    look: str = ""
    """"" for the piece in play alone, `next_piece` when the next is known, `expectimax` for the mean over the next."""
    ties: str = "first"
    """Equal placements: `first` plays the lowest rotation, then the leftmost column; `random` draws one; `dellacherie`
    plays the one farthest from where the piece appears."""

    def check(self) -> None:
        """Refuse what is no player."""
        self._check_heights()
        self._check_units()
        for weights in self.sums:
            check(dict(weights))
        if self.look not in ("", *LOOKS):
            raise UnknownName("way to look ahead", self.look, LOOKS)
        check_ties(self.ties)

    def _check_heights(self) -> None:
        if not all(type(height) is int for height in self.heights):
            raise BadAgent("the heights at which regimes begin are whole numbers that rise, from 1 on.")
        if self.kind == "regimes" and len(self.sums) != len(self.heights) + 1:
            raise BadAgent(f"{len(self.heights)} heights make {len(self.heights) + 1} regimes, each with its weights.")
        if not all(low < high for low, high in pairwise((0, *self.heights))):
            raise BadAgent("the heights at which regimes begin are whole numbers that rise, from 1 on.")

    def _check_units(self) -> None:
        units = self.sums[1:] if self.kind == "units" else ()
        if self.kind == "units" and not 1 <= len(units) <= MOST_UNITS:
            raise BadAgent(f"a network on criteria has 1 to {MOST_UNITS} units, not {len(units)}.")
        if not len(units) == len(self.biases) == len(self.signs):
            raise BadAgent("each unit of a network on criteria has its weights, a bias and a sign.")
        for weights, bias, sign in zip(units, self.biases, self.signs, strict=True):
            if any(CRITERIA[name].is_change for name, _ in weights if name in CRITERIA):
                raise BadAgent("a unit takes no criteria that are changes against the board before the move.")
            if isinstance(bias, bool) or not isinstance(bias, int | float) or not abs(bias) < LARGEST:
                raise BadAgent(f"the bias of a unit must be a finite number below {LARGEST:g}, not {bias!r:.20}.")
            if sign not in (1, -1):
                raise BadAgent(f"the sign of a unit is 1 or -1, not {sign!r:.20}.")

    def folded(self, width: int, height: int) -> tuple[TermWeights, ...]:
        """The sums for one size of board; those that are added to each other lie on one grid."""
        if self.kind == "units":
            return _folded(self.sums, width, height)
        return tuple(_folded((one,), width, height)[0] for one in self.sums)

    def counted(self, width: int, height: int, pile: int) -> tuple[CountedSum, ...]:
        """The sums that count where the pile before the move is so high."""
        first, *others = self.folded(width, height)
        if self.kind == "regimes":
            return (CountedSum((first, *others)[bisect_right(self.heights, pile)]),)
        units = zip(others, self.biases, self.signs, strict=True)
        return CountedSum(first), *(CountedSum(one, on_grid(bias, one.unit), 0.0, sign) for one, bias, sign in units)


@dataclass(frozen=True)
class Layout:
    """Which components of a vector belong to which criterion."""

    names: tuple[str, ...]
    width: int

    @property
    def size(self) -> int:
        """The length of a vector."""
        return sum(size_of(name, self.width) for name in self.names)

    def labels(self) -> list[str]:
        """A name for each component."""
        return labels(self.names, self.width)

    def weights(self, vector: Iterable[float]) -> dict[str, float | list[float]]:
        """A vector as a player's weights."""
        numbers = iter(vector)
        parts = {name: [float(w) for w in islice(numbers, size_of(name, self.width))] for name in self.names}
        return {name: part if is_group(name) else part[0] for name, part in parts.items()}

    def vector(self, weights: Weights) -> list[float]:
        """A player's weights as a vector."""
        parts = (weights[name] for name in self.names)
        return [float(w) for part in parts for w in (part if isinstance(part, Sequence) else [part])]
