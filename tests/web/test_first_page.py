"""The first page is small, its files are asked for at once, and they are sent without delay."""

import os
import posixpath
import re
import socket

from apprenti.core.plugins import GAMES
from apprenti.web.app import STATIC
from apprenti.web.files import Files
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


def test_a_file_that_a_browser_has_is_not_sent_again(client):
    status, headers, body = client.ask("GET", "/static/main.js")
    assert (status, headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    assert body == (STATIC / "main.js").read_bytes()
    known = {"If-None-Match": headers["etag"]}
    assert client.ask("GET", "/static/main.js", **known)[0::2] == (304, b"")
    assert client.ask("GET", "/static/dom.js", **known)[0] == 200
    assert client.ask("GET", "/static/nothing.js")[0] == 404


def test_a_file_that_was_changed_is_read_again(tmp_path):
    path = tmp_path / "a.js"
    path.write_text("1")
    files = Files(tmp_path)
    before = files.read("a.js")
    assert files.read("a.js") is before
    path.write_text("2")
    os.utime(path, ns=(1, before.changed + 1))
    assert files.read("a.js").content == b"2"
    assert files.read("a.js").tag != before.tag


def test_answers_are_sent_without_delay(client):
    """A socket of no named protocol waits 40 ms with the second part of an answer (Nagle), whatever asyncio wants."""
    assert all(each.proto == socket.IPPROTO_TCP for each in client.server.sockets)
