"""Many games between engines, and the command `apprenti referee`."""

import json
import signal
import subprocess
import sys
from time import monotonic, sleep

import pytest

from apprenti.agents.process import GARBAGE
from apprenti.cli.main import main
from apprenti.core.errors import ApprentiError, BadRules
from apprenti.core.protocols import CommonReason
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.engine.player import with_seed
from apprenti.games.luzhanqi.lab.engine_match import contender, play_match
from apprenti.lab.evaluate import Effort
from apprenti.store.agentfile import AgentFile, write_agent
from apprenti.store.replay import read_replay
from tests.games.luzhanqi.agents.engine import conftest as fixtures
from tests.games.luzhanqi.agents.engine.engines import QUICK

engine, nothing_left_running = fixtures.engine, fixtures.nothing_left_running


@pytest.fixture
def anybody(tmp_path):
    path = tmp_path / "anybody.json"
    write_agent(path, AgentFile("anybody", "any move", "luzhanqi", "random-moves", {}, "ccgc", "tests, 2026"))
    return str(path)


def shell(command):
    return " ".join(f"'{word}'" for word in command)


def test_a_contender_is_an_agent_of_ours_or_a_command_line(anybody, engine):
    ours = contender(anybody, Rules())
    assert ours.name == "anybody"
    assert with_seed(ours.command, 7)[-2:] == ("--seed", "7")
    other = contender("./engine --fast 'a b'", Rules())
    assert with_seed(other.command, 7) == ("./engine", "--fast", "a b")
    assert contender("cmd:engine", Rules()) == contender("engine:engine", Rules())
    assert contender("engine:engine", Rules()).command == ("engine",)
    for wrong in ("nobody", "cmd:", "cmd:'", "engine:", "dellacherie"):
        with pytest.raises(ApprentiError):
            contender(wrong, Rules())


def test_rules_that_cannot_be_told_to_engines_are_refused(engine):
    other = contender(shell(engine()), Rules())
    with pytest.raises(BadRules):
        play_match(Rules(flag="carried"), [other, other], Effort(1, 1, 1), QUICK)


def test_a_match_counts_points_for_the_first_whatever_side_it_plays(engine):
    good, bad = contender(shell(engine()), Rules()), contender(shell(engine("hello", "GO")), Rules())
    found = play_match(Rules(), [good, bad], Effort(4, 1, 1), QUICK)
    data = found.to_json()
    assert (data["games"], data["won"], data["lost"]) == (4, 4, 0)
    assert data["reasons"] == {CommonReason.FORFEIT.code: 4}
    assert {foul["reason"] for foul in data["fouls"]} == {GARBAGE}
    assert [(foul["game"], foul["side"]) for foul in data["fouls"]] == [
        (1, "north"),
        (2, "south"),
        (3, "north"),
        (4, "south"),
    ]
    assert {foul["engine"] for foul in data["fouls"]} == {bad.name}
    json.dumps(data)


def test_two_agents_of_ours_play_with_log_replays_and_one_json_object(anybody, tmp_path, capsys):
    log, replays = tmp_path / "log.txt", tmp_path / "replays"
    words = ["referee", anybody, anybody, "--games", "2", "--seed", "5", "--log", log, "--record", replays, "--json"]
    assert main([*map(str, words)]) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert (data["games"], data["fouls"], err) == (2, [], "")
    assert data["won"] + data["drawn"] + data["lost"] == 2
    text = log.read_text()
    assert text.count("BESTMOVE") == text.count("RESULT") == data["moves_per_game"] * 2
    assert text.count("# game") == 4
    paths = sorted(replays.glob("*.json"))
    assert len(paths) == 2
    for path in paths:
        replay = read_replay(path)
        *_, end = replay.states()  # verified on the way
        assert end.outcome == replay.outcome
        assert "".join(replay.opening.split("/")[0]) in text


def test_a_game_that_a_foul_ended_is_kept_as_forfeited(engine, tmp_path, capsys):
    words = ["referee", shell(engine()), shell(engine("BESTMOVE_Z9", "GO")), "--games", "1", "--record", str(tmp_path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "1 games, 1 won" in out
    assert "(north) lost: illegal move: a move is two points" in out
    replay = read_replay(tmp_path / "luzhanqi-engines-1-0001.json")
    assert (replay.moves, replay.outcome.reason, replay.outcome.winner) == (("G1H1",), CommonReason.FORFEIT, 0)
    assert len(list(replay.states())) == 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nobody", "nobody"], "no agent called 'nobody'"),
        (["cmd:/does/not/exist"], "needs two engines, not 1"),
        (["cmd:/does/not/exist", "cmd:x"], "cannot start the engine '/does/not/exist'"),
        (["cmd:a", "cmd:b", "--time", "0"], "times are positive"),
        (["cmd:a", "cmd:b", "--games", "0"], "--games"),
        (["cmd:a", "cmd:b", "--rules", "chess"], "no set of rules called 'chess'"),
        (["cmd:a", "cmd:b", "--log", "."], "is a folder"),
    ],
)
def test_what_the_command_cannot_do_is_one_sentence_and_exit_code_2(words, why, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["referee", *words]) == 2
    err = capsys.readouterr().err
    assert err.startswith("apprenti: ")
    assert err.count("\n") == 1
    assert why in err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM)])
def test_a_referee_that_is_stopped_ends_its_engines(engine, tmp_path, number, code):
    commands = [shell(engine("stubborn", "GO")), shell(engine())]
    running = subprocess.Popen(
        [sys.executable, "-m", "apprenti", "referee", *commands, "--log", str(tmp_path / "log")],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = monotonic() + 20
    while not ((tmp_path / "log").exists() and "GO 0000" in (tmp_path / "log").read_text()):
        assert monotonic() < deadline
        sleep(0.02)
    running.send_signal(number)
    assert running.wait(20) == code
    assert len((tmp_path / "pids").read_text().split()) == 2  # and the fixture sees that they have ended
