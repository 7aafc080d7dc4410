"""Layouts: which are legal, that random ones are uniform, that placing them one by one never gets stuck."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream, pick
from apprenti.games.luzhanqi.board import BACK_SLOTS, FRONT_SLOTS, HEADQUARTERS_SLOTS, SLOTS
from apprenti.games.luzhanqi.layout import BOOK, book_layout, check, mirror, placements, uniform_layout
from apprenti.games.luzhanqi.rules import Rules
from tests.games.luzhanqi.games import SMALL_ARMY, any_rules

RULES = Rules()
GOOD = "diahcbgkkfiecfigjhedjljhg"


def test_the_layouts_of_the_counts_page_are_legal():
    assert check(GOOD, RULES) == GOOD
    assert check("bicgcakdgifgeekjfhjjihhld", RULES)


def swapped(layout, first, second):
    letters = list(layout)
    letters[first], letters[second] = letters[second], letters[first]
    return "".join(letters)


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        ("", "25 letters"),
        (GOOD[:-1], "25 letters"),
        (GOOD.upper(), "25 letters"),
        (GOOD[:-1] + "m", "25 letters"),
        (GOOD.replace("a", "b"), "1 of a .field marshal., but this layout has 0"),
        (swapped(GOOD, 21, 20), "a flag begins in a headquarters"),
        (swapped(GOOD, 20, 10), "a landmine begins in the two back rows"),
        (swapped(GOOD, 7, 0), "a bomb begins behind the front row"),
    ],
)
def test_a_bad_layout_is_refused_with_the_reason(layout, reason):
    with pytest.raises(ApprentiError, match=reason):
        check(layout, RULES)


def test_a_piece_beside_the_mini_board_is_refused():
    rules = Rules.preset("mini")
    good = uniform_layout(rules, Stream(1))
    beside = 6  # H2
    for slot in rules.slots:
        if good[slot] != "." and slot not in BACK_SLOTS:
            with pytest.raises(ApprentiError, match="point 7 of the layout is not part of the mini board"):
                check(swapped(good, slot, beside), rules)


def test_the_book_holds_legal_layouts_and_their_mirrors():
    assert len(set(BOOK)) == len(BOOK) >= 16
    for layout in BOOK:
        check(layout, RULES)
        assert mirror(layout) in BOOK
        assert mirror(mirror(layout)) == layout
    assert book_layout(RULES, Stream(1)) in BOOK
    small = Rules(army=SMALL_ARMY)
    check(book_layout(small, Stream(1)), small)  # the book has none for it


@given(any_rules(), st.integers(0, 10_000))
def test_placing_one_by_one_is_never_stuck_and_ends_in_a_legal_layout(rules, seed):
    rng, placed = Stream(seed), ""
    while len(placed) < SLOTS:
        placed += pick(rng, placements(placed, rules))
    check(placed, rules)
    assert placements(placed, rules) == ()


@given(any_rules(), st.integers(0, 10_000))
def test_any_legal_layout_can_be_placed_one_by_one(rules, seed):
    layout = uniform_layout(rules, Stream(seed))
    for slot, letter in enumerate(check(layout, rules)):
        assert letter in placements(layout[:slot], rules)


def test_uniform_layouts_have_the_statistics_of_the_rules():
    """709 596 419 051 520 000 layouts: a share of them is known for each kind of point."""
    rng, games = Stream(5), 6000
    seen = [Counter() for _ in range(SLOTS)]
    for _ in range(games):
        for slot, letter in enumerate(uniform_layout(RULES, rng)):
            seen[slot][letter] += 1
    wanted = {}
    for slot in range(SLOTS):
        if slot in HEADQUARTERS_SLOTS:
            wanted[slot] = {"l": 1 / 2, "j": 1 / 6, "b": 1 / 57 * 7 / 24 * 3, "k": 1 / 24}
        elif slot in BACK_SLOTS:
            wanted[slot] = {"l": 0, "j": 1 / 3, "k": 1 / 12}
        elif slot in FRONT_SLOTS:
            wanted[slot] = {"l": 0, "j": 0, "k": 0, "g": 3 / 19, "a": 1 / 19}
        else:
            wanted[slot] = {"l": 0, "j": 0, "k": 1 / 8, "g": 7 / 8 * 3 / 19}
    for slot, shares in wanted.items():
        for letter, share in shares.items():
            deviation = (share * (1 - share) / games) ** 0.5
            assert abs(seen[slot][letter] / games - share) <= 4.5 * deviation, (slot, letter)


@pytest.mark.parametrize("board", ["full", "mini"])
def test_uniform_layouts_of_a_tiny_army_are_all_as_likely(board):
    rules = Rules(army="100000000111", board=board)  # a marshal, a mine, a bomb, the flag
    rng, seen = Stream(3), Counter()
    for _ in range(12_000):
        layout = uniform_layout(rules, rng)
        seen[layout.index("l"), layout.index("j")] += 1
    back = BACK_SLOTS & set(rules.slots)
    pairs = [(flag, mine) for flag in HEADQUARTERS_SLOTS for mine in back if mine != flag]
    assert set(seen) == set(pairs)
    assert len(pairs) == {"full": 18, "mini": 14}[board]
    expected = 12_000 / len(pairs)
    chi_squared = sum((seen[pair] - expected) ** 2 / expected for pair in pairs)
    assert chi_squared < 40  # 17 degrees of freedom: 0.1 % above 40.8
