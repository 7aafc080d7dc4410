"""The exercises: solutions are right, typical mistakes are told by name, whatever a file does wrong is one sentence."""

import re
import runpy
from pathlib import Path

import pytest

from apprenti.core.errors import ApprentiError
from apprenti.lab.exercises import check, check_all, check_file, exercises, keep, progress
from apprenti.lab.guarded import Limits

SOLUTIONS = Path(__file__).parents[3] / "course" / "solutions"
PARTS = [pytest.param(part, id=f"{number}-{part.name}") for number, e in exercises().items() for part in e.parts]


@pytest.mark.parametrize("number", exercises())
def test_every_solution_is_right(number):
    names = runpy.run_path(str(SOLUTIONS / f"exercise_{number:02}.py"))
    for verdict in check_all(exercises()[number], names):
        assert verdict.right, verdict


@pytest.mark.parametrize("part", PARTS)
def test_every_typical_mistake_is_told_by_its_own_sentence_in_both_languages(part):
    for mistake in part.mistakes:
        verdict = check(part, mistake.wrong)
        assert not verdict.right
        assert verdict.words == mistake.words
        assert mistake.words.fr != mistake.words.en
        assert mistake.words.fr.endswith(".") and mistake.words.en.endswith(".")


@pytest.mark.parametrize("number", exercises())
def test_every_exercise_knows_three_mistakes_and_asks_in_both_languages(number):
    parts = exercises()[number].parts
    assert sum(len(part.mistakes) for part in parts) >= 3
    assert len({part.name for part in parts}) == len(parts) >= 3
    assert all(part.asks.fr and part.asks.en for part in parts)


HEIGHTS = exercises()[3].parts[0]


def unwritten(grid): ...


def crash(grid):
    return grid[99]


def change(grid):
    grid[0][0] = 1
    return [0] * len(grid[0])


@pytest.mark.parametrize(
    ("answer", "fr", "en"),
    [
        (unwritten, "pas encore écrite : def heights(grid)", "not written yet"),
        (None, "pas encore écrite : def heights(grid)", "not written yet"),
        (lambda grid: print("4"), "ne renvoie rien (None) : il manque", "a return is probably missing"),
        (crash, "s'arrête sur une erreur (ligne ", "): IndexError: list index out of range"),
        (change, "modifie ses arguments", "changes its arguments"),
        (lambda grid: [1] * len(grid[0]), "il fallait [0, 0, 0, 0]", "it should be [0, 0, 0, 0]"),
    ],
)  # fmt: skip
def test_what_else_is_wrong_is_a_sentence(answer, fr, en):
    verdict = check(HEIGHTS, answer)
    assert not verdict.right
    assert fr in verdict.words.fr and en in verdict.words.en


def test_a_sentence_has_the_name_of_a_function_and_numbers_that_can_be_read():
    kept, interval = exercises()[4].parts[0], exercises()[5].parts[2]
    assert "'pfffft'], length) returns 3;" in check(kept, lambda moves, criterion: 3).words.en
    assert re.search(r"returns 0\.333333;", check(interval, lambda scores: 1 / 3).words.en)


def test_an_agent_whose_move_is_not_legal_is_told_which():
    verdict = check(exercises()[4].parts[3], lambda observation, legal, rng: 3)
    assert verdict.words == (
        "choose renvoie 3, qui n'est pas un coup de legal.",
        "choose returns 3, which is not one of legal.",
    )


def test_tuples_arrays_and_rounding_are_as_good_as_lists():
    import numpy as np

    assert check(HEIGHTS, lambda grid: tuple(HEIGHTS.right(grid))).right
    assert check(HEIGHTS, lambda grid: np.array(HEIGHTS.right(grid)) * 1.0).right


LOOPS = """
def cells(drawing):
    while True:
        pass

def turned(cells):
    return bytearray(10**10)

def empty_grid(width, height):
    print("not disturbing")
    return [[0] * width for _ in range(height)]
"""


def test_a_file_is_checked_in_a_process_of_its_own_that_neither_loops_nor_fills_the_memory(tmp_path):
    (tmp_path / "mine.py").write_text(LOOPS)
    loop, memory, right = check_file(tmp_path / "mine.py", exercises()[1], Limits(2.0))
    assert "an endless loop?" in loop.words.en and "une boucle sans fin ?" in loop.words.fr
    assert not memory.right and "MemoryError" in memory.words.en
    assert right.right


@pytest.mark.parametrize(
    ("text", "said"), [("def cells(:", "does not run"), ("exit(0)", "SystemExit"), ("1 / 0", "ZeroDivisionError")]
)
def test_a_file_that_does_not_run_is_told_so(tmp_path, text, said):
    (tmp_path / "mine.py").write_text(text)
    for verdict in check_file(tmp_path / "mine.py", exercises()[1]):
        assert said in verdict.words.en and not verdict.right


def test_what_is_solved_is_remembered(tmp_path):
    kept = tmp_path / "course.json"
    assert progress(kept) == {}
    names = runpy.run_path(str(SOLUTIONS / "exercise_01.py"))
    keep(exercises()[1], list(check_all(exercises()[1], {"cells": names["cells"]})), kept)
    keep(exercises()[1], list(check_all(exercises()[1], {"turned": names["turned"]})), kept)
    assert progress(kept) == {"1": ["cells", "turned"]}
    kept.write_text("[nonsense")
    assert progress(kept) == {}


def test_there_has_to_be_a_file(tmp_path):
    with pytest.raises(ApprentiError, match="there is no file"):
        list(check_file(tmp_path / "nothing.py", exercises()[1]))
