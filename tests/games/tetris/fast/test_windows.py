"""Windows by hand and by brute force; prospects beside the readable rules."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import BadOption
from apprenti.games.tetris import Board, Rules, legal_placements
from apprenti.games.tetris.criteria import Move
from apprenti.games.tetris.fast.prospects import Prospects
from apprenti.games.tetris.fast.tables import columns_of
from apprenti.games.tetris.fast.windows import FEATURES, Windows, parse
from apprenti.games.tetris.placement import has_room
from tests.helpers import boards


def one_number(windows, of):
    """A table that says one number of each pattern, by kind, its cells in columns and rows."""
    table, row = np.zeros((sum(windows.sizes), FEATURES)), 0
    for (rows, columns), cells in zip(windows.shapes, windows.cells(), strict=True):
        for pattern in (cells > 0).reshape(-1, columns, rows):
            table[row, 0] = of(pattern)
            row += 1
    return table


def brute_force(windows, board, of):
    """The same sums, window by window."""
    found = []
    for rows, columns in windows.shapes:
        floor, wall = min(2, rows - 1), 0 if columns == board.width else 2
        sums = [0.0, 0.0]
        for low in range(-floor, board.height):
            for left in range(-wall, board.width + wall - columns + 1):
                pattern = np.array([
                    [r < 0 or not 0 <= c < board.width or board.is_full(r, c) for r in range(low, low + rows)]
                    for c in range(left, left + columns)
                ])  # fmt: skip
                sums[0] += of(pattern)
                sums[1] += of(pattern) * 0.1 * low
        found += sums
    return found


def arbitrary(pattern):
    """Some number of a pattern."""
    return float((pattern.ravel() * np.sqrt(np.arange(2, pattern.size + 2))).sum()) ** 2 % 7


@settings(max_examples=25)
@given(board=boards(width=6, height=7))
def test_the_sums_over_windows_are_those_of_brute_force(board):
    windows = Windows(6, 7, parse("3x3,2x4,row", 6))
    sums, _ = windows.sums_of(columns_of(board), one_number(windows, arbitrary))
    assert sums[0, ::FEATURES] == pytest.approx(brute_force(windows, board, arbitrary))


def test_a_window_can_count_the_cells_of_a_row():
    windows = Windows(4, 5, parse("row", 4))
    sums, patterns = windows.sums_of(
        columns_of(Board.parse([".....", "....", "#...", "##.#", "####"][1:])), one_number(windows, np.sum)
    )
    assert patterns.shape == (1, windows.count) == (1, 5)
    assert sums[0, 0] == 8


@settings(max_examples=30)
@given(data=st.data())
def test_what_changed_alone_gives_the_same_as_the_whole_board(data):
    rules = Rules.preset("simplified", "7x8")
    windows = Windows(7, 8, parse("4x3,row,2x5", 7))
    table = np.random.Generator(np.random.PCG64(3)).normal(size=(sum(windows.sizes), FEATURES))
    before = np.concatenate([columns_of(data.draw(boards(width=7, height=8))) for _ in range(3)])
    after = Prospects(rules).of(before, np.array([data.draw(st.integers(0, 6)) for _ in range(3)]))
    weights = np.zeros(windows.sums + 1)
    weights[0], weights[FEATURES] = 1.0, 3.0  # the first sum, plain and by height
    values = windows.values(before, after.starts, after.columns, table, 0, weights)
    sums, _ = windows.sums_of(after.columns, table)
    assert values == pytest.approx(sums[:, 0] + 3 * sums[:, FEATURES])


def test_values_do_not_depend_on_the_number_of_threads():
    rules, rng = Rules.preset("simplified", "6x8"), np.random.Generator(np.random.PCG64(3))
    windows = Windows(6, 8, parse("3x3", 6))
    table, weights = rng.normal(size=(512, FEATURES)), rng.normal(size=windows.sums + 1)
    before = rng.integers(0, 16, (300, 16)).astype(np.int32)
    after = Prospects(rules).of(before, rng.integers(0, 7, 300))
    one, three = (windows.values(before, after.starts, after.columns, table, 0, weights, n) for n in (1, 3))
    assert np.array_equal(one, three)


@pytest.mark.parametrize("text", ["", "5x4", "0x3", "1x9", "3", "rows", "4x4;row"])
def test_wrong_windows_are_refused(text):
    with pytest.raises(BadOption, match="--windows"):
        parse(text, 8)


@settings(max_examples=40)
@given(data=st.data())
def test_prospects_are_the_placements_of_the_readable_rules(data):
    name = data.draw(st.sampled_from(["simplified", "overflow", "strict", "tetrisbot"]))
    rules = Rules.preset(name, "7x9")
    board = data.draw(boards(width=7, height=9, hidden=rules.hidden))
    piece = data.draw(st.integers(0, 6))
    letter = rules.pieces.letters[piece]
    after = Prospects(rules).of(columns_of(board), np.array([piece]))
    if not has_room(rules, board, rules.pieces[letter]):
        assert len(after) == 0
        return
    legal = legal_placements(rules, board, letter)
    assert after.action.tolist() == [p.rotation * 7 + p.column for p in legal]
    for k, placement in enumerate(legal):
        move = Move(board, placement)
        over = placement.top > rules.rows or move.after.highest > rules.height
        assert bool(after.over[k]) == over
        if not over:
            assert after.lines[k] == move.lines
            assert np.array_equal(after.columns[k, :7], columns_of(move.after)[0, :7])
