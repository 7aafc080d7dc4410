"""`make docs`: the site is built without a warning, in both languages, and fetches nothing from elsewhere."""

import json
import os
import re
import subprocess
import sys

import pytest
from mkdocs_hooks import ENGLISH_ONLY, IN_ENGLISH, ROOT

pytest.importorskip("mkdocs")
pytest.importorskip("mkdocs_static_i18n")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_there_in_both_languages(site):
    english = {page.name for page in site.glob("*.html")} - {"404.html"}
    french = {page.name for page in (site / "fr").glob("*.html")} - {"404.html"}
    assert english == french
    assert {"index.html", "games.html", "reference.html", "CONTRIBUTING.html"} <= english


def test_the_switch_leads_to_the_same_page_and_what_has_no_french_says_so(site):
    assert 'href="fr/games.html" hreflang="fr"' in (site / "games.html").read_text(encoding="utf-8")
    assert 'href="../games.html" hreflang="en"' in (site / "fr" / "games.html").read_text(encoding="utf-8")
    said = {page.name for page in (site / "fr").glob("*.html") if IN_ENGLISH in page.read_text(encoding="utf-8")}
    assert said == {name.replace(".md", ".html") for name in ENGLISH_ONLY}


def test_the_lessons_are_pages_with_formulas_that_need_no_script(site):
    english, french = ((site / folder / "lesson-07.html").read_text(encoding="utf-8") for folder in ("", "fr"))
    assert "<title>7. Decisions" in english and "<title>7. Décider" in french
    assert english.count("<math") == french.count("<math") > 10
    assert "$" not in re.sub(r"<(script|style|code)\b.*?</\1>", "", english, flags=re.DOTALL)
    assert 'href="lesson-01.html"' in (site / "course.html").read_text(encoding="utf-8")


def test_a_french_heading_has_the_english_anchor(site):
    assert 'id="how-to-add-a-game"' in (site / "fr" / "games.html").read_text(encoding="utf-8")


def test_nothing_is_fetched_from_elsewhere(site):
    for page in site.rglob("*.html"):
        assert not re.search(
            r'<(?:script|img|link)[^>]+(?:src|href)="(?:https?:)?//', page.read_text(encoding="utf-8")
        ), page


def test_the_reference_has_every_name(site):
    import apprenti

    text = (site / "reference.html").read_text(encoding="utf-8")
    assert all(f"<code>{name}</code>" in text for name in apprenti.__all__ if name != "__version__")


def test_words_of_both_languages_can_be_searched_for(site):
    index = str(json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8")))
    assert "A piece may rest in the hidden rows" in index
    assert "Une pièce peut être posée dans les rangées cachées" in index
