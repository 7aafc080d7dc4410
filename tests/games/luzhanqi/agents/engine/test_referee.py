"""The referee: engines that misbehave lose, nothing hangs, nothing is left running."""

import sys
from time import monotonic

import pytest

from apprenti.agents.process import (
    BAD_LAYOUT,
    CRASHED,
    GARBAGE,
    ILLEGAL_MOVE,
    OUT_OF_TIME,
    EngineProcess,
    Foul,
)
from apprenti.core.errors import BadAgent, BadOption
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.engine.referee import Limits, referee
from tests.games.luzhanqi.agents.engine.engines import QUICK, is_running


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


def test_who_has_left_the_process_group_and_forgotten_its_environment_is_ended_too(engine, tmp_path):
    referee(Rules(), [engine("daemon", "GO"), engine()], QUICK)
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 3
    assert not any(is_running(pid) for pid in pids)


@pytest.mark.parametrize("at", ["INFO", "START", "GO"])
def test_an_honest_engine_may_complain_at_length_on_standard_error(engine, at):
    game = referee(Rules(), [engine("chatter", at), engine("crash", "GO")], QUICK)
    assert (game.winner, list(game.fouls)) == (0, [1])


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
