"""The first page is small, and its files are asked for at once: none waits for another to be read."""

import posixpath
import re

from apprenti.games.catalogue import GAMES
from apprenti.web.app import STATIC
from apprenti.web.scenes import scenes_of

LARGEST = 300_000


def imported(module):
    """The modules that one imports, by their paths."""
    folder = posixpath.dirname(module)
    named = re.findall(r'from "(\.[^"]+)"', (STATIC / module).read_text(encoding="utf-8"))
    return [posixpath.normpath(posixpath.join(folder, name)) for name in named]


def needed():
    """All modules of the first page."""
    found, waiting = set(), ["main.js", "pages/home.js"]
    waiting += [f"games/{scenes_of(GAMES.load(name)).module}.js" for name in GAMES]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imported(module)
    return found


def test_every_module_of_the_first_page_is_named_in_its_head_and_no_other():
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'rel="modulepreload" href="/static/([^"]+)"', page)
    assert sorted([*named, "main.js"]) == sorted(needed())


def test_the_files_of_the_first_page_are_small():
    files = [STATIC / name for name in (*needed(), "index.html", "style.css", "lab.css", "icon.svg")]
    assert sum(path.stat().st_size for path in files) < LARGEST
