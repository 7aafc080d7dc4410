"""A replay is played again and verified; what is wrong with it is said in one sentence (all of it: `tests/store`)."""

import json

import pytest

from apprenti.cli.main import main
from apprenti.store.replay import digest_of


@pytest.fixture
def good(tmp_path, capsys):
    """A recorded game that the rules ended."""
    path = tmp_path / "good.json"
    assert main(["watch", "random", "--rules", "strict", "--seed", "1", "--record", str(path)]) == 0
    capsys.readouterr()
    return path


@pytest.fixture
def replay(capsys):
    """Show a replay without a terminal: exit code, standard output, standard error."""

    def run(*arguments):
        code = main(["replay", *map(str, arguments)])
        return code, *capsys.readouterr()

    return run


def test_without_a_terminal_it_is_verified_and_its_last_board_printed(replay, good):
    data = json.loads(good.read_text())
    code, out, err = replay(good)
    assert (code, err) == (0, "")
    first, *board = out.splitlines()
    assert first.startswith("verified: random, no room for the next piece: ")
    assert f"{data['measures']['pieces']} pieces" in first
    assert "strict rules, 10x20" in first
    assert len(board) == 21
    assert board[-1].startswith("└")


def test_verify_prints_one_line(replay, good):
    code, out, err = replay(good, "--verify")
    assert (code, err) == (0, "")
    assert out.startswith("verified: ")
    assert out.count("\n") == 1


def test_json_prints_one_object(replay, good):
    code, out, err = replay(good, "--json")
    assert (code, err) == (0, "")
    said, data = json.loads(out), json.loads(good.read_text())
    assert said["verified"] is True
    assert (said["agent"], said["end"]) == ("random", "no_room")
    assert {name: said[name] for name in data} == data
    assert {name: said[name] for name in data["measures"]} == data["measures"]


def test_a_game_left_early_is_a_good_replay(replay, good, tmp_path):
    data = json.loads(good.read_text())
    data["moves"] = " ".join(data["moves"].split()[:4])
    data["measures"], data["outcome"] = {"lines": 0, "points": 0, "pieces": 4}, None
    code, out, _ = replay(signed(tmp_path, data), "--verify")
    assert code == 0
    assert "left early: 0 lines, 4 pieces" in out


def signed(folder, data):
    """A replay written by somebody who knows how to compute the digest."""
    path = folder / "signed.json"
    path.write_text(json.dumps({**data, "digest": digest_of(data)}))
    return path


def test_a_missing_file_and_a_folder_are_one_sentence(replay, tmp_path):
    for path in (tmp_path / "nothing.json", tmp_path):
        is_refused(replay(path), f"cannot read {path}")


def is_refused(answer, why):
    """One sentence on standard error, nothing on standard output, exit code 2."""
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.startswith("apprenti: ")
    assert err.count("\n") == 1
    assert why in err


@pytest.mark.parametrize("option", ["", "--verify", "--json"])
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda text: text[: len(text) // 2], "cut"),
        (lambda text: "", "cut"),
        (lambda text: "not JSON at all", "not JSON"),
        (lambda text: "[1, 2, 3]", "object"),
        (lambda text: '{"some": "other file"}', "not a replay"),
        (lambda text: text.replace('"lines": 0', '"lines": 9'), "altered"),
        (lambda text: text.replace("P:", "P:1", 1), "altered"),
    ],
)
def test_a_cut_altered_or_foreign_file_is_refused(replay, good, spoil, why, option):
    text = good.read_text()
    assert spoil(text) != text
    good.write_text(spoil(text))
    is_refused(replay(good, *filter(None, [option])), why)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"measures": {"lines": 7}}, "the replay says lines 7"),
        ({"outcome": None}, "the replay says 'left early', but played again it is 'no room for the next piece'"),
        ({"moves": "L R X"}, "move 3"),
        ({"game": "chess"}, "not a replay of a game"),
        ({"format": 99}, "format"),
        ({"rules": None}, "not a replay this version can play"),
    ],
)
def test_a_replay_that_does_not_lead_where_it_says_is_refused_even_with_a_good_digest(
    replay, good, tmp_path, change, why
):
    is_refused(replay(signed(tmp_path, {**json.loads(good.read_text()), **change})), why)


def test_names_in_a_file_cannot_command_the_terminal(replay, good, tmp_path):
    data = json.loads(good.read_text())
    for change in ({"players": ["\x1b]0;title\x07me"]}, {"rules": {**data["rules"], "name": "\x1b[2Jmine"}}):
        code, out, _ = replay(signed(tmp_path, {**data, **change}))
        assert code == 0
        assert "\x1b" not in out


def test_a_wrong_speed_is_refused(replay, good):
    is_refused(replay(good, "--speed", "-3"), "--speed")


def test_on_a_terminal_it_is_shown_and_then_verified(terminal, good):
    shown = terminal("replay", str(good), "--speed", "0")
    assert shown.finish() == 0
    assert shown.is_restored
    assert "pieces" in shown.screen
    assert "verified: random, no room for the next piece" in shown.afterwards


def test_a_replay_left_early_is_not_called_verified(terminal, good):
    shown = terminal("replay", str(good), "--speed", "1")
    shown.wait("replay")
    shown.press("q")
    assert shown.finish() == 0
    assert shown.is_restored
    assert "not verified" in shown.afterwards


def test_a_bad_replay_on_a_terminal_is_one_sentence_on_a_terminal_that_works(terminal, good, tmp_path):
    shown = terminal(
        "replay", str(signed(tmp_path, {**json.loads(good.read_text()), "measures": {"lines": 7}})), "--speed", "0"
    )
    assert shown.finish() == 2
    assert shown.is_restored
    assert "the replay says lines 7" in shown.afterwards
    assert "Traceback" not in shown.output
