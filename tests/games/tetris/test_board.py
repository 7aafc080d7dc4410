"""The board: heights, holes, lines, encodings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Board
from tests.helpers import boards

PILE = [
    "......",
    ".##...",
    "#..#..",
    "##.###",
]


def test_statistics_of_a_pile():
    board = Board.parse(PILE)
    assert board.column_heights == (2, 3, 3, 2, 1, 1)
    assert (board.highest, board.sum_heights, board.bumpiness, board.holes) == (3, 12, 3, 3)


def test_default_board_is_the_reports():
    board = Board.empty()
    assert (board.width, board.height, board.hidden, len(board.rows)) == (10, 22, 2, 24)


def test_full_lines_are_removed_and_what_is_above_comes_down():
    board, lines = Board.parse(["#.#", "###", ".##", "###"]).without_lines(4)
    assert lines == 2
    assert str(board) == "...\n...\n#.#\n.##"


@given(boards())
def test_encoding_round_trips(board):
    again = Board.decode(board.encode(), board.width, board.height, board.hidden)
    assert again == board
    assert Board.parse(board.notation) == board == Board.parse(str(board))


@given(boards())
def test_statistics_equal_their_slow_definitions(board):
    full = [[cell != "." for cell in row] for row in board.rows]
    heights = []
    for column in range(board.width):
        height = len(full)
        while height and not full[height - 1][column]:
            height -= 1
        heights.append(height)
    assert list(board.column_heights) == heights
    holes = sum(not full[r][c] for c in range(board.width) for r in range(heights[c]))
    assert board.holes == holes
    assert board.bumpiness == sum(abs(heights[c] - heights[c + 1]) for c in range(board.width - 1))


@given(boards(), st.integers(0, 2**40))
def test_a_number_too_large_for_the_board_is_refused(board, extra):
    with pytest.raises(ApprentiError):
        Board.decode((1 << board.width * len(board.rows)) + extra, board.width, board.height, board.hidden)


@pytest.mark.parametrize("rows", [[], [""], ["##", "#"], "###/##"])
def test_malformed_boards_are_refused(rows):
    with pytest.raises(ApprentiError):
        Board.parse(rows)
