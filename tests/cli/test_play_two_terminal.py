"""A person plays against an agent with real keys; the terminal always comes back as it was."""

import re
import signal

import pytest

from apprenti.store.replay import read_replay

pytestmark = pytest.mark.usefixtures("elsewhere")

RANDOM = ("play", "tictactoe", "--against", "random", "--seed", "1")
FIRST_WINS = ("play", "mnk", "--size", "1x2x1", "--against", "random", "--seed", "5")
UP, DOWN, RIGHT, LEFT = (f"\x1b[{letter}" for letter in "ABCD")
BACKSPACE = "\x7f"


def marks(screen):
    """How many cells are taken."""
    rows = [line[2:] for line in screen.split("\n") if re.match(r"[ 1]\d[ \[]", line)]
    return len(re.findall("[XO]", "".join(rows)))


def test_arrows_walk_and_enter_plays(begun):
    game = begun(*RANDOM)
    screen = game.wait("[b2]")
    assert "X you   O mnk-random" in screen
    assert "arrows and Enter, or type a cell: its column and row, like a1" in screen
    for key, cell in ((LEFT, "a2"), (LEFT, "c2"), (UP, "c1"), (UP, "c3"), (DOWN, "c1"), (RIGHT, "a1")):
        game.press(key)
        game.wait(f"[{cell}]")
    game.press("\r")
    screen = game.wait(lambda screen: marks(screen) == 2)
    assert " 1 │  [X]  │" in screen
    assert re.search(r"last move: [a-c][1-3]", screen)
    thinking = next(screen for screen in game.screens if "mnk-random is thinking …" in screen)
    assert marks(thinking) == 1  # the own move is seen at once
    game.press("\r")
    game.wait("a1 is taken: choose a free cell.")
    game.press("\t")  # who knows no values says what it would play
    game.wait(lambda screen: re.search(r"^mnk-random would play [a-c][1-3]\.$", screen, re.MULTILINE))
    game.press("q")
    assert game.finish() == 0
    assert game.is_restored
    assert game.afterwards.strip() == "left early (against mnk-random, seed 1)"


def test_moves_are_typed_corrected_and_wrong_ones_explained(begun):
    game = begun(*RANDOM)
    game.wait("> ")
    game.press("b9")
    game.wait("> b9")
    game.press("\r")
    game.wait("a move is a cell, its column and row, from a1 to c3, not 'b9'.")
    game.press("b9" + BACKSPACE)
    game.wait(lambda screen: re.search(r"^> b$", screen, re.MULTILINE))
    game.press("2\r")
    screen = game.wait(lambda screen: marks(screen) == 2)
    assert " 2 │" in screen
    assert "[X]" in screen
    game.press("xq\r")  # q is a letter while something is typed
    game.wait("not 'xq'")
    game.press("é\x1b[3~\x1a\x1c\r")
    game.wait("a move is a cell")
    assert game.process.poll() is None
    game.press("quit\r")
    assert game.finish() == 0
    assert game.is_restored


def test_hints_show_the_value_of_each_cell_for_one_position_and_undo_takes_back(begun, learned):
    game = begun("play", "tictactoe", "--against", str(learned), "--seed", "1", "--undo")
    game.wait("? help   Tab hint   undo   resign   q quit")
    game.press("\t")
    screen = game.wait("+0.75")
    assert len(re.findall(r"[+]0\.75", screen)) == 4
    game.press("4\r")
    screen = game.wait(lambda screen: marks(screen) == 2)
    assert "0.75" not in screen
    game.press("\t")
    game.wait("+0.00")
    game.press("undo\r")
    screen = game.wait(lambda screen: marks(screen) == 0)
    assert "0.00" not in screen


def test_game_after_game_with_the_first_move_in_turns(begun, tmp_path):
    game = begun(*FIRST_WINS, "--record", str(tmp_path / "game.json"))
    game.wait("X you   O mnk-random")
    game.press("\r")
    screen = game.wait("play again? y n")
    assert "you win: enough in a row" in screen
    assert "you won 1, drew 0, lost 0" in screen
    game.press("xy")  # other keys mean nothing here
    screen = game.wait("mnk-random wins: enough in a row")
    assert "X mnk-random   O you" in screen
    assert "you won 1, drew 0, lost 1" in screen
    game.press("Y")
    game.wait("q quit   you won 1, drew 0, lost 1")
    game.press("resign\r")
    assert "you won 1, drew 0, lost 2" in game.wait("you resigned")
    game.press("n")
    assert game.finish() == 0
    assert game.is_restored
    assert [line for line in game.afterwards.split("\n") if line] == [
        "you win: enough in a row (against mnk-random, seed 5)",
        "mnk-random wins: enough in a row (against mnk-random, seed 6)",
        "you resigned (against mnk-random, seed 7)",
        "you won 1, drew 0, lost 2",
        f"recorded: apprenti replay {tmp_path / 'game.json'}",
        f"recorded: apprenti replay {tmp_path / 'game-2.json'}",
    ]
    assert read_replay(tmp_path / "game.json").players == ("you", "mnk-random")
    assert read_replay(tmp_path / "game-2.json").players == ("mnk-random", "you")


