"""The placement model: only legal layouts, drawn with the probabilities it says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.network import INPUTS, PLACER_SHAPES, Placer, order, seen_while_placing
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.layout import check
from apprenti.games.luzhanqi.report_state import letters_of_layout

RULES = Rules()


def placer(seed=1, size=1.0):
    rng = np.random.Generator(np.random.PCG64(seed))
    shapes = ((7, INPUTS), (7,), (SLOTS, 7), (SLOTS,))
    return Placer({name: size * rng.standard_normal(shape) for name, shape in zip(PLACER_SHAPES, shapes, strict=True)})


def numbers_of(seed, armies, rules=RULES):
    return np.random.Generator(np.random.PCG64(seed)).random((armies, len(order(rules))))


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from([0.1, 1.0, 30.0]))
def test_every_layout_is_legal(seed, size):
    for rules in (RULES, Rules(army="100010102331")):
        for layout in placer(seed, size).place(rules, numbers_of(seed, 20, rules)).layouts:
            check(letters_of_layout(layout.tolist()), rules)


def test_extreme_luck_gives_legal_layouts_too():
    for luck in (0.0, 1 - 2**-53):
        for layout in placer().place(RULES, np.full((1, 25), luck)).layouts:
            check(letters_of_layout(layout.tolist()), RULES)


def test_what_was_seen_gives_the_same_chances_again():
    made = placer()
    placed = made.place(RULES, numbers_of(3, 50))
    inputs, free = seen_while_placing(RULES, placed.slots)
    logits = np.where(free, made.logits(inputs), -np.inf)
    chances = logits - logits.max(axis=2, keepdims=True)
    chances -= np.log(np.exp(chances).sum(axis=2, keepdims=True))
    again = np.take_along_axis(chances, placed.slots[:, :, None], axis=2)[:, :, 0]
    assert np.allclose(again, placed.log_probabilities, atol=1e-4)


def test_pieces_go_where_the_model_says_as_often_as_it_says():
    """The flag comes first: its two headquarters are drawn in proportion to e^logit, within four deviations."""
    made, armies = placer(5), 4000
    placed = made.place(RULES, numbers_of(1, armies))
    slot = placed.slots[0, 0]
    share = float(np.exp(placed.log_probabilities[0, 0]))
    found = float((placed.slots[:, 0] == slot).mean())
    assert 0.02 < share < 0.98 and abs(found - share) < 4 * np.sqrt(share * (1 - share) / armies)


def test_arrays_that_are_no_placement_model_are_refused():
    good = placer().weights
    for wrong in ({}, {**good, "placer.0.weight": np.zeros((7, 3))}, {**good, "placer.0.bias": np.zeros((7, 7))}):
        with pytest.raises(ApprentiError, match="placement model"):
            Placer(wrong)
