"""Watching an agent: animated on a terminal, plain text elsewhere."""

import re

import pytest

from apprenti.arena.game import play_game, seeds_of_game
from apprenti.cli.main import main
from apprenti.cli.viewer import FASTEST, SLOWEST, faster, slower
from apprenti.lab.agents import find
from apprenti.store.replay import read_replay

FILTERING = ("watch", "filtering", "--seed", "1")


@pytest.fixture
def watch(capsys):
    """Watch without a terminal: exit code, standard output, standard error."""

    def run(*arguments):
        code = main(["watch", *arguments])
        return code, *capsys.readouterr()

    return run


def test_without_a_terminal_every_piece_at_rest_is_printed_as_plain_text(watch):
    code, out, err = watch("filtering", "--seed", "1", "--max-pieces", "7")
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    assert re.findall(r"pieces (\d+)", out) == list("1234567")
    assert out.endswith("the last piece has been played: 0 points, 0 lines, 7 pieces (filtering, seed 1)\n")


def test_without_a_terminal_a_game_ends_after_200_pieces(watch):
    _, out, _ = watch("dellacherie", "--seed", "1")
    assert re.findall(r"pieces (\d+)", out)[-1] == "200"


def test_it_is_the_first_game_of_an_evaluation_with_this_seed(watch):
    known = find("random")
    played = play_game(known.game, known.rules, [known.agent], seeds_of_game(5, 0))
    _, out, _ = watch("random", "--seed", "5")
    assert f"{played.outcome.reason}: {played.measures['points']} point" in out
    assert f"{played.measures['pieces']} pieces (random, seed 5)" in out
    assert watch("random", "--seed", "5")[1] == out


@pytest.mark.parametrize("agent", ["random", "random-moves", "filtering", "evaluation:0.5,0.5,0.6,0.2"])
def test_a_record_replays_to_the_same_board(watch, tmp_path, agent):
    code, out, _ = watch(agent, "--seed", "3", "--size", "6x6", "--max-pieces", "30", "--record", str(tmp_path))
    assert code == 0
    (path,) = tmp_path.iterdir()
    assert f"recorded: apprenti replay {path}" in out
    assert list(read_replay(path).states())[-1].tally.pieces == int(re.findall(r"pieces (\d+)", out)[-1])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nobody"], "no agent called 'nobody'"),
        (["filtering", "--speed", "-1"], "--speed"),
        (["filtering", "--speed", "nan"], "--speed"),
        (["filtering", "--speed", "fast"], "number"),
        (["filtering", "--size", "100x100"], "100x100"),
        (["preview:dellacherie", "--rules", "simplified"], "--preview"),
        (["filtering", "--record", "/proc/nowhere"], "/proc/nowhere"),
    ],
)
def test_wrong_options_are_one_sentence_before_anything_is_shown(watch, arguments, why):
    code, out, err = watch(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("apprenti: ")
    assert err.count("\n") == 1
    assert why in err


def test_plus_and_minus_double_and_halve_the_speed_within_its_bounds():
    assert (faster(5), slower(5)) == (10, 2.5)
    assert (faster(FASTEST), faster(0), slower(0)) == (0, 0, FASTEST)
    assert slower(SLOWEST) == SLOWEST


def pieces(screen):
    """Pieces played so far."""
    return int(re.search(r"pieces (\d+)", screen)[1])


def test_space_pauses_n_goes_one_step_and_plus_and_minus_change_the_speed(terminal):
    game = terminal(*FILTERING, "--speed", "50")
    game.wait("50 pieces/s")
    game.press(" ")
    before = pieces(game.wait("paused"))
    game.press("nn")  # a piece is seen twice: when it appears and when it rests
    game.wait(lambda screen: pieces(screen) == before + 1)
    game.press("+")
    game.wait("100 pieces/s, paused")
    game.press("---")
    assert pieces(game.wait("12.5 pieces/s, paused")) == before + 1
    game.press(" ")
    game.wait(lambda screen: "paused" not in screen and pieces(screen) > before + 1)
    game.press("q")
    assert game.finish() == 0
    assert game.is_restored
    assert "left early: " in game.afterwards


def test_who_presses_keys_is_watched_key_by_key_with_a_shadow(terminal):
    game = terminal("watch", "random-moves", "--seed", "1", "--speed", "20")
    assert "::" in game.wait("20 keys/s") + game.wait("::")
    game.press("q")
    assert game.finish() == 0


def test_a_watched_game_ends_by_itself_and_its_last_board_stays(terminal, tmp_path):
    kept = tmp_path / "game.json"
    game = terminal(*FILTERING, "--speed", "0", "--max-pieces", "9", "--record", str(kept))
    assert game.finish() == 0
    assert game.is_restored
    assert "pieces 9" in game.afterwards
    assert "└────" in game.afterwards
    assert "the last piece has been played" in game.afterwards
    assert read_replay(kept).measures["pieces"] == 9


def test_ctrl_c_leaves_with_130_gives_the_terminal_back_and_keeps_the_game(terminal, tmp_path):
    kept = tmp_path / "game.json"
    game = terminal(*FILTERING, "--speed", "50", "--record", str(kept))
    game.wait(lambda screen: "pieces" in screen and pieces(screen) > 2)
    game.press("\x03")
    assert game.finish() == 130
    assert game.is_restored
    assert "Traceback" not in game.output
    assert list(read_replay(kept).states())


def test_the_picture_does_not_jump_while_pieces_appear_above_the_board(terminal):
    game = terminal("watch", "dellacherie", "--seed", "1", "--speed", "20")
    game.wait(lambda screen: "pieces" in screen and pieces(screen) > 3)
    floors = {[line[:1] for line in screen.split("\n")].index("└") for screen in game.screens}
    assert len(game.screens) > 4
    assert len(floors) == 1
