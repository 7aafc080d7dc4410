"""A class's tournament: files of pupils, whatever they do wrong, and the exercises from the command line."""

import json
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("elsewhere")
SOLUTIONS = Path(__file__).parents[2] / "course" / "solutions"
CHOOSE = "def choose(observation, legal, rng):\n    "
PUPILS = {
    "anna": f"{CHOOSE}return rng.choice(legal)",
    "bruno": f"{CHOOSE}return legal[0]",
    "chloe": f"{CHOOSE}\n    while True: pass",
    "david": f"{CHOOSE}return 99",
    "emma": "def choose(:",
}
WORDS = ("--games", "2", "--seconds", "1.5", "--workers", "1")


@pytest.fixture
def pupils():
    Path("class").mkdir()
    for name, text in PUPILS.items():
        Path("class", f"{name}.py").write_text(text)
    return [f"class/{name}.py" for name in PUPILS]


def test_whatever_a_file_does_it_loses_its_games_and_never_the_tournament(run, pupils):
    code, out, _ = run("tournament", *pupils, "--game", "tictactoe", *WORDS, "--record", "games")
    assert code == 0
    ranking = [line.split()[0] for line in out.splitlines() if line.strip().split(" ")[0] in PUPILS][:5]
    assert set(ranking[:2]) == {"anna", "bruno"}
    assert re.search(r"chloe forfeited \d games: chloe.py took more than 1.5 s for a move", out)
    assert "david.py chose 99, which is none of the" in out
    assert "emma.py, line 1: " in out
    assert len(list(Path("games").glob("*.json"))) == 20
    played = min(Path("games").glob("anna-bruno-*.json"))
    assert run("replay", str(played))[0] == 0


def test_a_game_for_one_is_ranked_on_the_same_pieces_and_a_crash_counts_nothing(run, pupils):
    Path("class/frank.py").write_text((SOLUTIONS / "exercise_04.py").read_text())
    words = (
        "class/anna.py",
        "class/david.py",
        "class/frank.py",
        "--game",
        "tetris",
        "--size",
        "6x8",
        "--max-pieces",
        "25",
    )
    data = json.loads(run("tournament", *words, *WORDS, "--json")[1])
    assert data["agents"][0]["agent"] == "frank"
    assert data["agents"][0]["mean_lines"] > 3
    assert next(agent for agent in data["agents"] if agent["agent"] == "david")["reasons"] == {"forfeit": 2}


def test_no_file_is_run_before_it_plays_and_wrong_words_are_one_sentence(run, pupils):
    Path("class/gina.py").write_text("game = 'nonsense'\nopen('touched', 'w')\n")
    code, _, err = run("tournament", "class/gina.py", "class/anna.py")
    assert code == 2 and "there is no game called 'nonsense'" in err
    code, _, err = run("tournament", *pupils, "--game", "tictactoe", "--memory", "3")
    assert code == 2 and "--memory is from 256 megabytes on" in err
    assert not Path("touched").exists()


def test_the_exercises_are_listed_shown_and_checked_in_both_languages(run):
    assert run("exercise")[1].count("/") >= 12
    assert "la liste des hauteurs" in run("exercise", "3", "--language", "fr")[1]
    file = Path("mine.py")
    file.write_text("def heights(grid):\n    return [sum(column) for column in zip(*grid)]\n")
    code, out, _ = run("exercise", "3", "--check", str(file), "--language", "fr")
    assert code == 1
    assert "✗ heights: vous comptez les cases pleines" in out and "– holes: pas encore écrite" in out
    code, out, _ = run("exercise", "3", "--check", str(SOLUTIONS / "exercise_03.py"))
    assert code == 0 and out.rstrip().endswith("4 of 4.")
    assert json.loads(Path("course.json").read_text()) == {"3": ["bumpiness", "heights", "holes", "without_lines"]}
    assert "3  4/4" in run("exercise")[1]
    for words in (("99",), ("3", "--check", "nothing.py"), ("3", "--language", "de")):
        code, out, err = run("exercise", *words)
        assert (code, out) == (2, "") and err.count("\n") == 1
