"""Every file and every module that a page, a script or a docstring names is there."""

import re
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec

from mkdocs_hooks import ROOT

from apprenti.core.plugins import FORMER, GROUP, Plugin
from tests.docs.test_pages import PAGES, read

PLACES = ("src", "tests", "docs", "course", "examples")
FILES = [
    *(path for path in ROOT.iterdir() if path.is_file()),
    *(
        path
        for place in PLACES
        for path in (ROOT / place).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ),
]
PATHS = {path.relative_to(ROOT).as_posix() for path in FILES}
ENDS = {"/".join(parts[first:]) for parts in (path.split("/") for path in PATHS) for first in range(len(parts))}
"""What a path may be called where its first folders are understood."""
SCRIPTS = [
    path for path in FILES if path.suffix == ".py" and path.parts[len(ROOT.parts)] in ("src", "course", "examples")
]
NAMED = [
    *(page for page in PAGES if page.name != "CHANGELOG.md"),  # which tells of what was
    *(ROOT / name for name in ("Makefile", "mkdocs.yml", "pyproject.toml", "SECURITY.md")),
    *SCRIPTS,
]
FILE = re.compile(r"(?<![\w./~{}…*-])(?:[\w-]+/)*[\w.-]*\w\.(?:py|js|css)\b(?![\w{}(])")
MODULE = re.compile(r"(?<![\w./-])apprenti(?:\.[a-z_]\w*)+")
MADE_UP = re.compile(r"[A-Z]{2}|^(?:my|your|mon|other|autre|evil|conversation|name|games)\b|^(?:my|mon)_|^prenom")
"""Names that stand for another, files of readers, and what the server puts together."""
GROUPS = {
    GROUP,
    "apprenti.experiments",
    *(f"apprenti.{name}" for name in FORMER),
    "apprenti.first",
    "apprenti.fish",
    "apprenti.zsh",
}
"""Of entry points, of a cookie and of completion's files."""


def is_there(name):
    """Whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for count in range(len(parts), 1, -1):
        try:
            if find_spec(".".join(parts[:count])):
                return count == len(parts) or hasattr(import_module(".".join(parts[:count])), parts[count])
        except ModuleNotFoundError:
            continue
    return hasattr(import_module("apprenti"), parts[1])


def test_every_file_that_is_named_exists():
    gone = {(page.name, name) for page in NAMED for name in FILE.findall(read(page)) if name not in ENDS}
    assert {(page, name) for page, name in gone if not MADE_UP.search(name)} == set()


def test_every_module_that_is_named_exists():
    named = {(page.name, name) for page in NAMED for name in MODULE.findall(read(page)) if name not in GROUPS}
    there = {name: is_there(name) for name in {name for _, name in named}}
    assert len(there) > 50
    assert {(page, name) for page, name in named if not there[name]} == set()


def test_a_name_that_leads_nowhere_is_seen():
    assert FILE.findall("`games/catalogue.py`, …/x.py, *_kernel.py and `cli/main.py:run`") == [
        "games/catalogue.py", "cli/main.py",
    ]  # fmt: skip
    assert is_there("apprenti.lab.train.resume") and not is_there("apprenti.lab.gone")


def test_the_page_of_the_architecture_has_every_field_of_a_manifest_once():
    table = read(ROOT / "docs" / "architecture.md").split("## The manifest")[1].split("\n## ")[0]
    named = [name for row in re.findall(r"(?m)^\| (`[^|]*) \|", table) for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(each.name for each in fields(Plugin))
