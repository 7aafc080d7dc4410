"""Files that are either whole or not there: written under a temporary name, synced, renamed."""

import json
import os
import stat
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from apprenti.core.data import JsonData
from apprenti.core.errors import BadFile

T = TypeVar("T")
_TRIES = 100
"""How often a file can be replaced while somebody reads it."""
DEEPEST = 64
"""Lists and objects inside each other, at most: what goes through plain data calls itself for each of them."""


def is_there(path: Path) -> bool:
    """Whether there is a file or a folder; there is none of a name that is too long or no name at all."""
    with suppress(OSError, ValueError):
        return path.exists()
    return False


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path`; what is written there takes its place when all went well."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise BadFile(f"cannot write {path}: {error.strerror}.") from None
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        with temporary.open("r+b") as file:  # Windows syncs only what may be written
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise BadFile(f"cannot write {path}: {error.strerror}.") from None
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file of bytes, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def write_json(path: Path, data: Any, indent: int | None = 2) -> None:
    """Write plain data, whole or not at all."""
    write_text(path, json.dumps(data, indent=indent, ensure_ascii=False) + "\n")


def check_unlinked(path: Path) -> Path:
    """Refuse a path that a link leads away from the working folder, which may have been given to its user.

    Outside of that folder only the end of the path is looked at: the way there is what its user has typed.
    """
    place = Path(os.path.abspath(path))  # noqa: PTH100  (`resolve` would follow the link)
    for each in (place, *(parent for parent in place.parents if _working_folder() in parent.parents)):
        if _is_link(each):
            raise BadFile(f"{each} is a link, and what is in a folder stays there: remove the link.")
    return path


def _working_folder() -> Path | None:
    with suppress(OSError):  # it was removed
        return Path.cwd()
    return None


def _is_link(path: Path) -> bool:
    with suppress(OSError, ValueError):  # no name for a file
        return path.is_symlink() or bool(getattr(path, "is_junction", bool)())
    return False


def check_folder(folder: Path) -> Path:
    """Refuse a folder to write into that is a link, or that holds one."""
    check_unlinked(folder)
    with suppress(OSError):  # it is not there yet, or cannot be read
        for each in folder.iterdir():
            check_unlinked(each)
    return folder


def read_bytes(path: Path, most: int = -1) -> bytes:
    """Read a whole file, or so many bytes; what is no file but a pipe or a device, which may never end, is refused."""
    try:
        if path.exists() and not path.is_file():
            raise BadFile(f"cannot read {path}: it is not a file.")
        with open(path, "rb", opener=_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # it has just become something else
                raise BadFile(f"cannot read {path}: it is not a file.")
            return file.read(most)
    except (OSError, ValueError) as error:  # a ValueError is a name with a zero byte in it
        raise BadFile(f"cannot read {path}: {getattr(error, 'strerror', error)}.") from None


def _at_once(name: str, flags: int) -> int:
    """Open a file, but do not wait for somebody to write into a pipe."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: Path, most: int = -1) -> str:
    """Read a text file, or so many bytes of it; what is no UTF-8 in it is shown as such."""
    return read_bytes(path, most).decode("utf-8", errors="replace")


def read_steadily(path: Path, read: Callable[[Path], T]) -> T:
    """What reading a file and those that it names gives: read again if the file was replaced meanwhile."""
    for _ in range(_TRIES):
        seen = read_bytes(path)
        try:
            return read(path)
        except BadFile:
            if read_bytes(path) == seen:
                raise
    return read(path)


def check_format(path: Path | str, data: JsonData, what: str, *known: int) -> None:
    """Refuse a file of a format that this version does not read, and say what can be done."""
    version = data.get("format")
    if type(version) is int and version > max(known):
        raise BadFile(
            f"{path} is not {what} for this version: format {version} is a later one (pip install -U apprenti)."
        )
    if type(version) is not int or version not in known:
        formats = " or ".join(map(str, known))
        raise BadFile(f"{path} is not {what} of format {formats}, which this version reads.")


def read_json(path: Path, what: str) -> JsonData:
    """Read an object of plain data; `what` says what it should have been."""
    return parse_json(read_bytes(path), what, path)


def parse_json(blob: bytes, what: str, where: Path | str) -> JsonData:
    """An object of plain data from its bytes; `where` names them."""
    try:
        text = blob.decode("utf-8")
        data = json.loads(text)
        if "\\ud" in text.lower():  # half a character can be neither written nor shown
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise BadFile(f"{where} is not {what}: it is not JSON, or it has been cut.") from None
    if not isinstance(data, dict):
        raise BadFile(f"{where} is not {what}: an object was expected.")
    return _flat_enough(data, what, where)


def read_toml(path: Path, what: str) -> JsonData:
    """Read a table of plain data that a person has written; `what` says what it should have been."""
    try:
        data = tomllib.loads(read_bytes(path).decode("utf-8").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:  # no TOML, not in UTF-8, a number of thousands of digits
        raise BadFile(f"{path} is not {what}: it is not TOML ({error}).") from None
    return _flat_enough(data, what, path)


def _flat_enough(data: JsonData, what: str, where: Path | str) -> JsonData:
    """The same data; refused if lists and objects in it are too many inside each other."""
    level: list[Any] = [data]
    for _ in range(DEEPEST):
        parts = (part for one in level for part in (one.values() if isinstance(one, dict) else one))
        level = [part for part in parts if isinstance(part, dict | list)]
        if not level:
            return data
    raise BadFile(f"{where} is not {what}: more than {DEEPEST} lists and objects are inside each other.")
