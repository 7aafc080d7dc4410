"""The page's own files. They are few and small, so they are sent from memory: a browser asks for dozens at once."""

from dataclasses import dataclass
from hashlib import blake2b
from mimetypes import guess_type
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response


@dataclass(frozen=True)
class Kept:
    """A file as it was when it was read."""

    changed: int
    content: bytes
    tag: str


class Files:
    """The files of a folder by their names, which are looked up and never made into paths."""

    def __init__(self, folder: Path) -> None:
        self.paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        self._kept: dict[str, Kept] = {}

    def read(self, name: str) -> Kept:
        """A file; it is read again when it has changed."""
        path = self.paths[name]
        changed, kept = path.stat().st_mtime_ns, self._kept.get(name)
        if kept is None or kept.changed != changed:
            content = path.read_bytes()
            kept = self._kept[name] = Kept(changed, content, f'"{blake2b(content, digest_size=12).hexdigest()}"')
        return kept

    def answer(self, request: Request, name: str) -> Response:
        """A file, or that the browser has it already."""
        if name not in self.paths:
            raise HTTPException(404)
        kept = self.read(name)
        if request.headers.get("if-none-match") == kept.tag:
            return Response(status_code=304, headers={"etag": kept.tag})
        return Response(kept.content, media_type=guess_type(name)[0], headers={"etag": kept.tag})
