"""How this project compiles: one decorator for entry points, one for the small functions they are made of.

Compiled code is kept on disk and loaded in milliseconds the next time. Numba looks only at the file of the entry point
to see whether that is still true, so the folder is named after a hash of every source file that compiled code can come
from (the core, the games, folders called `kernel` and files called `…_kernel.py`): a changed source never meets old
machine code.
"""

import hashlib
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

import numba
from numba import config


@cache
def cache_folder() -> Path:
    """The folder for compiled code of these very sources: in the user's cache or, failing that, a temporary one."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.blake2b(digest_size=8)
    rooms = [package / "core", package / "games"]
    sources = {source for room in rooms for source in room.rglob("*.py")}
    sources |= {*package.rglob("*_kernel.py"), *package.rglob("kernel/*.py")}
    for source in sorted(sources):
        digest.update(source.read_bytes())
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "apprenti"
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base):
            pass
    except OSError:
        base = Path(tempfile.gettempdir()) / f"apprenti-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    return base / f"compiled-{digest.hexdigest()}"


if not os.environ.get("NUMBA_CACHE_DIR"):
    config.CACHE_DIR = str(cache_folder())

kernel = partial(numba.njit, cache=True, nogil=True)
"""For what Python calls: compiled once for each combination of types, kept on disk, runs without the interpreter."""

_BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}

INLINED = {"forceinline": True, **_BARE}
inlined = numba.njit(**INLINED)
"""For the pieces of a kernel: no call is left of it."""

called = numba.njit(**_BARE)
"""For larger pieces, used in several places of a kernel."""


_announced: set[object] = set()


@contextmanager
def announcing(what: str, key: object = None, after: float = 1.0) -> Iterator[None]:
    """Say on standard error that something is being compiled, but only if it takes longer than a second.

    With a key only the first time: what takes long later is not compiling.
    """
    if key in _announced:
        yield
        return
    timer = threading.Timer(after, lambda: print(f"compiling {what}, once …", file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
        if key is not None:
            _announced.add(key)
    finally:
        timer.cancel()
