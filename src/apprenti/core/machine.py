"""What the machine gives: memory, threads and the signals that end them, and a folder for compiled code.

That folder is one that no other user can write to, or there is none: Numba's index files are pickles, so who can write
one runs code as who reads it.
"""

import _thread
import hashlib
import os
import signal
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from threading import current_thread, main_thread
from time import sleep
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadFile

# Threads and signals -------------------------------------------------------------------------------------------------

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def held_back(stop: MutableSequence[int] | NDArray[np.int64]) -> Iterator[None]:
    """Let Ctrl-C set `stop[0]`, and raise KeyboardInterrupt at the end.

    Raised while a thread starts, it can leave a lock taken for ever, and Python would wait for that thread at its end.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or current_thread() is not main_thread():
        yield
        return
    pressed: list[int] = []

    def press(number: int, frame: object) -> None:
        pressed.append(number)
        stop[0] = 1

    signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if pressed:
            raise KeyboardInterrupt


class ThreadPool:
    """A pool of threads. Ctrl-C is heard between two tasks, so a task should take less than a second."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.workers)

    def each(self, task: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """What the task makes of each item, in the order of the items."""
        if self.workers == 1 or len(items) < 2:
            return [task(item) for item in items]
        stop = [0]

        def unless_stopped(item: Item) -> Result | None:
            return None if stop[0] else task(item)

        with held_back(stop):
            results: list[Any] = list(self._pool.map(unless_stopped, items))
        return results


PAUSE = 0.01
"""Seconds after which a signal that was dropped is sent again; by then Python does something else."""


@contextmanager
def always_heard() -> Iterator[None]:
    """Send a signal again, until it is heard, when the exception that its handler raised was dropped."""
    usual = sys.unraisablehook

    def hook(dropped: "sys.UnraisableHookArgs") -> None:
        number = _signal_of(dropped.exc_value)
        if number is None:
            usual(dropped)
        else:
            _thread.start_new_thread(_send_again, (number,))

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = usual


def _signal_of(error: BaseException | None) -> signal.Signals | None:
    """The signal whose handler raises this, if any."""
    if isinstance(error, KeyboardInterrupt):
        return signal.SIGINT
    if isinstance(error, SystemExit) and isinstance(error.code, int) and error.code > 128:
        return signal.Signals(error.code - 128)
    return None


def _send_again(number: signal.Signals) -> None:
    sleep(PAUSE)
    _thread.interrupt_main(number)


# Memory --------------------------------------------------------------------------------------------------------------

GB = 10**9


def free_memory() -> int:
    """Bytes that can be taken without harm, as far as the system says; a container may allow less than the machine."""
    limits = [_of_machine(), *_of_container()]
    return min(limit for limit in limits if limit is not None) if any(limits) else 2**63


def _of_machine() -> int | None:
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


def _of_container() -> list[int]:
    """What a control group leaves, if there is one with a limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        limit = (folder / "memory.max").read_text().strip()
        return [] if limit == "max" else [int(limit) - int((folder / "memory.current").read_text())]
    except (OSError, ValueError):
        return []


def in_words(size: int) -> str:
    """A size in gigabytes, or in megabytes if it is small."""
    if size < GB // 10:
        return f"{size / 10**6:.3g} MB"
    return f"{size / GB:.3g} GB" if size < 10**300 else f"10^{len(str(size // GB)) - 1} GB"


# The folder for compiled code ----------------------------------------------------------------------------------------

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
    """A folder of ours that no other user can write to, in the one that a variable of the environment names.

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


def _foreign(owner: int, *others: int) -> bool:
    return hasattr(os, "geteuid") and owner not in (os.geteuid(), *others)


def _digest() -> str:
    """A hash of every source file that compiled code can come from."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.blake2b(digest_size=8)
    patterns = ("core/*.py", "games/*/*.py", "games/*/fast/*.py", "**/kernel/*.py", "**/*_kernel.py")
    for source in sorted({source for pattern in patterns for source in package.glob(pattern)}):
        digest.update(source.read_bytes())
    return digest.hexdigest()
