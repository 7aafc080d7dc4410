"""Names that are loaded only when they are used."""

import sys

import pytest

from apprenti.core.errors import UnknownName
from apprenti.core.plugins import Entry, Registry

SHAPES = Registry(
    "shape",
    "",
    {"square": Entry("colorsys:rgb_to_hsv", "four sides"), "circle": Entry("nowhere.at.all:CIRCLE", "no sides")},
)


def test_it_is_a_mapping_in_the_order_of_its_names():
    assert list(SHAPES) == ["square", "circle"]
    assert len(SHAPES) == 2
    assert "square" in SHAPES
    assert SHAPES["square"].about == "four sides"
    assert "triangle" not in SHAPES


def test_a_thing_is_imported_when_it_is_loaded_and_not_before(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    assert SHAPES["square"].where == "colorsys:rgb_to_hsv"
    assert "colorsys" not in sys.modules
    assert SHAPES.load("square")(0, 0, 1) == (2 / 3, 1, 1)
    assert "colorsys" in sys.modules


def test_an_unknown_name_is_answered_with_the_nearest_or_with_all():
    with pytest.raises(UnknownName, match=r"^there is no shape called 'sqare': did you mean square\?$"):
        SHAPES.load("sqare")
    with pytest.raises(UnknownName, match=r"^there is no shape called 'x': there is square, circle\.$"):
        SHAPES.load("x")


def test_a_registry_is_its_own_and_does_not_follow_what_it_was_made_from():
    entries = {"one": Entry("colorsys:ONE_THIRD", "a third")}
    numbers = Registry("number", "", entries)
    entries["two"] = entries["one"]
    assert list(numbers) == ["one"]
