"""How this project compiles: one decorator for entry points, one for the small functions they are made of.

Compiled code is kept on disk and loaded in milliseconds the next time. Numba looks only at the file of the entry point
to see whether that is still true, so the folder is named after a hash of every source file that compiled code can come
from (the core, the games, folders called `kernel` and files called `…_kernel.py`): a changed source never meets old
machine code.
"""

import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numba
from filelock import FileLock, Timeout
from numba import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.datamodel import default_manager

from apprenti.core.machine import find_cache

Function = Callable[..., Any]
_CACHE = find_cache()
if _CACHE.folder:
    config.CACHE_DIR = str(_CACHE.folder)
elif multiprocessing.parent_process() is None:  # a worker need not say it again
    print(f"apprenti: compiled code is not kept, so every start compiles anew: {_CACHE.trouble}", file=sys.stderr)

_compiling = threading.local()
PATIENCE = 120.0
"""Seconds after which another program that compiles is no longer waited for: it may have been stopped."""


def kernel(function: Function | None = None) -> Any:
    """For what Python calls: compiled once for each combination of types, kept on disk, runs without the GIL."""
    if function is None:  # it stands there with brackets
        return kernel
    made = numba.njit(cache=_CACHE.folder is not None, nogil=True)(function)
    if _CACHE.folder:
        _share(made, _CACHE.folder / "locks")
    return made


def _share(made: Any, locks: Path) -> None:
    """Let programs that run at once share what is stored: the first one compiles, the others wait for it and load it.

    Numba by itself has each of them compile; and two that store at once can leave an index that leads from one
    combination of types to the code of another.
    """
    compile_now, name = made.compile, f"{made.__module__}.{made.__name__}"
    for step in ("load_overload", "save_overload"):
        setattr(made._cache, step, _alone(locks / f"{name}.lock", getattr(made._cache, step)))

    def compile_once(types: Any) -> Any:
        if getattr(_compiling, "now", False):  # another kernel needs this one, and is compiled by us alone
            return compile_now(types)
        _compiling.now = True
        try:
            digest = blake2b(f"{name} {types}".encode(), digest_size=8).hexdigest()
            return _alone(locks / f"{digest}.lock", compile_now)(types)
        finally:
            _compiling.now = False

    made.compile = compile_once


def _alone(path: Path, work: Function) -> Function:
    """Work that no two programs do at the same time; where that cannot be had, they do."""

    def working(*words: Any) -> Any:
        lock = FileLock(path, timeout=PATIENCE, poll_interval=0.02)
        with ExitStack() as held:
            with suppress(OSError, Timeout):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                held.enter_context(lock)
            return work(*words)

    return working


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code for other compiled code alone: it is optimised and made machine code where it is called, once.

    Numba would do both for every part by itself, too, and again for whatever calls it: nearly half of the time.
    """

    def _optimize_final_module(self) -> None:
        """Not yet."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles functions that Python never calls."""

    def compile_extra(self, func: Function) -> Any:
        """Compile a function as a part of others."""
        state = self.state
        state.flags.no_compile = True  # no machine code
        state.library = _PartLibrary(state.targetctx.codegen(), func.__qualname__)
        made = super().compile_extra(func)
        entry: Function = [].append  # never called: Numba knows a part by a builtin function, another one for each
        state.targetctx.insert_user_function(entry, made.fndesc, [made.library])
        if not state.flags.nrt and _holds_arrays(made.signature.return_type):
            raise TypeError(f"{func.__qualname__} returns an array, so its references have to be counted: not `lent`.")
        return made._replace(entry_point=entry)


def _holds_arrays(kind: Any) -> bool:
    """Whether values of a type of Numba's hold references that are counted."""
    return bool(default_manager.lookup(kind).contains_nrt_meminfo())


_BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy", "pipeline_class": _PartCompiler}

INLINED = {"forceinline": True, **_BARE}
inlined = numba.njit(**INLINED)
"""For the parts of a kernel: no call is left of it."""

called = numba.njit(**_BARE)
"""For larger parts, used in several places of a kernel."""

lent = numba.njit(_nrt=False, **_BARE)
"""For parts that only index arrays which they are lent: they make no array and return none.

Numba counts no references there. It does so by locked additions, and where large functions are made of small ones it
does not find out that nearly all of them are for nothing: they were 60 % of the time of a playout of an army game.
"""


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
