"""A person, or a program, that plays against an agent in lines of text."""

import io
import re
import signal
import subprocess
import sys

import pytest

from apprenti.agents.base import RandomAgent
from apprenti.arena.game import seeds_of_game
from apprenti.core.protocols import CommonReason, Outcome
from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.game import MNK
from apprenti.games.mnk.views.view import VIEW
from apprenti.store.agentfile import AgentFile, write_agent
from apprenti.store.replay import read_replay
from apprenti.views.view import Look

pytestmark = pytest.mark.usefixtures("elsewhere")

RANDOM = ("play", "tictactoe", "--against", "random", "--seed", "1")


@pytest.fixture
def play(monkeypatch, run):
    """Play with lines of text."""

    def with_lines(text, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return run(*(arguments or RANDOM))

    return with_lines


def boards(out):
    """The boards that were printed."""
    return re.findall(r"^ +a .*?└[^\n]*$", out, re.DOTALL | re.MULTILINE)


def drawn(text):
    """A position as it is printed."""
    return VIEW.screen(State.parse(text), Look(colour=False))


def test_the_board_is_printed_at_first_and_after_every_answer(play):
    code, out, err = play("4\na1\n")
    assert (code, err) == (0, "")
    luck = Stream(seeds_of_game(1, 0, players=2).players[1])  # the agent's, on side 1
    state, seen = State.start(Rules()), []
    for mine in (4, 0):
        seen.append(state)
        state = state.play(mine)
        state = state.play(RandomAgent().choose(state, state.legal_moves(), luck))
    assert boards(out) == [drawn(state.notation) for state in (*seen, state)]
    assert "you are X; a cell: its column and row, like a1; or help, hint, resign, quit" in out
    assert out.endswith("left early (against mnk-random, seed 1)\n")


def test_the_agents_move_is_said(play):
    _, out, _ = play("4\n")
    answer = re.search(r"^mnk-random: ([abc][123])$", out, re.MULTILINE)[1]
    state = State.start(Rules()).play(4)
    assert boards(out)[-1] == drawn(state.play(MNK.read_move(state, answer)).notation)


def test_the_agent_may_begin(play):
    _, out, _ = play("", *RANDOM, "--first", "agent")
    assert re.match(r"mnk-random: [abc][123]\n", out)
    assert boards(out)[0].count("X") == 1
    assert "you are O" in out
    _, out, _ = play("", *RANDOM, "--first", "human")
    assert boards(out) == [drawn(".../.../... x")]


@pytest.mark.parametrize("word", ["quit", "q", "Q", "exit", " Quit "])
def test_whoever_quits_leaves_at_once(play, word):
    code, out, _ = play(f"4\n{word}\n0\n")
    assert code == 0
    assert len(boards(out)) == 2
    assert "left early" in out


def test_a_game_is_played_to_its_end_and_the_end_is_shown(play):
    code, out, err = play("0\n1\n", "play", "mnk", "--size", "1x2x1", "--against", "random", "--seed", "3")
    assert (code, err) == (0, "")
    assert "you win: enough in a row (against mnk-random, seed 3)" in out
    assert " 1 │   X   │   b1  │" in boards(out)[-1]
    code, out, err = play("", "play", "mnk", "--size", "1x2x1", "--against", "random", "--first", "agent")
    assert (code, err) == (0, "")
    assert re.match(r"mnk-random: [ab]1\n", out)
    assert "mnk-random wins: enough in a row" in out
    assert "you are" not in out  # there was nothing to ask


def test_a_draw_is_a_draw(play):
    _, out, _ = play("0\n", "play", "mnk", "--size", "1x2x2", "--against", "random", "--seed", "3")
    assert "a draw: board full (against mnk-random, seed 3)" in out
    assert "mnk-random: b1\n" in out


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello", "a move is a cell, its column and row, from a1 to c3, not 'hello'."),
        ("9", "there is no cell 9: the last one is c3."),
        ("z9", "not 'z9'"),
        ("-1", "not '-1'"),
        ("4 5", "not '4 5'"),
        ("4", "b2 is taken: choose a free cell."),
        ("undo", "moves are not taken back in this game: begin it with --undo."),
        ("☃" * 5000, "a move is a cell"),
        ("\0", "a move is a cell"),
        ("\x1b[2J", "a move is a cell"),
    ],
)
def test_an_absurd_line_is_explained_and_asked_for_again(play, line, why):
    code, out, err = play(f"4\n{line}\nresign\n")
    assert code == 0
    assert re.fullmatch(r"apprenti: [^\n\x1b]+\.\n", err)
    assert len(err) < 200
    assert why in err
    assert "you resigned" in out


