"""The first page is small, its files are asked for at once, and they are sent without delay."""

import json
import os
import posixpath
import re
import socket
from pathlib import Path

from apprenti.core.plugins import GAMES
from apprenti.web.app import STATIC, Page
from apprenti.web.files import Files
from apprenti.web.scenes import scenes_of

LARGEST = 300_000
FILES = Page(Path("replays")).files


def content(name):
    return FILES.read(name).content.decode()


def imported(module):
    """The modules that one imports, by their names."""
    folder = posixpath.dirname(module)
    later = r"|import\(" if module.startswith("games/") else ""
    named = re.findall(rf'(?:from {later})"(\.[^"]+)"', content(module))
    return [posixpath.normpath(posixpath.join(folder, name)) for name in named]


def needed():
    """All modules of the first page, and those that its boards load later."""
    found, waiting = set(), ["main.js", "pages/home.js"]
    waiting += [f"games/{scenes_of(GAMES.load(name)).module}/scene.js" for name in GAMES]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imported(module)
    return found


def test_every_module_of_the_first_page_is_named_in_its_head_and_no_other():
    named = re.findall(r'rel="modulepreload" href="/static/([^"]+)"', content("index.html"))
    assert sorted([*named, "main.js"]) == sorted(needed())


def test_the_files_of_the_first_page_are_small():
    named = re.findall(r'(?:href|src)="/static/([^"]+)"', content("index.html"))
    assert {"texts.json", "games.css", "style.css", "lab.css", "main.js"} <= set(named)
    assert sum(len(content(name).encode()) for name in ("index.html", *named)) < LARGEST


def test_what_games_have_is_put_together_and_no_game_changes_what_the_page_says(tmp_path):
    for folder, said in (("page", "ours"), ("one", "theirs"), ("two", "theirs")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "texts.json").write_text(json.dumps({"wait": said, folder: said}))
        (tmp_path / folder / "scene.css").write_text(f".{folder}{{}}")
    (tmp_path / "two" / "texts.json").write_text("{")
    (tmp_path / "two" / "scene.py").write_text("secret")
    files = Files(tmp_path / "page", {"one": tmp_path / "one", "two": tmp_path / "two"})
    assert json.loads(files.read("texts.json").content) == {"wait": "ours", "page": "ours", "one": "theirs"}
    assert files.read("games.css").content == b".one{}\n.two{}"
    assert "games/one/scene.css" in files.paths and "games/two/scene.py" not in files.paths


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
    files = Files(tmp_path, {})
    before = files.read("a.js")
    assert files.read("a.js") is before
    path.write_text("2")
    os.utime(path, ns=(1, before.changed[0] + 1))
    assert files.read("a.js").content == b"2"
    assert files.read("a.js").tag != before.tag


def test_answers_are_sent_without_delay(client):
    """A socket of no named protocol waits 40 ms with the second part of an answer (Nagle), whatever asyncio wants."""
    assert all(each.proto == socket.IPPROTO_TCP for each in client.server.sockets)
