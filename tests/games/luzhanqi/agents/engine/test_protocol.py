"""The lines of the engine protocol: they read back, each side sees itself at the bottom, and wrong ones are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.core.errors import BadNotation
from apprenti.games.luzhanqi.agents.engine.protocol import (
    End,
    Go,
    Info,
    Result,
    Start,
    read_answer,
    read_move,
    read_order,
    write_flag,
    write_move,
    write_order,
)
from apprenti.games.luzhanqi.board import POINTS, parse_move, parse_point
from apprenti.games.luzhanqi.moves import BOTH_DIED, DIED, MOVED, WON

points = st.integers(0, POINTS - 1)
players = st.sampled_from([0, 1])


def test_the_lines_of_the_championships_own_example_are_understood():
    assert read_order("INFO 1.0", 0) == read_order("INFORMATION 1.0", 0) == Info("1.0")
    assert read_order("START 1 1800 31", 0) == Start(1, 1800, 31)
    assert read_order("GO 0000 0 00", 0) == Go(None, 0, -1)
    assert read_order("GO F4G4 1 00", 0) == Go(parse_move("F4G4"), WON, -1)
    assert read_order("GO F4G4 2 A3\r\n", 0) == Go(parse_move("F4G4"), BOTH_DIED, parse_point("A3"))
    assert read_order("RESULT 0 00", 0) == Result(DIED, -1)
    assert read_order("RESULT 3 A1", 0) == Result(MOVED, parse_point("A1"))
    assert read_order("END 1", 0) == End(1)


def test_who_moves_second_sees_the_board_turned_by_half():
    assert read_order("GO F4G4 1 A3", 1) == Go(parse_move("G0F0"), WON, parse_point("L1"))
    assert read_order("RESULT 2 A1", 1) == Result(BOTH_DIED, parse_point("L3"))
    assert write_move(*parse_move("F0G0"), 1) == "G4F4"
    assert write_move(*parse_move("F0G0"), 0) == "F0G0"
    assert read_move("G4F4", 1) == parse_move("F0G0")
    assert write_flag(parse_point("L1"), 1) == "A3"
    assert write_flag(-1, 1) == "00"


@given(players, points, points, st.integers(0, 3), st.one_of(st.just(-1), points))
def test_orders_read_back_for_either_side(player, origin, target, result, flag):
    go, told = Go((origin, target), result, flag), Result(result, flag)
    assert read_order(write_order(go, player), player) == go
    assert read_order(write_order(told, player), player) == told
    assert write_order(Go(None, 0, -1), player) == "GO 0000 0 00"


@given(players, players, st.integers(0, 10**6), st.integers(0, 100), st.integers(0, 2))
def test_orders_without_points_read_back_too(player, first, time, steps, win):
    for order in (Info("1.0"), Start(first, time, steps), End(win)):
        assert read_order(write_order(order, player), player) == order


@pytest.mark.parametrize("line", ["", "  ", "HELLO", "isready", "\x00", "BESTMOVE G2F2"])
def test_words_that_are_no_orders_are_nothing(line):
    assert read_order(line, 0) is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("START 0 1800", "START has 3 words after it, not 2"),
        ("START 2 1800 31", "a number from 0 to 1 was expected, not '2'"),
        ("START 0 soon 31", "not 'soon'"),
        ("START 0 -1 31", "not '-1'"),
        ("START 0 ² 31", "not '²'"),
        ("GO", "GO has 3 words after it"),
        ("GO F4G 1 00", "a move is two points"),
        ("GO Z4G4 1 00", "a point is a row"),
        ("GO F4G4 4 00", "a number from 0 to 3"),
        ("GO F4G4 1 M9", "a point is a row"),
        ("RESULT 0", "RESULT has 2 words after it"),
        ("END 3", "a number from 0 to 2"),
    ],
)
def test_an_order_that_is_wrong_says_what_was_expected(line, why):
    with pytest.raises(BadNotation, match=why):
        read_order(line, 0)


def test_an_answer_is_the_word_that_was_asked_for_and_something_after_it():
    assert read_answer("NAME The best engine \r", "NAME") == "The best engine"
    assert read_answer("bestmove G2F2", "BESTMOVE") == "G2F2"
    for line in ("BESTMOVE", "NAME x", "", "BESTMOVEG2F2", "BESTMOVE "):
        with pytest.raises(BadNotation, match="BESTMOVE was expected"):
            read_answer(line, "BESTMOVE")
