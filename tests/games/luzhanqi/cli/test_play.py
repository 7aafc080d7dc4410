"""A person plays Luzhanqi: with keys at a terminal, with lines elsewhere."""

import io
import json
import re

import pytest

from apprenti.cli.main import main
from apprenti.store.replay import read_replay

FIRST = "gchdgeafkbkdcieijgfijljhh"
"""
 G  [ 3 Captain ]══[7 Maj. Gen.]══[ 2 Lieut.  ]══[6 Brigadier]══[ 3 Captain ]
 H  [ 5 Colonel ]───────( )───────[ 9 Marshal ]───────( )───────[  4 Major  ]
"""
LAYOUT = ("--layout", FIRST, "--seed", "1")
UP = "\x1b[A"


def test_a_move_with_arrows_and_enter_shows_where_it_can_go_and_what_came_of_it(begun, anybody):
    game = begun("play", "luzhanqi", "--against", anybody, *LAYOUT)
    screen = game.wait("move 1,")
    assert "▸ 2 Lieut.  ◂" in screen
    assert "G2: your lieutenant" in screen
    assert len(screen.split("\n")) <= 40
    game.press("\n" + UP)
    game.wait("▸   ▾?1-9   ◂")
    game.press("\n")
    screen = game.wait("move 3,")
    assert "G2F2: attacker" in screen or "G2F2: both died" in screen
    assert "last move: " in screen
    game.press("q")
    assert game.finish() == 0
    assert game.is_restored


def test_moves_are_typed_too_and_wrong_ones_are_explained(begun, anybody):
    game = begun("play", "luzhanqi", "--against", anybody, *LAYOUT)
    game.wait("move 1,")
    game.press("K1J1\n")
    game.wait("K1J1 cannot be played: a landmine does not move.")
    game.press("g1h1\n")
    game.wait("G1H1: moved")
    game.press("resign\n")
    game.wait("play again?")
    game.press("n")
    assert game.finish() == 0
    assert "you resigned" in game.output


def test_the_longest_rules_are_shown_at_first_too(terminal, anybody):
    rules = ("--headquarters", "free", "--flag", "carried")
    game = terminal("play", "luzhanqi", "--against", anybody, *LAYOUT, *rules, rows=24, columns=80)
    page = game.wait("carry it into a headquarters of your own")
    assert "Tab a hint" in page and page.endswith("any key goes on") and len(page.split("\n")) == 24
    game.press(" ")
    game.wait("move 1,")


def test_north_plays_from_below_and_arrows_go_as_they_are_seen(begun, anybody):
    game = begun("play", "luzhanqi", "--against", anybody, *LAYOUT, "--first", "agent", "--chinese")
    screen = game.wait("F2: your 排长")
    rows = [line[1] for line in screen.split("\n") if re.match(r" [A-L]  ", line)]
    assert rows == list("LKJIHGFEDCBA")
    game.press(UP)
    game.wait("G2: enemy")
    game.press("q")
    assert game.finish() == 0


@pytest.fixture
def played(monkeypatch, capsys, anybody, tmp_path):
    """Play with lines of text: exit code, standard output, standard error."""

    def run(text, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        monkeypatch.chdir(tmp_path)
        code = main(["play", "luzhanqi", "--against", anybody, *LAYOUT, *arguments])
        return code, *capsys.readouterr()

    return run


def test_lines_are_moves_and_wrong_ones_are_explained_and_asked_for_again(played):
    code, out, err = played("G9G2\nhello\nA0A1\nL1K1\nG0L0\nG2F2\nquit\n")
    assert code == 0
    said = err.splitlines()
    assert len(said) == 5
    assert "like G2" in said[0]
    assert "a move is two points, from and to, like G2F2, not 'hello'" in said[1]
    assert "the piece on A0 is the opponent's" in said[2]
    assert "a flag does not move" in said[3]
    assert "an own piece" in said[4] or "no road" in said[4] or "railway" in said[4]
    assert "anybody: " in out
    assert " move 3," in out
    assert "left early" in out


def test_the_person_is_never_shown_the_enemys_pieces(played):
    _, out, _ = played("G1H1\nH1G1\nquit\n")
    enemy_rows = [line for line in out.split("\n") if re.match(r" [A-F]  ", line)]
    assert len(enemy_rows) == 3 * 6
    assert not any(re.search(r"Marshal|General|Brigadier|Colonel|Mine|Bomb|Flag", line) for line in enemy_rows)


def test_a_game_can_be_kept_and_verified(played, tmp_path, capsys):
    code, out, _ = played("G2F2\nG1H1\nquit\n", "--record", str(tmp_path / "game.json"))
    assert code == 0
    assert "apprenti replay" in out
    replay = read_replay(tmp_path / "game.json")
    assert replay.opening.startswith(FIRST)
    assert len(list(replay.states())) == len(replay.moves) + 1 >= 5
    assert main(["replay", str(tmp_path / "game.json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verified"]


def test_undo_is_off_unless_it_is_asked_for(played):
    _, _, err = played("G1H1\nundo\nquit\n")
    assert "--undo" in err
    _, out, err = played("G1H1\nundo\nquit\n", "--undo")
    assert err == ""
    assert [line.split()[1] for line in out.splitlines() if line.startswith(" move ")] == ["1,", "3,", "1,"]


def test_watching_through_one_players_eyes_hides_the_other_army(anybody, capsys):
    def boards(*eyes):
        assert main(["watch", anybody, "--against", anybody, "--seed", "3", *eyes]) == 0
        return capsys.readouterr().out.split("\n\n")[:3]

    assert all("Marshal" in board.split(" F ")[0] for board in boards())
    first, second = boards("--eyes", "first"), boards("--eyes", "second")
    assert all("Marshal" not in board.split(" F ")[0] for board in first)
    assert all("Marshal" not in board.split(" G ")[0] for board in second)


def test_explanations_fit_80_columns_and_24_rows_and_so_does_what_stays(terminal):
    shown = terminal("watch", "luzhanqi-random", "--against", "random", "--seed", "4", "--explain", rows=24, columns=80)
    shown.wait("south, by counting: flag A")
    shown.press("q")
    assert shown.finish() == 0
    for screen in (*shown.screens, shown.afterwards.rstrip()):
        assert len(screen.split("\n")) <= 24
        assert all(len(line) <= 80 for line in screen.split("\n"))
    assert " L  " in shown.afterwards and "south, by counting: flag A" in shown.afterwards
