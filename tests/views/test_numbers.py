"""Numbers as people read them."""

import math

import pytest

from apprenti.views.numbers import counted, number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.01234, "0.0123"),
        (99.94, "99.9"),
        (1234.5, "1 234"),
        (999_999, "999 999"),
        (51_283_000, "51.28 M"),
        (1_150_400_000, "1 150 M"),
        (-2_000_000_000, "-2 000 M"),
        (math.inf, "∞"),
    ],
)
def test_no_number_needs_an_exponent(value, text):
    assert number(value) == text


def test_one_thing_is_no_plural():
    assert [counted(1, "game"), counted(2, "game")] == ["1 game", "2 games"]
