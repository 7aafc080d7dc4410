"""The page's own files and those of games. They are few and small, so they are sent from memory, many at once.

What manifests name as `page` stands under `games/NAME/`. What all games have of one kind, texts and styles, is put
together here, and the first page names the modules of every board: a browser asks for a few files, all at once.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from mimetypes import guess_type
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from apprenti.core.data import JsonData, JsonMapping

SENT = (".html", ".js", ".json", ".css", ".svg")
"""What is sent of a folder: a game's has Python too."""
PLACE = "<!-- the boards of games -->"
"""Where the first page names them."""

Contents = dict[str, bytes]
"""Files by their names."""


@dataclass(frozen=True)
class Kept:
    """A file as it was when it was read, or when those were that it is made of."""

    changed: Sequence[int]
    content: bytes
    tag: str


class Files:
    """Files by their names, which are looked up and never made into paths."""

    def __init__(self, folder: Path, games: Mapping[str, Path]) -> None:
        self.paths = dict(_in(folder, ""))
        for name, place in games.items():
            for known, path in _in(place, f"games/{name}/"):
                self.paths.setdefault(known, path)
        self.given: dict[str, bytes] = {}
        """Files that stand in no folder."""
        self._kept: dict[str, Kept] = {}

    def read(self, name: str) -> Kept:
        """A file; it is read again when it has changed."""
        sources = self._sources(name)
        changed, kept = [self.paths[each].stat().st_mtime_ns for each in sources], self._kept.get(name)
        if kept is None or kept.changed != changed:
            contents = {each: self.paths[each].read_bytes() for each in sources}
            content = MADE[name](contents, self.paths) if name in MADE else {**self.given, **contents}[name]
            kept = self._kept[name] = Kept(changed, content, f'"{blake2b(content, digest_size=12).hexdigest()}"')
        return kept

    def _sources(self, name: str) -> list[str]:
        """The files that one is made of: itself, and those of games that are of its kind."""
        of_games = {"texts.json": "/texts.json", "games.css": "/scene.css"}.get(name)
        own = [name] if name in self.paths else []
        return own + [each for each in self.paths if of_games and each.endswith(of_games)]

    def answer(self, request: Request, name: str) -> Response:
        """A file, or that the browser has it already."""
        if name not in self.paths and name not in MADE and name not in self.given:
            raise HTTPException(404)
        kept = self.read(name)
        if request.headers.get("if-none-match") == kept.tag:
            return Response(status_code=304, headers={"etag": kept.tag})
        return Response(kept.content, media_type=guess_type(name)[0], headers={"etag": kept.tag})


def _in(folder: Path, before: str) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in SENT and path.is_file():
            yield before + path.relative_to(folder).as_posix(), path


def _first_page(contents: Contents, names: JsonMapping) -> bytes:
    modules = [name for name in names if name.startswith("games/") and name.endswith(".js")]
    links = "\n  ".join(f'<link rel="modulepreload" href="/static/{name}">' for name in modules)
    return contents["index.html"].replace(PLACE.encode(), links.encode())


def _texts(contents: Contents, names: JsonMapping) -> bytes:
    """The texts of games and of the page, which no game can change."""
    table: JsonData = {}
    for name in reversed(contents):
        try:
            table |= json.loads(contents[name])
        except (ValueError, TypeError) as error:
            logging.getLogger("uvicorn.error").warning("apprenti: the texts of %s are left out: %s", name, error)
    return json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()


def _styles(contents: Contents, names: JsonMapping) -> bytes:
    return b"\n".join(contents.values())


MADE: dict[str, Callable[[Contents, JsonMapping], bytes]] = {
    "index.html": _first_page, "texts.json": _texts, "games.css": _styles,
}  # fmt: skip
"""Files that are made of others."""