def test_empty_lines_and_spaces_mean_nothing(play):
    code, out, err = play("\n   \n  4  \n\nquit\n")
    assert (code, err) == (0, "")
    assert len(boards(out)) == 2


def test_bytes_that_are_no_text_are_a_wrong_move_and_not_the_end(monkeypatch, run):
    stdin = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n4\nquit\n"), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stdin)
    code, out, err = run(*RANDOM)
    assert code == 0
    assert err.count("\n") == 1
    assert len(boards(out)) == 2


def test_nobody_at_the_other_end_is_the_end_of_the_input(monkeypatch, run):
    monkeypatch.setattr("sys.stdin", None)
    assert run(*RANDOM)[0] == 0


def test_resign_is_a_loss_and_can_be_kept(play, tmp_path):
    code, out, _ = play("4\nRESIGN\n0\n", *RANDOM, "--record", "game.json")
    assert code == 0
    assert "you resigned (against mnk-random, seed 1)" in out
    replay = read_replay(tmp_path / "game.json")
    assert len(replay.moves) == 2
    assert replay.outcome == Outcome.between_two(CommonReason.RESIGNED, winner=1)
    assert play("", "replay", "game.json", "--verify")[1].startswith(
        "verified: mnk-random (O) wins: resigned; 2 moves;"
    )


# Hints and undo -------------------------------------------------------------------------------------------------------


def test_a_hint_is_the_value_of_every_free_cell(play, learned):
    _, out, err = play("hint\n4\nhint\nquit\n", "play", "tictactoe", "--against", learned, "--seed", "1")
    assert err == ""
    assert out.count("What each move is worth to ") == 2
    shown = boards(out)
    assert shown[0] == drawn(".../.../... x")
    corner, other = "+0.75", "+0.00"
    assert re.findall(r"[+-]\d\.\d\d", shown[1]) == [corner, other, corner, *[other] * 3, corner, other, corner]
    assert "+" not in shown[2]  # a hint is for one position
    assert shown[3].count("+0.00") == 7


def test_who_knows_no_values_says_what_it_would_play(play):
    _, out, _ = play("hint\nquit\n")
    assert re.search(r"^mnk-random would play [abc][123]\.$", out, re.MULTILINE)
    assert play("hint\nquit\n")[1] == out
    assert boards(out) == [drawn(".../.../... x")] * 2


def test_asking_for_hints_does_not_change_the_agents_luck(play):
    with_hints, without = (play(text)[1] for text in ("hint\n4\nhint\n0\n", "4\n0\n"))
    assert boards(with_hints)[-1] == boards(without)[-1]


def test_undo_goes_back_to_the_last_own_decision_and_never_before_the_game(play, learned):
    arguments = ("play", "tictactoe", "--against", learned, "--seed", "1", "--undo")
    _, out, err = play("4\nhint\nundo\nundo\n8\nquit\n", *arguments)
    assert err == "apprenti: there is no move of yours to take back.\n"
    assert "or help, hint, undo, resign, quit" in out
    shown = boards(out)
    assert shown[0] == shown[3] == drawn(".../.../... x")  # and the hint is gone
    assert "+0.00" in shown[2]
    assert "│   X   │\n   └" in shown[4]  # 8


