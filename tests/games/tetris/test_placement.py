"""Where a piece can be brought to rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.games.tetris import Board, Rules, legal_placements, placements
from apprenti.games.tetris.pieces import CLASSIC, RAPID
from apprenti.games.tetris.placement import entry, has_room
from tests.helpers import boards

COUNTS = {"O": 9, "I": 17, "S": 17, "Z": 17, "J": 34, "L": 34, "T": 34}


@pytest.mark.parametrize("letter", COUNTS)
def test_golden_counts_on_an_empty_board(letter):
    assert len(placements(Board.empty(10, 20, 0), letter)) == COUNTS[letter]
    for preset in ("tetrisbot", "strict"):
        rules = Rules.preset(preset)
        empty = Board.empty(rules.width, rules.height, rules.hidden)
        assert len(legal_placements(rules, empty, letter)) == COUNTS[letter]


@given(boards(), st.sampled_from("IOTSZJL"))
def test_a_drop_never_overlaps_and_always_rests_on_something(board, letter):
    for placement in placements(board, letter):
        assert not any(board.is_full(row, column) for row, column in placement.cells)
        assert any(row == 0 or board.is_full(row - 1, column) for row, column in placement.cells)
        assert all(row >= board.column_heights[column] for row, column in placement.cells)


@given(boards(width=10, height=22, hidden=2, low=True), st.sampled_from("IOTSZJL"))
def test_on_a_low_board_every_straight_drop_is_legal(board, letter):
    assert legal_placements(Rules.preset("tetrisbot"), board, letter) == placements(board, letter)


def test_a_wall_at_the_top_cuts_the_board_in_two():
    # column 2 reaches the rows where pieces are steered: what is in the middle cannot get to columns 0 and 1
    rows = ["..........", "..#......."] + ["..#......."] * 22
    board = Board.parse(rows, hidden=2)
    columns = {p.column for p in legal_placements(Rules.preset("tetrisbot"), board, "O")}
    assert columns == {3, 4, 5, 6, 7, 8}


def test_a_turn_needs_room_at_the_top():
    # three rows are free, and no column has four free cells from the second row down: an upright I fits nowhere
    rows = ["........"] * 3 + ["#.######"] + [".#######"] * 4
    board = Board.parse(rows)
    rules = Rules.preset("strict", size="8x8")
    assert {p.rotation for p in legal_placements(rules, board, "I")} == {0}


def test_a_piece_can_start_its_fall_under_a_ledge():
    # an S is steered at rows 2 and 3; its left cell is free under the full cell (3, 1)
    #   ......
    #   .#....
    #   ......
    #   ......
    #   ......
    board = Board.parse(["......", ".#....", "......", "......", "......"])
    rules = Rules.preset("strict", size="6x5")
    under = [p for p in legal_placements(rules, board, "S") if (p.rotation, p.column) == (0, 1)]
    assert [p.row for p in under] == [0]


def test_one_row_below_the_top_classic_i_has_34_placements_and_in_the_top_row_7():
    # its matrix has an empty row above it: in the top row it would stick out when it is turned
    rules, empty = Rules.preset("tetrisbot", pieces="classic"), Board.empty(10, 22, 2)
    assert len(legal_placements(rules, empty, "I")) == 34
    at_the_top = rules.changed(gravity_first=False)
    assert len(legal_placements(at_the_top, empty, "I")) == 7
    assert {p.rotation for p in legal_placements(at_the_top, empty, "T")} == {0, 1, 2, 3}


def test_the_player_is_first_asked_one_row_below_the_top_in_the_middle_or_left_of_it():
    rules = Rules.preset("tetrisbot")
    where = {letter: entry(rules, RAPID[letter]) for letter in "IOT"}
    assert (where["I"].row, where["I"].column) == (22, 3)
    assert (where["O"].row, where["O"].column) == (21, 4)
    assert (where["T"].row, where["T"].column) == (21, 3)
    assert entry(rules, CLASSIC["I"]).row == 22
    assert entry(rules.changed(gravity_first=False), CLASSIC["I"]).row == 23


def test_a_piece_needs_room_to_appear_and_to_come_down():
    # an O appears in the two top rows
    rules = Rules.preset("strict", size="4x4")
    blocked = {
        "cannot appear": [".#..", "....", "....", "...."],
        "can appear, not come down": ["....", "....", ".#..", "...."],
    }
    assert not any(has_room(rules, Board.parse(rows), RAPID["O"]) for rows in blocked.values())
    assert has_room(rules.changed(gravity_first=False), Board.parse(blocked["can appear, not come down"]), RAPID["O"])
    assert has_room(rules, Board.parse(["....", "....", "....", ".#.."]), RAPID["O"])
