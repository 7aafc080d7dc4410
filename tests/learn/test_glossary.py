"""The glossary of options: one word, one meaning, and all of them."""

import re
from collections import Counter
from dataclasses import fields
from pathlib import Path

from apprenti.learn.methods import METHODS, learner_class, older_options

PAGE = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
FRENCH = (Path(__file__).parents[2] / "docs" / "glossary.fr.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)


def options(method):
    return {field.name for field in fields(learner_class(method).Config)}


def test_every_option_of_every_learner_is_there_with_one_meaning():
    assert {name for name, _, _ in ROWS} == {name for method in METHODS for name in options(method)}
    assert max(Counter(name for name, _, _ in ROWS).values()) == 1
    assert max(Counter(meaning for _, meaning, _ in ROWS).values()) == 1


def test_every_option_is_there_with_the_learners_that_have_it():
    for name, _, learners in ROWS:
        named = list(METHODS) if learners == "all" else learners.split(", ")
        assert set(named) == {method for method in METHODS if name in options(method)}, name


def test_every_option_is_explained_in_french_too():
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", FRENCH, re.MULTILINE)
    assert [name for name, _ in rows] == [name for name, _, _ in ROWS]


def test_former_names_lead_to_options_there_are_and_are_written_down():
    for method in METHODS:
        names = older_options(method).names
        assert {new for new in names.values() if new} <= options(method)
        assert not set(names) & options(method)
        for old, new in names.items():
            assert f"| {method} | `{old}` | `{new}` |" in PAGE or not new
