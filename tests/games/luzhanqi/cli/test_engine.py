"""The command `apprenti engine`: it answers line by line, and refuses nonsense."""

import io

import pytest

from apprenti.cli.main import main


@pytest.fixture
def spoken(monkeypatch, capsys, anybody):
    """Speak to the command: exit code, standard output, standard error."""

    def run(text, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        code = main(["engine", *(arguments or ("luzhanqi", "--agent", anybody))])
        return code, *capsys.readouterr()

    return run


def test_the_command_answers_line_by_line_until_the_input_ends(spoken):
    code, out, err = spoken("INFO 1.0\nSTART 0 1800 31\nGO 0000 0 00\nEND 2\n")
    assert (code, err) == (0, "")
    name, array, move = out.splitlines()
    assert name == "NAME anybody"
    assert array.startswith("ARRAY ")
    assert move.startswith("BESTMOVE ")


def test_the_same_seed_gives_the_same_game(spoken, anybody):
    lines = "INFO 1.0\nSTART 1 1800 31\nGO F1E1 3 00\n"
    seeds = [("luzhanqi", "--agent", anybody, "--seed", seed) for seed in "112"]
    first, again, other = (spoken(lines, *words)[1] for words in seeds)
    assert first == again != other


@pytest.mark.parametrize(
    ("text", "arguments", "why"),
    [
        ("START 0\n", (), "START has 3 words after it"),
        ("GO 0000 0 00\n", (), "no game has been started"),
        ("", ("gomoku",), "only luzhanqi has an engine protocol"),
        ("", ("luzhanqi", "--agent", "nobody"), "no agent called"),
        ("", ("luzhanqi", "--agent", "dellacherie"), "plays tetris"),
    ],
)
def test_what_it_cannot_do_is_one_sentence_and_exit_code_2(spoken, text, arguments, why):
    code, out, err = spoken(text, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("apprenti: ")
    assert err.count("\n") == 1
    assert why in err
