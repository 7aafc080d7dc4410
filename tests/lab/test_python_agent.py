"""A user's own agent: an object of a plain script, or a Python file; on all cores, and wrong ones told by line."""

import pickle
import subprocess
import sys
from textwrap import dedent

import pytest

import apprenti
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.protocols import Explains, PlaysSome, Valued

CLASS = """
class Last:
    def choose(self, observation, legal, rng):
        return legal[-1]
"""
FUNCTION = """
from random import randrange  # what is imported is nobody's agent


def choose(observation, legal, rng):
    return legal[0]
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file beside us; its name."""
    monkeypatch.chdir(tmp_path)

    def written(text, name="mine.py"):
        (tmp_path / name).write_text(dedent(text))
        return name

    return written


def test_an_object_of_a_script_without_a_guard_plays_on_all_cores_and_the_script_runs_once(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        dedent(
            """
            import apprenti

            HOW_FAR = -1  # what an agent uses of the script goes with it

            def last(legal):
                return legal[HOW_FAR]

            class Mine:
                def choose(self, observation, legal, rng):
                    return last(legal)

            print("once")
            for workers in (1, 2):
                found = apprenti.match(Mine(), "random", game="tictactoe", games=12, workers=workers)
                print(found.names[0], found.counts)
                alone = apprenti.evaluate(Mine(), game="tetris", size="5x6", games=6, workers=workers)
                print(alone.scores())
            """
        )
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    first, *lines = done.stdout.splitlines()
    assert first == "once"
    assert lines[:2] == lines[2:]
    assert lines[0].startswith("Mine (")


@pytest.mark.parametrize("text", [CLASS, FUNCTION])
def test_a_file_with_a_class_or_a_function_plays_whatever_is_asked_for(write, text):
    path = write(text)
    one, two = (apprenti.match(path, "random", game="tictactoe", games=8, workers=n) for n in (1, 2))
    assert one.names[0] == "mine"
    assert [record.moves for record in one.records] == [record.moves for record in two.records]
    assert apprenti.evaluate(path, game="tetris", size="5x6", games=2, workers=2).games == 2


def test_a_file_may_say_what_it_plays_and_by_which_rules(write):
    path = write('game = "mnk"\nrules = {"size": "2x4x2"}\n' + CLASS)
    found = apprenti.match(path, "random", games=2, workers=1)
    assert (found.game.name, found.rules.size) == ("mnk", "2x4x2")
    with pytest.raises(BadAgent, match="plays mnk, not tetris"):
        apprenti.evaluate(path, game="tetris")


def test_without_a_game_it_plays_what_the_others_play_or_tetris(write):
    path = write("print('run')\n" + CLASS)
    assert apprenti.match(path, "sarsa-tictactoe", games=2, workers=1).game.family == "mnk"
    assert apprenti.evaluate(path, size="5x6", games=2, workers=1).game.name == "tetris"
    with pytest.raises(BadAgent, match=r"mine does not say what it plays: name the game"):
        apprenti.agent(path)


def test_a_file_is_run_once_for_an_agent(write, capsys):
    apprenti.evaluate(write("print('run')\n" + CLASS), size="5x6", games=1, workers=1)
    assert capsys.readouterr().out == "run\n"


def test_what_else_a_class_can_do_is_used(write):
    path = write(
        """
        class Mine:
            plays = ("luzhanqi",)
            names = path = None  # words of ours are free

            def check(self, rules):
                pass

            def choose(self, observation, legal, rng):
                return rng.choice(legal)

            def arrange(self, rules, rng):
                return 1 / 0

            def values(self, observation):
                return {}
        """
    )
    agent = apprenti.agent(path)
    assert isinstance(agent, PlaysSome)
    assert isinstance(agent, Valued)
    assert not isinstance(agent, Explains)
    with pytest.raises(BadAgent, match=r"mine\.py, line 13: ZeroDivisionError: division by zero"):
        apprenti.match(path, "random", games=2, workers=1)
    with pytest.raises(BadAgent, match="mine plays luzhanqi, not tetris"):
        apprenti.evaluate(path, game="tetris")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ndef choose(:\n", "mine.py, line 2: invalid syntax"),
        ("import math\nmath.sqrt(-1)\n", "mine.py, line 2: ValueError: math domain error"),
        ("x = 1\n", "mine.py has 0 classes with choose"),
        (CLASS + CLASS.replace("Last", "First"), "mine.py has 2 classes with choose"),
        ("class A:\n    def __init__(self, depth):\n        pass\n    choose = 1 .__add__\n", "mine.py: TypeError"),
        ('game = "chess"\n' + CLASS, "there is no game called 'chess'"),
        ('rules = {"nonsense": 1}\n' + CLASS, "tictactoe has no option 'nonsense'"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_agent_is_told_before_anything_is_played(write, text, message):
    with pytest.raises(apprenti.ApprentiError) as error:
        apprenti.match(write(text), "random", game="tictactoe", games=2)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("return legal[99]", "mine.py, line 4: IndexError: tuple index out of range"),
        ("return 'somewhere'", "mine.py chose 'somewhere', which is none of the "),
        ("import apprenti; apprenti.game('chess')", "there is no game called 'chess'"),
    ],
)
def test_what_goes_wrong_in_a_game_names_the_file_and_the_line_from_any_core(write, line, message, workers):
    path = write(f"# mine\nclass Mine:\n    def choose(self, observation, legal, rng):\n        {line}\n")
    with pytest.raises(apprenti.ApprentiError) as error:
        apprenti.evaluate(path, game="tetris", size="5x6", games=4, workers=workers)
    assert message in str(error.value)


def test_there_has_to_be_a_file(write):
    with pytest.raises(BadAgent, match=r"there is no file nowhere\.py"):
        apprenti.agent("nowhere.py", game="tetris")


def test_an_error_travels_whatever_it_was_made_from():
    error = UnknownName("game", "chess", ["tetris"])
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (UnknownName, str(error))
