"""Every lesson of the course in both languages. `make soak PART=course`."""

import pytest

from tests.course.test_notebooks import BOTH, check_lesson


@pytest.mark.parametrize(("language", "lesson"), BOTH)
def test_a_lesson_runs_headless_in_an_empty_folder(language, lesson, tmp_path, monkeypatch):
    check_lesson(language, lesson, tmp_path, monkeypatch)
