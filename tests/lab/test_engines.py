"""The referee: engines that misbehave lose, nothing hangs, nothing is left running."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from apprenti.cli.main import main
from apprenti.core.errors import ApprentiError, BadAgent, BadOption, BadRules
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.layout import BOOK
from apprenti.lab.evaluate import Effort
from apprenti.lab.luzhanqi import engine_process as process
from apprenti.lab.luzhanqi.engine_match import contender, play_match
from apprenti.lab.luzhanqi.engine_process import (
    BAD_LAYOUT,
    CRASHED,
    GARBAGE,
    ILLEGAL_MOVE,
    OUT_OF_TIME,
    EngineProcess,
    Foul,
)
from apprenti.lab.luzhanqi.referee import Limits, referee
from apprenti.store.agentfile import AgentFile, write_agent
from apprenti.store.duel_replay import positions_of, read_duel

ENGINE = f"""
import os, signal, subprocess, sys, time

mode, at = sys.argv[1], sys.argv[2]
if len(sys.argv) > 3:
    with open(sys.argv[3], "a") as file:
        file.write(f"{{os.getpid()}}\\n")
answers = {{"INFO": "NAME polite", "START": "ARRAY {BOOK[0]}"}}
moves = 0


def misbehave():
    if mode == "sleep":
        time.sleep(1000)
    elif mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1000)
    elif mode == "crash":
        os._exit(3)
    elif mode == "mute":
        os.close(1)
        time.sleep(1000)
    elif mode == "endless":
        while True:
            os.write(1, b"x" * 4096)
    elif mode == "flood":
        while True:
            os.write(1, b"hello\\n" * 100)
    elif mode == "bytes":
        os.write(1, bytes(range(128, 256)) + b"\\n")
        time.sleep(1000)
    elif mode == "parent":
        child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(1000)"])
        with open(sys.argv[3], "a") as file:
            file.write(f"{{child.pid}}\\n")
        os._exit(0)
    else:
        print(mode.replace("_", " "), flush=True)


for line in sys.stdin:
    word = line.split()[0]
    if word == at:
        misbehave()
    elif word in answers:
        print(answers[word], flush=True)
    elif word == "GO":
        print("BESTMOVE", ("G1H1", "H1G1")[moves % 2], flush=True)
        moves += 1
"""
"""A tiny engine that does one thing wrong, when it is given a certain order."""
QUICK = Limits(game=20, move=5.0, start=5.0)


@pytest.fixture
def engine(tmp_path):
    """The command of an engine that misbehaves so when it is given that order."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)

    def command(mode="", at="NEVER"):
        return [sys.executable, "-S", "-E", str(path), mode, at, str(tmp_path / "pids")]

    return command


def is_running(pid):
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.fixture(autouse=True)
def nothing_left_running(tmp_path, monkeypatch):
    """After every test, whatever an engine started has ended."""
    monkeypatch.setattr(process, "GRACE", 0.2)
    yield
    pids = tmp_path / "pids"
    for pid in pids.read_text().split() if pids.exists() else ():
        deadline = monotonic() + 5
        while is_running(pid) and monotonic() < deadline:
            sleep(0.01)
        assert not is_running(pid)


# One game -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "mode", "at", "reason", "detail"),
    [
        (0, "crash", "INFO", CRASHED, "ended in the middle"),
        (0, "crash", "GO", CRASHED, "ended in the middle"),
        (1, "crash", "GO", CRASHED, "ended in the middle"),
        (1, "mute", "START", CRASHED, "ended in the middle"),
        (0, "hello", "INFO", GARBAGE, "NAME was expected, not 'hello'"),
        (1, "ARRAY", "START", GARBAGE, "ARRAY was expected, not 'ARRAY'"),
        (0, "BESTMOVE_G1H1", "START", GARBAGE, "ARRAY was expected"),
        (1, "hello", "GO", GARBAGE, "BESTMOVE was expected, not 'hello'"),
        (0, "bytes", "GO", GARBAGE, "BESTMOVE was expected"),
        (1, "endless", "GO", GARBAGE, "BESTMOVE was expected"),
        (0, "flood", "GO", GARBAGE, "BESTMOVE was expected"),
        (1, "ARRAY_aaaaaaaaaaaaaaaaaaaaaaaaa", "START", BAD_LAYOUT, "an army has 1 of a"),
        (0, "ARRAY_abc", "START", BAD_LAYOUT, "a layout is 25 letters"),
        (1, "BESTMOVE_G2G2", "GO", ILLEGAL_MOVE, "no pass"),
        (0, "BESTMOVE_A0A1", "GO", ILLEGAL_MOVE, "is the opponent's"),
        (1, "BESTMOVE_A0A1", "GO", ILLEGAL_MOVE, "is the opponent's"),
        (0, "BESTMOVE_L1K1", "GO", ILLEGAL_MOVE, "a flag does not move"),
        (1, "BESTMOVE_Z9", "GO", ILLEGAL_MOVE, "a move is two points"),
    ],
)
def test_whoever_breaks_the_rules_loses(engine, side, mode, at, reason, detail):
    commands = [engine(), engine()]
    commands[side] = engine(mode, at)
    lines = []
    game = referee(Rules(), commands, QUICK, lines.append)
    assert list(game.fouls) == [side]
    assert game.fouls[side].reason == game.reason == reason
    assert detail in game.fouls[side].detail
    assert game.winner == 1 - side
    assert sum(line.endswith(f"{('south', 'north')[1 - side]} < END 1") for line in lines) == 1


