"""One core of a Ray cluster, which plays one chunk at a time.

Ray sends this module to the nodes by value: it must run where nothing of ours is installed, to say just that. So it
imports ours, and what else a node may lack, only where it is used.
"""

import ctypes
import pickle
import threading
from typing import Any

PART = 64_000
"""Bytes of a task, its arguments or a result that are sent as one. Ray keeps what is above 100 kB in its store: see
LARGE in ray_cluster.py."""


def in_parts(pickled: bytes) -> list[bytes]:
    """What is sent, in parts that Ray does not store."""
    return [pickled[start : start + PART] for start in range(0, len(pickled), PART)]


class Stopped(BaseException):
    """Raised in the thread that plays games which look at no stop signal."""


class PlayingCore:
    """What runs on a core: one thread plays, another hears that it has been enough."""

    def __init__(self) -> None:
        self.key = ""
        """Which task is here."""
        self.task: Any = None
        self.number = -1
        """The chunk that is being played."""
        self.thread = 0
        self.result = b""
        """Of the last chunk."""
        self.stopped: set[int] = set()
        """Chunks that are not wanted any more; one may come after the word that it is not."""
        self.lock = threading.Lock()

    def about(self, identity: "bytes | None") -> "dict[str, str] | str":
        """What the results of this node depend on, if that is asked; what is wrong, if it cannot be found out."""
        try:
            about: dict[str, str] = pickle.loads(identity)() if identity else {}
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return about

    def play(self, number: int, key: str, first: int, *parts: bytes) -> "tuple[int, bytes]":
        """Play a chunk; the first part of its result. The `first` parts are its arguments, the others a new task."""
        import cloudpickle

        if parts[first:]:
            self.task, self.key = pickle.loads(b"".join(parts[first:])), key
        self.result = cloudpickle.dumps(self._played(number, key, pickle.loads(b"".join(parts[:first]))))
        return self.part(0)

    def part(self, start: int) -> "tuple[int, bytes]":
        """The length of the pickled result, and what comes next of it."""
        return len(self.result), self.result[start : start + PART]

    def _played(self, number: int, key: str, arguments: tuple[Any, ...]) -> Any:
        """The result of a task for a chunk; (), if it was stopped."""
        from apprenti.core.errors import ApprentiError

        if self.key != key:
            raise RuntimeError(f"this core has task {self.key} and was asked for {key}")
        stop = getattr(self.task, "stop", None)
        try:
            with self.lock:
                if number in self.stopped:
                    return ()
                if stop is not None:
                    stop[0] = 0
                self.number, self.thread = number, threading.get_ident()
            try:
                return self.task(*arguments)
            finally:
                with self.lock:
                    self.number = -1
        except Stopped:
            return ()
        except ApprentiError as error:
            return error

    def stop(self, number: int) -> None:
        """End a chunk at its next move, if it is still being played, or before its first."""
        with self.lock:
            self.stopped.add(number)
            if self.number != number:
                return
            stop = getattr(self.task, "stop", None)
            if stop is not None:
                stop[0] = 1
            else:
                thread, error = ctypes.c_ulong(self.thread), ctypes.py_object(Stopped)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)