def test_a_game_left_early_does_not_count(begun):
    game = begun(*FIRST_WINS)
    game.wait("X you")
    game.press("\r")
    game.wait("play again?")
    game.press("yy")
    game.wait("q quit   you won 1, drew 0, lost 1")
    game.press("\x04")  # Ctrl-D, or a window that was closed
    assert game.finish() == 0
    assert game.is_restored
    assert "left early (against mnk-random, seed 7)\nyou won 1, drew 0, lost 1" in game.afterwards


@pytest.mark.parametrize(("end", "code"), [("\x03", 130), (signal.SIGTERM, 128 + signal.SIGTERM)])
def test_ctrl_c_and_sigterm_keep_the_game_and_give_the_terminal_back(begun, tmp_path, end, code):
    game = begun(*RANDOM, "--record", str(tmp_path / "games"))
    game.wait("[b2]")
    game.press("\r")
    game.wait(lambda screen: marks(screen) == 2)
    if isinstance(end, str):
        game.press(end)
    else:
        game.process.send_signal(end)
    assert game.finish() == code
    assert game.is_restored
    assert "left early (against mnk-random, seed 1)" in game.afterwards
    assert "Traceback" not in game.output
    assert len(list(read_replay(tmp_path / "games" / "tictactoe-1.json").states())) == 3


def test_where_q_is_a_column_it_is_typed_and_quit_is_a_word(begun):
    game = begun("play", "mnk", "--size", "2x19x3", "--against", "random", "--seed", "1")
    screen = game.wait("? help   Tab hint   resign   quit")
    assert "q quit" not in screen
    game.press("q2\r")
    screen = game.wait(lambda screen: marks(screen) == 2)
    assert screen.split("\n")[4][3 + 2 * 16] == "X"
    game.press("q\r")
    assert game.finish() == 0


@pytest.mark.parametrize(("arguments", "rows"), [(RANDOM, 8), (("play", "gomoku", "--against", "random"), 20)])
def test_a_low_terminal_still_shows_the_board_and_how_to_play(terminal, begun, arguments, rows):
    game = (terminal if rows < 10 else begun)(*arguments, rows=rows)
    screen = game.wait("> ")
    assert len(screen.split("\n")) <= rows
    assert "arrows and Enter" in screen
    assert "q quit" in screen
    assert "[·]" in screen
    game.press("\r")
    game.wait(lambda screen: "last move" in screen and "[X]" in screen)


def test_even_a_terminal_of_three_lines_takes_moves(terminal):
    game = terminal(*FIRST_WINS, rows=3, columns=20)
    game.wait("> ")
    game.press("0\r")
    game.wait("you win")
    game.press("n")
    assert game.finish() == 0
    assert game.is_restored


def test_colours_are_used_unless_they_are_unwelcome(begun):
    game = begun(*RANDOM, colour=True)
    game.wait("> ")
    assert "\x1b[2;7m   b2  \x1b[0m" in game.output
    game.press("\r")
    game.wait(lambda screen: marks(screen) == 2)
    assert "\x1b[1;31;4m   O   " in game.output


def test_the_rules_are_shown_at_first_and_again_when_asked_for(terminal):
    game = terminal(*RANDOM)
    page = game.wait("any key goes on")
    assert "Who first has three marks in a row wins" in page
    assert "a1 is the top left corner" in page
    assert max(map(len, page.split("\n"))) <= 80
    game.press(" ")
    game.wait("[b2]")
    game.press("?")
    game.wait("any key goes on")
    game.press("\r")  # it is for the page, and no move
    assert marks(game.wait("[b2]")) == 0
    game.press("help\r")
    game.wait("any key goes on")


def test_a_low_terminal_shows_the_rules_page_by_page(terminal):
    game = terminal(*RANDOM, rows=6)
    game.wait("> ")
    game.press("?")
    assert "a1 is the top left corner" not in game.wait("Two players mark a free cell in turn")
    game.press(" ")
    game.wait("a1 is the top left corner")
    game.press(" ")
    game.wait("Tab a hint")
    game.press(" ")
    game.wait("> ")
    game.press("?\x04")
    assert game.finish() == 0
    assert game.is_restored


def test_no_prompt_is_cut_at_the_edge_of_the_terminal(begun):
    game = begun(*RANDOM, columns=40)
    screen = game.wait("> ")
    assert "like a1" in screen
    assert max(map(len, screen.split("\n"))) <= 40
