"""The same commands as lines of text, when nobody sits at a terminal."""

import io
import re

import pytest

from apprenti.arena.game import seeds_of_game
from apprenti.cli.main import main
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import deal, press, start
from apprenti.games.tetris.views.text import screen
from apprenti.store.replay import read_replay


class Person(io.StringIO):
    """Lines that come from a keyboard."""

    def isatty(self):
        return True


@pytest.fixture
def play(monkeypatch, capsys):
    """Play with lines of text: exit code, standard output, standard error."""

    def run(text, *arguments, stdin=io.StringIO):
        monkeypatch.setattr("sys.stdin", stdin(text))
        code = main(["play", *arguments] if arguments else ["play", "tetris", "--seed", "1"])
        return code, *capsys.readouterr()

    return run


def boards(out):
    """The boards that were printed."""
    return [block for block in out.split("\n\n") if "└" in block]


def after(*commands, seed=1):
    """The board that these commands lead to."""
    chance = Stream(seeds_of_game(seed, 0).chance)
    state = deal(start(Rules.preset("tetrisbot", pieces="classic")), chance)
    for command in commands:
        state = press(state, command)
        state = deal(state, chance) if state.turn == CHANCE else state
    return screen(state, colour=False)


def test_the_board_is_printed_at_first_and_after_every_line(play):
    code, out, err = play("L L D\nP:0:1\nH\n")
    assert (code, err) == (0, "")
    assert boards(out) == [after(), after(*"LLD"), after(*"LLD", "P:0:1"), after(*"LLD", "P:0:1", "H")]


def test_the_end_of_the_input_and_q_leave_the_game(play):
    result = "left early: 0 points, 0 lines, 1 piece (human, seed 1)"
    for text in ("D", "D\n", "D Q D\n", "D\nq\nD\n"):
        code, out, _ = play(text)
        assert code == 0
        assert result in out.splitlines()


def test_small_letters_and_empty_lines_are_welcome(play):
    _, out, _ = play("\n  \nl l d\n")
    assert boards(out) == [after()] * 3 + [after(*"LLD")]


def test_the_end_of_the_game_is_shown_with_its_reason(play):
    code, out, _ = play("D D D D", "tetris", "--seed", "1", "--max-pieces", "3")
    assert code == 0
    assert "the last piece has been played: 0 points, 0 lines, 3 pieces (human, seed 1)" in out
    assert "pieces 3" in boards(out)[-1]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("X", "not 'X'"),
        ("LL", "not 'LL'"),
        ("P:1", "P:column:rotation"),
        ("P:a:b", "P:column:rotation"),
        ("P:-1:0", "P:column:rotation"),
        ("P:9:0", "column 9"),
        ("P:0:4", "rotation 4"),
        ("☃", "not '☃'"),
    ],
)
def test_a_malformed_command_is_one_sentence_with_its_line_and_code_2(play, tmp_path, line, why):
    kept = tmp_path / "game.json"
    code, _, err = play(f"D\n{line} D D\nD\n", "tetris", "--seed", "1", "--record", str(kept))
    assert code == 2
    assert re.fullmatch(r"apprenti: line 2: .+\.\n", err)
    assert why in err
    assert read_replay(kept).moves == ("D",)  # what was played before is not lost


def test_a_person_who_types_a_malformed_command_may_go_on(play):
    code, out, err = play("X\nD\n", "tetris", "--seed", "1", stdin=Person)
    assert code == 0
    assert err.count("\n") == 1
    assert boards(out)[-1] == after("D")


def test_undo_is_one_of_the_words_where_it_was_agreed_upon(play):
    code, out, err = play("D undo D L undo\n", "tetris", "--seed", "1", "--undo")
    assert (code, err) == (0, "")
    assert boards(out) == [after(), after("D")]
    code, _, err = play("D undo\n")
    assert (code, err) == (2, "apprenti: line 1: moves are not taken back in this game: begin it with --undo.\n")


def test_a_seed_is_drawn_and_shown_when_none_is_given(play):
    seeds = set()
    for _ in range(4):
        _, out, _ = play("Q", "tetris")
        seeds.add(re.search(r"seed (\d+)\)", out)[1])
    assert len(seeds) > 1
    seed = seeds.pop()
    assert boards(play("Q", "tetris", "--seed", seed)[1]) == [after(seed=int(seed))]


def test_a_record_replays_and_never_replaces_another_in_its_folder(play, tmp_path):
    folder = tmp_path / "new" / "games"
    for text in ("D D L", "R D"):
        code, out, _ = play(text, "tetris", "--seed", "1", "--record", str(folder))
        assert code == 0
    assert f"recorded: apprenti replay {folder / 'human-1-2.json'}" in out
    kept = [read_replay(path) for path in sorted(folder.iterdir(), reverse=True)]
    assert [replay.moves for replay in kept] == [("D", "D", "L"), ("R", "D")]
    assert [list(replay.states())[-1].tally.pieces for replay in kept] == [2, 1]


def test_a_game_without_a_move_is_not_kept(play, tmp_path):
    assert play("Q", "tetris", "--record", str(tmp_path))[0] == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess"], "no game called 'chess'"),
        ([], "GAME"),
        (["tetris", "--rules", "nonsense"], "nonsense"),
        (["tetris", "--size", "1x1"], "1x1"),
        (["tetris", "--size", "ten"], "10x20"),
        (["tetris", "--seed", "one"], "whole number"),
        (["tetris", "--randomiser", "sequence:12"], "sequence:12"),
        (["tetris", "--randomiser", "sequence:Q"], "Q"),
        (["tetris", "--max-pieces", "-1"], "-1"),
        (["tetris", "--record", "{file}"], "not a folder"),
        (["tetris", "--record", "{file}/game.json"], "not a folder"),
        (["tetris", "--record", "/proc/nowhere/game.json"], "/proc/nowhere"),
    ],
)
def test_wrong_options_are_one_sentence_before_anything_is_shown(play, tmp_path, capsys, arguments, why):
    file = tmp_path / "file"
    file.write_text("")
    code = main(["play", *(argument.format(file=file) for argument in arguments)])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("apprenti: ")
    assert err.count("\n") == 1
    assert why in err
