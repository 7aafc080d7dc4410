"""A person plays with real keys; the terminal always comes back as it was."""

import os
import pty
import signal
import termios

import pytest

from apprenti.cli.screen import taken_terminal
from apprenti.store.replay import read_replay

LEFT, UP, DOWN = "\x1b[D", "\x1b[A", "\x1b[B"


def row_of(screen: str, cells: str) -> tuple[int, int]:
    """Row from the top and column of the first place where cells are drawn."""
    row = next(i for i, line in enumerate(screen.split("\n")) if cells in line)
    return row, screen.split("\n")[row].index(cells) // 2


def test_the_first_screen_shows_piece_shadow_next_piece_keys_and_seed(terminal):
    screen = terminal("play", "tetris", "--seed", "1").wait("pieces 0")
    assert screen.split("\n")[1].startswith("┆. . . . OOOO. . . . ┆")  # after the first row of gravity
    assert screen.split("\n")[22].startswith("│. . . . ::::. . . . │")
    assert "IIIIIIII" in screen  # next
    assert "seed   1" in screen
    assert "space  drop" in screen


def test_a_key_moves_the_piece_and_then_it_falls_one_row(terminal):
    game = terminal("play", "tetris", "--seed", "1")
    game.wait("pieces 0")
    also_right = "\x1bOC"  # what some terminals send
    steps = ((LEFT, (2, 3)), (also_right, (3, 4)), ("d", (4, 5)), (DOWN, (5, 5)), ("n", (6, 5)), ("a", (7, 4)))
    for key, place in steps:
        game.press(key)
        game.wait(lambda screen, place=place: row_of(screen, "OOOO") == place)


def test_space_drops_the_piece_onto_its_shadow_and_up_turns_the_next(terminal):
    game = terminal("play", "tetris", "--seed", "1")
    shadow = row_of(game.wait("::::"), "::::")
    game.press(" ")
    screen = game.wait("pieces 1")
    assert row_of(screen, "OOOO") == shadow
    assert "IIIIIIII" in screen.split("\n")[1]
    game.press(UP)
    upright = game.wait(lambda screen: "IIIIIIII" not in screen)
    game.press("z")
    assert game.wait(lambda screen: "IIIIIIII" in screen) != upright


def test_q_leaves_with_the_result_and_gives_the_terminal_back(terminal):
    game = terminal("play", "tetris", "--seed", "1")
    game.wait("pieces 0")
    assert game.attributes != game.before
    game.press(" q")
    assert game.finish() == 0
    assert game.is_restored
    assert "left early: 0 points, 0 lines, 1 piece (human, seed 1)" in game.afterwards


def test_ctrl_c_leaves_with_130_and_gives_the_terminal_back(terminal, tmp_path):
    game = terminal("play", "tetris", "--seed", "1", "--record", str(tmp_path))
    game.wait("pieces 0")
    game.press(" ")
    game.wait("pieces 1")
    game.press("\x03")
    assert game.finish() == 130
    assert game.is_restored
    assert "interrupted" in game.afterwards
    assert "Traceback" not in game.output
    assert read_replay(tmp_path / "human-1.json").measures["pieces"] == 1  # and the game so far is kept


def test_sigterm_gives_the_terminal_back(terminal):
    game = terminal("play", "tetris", "--seed", "1")
    game.wait("pieces 0")
    game.process.send_signal(signal.SIGTERM)
    assert game.finish() == 128 + signal.SIGTERM
    assert game.is_restored


def test_an_error_inside_gives_the_terminal_back(monkeypatch):
    keyboard, line = pty.openpty()
    with os.fdopen(line, "rb", buffering=0) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        before = termios.tcgetattr(line)
        with pytest.raises(ZeroDivisionError), taken_terminal():
            assert termios.tcgetattr(line) != before
            raise ZeroDivisionError
        assert termios.tcgetattr(line) == before
    os.close(keyboard)


def test_keys_without_a_meaning_do_nothing_not_even_ctrl_z(terminal):
    game = terminal("play", "tetris", "--seed", "1")
    game.wait("pieces 0")
    game.press("k\x1b[H\x1b[3~\x1bk\x1a\x1cé")
    game.press(LEFT)
    game.wait(lambda screen: row_of(screen, "OOOO") == (2, 3))
    assert game.process.poll() is None


def test_a_question_mark_hides_and_shows_the_keys(terminal):
    game = terminal("play", "tetris", "--seed", "1")
    game.wait("space  drop")
    game.press("?")
    game.wait(lambda screen: "space  drop" not in screen and "? shows the keys" in screen)
    game.press("?")
    game.wait("space  drop")


def test_the_end_gives_its_reason_and_offers_another_game_with_the_next_seed(terminal, tmp_path):
    game = terminal("play", "tetris", "--seed", "1", "--max-pieces", "2", "--record", str(tmp_path / "game.json"))
    game.wait("seed   1")
    game.press("  ")
    assert "the last piece has been played" in game.wait("play again?")
    game.press("y")
    game.wait("seed   2")
    game.press("   ")
    game.wait("play again?")
    game.press("n")
    assert game.finish() == 0
    assert game.is_restored
    assert game.afterwards.count("the last piece has been played: 0 points, 0 lines, 2 pieces") == 2
    for name in ("game.json", "game-2.json"):
        assert name in game.afterwards
        assert list(read_replay(tmp_path / name).states())[-1].tally.pieces == 2


def test_with_undo_a_key_is_taken_back_and_the_same_pieces_come_again(terminal, tmp_path):
    game = terminal("play", "tetris", "--seed", "1", "--undo", "--record", str(tmp_path / "game.json"))
    assert "u      take back" in game.wait("pieces 0")
    game.press(" ")
    dropped = game.wait("pieces 1")
    game.press("u")
    game.wait("pieces 0")
    game.press("u")  # there is nothing before the beginning
    game.press(" ")
    assert game.wait("pieces 1") == dropped
    game.press(" q")
    assert game.finish() == 0
    assert [state.tally.pieces for state in read_replay(tmp_path / "game.json").states()][-1] == 2


def test_rules_that_drop_from_above_let_the_piece_wait(terminal):
    game = terminal("play", "tetris", "--rules", "simplified", "--randomiser", "sequence:IT")
    row, column = row_of(game.wait("IIIIIIII"), "IIIIIIII")
    game.press(DOWN + DOWN + LEFT)
    game.wait(lambda screen: row_of(screen, "IIIIIIII") == (row, column - 1))
    game.press(" ")
    game.wait("TTTTTT")


def test_a_small_terminal_shows_the_whole_board_at_half_size(terminal):
    screen = terminal("play", "tetris", "--seed", "1", rows=20, columns=40).wait("pieces 0")
    lines = screen.split("\n")
    assert lines[0].startswith("┆    ▄▄    ┆")
    assert lines[12].startswith("└──────────┘")
    assert len(lines) <= 20


def test_colours_are_used_unless_they_are_unwelcome(terminal):
    coloured, plain = (terminal("play", "tetris", "--seed", "1", colour=colour) for colour in (True, False))
    assert "░░░░" in coloured.wait("pieces 0")
    assert "\x1b[48;5;226m" in coloured.output
    plain.wait("pieces 0")
    assert "\x1b[48;5;" not in plain.output
