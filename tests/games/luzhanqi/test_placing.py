"""Setting up in any order: what is called legal can be completed, what can be completed is called legal."""

from itertools import product

import numpy as np
import pytest

from apprenti.core.seeds import Stream, pick
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.board import BACK_SLOTS, FRONT_SLOTS, HEADQUARTERS_SLOTS, SLOTS
from apprenti.games.luzhanqi.layout import ALLOWED, check
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MINE, NONE, TYPES
from apprenti.games.luzhanqi.report_state import half_board, legal_places, letters_of_layout

CROWDED = Rules(army="000000000971")
"""Nine mines fill the back rows beside the flag, seven bombs come next: nearly every choice can go wrong."""
FULL_MINI = Rules.preset("mini", army="500000000761")
"""The same on the mini board: seven mines, six bombs, and no point is left over."""


def set_up(rules, rng):
    """Place everything at random; yields the army before each piece, and at the end."""
    placed = [NONE] * SLOTS
    for _ in range(sum(rules.counts)):
        yield placed
        slot, kind = divmod(pick(rng, legal_places(placed, rules).tolist()), TYPES)
        placed[slot] = kind
    yield placed


@pytest.mark.parametrize(
    "rules", [Rules(), CROWDED, Rules(army="010100102111"), Rules(army="000000000001"), Rules.preset("mini"), FULL_MINI]
)
def test_whatever_is_placed_is_a_legal_layout(rules):
    for seed in range(500):
        *_, placed = set_up(rules, Stream(seed))
        check(letters_of_layout(placed), rules)
        assert not len(legal_places(placed, rules))


def can_be_completed(placed, left):
    """By trying everything: pieces that may stand in fewest places first."""
    kinds = [kind for kind in (FLAG, MINE, BOMB, 0) for _ in range(left.get(kind, 0))]
    if not kinds:
        return True
    kind = kinds[0]
    rest = {**left, kind: left[kind] - 1}
    free = [slot for slot in range(SLOTS) if placed[slot] == NONE and ALLOWED[slot] >> kind & 1]
    return any(can_be_completed([*placed[:slot], kind, *placed[slot + 1 :]], rest) for slot in free)


def nearly_full(keep):
    """An army in which everything but some slots is taken by marshals."""
    return [NONE if slot in keep else 0 for slot in range(SLOTS)]


def test_legal_places_are_those_from_which_all_the_rest_can_be_placed():
    back, front = sorted(BACK_SLOTS - HEADQUARTERS_SLOTS)[:1], sorted(FRONT_SLOTS)[:1]
    middle = sorted(set(range(SLOTS)) - BACK_SLOTS - FRONT_SLOTS)[:1]
    compared = 0
    for flags, mines, bombs in product((0, 1), (0, 1, 2), (0, 1, 2)):
        keep = [*sorted(HEADQUARTERS_SLOTS), *back, *middle, *front]
        placed, left = nearly_full(keep), {FLAG: flags, MINE: mines, BOMB: bombs}
        left[0] = max(0, len(keep) - flags - mines - bombs)
        rules = _pretend(placed, left)
        expected = {
            slot * TYPES + kind
            for slot in keep
            for kind, number in left.items()
            if number
            and ALLOWED[slot] >> kind & 1
            and can_be_completed([*placed[:slot], kind, *placed[slot + 1 :]], {**left, kind: number - 1})
        }
        assert set(legal_places(placed, rules).tolist()) == expected
        compared += len(expected)
    assert compared > 50


class _pretend:  # noqa: N801
    """Counts as `legal_places` reads them, with more marshals than real rules can write in one digit."""

    def __init__(self, placed, left):
        counts = [0] * TYPES
        for kind in placed:
            if kind != NONE:
                counts[kind] += 1
        for kind, number in left.items():
            counts[kind] += number
        self.counts = tuple(counts)
        self.slots = Rules().slots


def test_half_a_board_as_numbers():
    placed = [NONE] * SLOTS
    placed[3], placed[24] = MINE, FLAG
    assert np.flatnonzero(half_board(placed)).tolist() == [3 * TYPES + MINE, 24 * TYPES + FLAG]
