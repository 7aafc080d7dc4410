"""A placement model: a small network that puts an army on its half of the board, piece by piece.

The most restricted pieces come first (flag, mines, bombs, then by rank), so that the rest always fits. The network sees
what stands where and which piece is next, and says how much it likes each point.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Arrays
from apprenti.core.errors import BadAgent
from apprenti.games.luzhanqi.agents.prior import usual_layouts
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.fast.arrays import rules_array
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.layout import MIRRORED_SLOTS
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MINE, NONE, TYPES
from apprenti.games.luzhanqi.report_state import PLACES, letters_of_layout
from apprenti.games.luzhanqi.rules import Rules

INPUTS = PLACES + TYPES
NAMES = ("placer.0.weight", "placer.0.bias", "placer.2.weight", "placer.2.bias")

Array = NDArray[np.float32]


@cache
def order(rules: Rules) -> tuple[int, ...]:
    """The types of the pieces in the order in which they are placed."""
    first = (FLAG, MINE, BOMB)
    kinds = (*first, *(kind for kind in range(TYPES) if kind not in first))
    return tuple(kind for kind in kinds for _ in range(rules.counts[kind]))


@cache
def allowed(rules: Rules) -> NDArray[np.bool_]:
    """(types, slots): where a piece of each type may begin."""
    bits = rules_array(rules)[at.ALLOWED : at.ALLOWED + SLOTS]
    return np.asarray((bits[None, :] >> np.arange(TYPES)[:, None]) & 1 == 1)


class Placements(NamedTuple):
    """Armies as a model has placed them."""

    layouts: NDArray[np.int64]
    """(armies, slots): types, 12 where nothing stands."""
    slots: NDArray[np.int64]
    """(armies, pieces): where each piece went, in their order."""
    log_probabilities: Array
    """(armies, pieces): the log-probability of that."""


def seen_while_placing(rules: Rules, slots: NDArray[np.int64]) -> tuple[Array, NDArray[np.bool_]]:
    """(armies, pieces, …): what the network saw before each piece was placed, and where it might go."""
    armies, pieces = slots.shape
    inputs, free = np.zeros((armies, pieces, INPUTS), np.float32), np.ones((armies, pieces, SLOTS), np.bool_)
    rows = np.arange(armies)
    for number, kind in enumerate(order(rules)):
        inputs[:, number, PLACES + kind] = 1
        free[:, number] &= allowed(rules)[kind]
        for later in range(number + 1, pieces):
            inputs[rows, later, slots[:, number] * TYPES + kind] = 1
            free[rows, later, slots[:, number]] = False
    return inputs, free


class Placer:
    """The network, in numpy alone."""

    def __init__(self, arrays: Arrays) -> None:
        if missing := [name for name in NAMES if name not in arrays]:
            raise BadAgent(f"a placement model needs the arrays {', '.join(NAMES)}: {missing[0]} is missing.")
        self.weights = {name: np.asarray(arrays[name], np.float32) for name in NAMES}
        first, bias, second, other = self.weights.values()
        hidden = bias.shape[0] if bias.ndim == 1 else -1
        if first.shape != (hidden, INPUTS) or second.shape != (SLOTS, hidden) or other.shape != (SLOTS,):
            raise BadAgent(f"a placement model has {INPUTS} inputs and {SLOTS} outputs.")

    def logits(self, inputs: Array) -> Array:
        """How much it likes each point."""
        first, bias, second, other = self.weights.values()
        return np.asarray(np.maximum(inputs @ first.T + bias, 0) @ second.T + other)

    def place(self, rules: Rules, numbers: NDArray[np.float64]) -> Placements:
        """(armies, pieces) random numbers of [0, 1) → as many armies."""
        armies = len(numbers)
        rows, layouts = np.arange(armies), np.full((armies, SLOTS), NONE, np.int64)
        slots, log_probabilities = np.zeros(numbers.shape, np.int64), np.zeros(numbers.shape, np.float32)
        inputs = np.zeros((armies, INPUTS), np.float32)
        for number, kind in enumerate(order(rules)):
            inputs[:, PLACES:] = np.arange(TYPES) == kind
            logits = np.where(allowed(rules)[kind] & (layouts == NONE), self.logits(inputs), -np.inf)
            likely = np.exp(logits - logits.max(axis=1, keepdims=True), dtype=np.float64)
            likely /= likely.sum(axis=1, keepdims=True)
            reached = likely.cumsum(axis=1) > numbers[:, number, None]
            last = SLOTS - 1 - (likely[:, ::-1] > 0).argmax(axis=1)  # where rounding leaves the sum below the number
            chosen = np.where(reached.any(axis=1), (reached & (likely > 0)).argmax(axis=1), last)
            slots[:, number], log_probabilities[:, number] = chosen, np.log(likely[rows, chosen])
            layouts[rows, chosen] = kind
            inputs[rows, chosen * TYPES + kind] = 1
        return Placements(layouts, slots, log_probabilities)


EXPECTED = 512


def expected_layouts(rules: Rules, placer: Placer | None) -> str:
    """What an agent that sets up by a placement model expects of others: usual layouts, and as many like its own."""
    usual = usual_layouts(rules).split()
    if placer is None:
        return " ".join(usual)
    numbers = np.random.Generator(np.random.PCG64(1)).random((EXPECTED, sum(rules.counts)))
    own = placer.place(rules, numbers).layouts
    own[EXPECTED // 2 :] = own[EXPECTED // 2 :, MIRRORED_SLOTS]
    return " ".join([*usual[:EXPECTED], *map(letters_of_layout, own.tolist())])
