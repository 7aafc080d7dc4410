"""The games by name, as the arena and the command line see them."""

import pytest

from apprenti.core.errors import BadNotation, BadRules
from apprenti.core.plugins import GAMES
from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.game import GOMOKU, MNK, TICTACTOE


def test_the_catalogue_has_them_by_name():
    assert [GAMES.load(name) for name in ("tictactoe", "gomoku", "mnk")] == [TICTACTOE, GOMOKU, MNK]


def test_each_has_its_rules():
    assert TICTACTOE.rules() == TICTACTOE.rules(rules="tictactoe") == TICTACTOE.rules(size="3x3x3") == Rules(3, 3, 3)
    assert GOMOKU.rules() == MNK.rules(rules="gomoku") == Rules(15, 15, 5)
    assert MNK.rules(rules="mnk", size="5x5x4") == MNK.rules(size="5x5x4") == Rules(5, 5, 4)
    assert MNK.rules() == Rules(3, 3, 3)


@pytest.mark.parametrize(
    ("game", "text", "size", "said"),
    [
        (TICTACTOE, "", "5x5x4", "play mnk --size 5x5x4"),
        (TICTACTOE, "gomoku", "", "play gomoku"),
        (MNK, "gomoku", "3x3x3", "gomoku is 15x15x5"),
        (MNK, "renju", "", "not 'renju'"),
        (MNK, "", "5x5", "like 5x5x4"),
        (GOMOKU, "", "15x15x6", "gomoku is 15x15x5"),
    ],
)
def test_other_rules_are_refused_with_a_hint(game, text, size, said):
    with pytest.raises(BadRules, match=said):
        game.rules(rules=text, size=size)


def test_moves_may_be_written_as_column_and_row():
    state = State.start(Rules(3, 4, 3))
    assert [MNK.read_move(state, text) for text in ("a1", "d1", "A2", " c3 ", "7")] == [0, 3, 4, 10, 7]


@pytest.mark.parametrize("text", ["", "e1", "a4", "a0", "-1", "1.5", "b", "2b", "resign"])
def test_what_is_no_move_is_refused(text):
    with pytest.raises(BadNotation, match="its column and row, from a1 to d3"):
        MNK.read_move(State.start(Rules(3, 4, 3)), text)


def test_a_position_of_another_board_is_refused():
    with pytest.raises(BadNotation, match="4x4x3 is played"):
        MNK.reopen(Rules(4, 4, 3), "X.O/.X./..O x")


def test_rules_are_described_for_people():
    assert TICTACTOE.describe(Rules()) == "tictactoe 3x3x3: three in a row on 3 by 3"
