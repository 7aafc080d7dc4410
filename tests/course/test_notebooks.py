"""The notebooks of the course run from their first cell to the last, and both languages teach the same."""

import importlib.util
import re
import runpy
from pathlib import Path

import pytest

from apprenti.lab.exercises import exercises

pytest.importorskip("marimo")
COURSE = Path(__file__).parents[2] / "course"
LESSONS = sorted(path.name for path in COURSE.glob("lesson_*.py"))
BOTH = [
    pytest.param(language, lesson, id=f"{language}-{lesson[7:9]}") for language in ("fr", "en") for lesson in LESSONS
]
ONE = [BOTH[place + len(LESSONS) * (place % 2)] for place in range(len(LESSONS))]
"""Each lesson in one of its languages: the code is the same in both. All of them are for `make soak PART=course`."""


def text_of(language, lesson):
    """The words of a lesson in one language."""
    pages = runpy.run_path(str(COURSE / "pages.py"))
    return "\n\n".join(words for _, words, _ in pages["cells"](COURSE / lesson, language) if words is not None)


@pytest.mark.parametrize(("language", "lesson"), ONE)
def test_a_lesson_runs_headless_in_an_empty_folder(language, lesson, tmp_path, monkeypatch):
    check_lesson(language, lesson, tmp_path, monkeypatch)


def check_lesson(language, lesson, tmp_path, monkeypatch):
    """Run it from its first cell to the last."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("LC_ALL", {"fr": "fr_FR.UTF-8", "en": "C"}[language])
    spec = importlib.util.spec_from_file_location(f"{language}_{lesson[:-3]}", COURSE / lesson)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    outputs, _ = module.app.run()
    said = "\n".join(str(output) for output in outputs if isinstance(output, str))
    unwritten = "pas encore écrite" if language == "fr" else "not written yet"
    number = int(lesson[7:9])
    assert said.count(unwritten) == len(exercises()[number].parts)  # every function waits for its pupil, and no other


def test_there_are_twelve_lessons_with_an_exercise_each():
    assert [f"lesson_{number:02}.py" for number in exercises()] == LESSONS
    assert len(LESSONS) == 12


@pytest.mark.parametrize("lesson", LESSONS)
def test_both_languages_have_as_many_headings_and_questions(lesson):
    fr, en = text_of("fr", lesson), text_of("en", lesson)
    assert fr != en
    for sign in (r"(?m)^#+ ", r"\*\*Question \d+\.\*\*", r"apprenti\.\w+\("):
        assert len(re.findall(sign, fr)) == len(re.findall(sign, en))
    assert "**À la fin, vous saurez**" in fr and "**At the end you can**" in en


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_takes_a_lesson(lesson):
    minutes = int(re.search(r"\*\*Durée\*\* : (\d+) minutes", text_of("fr", lesson))[1])
    assert minutes == int(re.search(r"\*\*Time\*\*: (\d+) minutes", text_of("en", lesson))[1])
    assert 45 <= minutes <= 90


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_solution_is_nowhere_but_in_the_files_for_teachers(lesson):
    for part in exercises()[int(lesson[7:9])].parts:
        code = (COURSE / lesson).read_text(encoding="utf-8")
        assert re.search(rf"def {part.name}\([^)]*\):\s*\.\.\.", code)
    assert (COURSE / "solutions" / f"exercise_{lesson[7:9]}.py").exists()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_question_of_the_lessons_has_an_answer_for_teachers(language):
    answers = (COURSE / "solutions" / f"answers.{language}.md").read_text(encoding="utf-8")
    for lesson, answered in zip(LESSONS, re.split(r"(?m)^## ", answers)[1:], strict=True):
        questions = re.findall(r"\*\*Question (\d)\.\*\*", text_of(language, lesson))
        assert re.findall(r"(?m)^(\d)\. ", answered) == questions, lesson


def test_a_page_of_the_site_shows_what_the_cells_of_a_lesson_print_draw_and_return(tmp_path):
    pages = runpy.run_path(str(COURSE / "pages.py"))
    for language in ("en", "fr"):
        pages["lesson"](COURSE / "lesson_01.py", language, tmp_path, True)
    page, french = ((tmp_path / name).read_text(encoding="utf-8") for name in ("lesson-01.md", "lesson-01.fr.md"))
    assert page.startswith("# 1. Pieces and grid") and "marimo edit course/lesson_01.py" in page
    assert french.startswith("# 1. Les pièces et la grille")
    for text in (page, french):
        assert "{'I': 2, 'O': 1, 'T': 4" in text  # a value
        assert "<svg" in text and "<math" in text
        assert "course.check" not in text and "`def cells(drawing)`" in text and "tongue" not in text
    assert pages["run"]("x = 1\nprint(x)\nx + 1", {}) == ("1\n", 2)
