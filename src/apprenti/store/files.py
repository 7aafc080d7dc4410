"""Files that are either whole or not there: written under a temporary name, synced, renamed."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from apprenti.core.errors import BadFile


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
        with temporary.open("rb") as file:
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


def read_json(path: Path, what: str) -> dict[str, Any]:
    """Read an object of plain data; `what` says what it should have been."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}.") from None
    except ValueError:
        text = ""
    return parse_json(text, what, str(path))


def parse_json(text: str, what: str, where: str) -> dict[str, Any]:
    """An object of plain data from its text; `where` names the text."""
    try:
        data = json.loads(text)
        if "\\ud" in text.lower():  # half a character can be neither written nor shown
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise BadFile(f"{where} is not {what}: it is not JSON, or it has been cut.") from None
    if not isinstance(data, dict):
        raise BadFile(f"{where} is not {what}: an object was expected.")
    return data
