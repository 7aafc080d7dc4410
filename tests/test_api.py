"""`import apprenti`: the names a script needs."""

import subprocess
import sys

import connect_four
import pytest

import apprenti
import apprenti.api


def test_every_name_is_there_and_nothing_else():
    assert set(apprenti.__all__) == {*apprenti.api.__all__, "__version__"}
    assert all(getattr(apprenti, name) is not None for name in apprenti.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        apprenti.nonsense  # noqa: B018


def test_importing_it_is_light():
    light = "import apprenti, sys; assert 'numpy' not in sys.modules and 'apprenti.api' not in sys.modules"
    subprocess.run([sys.executable, "-c", light], check=True)


def test_the_games_can_be_asked_for_again_and_again():
    assert apprenti.games() == apprenti.games()
    assert {"tetris", "tictactoe", "luzhanqi"} <= set(apprenti.games())
    assert apprenti.core.plugins  # it is a room too


def test_a_game_is_a_name_or_the_game_itself():
    by_object = apprenti.match("random", "random", game=apprenti.game("tictactoe"), games=4, workers=1)
    by_name = apprenti.match("random", "random", game="tictactoe", games=4, workers=1)
    assert [record.moves for record in by_object.records] == [record.moves for record in by_name.records]
    assert apprenti.match("random", "mcts:3", game=connect_four.GAME, games=2, rows=4, workers=2).games == 2


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: apprenti.evaluate("bcts", games="x"), "games is a whole number, not 'x'."),
        (lambda: apprenti.evaluate("bcts", size=10), "size is text, not 10."),
        (lambda: apprenti.evaluate("bcts", preview="yes"), "preview is True or False, not 'yes'."),
        (lambda: apprenti.evaluate(3, game="tetris"), "int is no agent: it needs a method choose"),
        (lambda: apprenti.train("ce", popluation=3), "no option of ce called 'popluation': did you mean population?"),
        (lambda: apprenti.train("ce", iterations="x"), "iterations is a whole number, not 'x'."),
        (lambda: apprenti.train(3), "a method of learning is a text, not 3."),
        (lambda: apprenti.resume(3), "the name of a run is a text, not 3."),
        (lambda: apprenti.game(3), "the name of a game is a text, not 3."),
        (lambda: apprenti.agent(3), "the name of an agent is a text, not 3."),
        (lambda: apprenti.evaluate("bcts", game=3), "game is the name of a game or a game, not 3."),
    ],
)
def test_a_value_of_another_type_is_named_in_one_sentence(call, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(apprenti.ApprentiError) as error:
        call()
    assert why in str(error.value)
    assert not list(tmp_path.iterdir())
