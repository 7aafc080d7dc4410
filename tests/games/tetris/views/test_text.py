"""Boards as text."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream, below
from apprenti.games.tetris import Board, Rules, State, deal, place, press, start
from apprenti.games.tetris.views.text import board_lines, ghost_cells, screen, small_board_lines
from tests.helpers import rules as some_rules


def state_after(*moves, preset="tetrisbot", size="5x4", randomiser="sequence:TOI", **changes):
    """The state after some commands."""
    rng, state = Stream(1), start(Rules.preset(preset, size, randomiser=randomiser, **changes))
    state = deal(state, rng)
    for move in moves:
        state = press(state, move)
        state = deal(state, rng) if state.turn == CHANCE else state
    return state


GOLDEN = """\
┆. . . . . ┆  points 0
┆. OOOO. . ┆  last   -
│. OOOO. . │  lines  0
│TT::::. . │  pieces 1
│TTTT. . . │  clears -
│TT. . . . │
└──────────┘  next
              IIIIIIII
"""


def test_the_screen_shows_board_piece_shadow_score_and_next_piece():
    assert screen(state_after("P:0:1"), colour=False) == GOLDEN.rstrip("\n") + "\n"


def test_the_score_of_the_last_piece_and_the_sizes_of_clears_are_shown():
    # OO..     OOOO
    # OO..  →  OOOO  two lines at once
    rules = {"preset": "simplified", "size": "4x6", "randomiser": "sequence:O", "points": "classic"}
    shown = screen(state_after("P:0:0", "P:2:0", **rules), colour=False)
    for line in ("points 100", "last   +100", "lines  2", "pieces 2", "clears 2×1"):
        assert line in shown


def test_more_words_stand_below_the_score():
    lines = screen(state_after(), colour=False, more=["", "seed   1"]).split("\n")
    assert lines[-1].strip() == "seed   1"


def test_the_next_piece_is_hidden_without_a_preview():
    assert "next" not in screen(state_after(preview=False), colour=False)


def test_hidden_rows_have_another_wall():
    assert [line[0] for line in board_lines(state_after(), colour=False)] == list("┆┆││││└")


def test_a_shadow_lies_under_an_overhang_when_the_piece_is_there():
    #   ....      the O has been brought under the ledge at the left: its shadow is at the bottom,
    #   ##..      not on the ledge
    #   ....
    #   ....
    #   ....
    from apprenti.games.tetris.placement import Position

    rules = Rules.preset("strict", "4x5", randomiser="sequence:O")
    board = Board.parse(["....", "##..", "....", "....", "...."])
    under = State(rules, board, "O", position=Position(0, 1, 0))
    assert ghost_cells(under) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    over = State(Rules.preset("simplified", "4x5"), board, "O", position=Position(0, 5, 0))
    assert ghost_cells(over) == {(4, 0), (4, 1), (5, 0), (5, 1)}


@given(some_rules(), st.integers(0, 1000), st.integers(0, 25))
def test_the_shadow_is_where_a_dropped_piece_comes_to_rest(rules, seed, steps):
    rng, state = Stream.named(seed, "shadow"), deal(start(rules), Stream(seed))
    for _ in range(steps):
        state = deal(state, rng) if state.turn == CHANCE else place(state, state.legal[below(rng, len(state.legal))])
        if state.outcome:
            break
    state = deal(state, rng) if state.turn == CHANCE else state
    assume(state.piece and not state.outcome)
    dropped, shadow = press(state, "D"), ghost_cells(state)
    resting = state.board.with_cells(shadow, state.piece)
    if 1 + max(row for row, _ in shadow) <= rules.rows:
        resting = resting.without_lines(len(state.board.rows))[0]
    assert dropped.board == resting


def test_there_is_no_shadow_when_none_is_wanted_or_nothing_falls():
    state = state_after("N")
    assert "::" in screen(state, colour=False)
    assert "::" not in screen(state, colour=False, ghost=False)
    assert ghost_cells(start(state.rules)) == frozenset()
    assert "::" not in screen(start(state.rules), colour=False)


def test_colours_change_nothing_but_the_drawing_of_cells():
    state = state_after("P:0:1")
    coloured, plain = board_lines(state, colour=True), board_lines(state, colour=False)
    widths = [len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in coloured]
    assert widths == [len(line) for line in plain]
    assert all("\x1b" not in line for line in plain)


def test_at_half_size_two_rows_share_a_line():
    assert small_board_lines(state_after("P:0:1"), colour=False) == [
        "┆ ▄▄  ┆",
        "│▄▀▀  │",
        "│█▀   │",
        "└─────┘",
    ]


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("preset", ["simplified", "overflow", "strict", "tetrisbot"])
def test_the_floor_keeps_its_place_whatever_happens(preset, small):
    rng, state = Stream(3), start(Rules.preset(preset, "6x5", max_pieces=12))
    floors = set()
    while not state.outcome:
        state = deal(state, rng) if state.turn == CHANCE else press(state, "LRHTND"[below(rng, 6)])
        lines = screen(state, colour=False, small=small).split("\n")
        floors.add([line[:1] for line in lines].index("└"))
    if preset != "overflow":  # there a piece may rest high above the board
        assert len(floors) == 1
