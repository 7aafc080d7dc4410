"""A board and its words on terminals of any height."""

import pytest

from apprenti.cli.screen import CUT, framed


def board(small):
    return "small 1\nsmall 2" if small else "large 1\nlarge 2\nlarge 3\nlarge 4"


ABOVE, BELOW = ["title", ""], ["", "last", "> ", "keys"]


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (10, ["title", "", "large 1", "large 2", "large 3", "large 4", "", "last", "> ", "keys"]),
        (9, ["title", "large 1", "large 2", "large 3", "large 4", "last", "> ", "keys"]),
        (8, ["title", "large 1", "large 2", "large 3", "large 4", "last", "> ", "keys"]),
        (7, ["title", "small 1", "small 2", "last", "> ", "keys"]),
        (6, ["title", "small 1", "small 2", "last", "> ", "keys"]),
        (5, ["small 1", "small 2", "last", "> ", "keys"]),
        (4, [CUT, "last", "> ", "keys"]),
        (3, ["last", "> ", "keys"]),
        (1, ["last", "> ", "keys"]),
    ],
)
def test_words_above_and_the_board_give_way_before_how_to_play(rows, lines):
    assert framed(ABOVE, board, BELOW, rows).split("\n") == lines


@pytest.mark.parametrize(("columns", "first"), [(12, "large"), (9, "small"), (7, "small"), (6, CUT)])
def test_a_narrow_terminal_gets_the_smaller_board_and_is_told_when_even_that_is_cut(monkeypatch, columns, first):
    monkeypatch.setenv("COLUMNS", str(columns))

    def wide(small):
        return "\x1b[1msmall 1\x1b[0m" if small else "large 1 2 3"

    lines = framed([], wide, [], 10).split("\n")
    assert lines[0].removeprefix("\x1b[1m").startswith(first)
