"""The rules by hand, the counts of the literature, and which positions there are."""

import itertools
from functools import cache

import pytest
from hypothesis import given

from apprenti.core.errors import BadNotation, BadRules, IllegalMove
from apprenti.core.protocols import Outcome
from apprenti.games.mnk import Rules, State, canonical
from apprenti.games.mnk.state import End
from tests.games.mnk.positions import positions, reachable

TICTACTOE = Rules()


def rows_by_hand(state, mark):
    """Every row of K cells with this mark, counted cell by cell."""
    rules = state.rules
    board = {(n // rules.columns, n % rules.columns) for n, cell in enumerate(state.cells) if cell == mark}
    starts = itertools.product(range(rules.rows), range(rules.columns), ((0, 1), (1, -1), (1, 0), (1, 1)))
    return sum(all((r + i * dr, c + i * dc) in board for i in range(rules.k)) for r, c, (dr, dc) in starts)


def test_tic_tac_toe_has_255168_games():
    @cache
    def games(state):
        return 1 if state.outcome else sum(games(state.play(cell)) for cell in state.legal_moves())

    assert games(State.start(TICTACTOE)) == 255_168


def test_tic_tac_toe_has_5478_positions_and_765_up_to_symmetry():
    assert len(reachable(TICTACTOE)) == 5478
    assert len({canonical(state) for state in reachable(TICTACTOE)}) == 765


def test_958_positions_end_a_game_and_16_of_them_are_draws():
    ended = [state.outcome for state in reachable(TICTACTOE) if state.outcome]
    assert len(ended) == 958
    assert [sum(outcome.winner == who for outcome in ended) for who in (0, 1, None)] == [626, 316, 16]


def test_what_can_be_parsed_is_what_a_game_reaches():
    found = set()
    for cells in map("".join, itertools.product(".XO", repeat=9)):
        for turn in "xo":
            try:
                found.add(State.parse(f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {turn}"))
            except BadNotation:
                continue
    assert found == reachable(TICTACTOE)


def test_the_same_on_a_board_with_room_for_two_separate_rows():
    found = set()
    for cells in map("".join, itertools.product(".XO", repeat=8)):
        for turn in "xo":
            try:
                found.add(State.parse(f"{cells[:4]}/{cells[4:]} {turn}", k=2))
            except BadNotation:
                continue
    assert found == reachable(Rules(2, 4, 2))


def test_a_game_by_hand():
    state = State.start(TICTACTOE)
    for cell in (4, 0, 2, 6):
        state = state.play(cell)
    assert state.notation == "O.X/.X./O.. x"
    assert state == State.parse("O.X/.X./O.. x", k=3)
    assert state.legal_moves() == (1, 3, 5, 7, 8)
    lost = state.play(8).play(3)
    assert lost.outcome == Outcome.between_two(End.ROW, winner=1)
    assert lost.legal_moves() == ()
    with pytest.raises(IllegalMove, match="over: enough in a row"):
        lost.play(1)


def test_a_full_board_is_a_draw_unless_its_last_mark_wins():
    assert State.parse("XOX/XXO/OXO o").outcome == Outcome.between_two(End.FULL)
    assert State.parse("XXX/OXO/XOO o").outcome == Outcome.between_two(End.ROW, winner=0)


@pytest.mark.parametrize(
    ("text", "k", "winner"),
    [
        ("XXXX/OOO./..../.... o", 4, 0),
        ("X.../.X../O.X./OO.X o", 4, 0),
        ("...X/..X./OX../X.OO o", 4, 0),
        ("OX./OX./O.X x", 3, 1),
        ("XXX. o", 3, None),  # three X and no O: no game
        ("..XX/X.OO/.... o", 3, None),  # a row does not go on at the other side
    ],
)
def test_rows_in_every_direction(text, k, winner):
    if text == "XXX. o":
        with pytest.raises(BadNotation, match="3 X and 0 O"):
            State.parse(text, k=k)
    else:
        state = State.parse(text, k=k)
        assert (state.outcome.winner if state.outcome else None) == winner


@given(positions())
def test_a_game_is_over_when_somebody_has_k_in_a_row_or_the_board_is_full(state):
    rows = [rows_by_hand(state, mark) for mark in "XO"]
    if any(rows):
        assert state.outcome.winner == (0 if rows[0] else 1) and not all(rows)
        assert state.outcome.reason is End.ROW
    else:
        assert state.outcome == (None if "." in state.cells else Outcome.between_two(End.FULL))


@pytest.mark.parametrize(
    "text",
    ["", " x", "...", ".../... /... x", "X.O/.X/..O x", "X.O/.X./..O o", "X.O/.X./..O", "x../.../... o",
     "XXX/OOO/... x", "XXX/OO./O.. x", "OOO/XX./X.X x", "XX./.../... x", "../.. x", "." * 20 + " x", "X.O/.X./..O x x"],
)  # fmt: skip
def test_what_is_no_position_is_refused_with_a_sentence(text):
    with pytest.raises(BadNotation) as caught:
        State.parse(text, k=3)
    assert str(caught.value).endswith(".")


def test_moves_that_are_not_there_are_refused():
    state = State.parse("X../.../... o")
    for cell, said in ((-1, "no cell -1"), (9, "the last one is c3"), (0, "is taken")):
        with pytest.raises(IllegalMove, match=said):
            state.play(cell)


def test_named_rules():
    assert Rules.parse("tictactoe") == Rules(3, 3, 3)
    assert Rules.parse("gomoku") == Rules(15, 15, 5)
    assert (Rules(3, 3, 3).name, Rules(5, 5, 4).name) == ("tictactoe", "mnk")


@pytest.mark.parametrize("text", ["", "3x3", "3x3x4", "20x3x3", "0x3x1", "3x3x0", "axbxc", "3x3x3x3", "٣x3x3"])
def test_rules_that_cannot_be_played_are_refused(text):
    with pytest.raises(BadRules):
        Rules.parse(text)
