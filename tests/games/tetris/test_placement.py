"""Where a piece can be brought to rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.games.tetris import Board, Rules, legal_placements, placements
from apprenti.games.tetris.pieces import CLASSIC, RAPID
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
    # column 2 reaches the entry rows: what appears in the middle cannot get to columns 0 and 1
    rows = ["..........", "..#......."] + ["..#......."] * 22
    board = Board.parse(rows, hidden=2)
    columns = {p.column for p in legal_placements(Rules.preset("tetrisbot"), board, "O")}
    assert columns == {3, 4, 5, 6, 7, 8}


def test_a_turn_needs_room_at_the_top():
    # two rows are free, and no column has four free cells: an upright I does not fit anywhere
    rows = ["........"] * 2 + ["#.######"] + [".#######"] * 5
    board = Board.parse(rows)
    rules = Rules.preset("strict", size="8x8")
    assert {p.rotation for p in legal_placements(rules, board, "I")} == {0}


def test_a_piece_can_start_its_fall_under_a_ledge():
    # an S appears at rows 2 and 3; its left cell is free under the full cell (3, 1)
    #   .#....
    #   ......
    #   ......
    #   ......
    board = Board.parse([".#....", "......", "......", "......"])
    rules = Rules.preset("strict", size="6x4")
    under = [p for p in legal_placements(rules, board, "S") if (p.rotation, p.column) == (0, 1)]
    assert [p.row for p in under] == [0]


def test_classic_i_cannot_turn_where_it_would_stick_out_of_the_top():
    rules = Rules.preset("tetrisbot", pieces="classic")
    empty = Board.empty(10, 22, 2)
    assert {p.rotation for p in legal_placements(rules, empty, "I")} == {0}
    assert {p.rotation for p in legal_placements(rules, empty, "T")} == {0, 1, 2, 3}


def test_pieces_appear_flat_centred_and_to_the_left():
    from apprenti.games.tetris.placement import entry

    rules = Rules.preset("tetrisbot")
    where = {letter: entry(rules, RAPID[letter]) for letter in "IOT"}
    assert (where["I"].row, where["I"].column) == (23, 3)
    assert (where["O"].row, where["O"].column) == (22, 4)
    assert (where["T"].row, where["T"].column) == (22, 3)
    assert entry(rules, CLASSIC["I"]).row == 23
