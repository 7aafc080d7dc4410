"""Where games are played: threads for compiled games, which release the interpreter, processes for the others."""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, TypeVar

import cloudpickle

from apprenti.core.errors import BadAgent

A = TypeVar("A")
R = TypeVar("R")


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Threads(ThreadPoolExecutor):
    """Threads of this process."""

    def close(self) -> None:
        """End; whoever shares the stop signal of the games has set it."""
        self.shutdown(wait=True, cancel_futures=True)


class Processes(ProcessPoolExecutor):
    """Processes of their own, which end with this one however it ends.

    Tasks are pickled by value, and the script that was started is not run again by the workers: an agent defined in a
    plain script, without a guard, plays on all cores.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers, get_context("spawn"), initializer=_end_with_parent)
        self._pickled: dict[int, bytes] = {}

    def submit(self, task: Callable[..., R], /, *arguments: Any, **named: Any) -> Future[R]:
        """Hand out a task."""
        if id(task) not in self._pickled:
            self._pickled[id(task)] = _by_value(task)
        with _without_main():
            return super().submit(_call, self._pickled[id(task)], *arguments, **named)

    def close(self) -> None:
        """End at once: nobody waits for the games any more, and one may last for days."""
        for process in list((self._processes or {}).values()):
            process.terminate()
        self.shutdown(wait=True, cancel_futures=True)


def _by_value(task: Callable[..., Any]) -> bytes:
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
    hidden: dict[str, Any] = {name: main.__dict__.pop(name) for name in names}
    main.__spec__ = None
    try:
        yield
    finally:
        main.__dict__.update(hidden)


def _end_with_parent() -> None:
    """In a worker: end when the one who wants the games has been killed, for nobody else would tell."""
    parent = parent_process()

    def follow() -> None:
        if parent:
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()


@contextmanager
def executor(compiled: bool, workers: int) -> Iterator[Executor]:
    """The executor for compiled games or for others; closed whatever happens."""
    pool = Threads(workers) if compiled else Processes(workers)
    try:
        yield pool
    finally:
        pool.close()
