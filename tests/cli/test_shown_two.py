"""Games for two that are watched, kept, shown again and verified."""

import json
import re

import pytest

from apprenti.agents.base import RandomAgent
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.games.mnk import Rules
from apprenti.games.mnk.game import MNK
from apprenti.store.replay import digest_of, read_replay

pytestmark = pytest.mark.usefixtures("elsewhere")

WATCH = ("watch", "mnk-random", "--against", "random", "--seed", "3")


LIE = {"reason": "row", "winner": 1, "truncated": False, "scores": [0.0, 1.0]}
"""The end of the recorded game, with the other player as its winner."""


@pytest.fixture
def good(run, tmp_path):
    """A recorded game that came to its end."""
    assert run(*WATCH, "--record", "good.json")[0] == 0
    return tmp_path / "good.json"


def signed(path, **changes):
    """The replay changed by somebody who knows how to compute the digest."""
    data = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({**data, "digest": digest_of(data)}))
    return path


def test_what_an_agent_thinks_of_moves_names_them_as_the_board_does(run):
    """
    1 │   X   │   b1  │   O   │
    2 │   a2  │   X   │   c2  │     c2 blocks, and all else loses
    3 │   a3  │   b3  │   O   │
    """
    code, out, _ = run("explain", "sarsa-tictactoe", "X.O/.X./..O x")
    names = re.findall(r"^ +(\S+) +-?[0-9.]+ *$", out, re.MULTILINE)
    assert (code, names[0], sorted(names)) == (0, "c2", ["a2", "a3", "b1", "b3", "c2"])
    code, out, _ = run("watch", "sarsa-tictactoe", "--against", "random", "--seed", "1", "--explain")
    listed = re.findall(r"^(\S+) +-?[0-9]\.[0-9]+$", out, re.MULTILINE)
    assert code == 0 and listed[0] == "b2"
    assert all(re.fullmatch("[abc][123]", name) for name in listed)
    assert "-0.00" not in out


# watch ----------------------------------------------------------------------------------------------------------------


def test_without_a_terminal_every_position_is_printed_as_plain_text(run):
    code, out, err = run(*WATCH)
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    played = play_game(MNK, Rules(), (RandomAgent(), RandomAgent()), seeds_of_game(3, 0, players=2))
    outcome = played.outcome
    assert out.count("X mnk-random   O mnk-random") == len(played.moves) + 1
    assert re.findall(r"└.*┘\n([abc][123])\n", out) == [Rules().name_of(int(move)) for move in played.moves]
    assert out.endswith(f"mnk-random ({'XO'[outcome.winner]}) wins: {outcome.reason} (seed 3)\n")


def test_another_board_and_another_opponent(run, learned):
    _, out, _ = run("watch", learned, "--against", "random", "--seed", "1")
    assert "X learned   O mnk-random" in out
    _, out, _ = run("watch", "mnk-random", "--against", "random", "--size", "1x2x2", "--seed", "1")
    assert "a draw: board full (seed 1)" in out


def test_a_folder_keeps_every_game(run, tmp_path):
    for _ in range(2):
        code, out, _ = run(*WATCH, "--record", "games")
        assert code == 0
    assert "recorded: apprenti replay games/mnk-3-2.json" in out
    assert read_replay(tmp_path / "games/mnk-3.json") == read_replay(tmp_path / "games/mnk-3-2.json")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["mnk-random", "--against", "nobody"], "no agent called 'nobody'"),
        (["mnk-random", "--against", "dellacherie"], "dellacherie plays tetris, not mnk"),
        (["mnk-random", "--eyes", "third"], "--eyes is first or second"),
        (["mnk-random", "--max-pieces", "3"], "--max-pieces is for tetris, not for mnk"),
        (["mnk-random", "--speed", "-1"], "--speed"),
        (["mnk-random", "--record", "/proc/nowhere"], "/proc/nowhere"),
        (["learned.json", "--size", "4x4x3"], "has learned 3x3x3 and cannot play 4x4x3"),
        (["mnk-random", "--against", "learned.json", "--size", "4x4x3"], "has learned 3x3x3"),
        (["dellacherie", "--against", "mnk-random"], "for games for two, and dellacherie plays tetris"),
        (["dellacherie", "--eyes", "first"], "for games for two"),
    ],
)
def test_wrong_options_are_one_sentence_before_anything_is_shown(refused, learned, arguments, why):
    refused(why, "watch", *arguments)


def test_on_a_terminal_the_last_position_stays_to_be_read(terminal):
    shown = terminal(*WATCH, "--speed", "0", rows=12)
    assert shown.finish() == 0
    assert shown.is_restored
    assert all(len(screen.split("\n")) <= 12 for screen in shown.screens)
    assert "as fast as possible" in shown.screens[0]
    assert " 3 X X X" in shown.afterwards and "┴" not in shown.afterwards  # the large board would not fit
    assert shown.afterwards.rstrip().endswith("(seed 3)")


def test_it_waits_goes_step_by_step_and_can_be_left(terminal, tmp_path):
    shown = terminal(*WATCH, "--speed", "0.1", "--record", str(tmp_path / "left.json"))
    shown.wait("0.1 moves/s")
    shown.press(" ")
    shown.wait("paused")
    shown.press("n")
    shown.wait(lambda screen: len(re.findall("[XO] +│", screen)) == 1)
    shown.press("n")
    shown.wait(lambda screen: len(re.findall("[XO] +│", screen)) == 2)
    shown.press("+")
    shown.wait("0.2 moves/s, paused")
    shown.press("q")
    assert shown.finish() == 0
    assert shown.is_restored
    assert "left early (seed 3)" in shown.afterwards
    replay = read_replay(tmp_path / "left.json")
    assert (len(replay.moves), replay.outcome) == (2, None)
    assert len(list(replay.states())) == 3


# replay (what is the same for every game is in `test_replay.py`) -----------------------------------------------------


def test_a_replay_is_verified_and_its_last_board_printed(run, good):
    code, out, err = run("replay", good)
    assert (code, err) == (0, "")
    replay = read_replay(good)
    first, *board = out.rstrip("\n").split("\n")
    assert first == (
        f"verified: mnk-random (X) wins: enough in a row; {len(replay.moves)} moves; "
        "tictactoe 3x3x3: three in a row on 3 by 3"
    )
    assert len(board) == 8


def test_a_game_left_early_is_a_good_replay(run, good):
    moves = read_replay(good).moves[:2]
    code, out, _ = run("replay", signed(good, moves=" ".join(moves), outcome=None), "--verify")
    assert code == 0
    assert "verified: left early; 2 moves" in out


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"outcome": LIE}, "says 'O wins: enough in a row', but played again it is 'X wins: enough in a row'"),
        ({"moves": "0 hello"}, "move 2, a move is a cell"),
        ({"format": 7}, "not a replay for this version: format 7 is a later one"),
    ],
)
def test_a_replay_that_lies_is_one_sentence_even_with_a_good_digest(refused, good, change, why):
    refused(why, "replay", signed(good, **change))


def test_names_in_a_file_cannot_command_the_terminal(run, good):
    code, out, _ = run("replay", signed(good, players=["\x1b]0;title\x07me", "\x9b2Jyou"]))
    assert code == 0
    assert "\x1b" not in out
    assert "\x9b" not in out