@pytest.mark.parametrize("at", ["INFO", "START", "GO"])
def test_an_engine_that_never_answers_loses_on_time(engine, at):
    limits = Limits(game=20, move=0.3, start=1.5)
    began = monotonic()
    game = referee(Rules(), [engine(), engine("sleep", at)], limits)
    assert game.fouls[1].reason == OUT_OF_TIME
    assert game.winner == 0
    assert monotonic() - began < 15


def test_one_that_does_not_want_to_end_is_ended(engine):
    game = referee(Rules(), [engine("stubborn", "GO"), engine()], Limits(game=20, move=0.3, start=5.0))
    assert game.fouls[0].reason == OUT_OF_TIME


def test_the_time_for_all_moves_runs_out_too(engine):
    game = referee(Rules(), [engine("sleep", "GO"), engine()], Limits(game=1, move=60.0, start=5.0))
    assert game.fouls[0].reason == OUT_OF_TIME
    assert 1.0 <= game.seconds[0] < 5


def test_what_an_engine_started_is_ended_with_it(engine, tmp_path):
    game = referee(Rules(), [engine("parent", "GO"), engine()], QUICK)
    assert game.fouls[0].reason == CRASHED
    assert len((tmp_path / "pids").read_text().split()) == 3


def test_if_both_break_the_rules_nobody_wins(engine):
    game = referee(Rules(), [engine("crash", "INFO"), engine("hello", "INFO")], QUICK)
    assert [foul.reason for _, foul in sorted(game.fouls.items())] == [CRASHED, GARBAGE]
    assert game.winner is None


def test_a_game_is_played_to_its_end_and_both_are_told_in_their_own_frame(engine):
    lines = []
    game = referee(Rules(), [engine(), engine()], QUICK, lines.append)
    assert (game.winner, game.reason, game.fouls) == (1, "too many quiet moves", {})
    assert len(game.moves) == 31
    assert game.moves[:2] == ["G1H1", "F3E3"]  # north said G1H1 too
    said = [line.split(maxsplit=1)[1] for line in lines]
    assert said[:6] == [
        "south < INFO 1.0", "north < INFO 1.0", "south > NAME polite", "north > NAME polite",
        "south < START 0 20 31", "north < START 1 20 31",
    ]  # fmt: skip
    assert said[8:14] == [
        "south < GO 0000 0 00", "south > BESTMOVE G1H1", "south < RESULT 3 00",
        "north < GO F3E3 3 00", "north > BESTMOVE G1H1", "north < RESULT 3 00",
    ]  # fmt: skip
    assert said[-3:] == ["south < RESULT 3 00", "south < END 0", "north < END 1"]
    assert game.seconds[0] > 0


def test_a_draw_ends_with_2_for_both(engine):
    lines = []
    game = referee(Rules.preset("casual"), [engine(), engine()], QUICK, lines.append)
    assert (game.winner, game.reason) == (None, "too many quiet moves")
    assert [line.split()[1:] for line in lines[-2:]] == [["south", "<", "END", "2"], ["north", "<", "END", "2"]]


def test_complaints_are_in_the_log_without_control_characters(tmp_path):
    lines = []
    shout = "import sys; sys.stderr.write('\\x1b[31mhelp\\n'); sys.stderr.flush(); input()"
    with pytest.raises(Foul, match=CRASHED):
        engine = EngineProcess([sys.executable, "-S", "-c", shout], lambda arrow, text: lines.append((arrow, text)))
        engine.say("INFO 1.0")
        try:
            engine.hear(5.0)
        finally:
            engine.close()
    assert ("!", "[31mhelp") in lines


def test_a_command_that_cannot_be_started_is_an_error_and_the_other_engine_is_ended(engine):
    with pytest.raises(BadAgent, match="cannot start the engine '/does/not/exist'"):
        referee(Rules(), [engine(), ["/does/not/exist"]], QUICK)


@pytest.mark.parametrize("limits", [{"game": 0}, {"move": 0.0}, {"start": -1.0}, {"move": float("nan")}])
def test_times_are_positive(limits):
    with pytest.raises(BadOption, match="times are positive"):
        Limits(**limits)


# Many games -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def anybody(tmp_path):
    path = tmp_path / "anybody.json"
    write_agent(path, AgentFile("anybody", "any move", "luzhanqi", "random-moves", {}, "ccgc", "tests, 2026"))
    return str(path)


def shell(command):
    return " ".join(f"'{word}'" for word in command)


def test_a_contender_is_an_agent_of_ours_or_a_command_line(anybody, engine):
    ours = contender(anybody, Rules())
    assert (ours.name, ours.ours) == ("anybody", True)
    assert ours.for_game(7)[-2:] == ("--seed", "7")
    other = contender("./engine --fast 'a b'", Rules())
    assert other.for_game(7) == ("./engine", "--fast", "a b")
    assert contender("cmd:engine", Rules()).command == ("engine",)
    for wrong in ("nobody", "cmd:", "cmd:'", "dellacherie"):
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
    assert data["reasons"] == {GARBAGE: 4}
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
        replay = read_duel(path)
        *_, end = positions_of(replay)  # verified on the way
        assert end.outcome.reason == replay.reason
        assert "".join(replay.opening.split("/")[0]) in text


def test_a_game_that_a_foul_ended_is_kept_as_left_early(engine, tmp_path, capsys):
    words = ["referee", shell(engine()), shell(engine("BESTMOVE_Z9", "GO")), "--games", "1", "--record", str(tmp_path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "1 games, 1 won" in out
    assert "(north) lost: illegal move: a move is two points" in out
    replay = read_duel(tmp_path / "luzhanqi-engines-1-0001.json")
    assert (replay.moves, replay.reason, replay.winner) == (("G1H1",), "", None)
    assert len(list(positions_of(replay))) == 2


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
