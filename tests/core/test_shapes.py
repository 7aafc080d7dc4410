"""RepetitionFile data is refused with one sentence that says where it is wrong."""

import math

import numpy as np
import pytest

from apprenti.core.data import SEED, Each, Fields, Maybe, Number, Row, Whole, Word, check, like, shape_of
from apprenti.core.errors import BadFile

EXAMPLE = {"step": 3, "mean": [0.5, 1], "rng": 2**63, "told": [], "arrays": {"w": np.zeros((2, 3), np.float32)}}
SHAPE = shape_of(
    EXAMPLE, {"rng": SEED, "told": Each(Number()), "arrays": {"more/*": like(np.zeros(4), 0, 1, grows=True)}}
)


def changed(**changes):
    return {**EXAMPLE, **changes}


def test_an_example_has_its_own_shape_and_what_varies_may_be_there():
    check(SHAPE, EXAMPLE, "it")
    check(SHAPE, changed(told=[1.0, 2], arrays={"w": EXAMPLE["arrays"]["w"], "more/1": np.ones(9)}), "it")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "it is an object"),
        ({}, "step is missing"),
        (changed(step=-1), "step is a whole number"),
        (changed(step=True), "step is a whole number"),
        (changed(step="3"), "step is a whole number"),
        (changed(step=2**70), "step is a whole number"),
        (changed(mean=[0.5]), "mean is a list of 2"),
        (changed(mean=[0.5, math.nan]), r"mean\[1\] is a whole number"),
        (changed(mean=[math.inf, 1]), r"mean\[0\] is a finite number"),
        (changed(told={"a": 1}), "told is a list"),
        (changed(told=[None]), r"told\[0\] is a finite number"),
        (changed(extra=1), "extra is unknown"),
        (changed(arrays={}), "arrays.w is missing"),
        (changed(arrays={"w": [[0.0] * 3] * 2}), "arrays.w is an array"),
        (changed(arrays={"w": np.zeros((2, 3))}), "arrays.w is an array of float32"),
        (changed(arrays={"w": np.zeros((3, 2), np.float32)}), "arrays.w is an array of float32"),
        (changed(arrays={"w": np.full((2, 3), np.nan, np.float32)}), "arrays.w has numbers that are not finite"),
        (
            changed(arrays={"w": EXAMPLE["arrays"]["w"], "more/1": np.full(2, 1.5)}),
            "arrays.more/1 has numbers out of their range",
        ),
    ],
)
def test_what_is_wrong_is_named(data, said):
    with pytest.raises(BadFile, match=f"the state is not what it should be: {said}.*\\.$"):
        check(SHAPE, data, "the state")


def test_shapes_of_single_things():
    assert not Maybe(Whole()).trouble(None, "") and Maybe(Whole()).trouble("", "")
    assert not Word(("a", "b")).trouble("b", "") and Word(("a", "b")).trouble("c", "")
    assert Row((Whole(), Number())).trouble([1, "x"], "x").startswith("x[1]")
    assert Number(low=0).trouble(-1, "") and Fields({}, {"a*": Word()}).trouble({"ab": 1}, "").startswith(".ab")