def test_after_undo_the_replay_has_the_moves_that_count(play, tmp_path):
    play("4\nundo\n8\nquit\n", *RANDOM, "--undo", "--record", "game.json")
    replay = read_replay(tmp_path / "game.json")
    assert replay.moves[0] == "8"
    assert len(list(replay.states())) == 3


def test_undo_when_the_agent_began_keeps_its_first_move(play):
    _, out, err = play("undo\nquit\n", *RANDOM, "--undo", "--first", "agent")
    assert err == "apprenti: there is no move of yours to take back.\n"
    (first,) = boards(out)
    assert first.count("X") == 1


def test_help_is_the_rules_and_costs_nothing(play):
    _, out, err = play("help\n4\nquit\n")
    assert err == ""
    assert "Who first has three marks in a row wins" in out
    assert "help, hint, undo (with --undo), resign, quit" in out
    assert boards(out)[-1].count("X") == 1
    assert play("?\n4\nquit\n")[1] == out
    assert "Who first has" not in play("4\nquit\n")[1]  # a program knows the rules


def test_a_person_may_have_a_name(play, tmp_path):
    play("4\nquit\n", *RANDOM, "--name", "Ada", "--record", "game.json")
    assert read_replay(tmp_path / "game.json").players == ("Ada", "mnk-random")


# Records --------------------------------------------------------------------------------------------------------------


def test_a_record_says_on_which_side_the_person_was(play, tmp_path):
    play("quit\n", *RANDOM, "--first", "agent", "--record", "game.json")
    assert read_replay(tmp_path / "game.json").players == ("mnk-random", "you")


def test_the_game_may_stand_anywhere_among_the_words(play):
    options = ("--seed", "1", "--against", "random")
    outs = {play("4\n", "play", *words)[1] for words in (("tictactoe", *options), (*options, "tictactoe"))}
    assert len(outs) == 1
    code, out, _ = play("Q\n", "play", "--seed", "1", "tetris")
    assert code == 0
    assert "(human, seed 1)" in out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "GAME is missing: there is tetris, tictactoe"),
        (["chess"], "no game called 'chess'"),
        (["tictacto"], "did you mean tictactoe?"),
        (["tictactoe", "--against", "nobody"], "no agent called 'nobody'"),
        (["tictactoe", "--against", "dellacherie"], "dellacherie plays tetris, not tictactoe"),
        (["tictactoe", "--against", "nothing.json"], "cannot read nothing.json"),
        (["tictactoe", "--against", "random", "--first", "me"], "--first is human or agent, not 'me'"),
        (["tictactoe", "--against", "random", "--size", "4x4x3"], "for another board play mnk --size 4x4x3"),
        (["tictactoe", "--against", "random", "--rules", "gomoku"], "play gomoku"),
        (["mnk", "--against", "random", "--size", "20x20x5"], "20x20"),
        (["mnk", "--against", "random", "--size", "3x3x4"], "4 in a row do not fit"),
        (["mnk", "--against", "random", "--size", "ten"], "like 5x5x4"),
        (["mnk", "--against", "learned.json", "--size", "4x4x3"], "has learned 3x3x3 and cannot play 4x4x3"),
        (["gomoku", "--against", "mnk-perfect"], "knows boards of up to 36 cells, not 15x15x5"),
        (["gomoku", "--against", "sarsa"], "there is mnk-learned-6x7x4, mnk-learned-7x7x4, mnk-one-ply"),
        (["tictactoe", "--against", "random", "--layout", "book"], "for luzhanqi, not for tictactoe"),
        (["tictactoe", "--against", "random", "--seed", "one"], "whole number"),
        (["tictactoe", "--against", "random", "--record", "file"], "not a folder"),
        (["tictactoe", "--against", "random", "--record", "/proc/nowhere/game.json"], "/proc/nowhere"),
        (["tictactoe", "--randomiser", "bag"], "--randomiser"),
        (["tetris", "--against", "random"], "--against"),
    ],
)
def test_wrong_options_are_one_sentence_before_anything_is_shown(refused, tmp_path, learned, arguments, why):
    (tmp_path / "file").write_text("in the way")
    refused(why, "play", *arguments)


