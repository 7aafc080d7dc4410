"""A pool of threads that share a list of tasks, and Ctrl-C while they do."""

import _thread
import signal
import sys
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from threading import current_thread, main_thread
from time import sleep
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

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
