"""Boards of m,n,k-games as a person sees them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.views.view import VIEW
from apprenti.views.view import Look
from tests.games.mnk.positions import positions

PLAIN = Look(colour=False)


def test_a_small_board_has_lines_and_the_names_of_its_free_cells():
    assert VIEW.screen(State.parse("X.O/.X./..O x"), PLAIN).split("\n") == [
        "       a       b       c   ",
        "   ┌───────┬───────┬───────┐",
        " 1 │   X   │   b1  │   O   │",
        "   ├───────┼───────┼───────┤",
        " 2 │   a2  │   X   │   c2  │",
        "   ├───────┼───────┼───────┤",
        " 3 │   a3  │   b3  │   O   │",
        "   └───────┴───────┴───────┘",
    ]


def test_a_large_board_is_drawn_close_together():
    lines = VIEW.screen(State.start(Rules(15, 15, 5)).play(0).play(224), PLAIN).split("\n")
    assert lines[0] == "   a b c d e f g h i j k l m n o"
    assert lines[1] == " 1 X" + " ·" * 14
    assert lines[15] == "15" + " ·" * 14 + " O"
    assert len(lines) == 16


def test_a_small_board_is_drawn_close_together_too_where_there_is_little_room():
    assert VIEW.screen(State.parse("X.O/.X./..O x"), Look(colour=False, small=True)).split("\n") == [
        "   a b c",
        " 1 X · O",
        " 2 · X ·",
        " 3 · · O",
    ]


@given(positions(), st.booleans())
def test_every_cell_is_shown_once_whatever_the_colours(state, small):
    plain, coloured = (VIEW.screen(state, Look(colour=colour, small=small)) for colour in (False, True))
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert "\x1b" not in plain
    body = "\n".join(line[3:] for line in plain.split("\n")[1:])
    for mark in "XO":
        assert body.count(mark) == state.cells.count(mark)


def test_the_cursor_is_in_brackets_or_in_reverse():
    state = State.start(Rules()).play(4)
    assert "│  [X]  │" in VIEW.screen(state, Look(colour=False, cursor=4))
    assert "│  [a1] │" in VIEW.screen(state, Look(colour=False, cursor=0))
    assert "\x1b[1;34;7m   X   " in VIEW.screen(state, Look(cursor=4))
    assert VIEW.screen(state, Look(cursor=4)).count(";7m") == 1


@pytest.mark.parametrize(("cursor", "row"), [(0, " 1[·]· ·"), (4, " 2 ·[X]·"), (5, " 2 · X[·]"), (6, " 3[·]· ·")])
def test_the_cursor_hides_no_mark_on_a_close_board(cursor, row):
    screen = VIEW.screen(State.start(Rules()).play(4), Look(colour=False, small=True, cursor=cursor))
    assert row in screen.split("\n")
    assert screen.count("[") == screen.count("]") == 1


def test_the_last_move_is_underlined():
    state = State.start(Rules()).play(4).play(0)
    screen = VIEW.screen(state, Look(last=VIEW.points("0")))
    assert "\x1b[1;31;4m   O   " in screen
    assert screen.count(";4m") == 1


def test_hints_are_the_values_of_free_cells_the_best_in_green():
    state = State.parse("X.O/.X./..O x")
    hints = {1: -0.25, 3: 0.5, 5: 1.0, 6: -0.001, 7: 1.0}
    plain = VIEW.screen(state, Look(colour=False, hints=hints))
    assert re.findall(r"[+-]\d\.\d\d", plain) == ["-0.25", "+0.50", "+1.00", "+0.00", "+1.00"]
    coloured = VIEW.screen(state, Look(hints=hints))
    assert re.findall(r"\x1b\[32m *(\S+)", coloured) == ["+1.00", "+1.00"]


def test_hints_of_a_large_board_are_a_list_of_the_best():
    state = State.start(Rules(15, 15, 5))
    screen = VIEW.screen(state, Look(colour=False, hints={cell: cell / 224 for cell in state.legal_moves()}))
    assert screen.endswith("\n\nbest: o15 +1.00, n15 +1.00, m15 +0.99, l15 +0.99, k15 +0.98")


def test_arrows_go_round_the_board():
    state = State.start(Rules(3, 4, 3))
    assert VIEW.start(state) == 6
    steps = {"up": 2, "down": 10, "left": 5, "right": 7}
    assert {key: VIEW.walk(state, 6, key, 0) for key in steps} == steps
    assert [VIEW.walk(state, 0, key, 0) for key in ("up", "left")] == [8, 3]
    assert [VIEW.walk(state, 11, key, 0) for key in ("down", "right")] == [3, 8]


def test_a_cell_is_picked_at_once_and_a_move_touches_it_alone():
    assert VIEW.pick(State.start(Rules()), None, 5) == (None, 5)
    assert VIEW.points("5") == (5,)


def test_it_says_how_a_move_is_given():
    assert VIEW.how(State.start(Rules(3, 4, 3))) == "a cell: its column and row, like a1"
