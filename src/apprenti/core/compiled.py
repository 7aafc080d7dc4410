"""How this project compiles: one decorator for entry points, one for the small functions they are made of.

Compiled code is kept on disk and loaded in milliseconds the next time. Numba looks only at the file of the entry point
to see whether that is still true, so the folder is named after a hash of every source file that compiled code can come
from (the core, the games, folders called `kernel` and files called `…_kernel.py`): a changed source never meets old
machine code.
"""

import multiprocessing
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import numba
from numba import config

from apprenti.core.cache import find_cache

_CACHE = find_cache()
if _CACHE.folder:
    config.CACHE_DIR = str(_CACHE.folder)
elif multiprocessing.parent_process() is None:  # a worker need not say it again
    print(f"apprenti: compiled code is not kept, so every start compiles anew: {_CACHE.trouble}", file=sys.stderr)

kernel = partial(numba.njit, cache=_CACHE.folder is not None, nogil=True)
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
