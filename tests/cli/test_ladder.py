"""Games against people: counted only for who agrees, kept here, verified, and rated."""

import io
import json
from pathlib import Path

import pytest

from apprenti.lab.people import Rated, standings

pytestmark = pytest.mark.usefixtures("elsewhere")

PLAY = ("play", "tictactoe", "--against", "random", "--seed", "1", "--name", "Ada")


@pytest.fixture
def play(monkeypatch, run):
    """Play with lines of text."""

    def with_lines(text, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return run(*PLAY, *arguments)

    return with_lines


def test_a_rated_game_counts_and_one_that_is_not_rated_or_left_early_does_not(play, run):
    assert play("b2\nresign\n")[0] == 0
    assert not Path("people").exists()
    assert play("b2\n", "--rated")[0] == 0, "left early"
    assert "no rated games yet" in run("ladder", "people")[1]
    code, out, err = play("b2\nresign\n", "--rated")
    assert (code, err) == (0, "") and "apprenti ladder people" in out
    out = run("ladder", "people")[1]
    assert "Ada against mnk-random: won 0, drew 0, lost 1; 0% (0% … 79%)" in out
    found = json.loads(run("ladder", "people", "--json")[1])["tictactoe"]
    assert found["games"] == [{"game": "tictactoe", "person": "Ada", "agent": "mnk-random", "points": 0.0}]
    assert found["elo"]["mnk-random"] == [0.0, 0.0] and found["elo"]["Ada"][0] < 0


def test_a_game_that_was_altered_or_is_somebody_elses_is_refused(play, run):
    play("b2\nresign\n", "--rated")
    (path,) = Path("people/Ada").glob("*.json")
    Path("people/Bob").mkdir()
    path.rename("people/Bob/game.json")
    code, _, err = run("ladder", "people")
    assert code == 2 and "in which Bob was one of the players" in err
    text = Path("people/Bob/game.json").read_text()
    Path("people/Bob/game.json").write_text(text.replace('"Ada"', '"Bob"'))
    code, _, err = run("ladder", "people")
    assert code == 2 and "altered" in err
    play("b2\nresign\n", "--rated")
    code, out, err = run("ladder", "people")  # one damaged game does not hide the others
    assert code == 2 and "altered" in err and "Ada against" in out
    Path("people/Bob/other.json").write_text("[]")
    code, _, err = run("ladder", "people")
    assert code == 2 and err.count("not counted: ") == 2 and err.count("apprenti: ") == 1


def test_a_rated_game_goes_without_advice_and_offers_none(play):
    _, out, err = play("hint\nb2\nresign\n", "--rated")
    assert err == "apprenti: nobody is asked for advice in a rated game.\n"
    assert "or help, resign, quit" in out and "or help, hint, resign, quit" in play("quit\n")[1]


def test_a_folder_that_is_none_is_refused(run):
    assert run("ladder", "people", "--folder", "nowhere") == (
        2,
        "",
        "apprenti: nowhere is not a folder of rated games.\n",
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--undo"], "without --undo"),
        (["--learn"], "without --learn"),
        (["--name", ""], "needs --name"),
        (["--name", "../Ada"], "without a slash"),
        (["--name", "mnk-random"], "name of your opponent"),
    ],
)
def test_what_cannot_be_rated_is_refused_before_a_move(play, words, why):
    code, _, err = play("b2\n", "--rated", *words)
    assert code == 2 and why in err


def test_elo_follows_the_points_and_the_agent_that_was_met_most_has_0():
    games = [Rated("g", "Ada", "easy", 1.0)] * 6 + [Rated("g", "Ada", "hard", 0.0)] * 4 + [Rated("g", "Bob", "easy", 0)]
    found = standings(games)
    assert list(found) == ["hard", "Ada", "easy", "Bob"] and found["easy"].elo == 0 and found["easy"].error == 0
