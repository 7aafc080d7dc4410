"""Where compiled code is kept: a folder of the user that nobody else can write to, or none.

Numba's index files are pickles, so whoever can write one runs code as whoever reads it.
"""

import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from apprenti.core.errors import BadFile

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True)
class Cache:
    """The folder for compiled code of these very sources, and why it is not used, if it is not."""

    folder: Path | None
    trouble: str = ""


@cache
def find_cache() -> Cache:
    """The folder named by NUMBA_CACHE_DIR as it is; else one of our own, if it is safe."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Cache(Path(chosen))
    try:
        return Cache(_private(private_folder("XDG_CACHE_HOME", "~/.cache") / f"compiled-{_digest()}"))
    except BadFile as error:
        return Cache(None, str(error))
    except OSError as error:
        return Cache(None, f"{error.filename} cannot be used: {error.strerror}.")


def private_folder(variable: str, usual: str) -> Path:
    """A folder of ours that nobody else can write to, in the one that a variable of the environment names.

    A user of a container may have no home.
    """
    named = os.environ.get(variable) or os.path.expanduser(usual)  # noqa: PTH111  # it never raises
    if not Path(named).is_absolute():
        raise BadFile(f"there is no home folder: set {variable} to a folder of yours.")
    base = Path(named)
    base.mkdir(parents=True, exist_ok=True)
    for folder in (base.resolve(), *base.resolve().parents):
        _refuse_unsafe(folder, variable)
    return _private(base.resolve() / "apprenti")


def _refuse_unsafe(folder: Path, variable: str) -> None:
    """Refuse a folder on the way in which somebody else could put another one in the place of ours."""
    about = folder.stat()
    if _foreign(about.st_uid, 0) or (about.st_mode & OTHERS_WRITE and not about.st_mode & stat.S_ISVTX):
        raise BadFile(f"other users can change {folder}: chmod go-w {folder}, or set {variable} to another folder.")


def _private(folder: Path) -> Path:
    """A folder that is ours alone, made if it is not there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or _foreign(about.st_uid) or about.st_mode & OTHERS_WRITE:
        raise BadFile(f"{folder} is a link, or other users can write to it: remove it.")
    if hasattr(os, "getuid") and about.st_mode & 0o077:
        folder.chmod(0o700)
    with tempfile.TemporaryFile(dir=folder):
        return folder


def _foreign(owner: int, *trusted: int) -> bool:
    return hasattr(os, "geteuid") and owner not in (os.geteuid(), *trusted)


def _digest() -> str:
    """A hash of every source file that compiled code can come from."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.blake2b(digest_size=8)
    patterns = ("core/*.py", "games/*/*.py", "games/*/fast/*.py", "**/kernel/*.py", "**/*_kernel.py")
    for source in sorted({source for pattern in patterns for source in package.glob(pattern)}):
        digest.update(source.read_bytes())
    return digest.hexdigest()
