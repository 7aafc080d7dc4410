"""Where games are played: threads for compiled games, which release the interpreter, processes for the others.

Or on a cluster, for either, if one was chosen (`played_on`). All three take a task that can be pickled, give futures,
and have `workers`, `ahead`, `cut` and `close`.
"""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

import cloudpickle

from apprenti.core.children import working_folder_last
from apprenti.core.data import JsonData
from apprenti.core.errors import BadAgent
from apprenti.core.protocols import StopFlag

if TYPE_CHECKING:
    from apprenti.arena.ray_cluster import RayCluster

LONG_TASK, SHORT_TASK = 1.0, 0.05
"""Seconds of a task on a cluster."""

A = TypeVar("A")
R = TypeVar("R")


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Threads(ThreadPoolExecutor):
    """Threads of this process."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.workers, self.ahead = workers, 2 * workers

    def cut(self, stop: StopFlag | None) -> bool:
        """End the games under way at their next move, if they look at a stop signal; whether their results come."""
        if stop is not None:
            stop[0] = 1
        return stop is not None

    def close(self) -> None:
        """End; the owner of the games' stop signal has set it."""
        self.shutdown(wait=True, cancel_futures=True)


class Processes(ProcessPoolExecutor):
    """Processes of their own, which end with this one however it ends.

    Tasks are pickled by value, and the script that was started is not run again by the workers: an agent defined in a
    plain script, without a guard, plays on all cores.
    """

    def __init__(self, workers: int) -> None:
        chosen = os.environ.get("PYTHONSAFEPATH", "")
        with working_folder_last():  # the locks start the first process, which keeps count of them
            super().__init__(workers, get_context("spawn"), initializer=_begin, initargs=(chosen,))
        self.workers, self.ahead = workers, 2 * workers
        self._pickled: dict[int, bytes] = {}

    def submit(self, task: Callable[..., R], /, *arguments: Any, **named: Any) -> Future[R]:
        """Hand out a task."""
        if id(task) not in self._pickled:
            self._pickled[id(task)] = by_value(task)
        with _without_main(), working_folder_last():
            return super().submit(_call, self._pickled[id(task)], *arguments, **named)

    def cut(self, stop: StopFlag | None) -> bool:
        """No signal reaches a process: the games under way are lost."""
        return False

    def close(self) -> None:
        """End at once: the games are not waited for any more, and one may last for days."""
        for process in list((self._processes or {}).values()):
            process.terminate()
        self.shutdown(wait=True, cancel_futures=True)


def by_value(task: Any) -> bytes:
    """A task, or anything, as bytes, with whatever the other side cannot import."""
    try:
        return bytes(cloudpickle.dumps(task))
    except (TypeError, AttributeError) as error:
        raise BadAgent(f"this agent cannot be sent to another process ({error}): use --workers 1.") from None


def _call(task: bytes, *arguments: Any, **named: Any) -> Any:
    return cloudpickle.loads(task)(*arguments, **named)


@contextmanager
def _without_main() -> Iterator[None]:
    """While a worker starts, hide the file of the script that was started: `spawn` would run it again."""
    main = sys.modules["__main__"]
    names = [name for name in ("__file__", "__spec__") if name in main.__dict__]
    hidden: JsonData = {name: main.__dict__.pop(name) for name in names}
    main.__spec__ = None
    try:
        yield
    finally:
        main.__dict__.update(hidden)


def _begin(safe_path: str) -> None:
    """In a worker: what it starts itself, perhaps an engine in Python, finds modules as it would anywhere."""
    os.environ.pop("PYTHONSAFEPATH", None)
    os.environ.update({"PYTHONSAFEPATH": safe_path} if safe_path else {})
    _end_with_parent()


def _end_with_parent() -> None:
    """In a worker: end when the one who wants the games has been killed, for nothing else would tell."""
    parent = parent_process()

    def follow() -> None:
        if parent:
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()


_chosen: "ContextVar[RayCluster | None]" = ContextVar("cluster", default=None)


def cluster() -> "RayCluster | None":
    """The cluster that was chosen for the games."""
    return _chosen.get()


@contextmanager
def played_on(place: "RayCluster | None") -> Iterator[None]:
    """Whatever asks for games meanwhile has them played on a cluster (None: here after all), and need not know."""
    token = _chosen.set(place)
    try:
        yield
    finally:
        _chosen.reset(token)


def in_a_task(games: int | None, seconds: float, workers: int) -> int:
    """Games in a task of a cluster, if one takes that long: about a second, less near the end, so that all cores
    end together, but no less than it takes to send it many times over."""
    usual = LONG_TASK if games is None else min(LONG_TASK, max(SHORT_TASK, games * seconds / (4 * workers)))
    return max(1, round(usual / max(seconds, 1e-6)))


@contextmanager
def executor(compiled: bool, workers: int) -> "Iterator[Threads | Processes | RayCluster]":
    """The executor for compiled games or for others; closed whatever happens."""
    pool = cluster() or (Threads(workers) if compiled else Processes(workers))
    try:
        yield pool
    finally:
        pool.close()