def test_a_board_that_an_agent_was_made_for_needs_no_size(play, learned):
    _, out, _ = play("quit\n", "play", "mnk", "--against", learned)
    assert boards(out) == [drawn(".../.../... x")]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["tictactoe"], "sarsa-tictactoe"),
        (["mnk"], "mnk-perfect"),
        (["mnk", "--size", "4x5x5"], "mnk-perfect"),
        (["mnk", "--size", "5x5x4"], "mnk-threats"),
        (["mnk", "--size", "5x5x5"], "mnk-threats"),
        (["mnk", "--rules", "gomoku"], "mnk-threats"),
        (["gomoku"], "mnk-threats"),
        (["tictactoe", "--against", "perfect"], "mnk-perfect"),
        (["tictactoe", "--against", "sarsa"], "sarsa-tictactoe"),
    ],
)
def test_the_usual_opponent_is_the_best_that_does_not_let_one_wait(play, words, name):
    code, out, _ = play("quit\n", "play", *words, "--seed", "1")
    assert code == 0
    assert f"left early (against {name}, seed 1)" in out


def test_the_shipped_player_values_every_cell_by_symmetry(play):
    _, out, _ = play("hint\nquit\n", "play", "tictactoe", "--seed", "1")
    values = re.findall(r"[+-]\d\.\d\d", boards(out)[1])
    assert len(values) == 9
    assert len({values[cell] for cell in (0, 2, 6, 8)}) == len({values[cell] for cell in (1, 3, 5, 7)}) == 1


def test_a_hint_that_cannot_be_given_is_one_sentence_and_the_game_goes_on(play, tmp_path):
    hasty = AgentFile("hasty", "t", "mnk", "perfect", {"nodes": 1}, {"size": "4x4x4"}, "2026")
    write_agent(tmp_path / "hasty.json", hasty)
    code, out, err = play("hint\nhint\nquit\n", "play", "mnk", "--against", "hasty.json")
    assert code == 0
    assert len(re.findall(r"^apprenti: .* was not solved within 1 positions.*$", err, re.MULTILINE)) == 2
    assert "left early" in out


def test_gomoku_is_gomoku_whatever_the_agent_was_made_for(play):
    _, out, _ = play("quit\n", "play", "gomoku", "--against", "random")
    assert " o\n" in out
    assert "\n15 ·" in out


def test_ctrl_c_keeps_the_game_so_far_and_ends_with_130(tmp_path):
    command = [sys.executable, "-m", "apprenti", *RANDOM, "--record", "game.json"]
    person = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    person.stdin.write("4\n")
    person.stdin.flush()
    while not person.stdout.readline().startswith("mnk-random: "):
        pass
    person.send_signal(signal.SIGINT)
    out, err = person.communicate(timeout=15)
    assert (person.returncode, err) == (130, "apprenti: interrupted.\n")
    assert "left early (against mnk-random, seed 1)" in out
    assert len(read_replay(tmp_path / "game.json").moves) == 2


def test_a_reader_who_has_gone_is_one_sentence_and_the_game_is_kept(tmp_path):
    command = [sys.executable, "-m", "apprenti", *RANDOM, "--record", "game.json"]
    person = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not person.stdout.readline().startswith("you are X"):
        pass
    person.stdout.close()
    person.stdin.write("4\n0\n1\n")
    person.stdin.close()
    assert person.stderr.read() == "apprenti: the program that read the output has ended.\n"
    person.stderr.close()
    assert person.wait() == 2
    assert read_replay(tmp_path / "game.json").moves[0] == "4"
