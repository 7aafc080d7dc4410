"""The two toy games by their own rules; that they keep the contract is tested with all others."""

import connect_four
import game_2048
import pytest

from apprenti import CHANCE, OVER, BadNotation, BadRules, IllegalMove, Stream

FOUR, PUSH = connect_four.GAME, game_2048.GAME


def dropped(*columns, **options):
    state = FOUR.start(FOUR.rules(**options), Stream(1))
    for column in columns:
        state = state.play(column)
    return state


@pytest.mark.parametrize(
    "columns",
    [
        (0, 0, 1, 1, 2, 2, 3),  # along the bottom
        (3, 2, 3, 2, 3, 2, 3),  # upwards
        (0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3),  # rising
        (6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3),  # falling
    ],
)
def test_four_in_a_row_win_in_every_direction(columns):
    end = dropped(*columns).outcome
    assert (end.reason, end.winner, end.scores) == (connect_four.End.ROW, 0, (1.0, 0.0))
    assert dropped(*columns[:-1]).outcome is None


def test_a_row_does_not_go_on_round_the_edge():
    assert dropped(0, 1, 0, 1, 0, 2, 1).outcome is None


def test_a_full_board_is_a_draw():
    drawn = dropped(0, 1, 2, rows=1, columns=3, connect=2).outcome
    assert (drawn.reason, drawn.winner, drawn.scores) == (connect_four.End.FULL, None, (0.5, 0.5))


def test_a_full_column_takes_no_disc():
    with pytest.raises(IllegalMove, match="one of the columns"):
        dropped(*[0] * 7)
    assert dropped(*[0] * 6).legal_moves() == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("text", ["X", "O./.X", "../.A", "X./..", "../XX", "../../X.", "..X/..."])
def test_what_is_no_position_is_refused(text):
    rules = FOUR.rules(rows=2, columns=2, connect=2)
    assert FOUR.read_state(rules, "O./X.").notation == "O./X."
    with pytest.raises(BadNotation):
        FOUR.read_state(rules, text)


@pytest.mark.parametrize("options", [{"rows": 0}, {"columns": 21}, {"connect": 0}])
def test_boards_that_cannot_be_are_refused(options):
    with pytest.raises(BadRules):
        FOUR.rules(**options)


@pytest.mark.parametrize(
    ("row", "after", "score"),
    [
        ((2, 2, 0, 0), (4, 0, 0, 0), 4),
        ((2, 2, 2, 2), (4, 4, 0, 0), 8),
        ((2, 2, 4, 0), (4, 4, 0, 0), 4),  # what has merged does not merge again
        ((0, 2, 0, 2), (4, 0, 0, 0), 4),
        ((4, 2, 2, 2), (4, 4, 2, 0), 4),
        ((2, 4, 2, 4), (2, 4, 2, 4), 0),
    ],
)
def test_tiles_slide_and_merge_once(row, after, score):
    assert game_2048.slid(row) == (after, score)


def test_a_push_goes_where_it_says():
    state = PUSH.read_state(PUSH.rules(size=2), "2,0/0,4 8 0")
    boards = {move: state.play(move).notation for move in state.legal_moves()}
    assert boards == {"L": "2,0/4,0 8 1", "D": "0,0/2,4 8 1", "R": "0,2/0,4 8 1", "U": "2,4/0,0 8 1"}


def test_two_tiles_come_first_then_one_after_each_push_by_their_law():
    state = PUSH.start(PUSH.rules(size=2), Stream(1))
    assert state.turn == CHANCE
    law = dict(state.chances())
    assert law[0, 0, 2] == pytest.approx(0.9 / 4)
    assert law[1, 1, 4] == pytest.approx(0.1 / 4)
    state = state.deal(Stream(1)).deal(Stream(2))
    assert state.turn == 0
    assert sum(tile > 0 for row in state.cells for tile in row) == 2


def test_it_is_over_when_nothing_moves_and_what_counts_is_the_score():
    state = PUSH.read_state(PUSH.rules(size=2), "2,4/4,2 12 0")
    assert state.turn == OVER
    assert state.outcome.scores == (12.0,)
    assert PUSH.measures(state) == {"score": 12.0, "highest": 4.0}
