"""A program that is asked line by line and has to answer in time. It can do anything but harm the program that asks.

Two threads read what it says and what it complains of, so that a full pipe never blocks. Its input is
written without waiting. Whatever it started is ended with it: on Linux by its keeper, elsewhere as far as it is still
in its process group.
"""

import os
import queue
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread
from time import monotonic
from typing import IO

from apprenti.agents import keeper
from apprenti.core.errors import BadAgent, printable

LONGEST = 4096
"""Bytes of a line; nothing an engine has to say comes near."""
MOST = 1000
"""Lines that can wait to be read; after them it is not listened to any longer."""
GRACE = 1.0
"""Seconds an engine has to leave by itself."""
_LOOK = 0.2
"""Seconds after which to look whether an engine is still there."""

Listener = Callable[[str, str], None]
"""Told of every line: `<` to the engine, `>` from it, `!` what it complains of; and the text."""


class Foul(Exception):
    """An engine broke the rules of the house, and loses."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}" if detail else reason)


OUT_OF_TIME, CRASHED, ILLEGAL_MOVE, BAD_LAYOUT, GARBAGE = (
    "out of time",
    "crashed",
    "illegal move",
    "bad layout",
    "no answer of the protocol",
)
"""For what an engine loses."""


KEPT = sys.platform == "linux"
"""Whether an engine has a keeper."""


def _start(command: Sequence[str], passed: Sequence[int] = ()) -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE
    return subprocess.Popen(
        list(command), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, pass_fds=passed,
        start_new_session=True,  # so that all it starts can be ended together, and Ctrl-C is ours alone
    )  # fmt: skip


class EngineProcess:
    """A running engine."""

    def __init__(self, command: Sequence[str], listen: Listener = lambda arrow, text: None) -> None:
        self._listen = listen
        self._said: queue.Queue[str | None] = queue.Queue(MOST)
        self._complaint = ""
        """What it wrote last on standard error."""
        self._orders = -1
        """Where to write to its keeper, on Linux; nothing is written, but that it is closed is understood."""
        try:
            self._process = self._start_kept(command) if KEPT else _start(command)
        except (OSError, ValueError) as error:
            raise BadAgent(f"cannot start the engine {' '.join(command)!r}: {error}.") from None
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._input: IO[bytes] = self._process.stdin
        with suppress(OSError):
            os.set_blocking(self._input.fileno(), False)
        self._readers = [
            Thread(target=self._read, args=(self._process.stdout, self._hears), daemon=True),
            Thread(target=self._read, args=(self._process.stderr, self._complains), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _start_kept(self, command: Sequence[str]) -> "subprocess.Popen[bytes]":
        """Start an engine below a keeper; OSError if there is no such program."""
        orders, self._orders = os.pipe()
        answer, answers = os.pipe()
        try:
            ends = (str(orders), str(answers))
            process = _start((sys.executable, "-I", "-S", keeper.__file__, *ends, *command), (orders, answers))
        finally:
            os.close(orders)
            os.close(answers)
        with os.fdopen(answer, "rb") as heard:
            first = heard.read().decode(errors="replace")
        if first != "started":
            self._tell_keeper()
            process.communicate()
            raise OSError(first or "its keeper ended")
        return process

    def _tell_keeper(self) -> None:
        """Tell the keeper, if there is one, to end the engine and all below it."""
        if self._orders >= 0:
            os.close(self._orders)
            self._orders = -1

    def _read(self, stream: IO[bytes], take: Callable[[str | None], bool]) -> None:
        """Cut what comes into lines, until the end or until no more is wanted."""
        waiting = b""
        with suppress(OSError, ValueError):
            while chunk := os.read(stream.fileno(), LONGEST):
                *lines, waiting = (waiting + chunk).split(b"\n")
                if len(waiting) > LONGEST:  # it is read on, or the engine would wait for us with a full pipe
                    lines, waiting = [*lines, waiting], b""
                if not all(take(line[:LONGEST].decode(errors="replace")) for line in lines):
                    return
        if waiting:
            take(waiting.decode(errors="replace"))
        take(None)

    def _hears(self, line: str | None) -> bool:
        with suppress(queue.Full):
            self._said.put_nowait(line)
            return True
        return False

    def _complains(self, line: str | None) -> bool:
        if line and line.strip():
            self._complaint = printable(line.strip())
            self._listen("!", printable(line.rstrip()))
        return True

    def say(self, line: str) -> None:
        """Tell it a line; Foul if it is gone or does not listen."""
        self._listen("<", line)
        try:
            written = self._input.write(line.encode() + b"\n")
        except (OSError, ValueError):
            raise Foul(CRASHED, self._why_it_does_not_listen()) from None
        if written is None:  # the pipe is full
            raise Foul(OUT_OF_TIME, "it does not read what it is told")

    def hear(self, seconds: float) -> str:
        """Its next line that is not empty; Foul if that takes longer, or if there will be none.

        An engine has ended when its output has, or when it is no longer there: what it left behind may hold the output
        open.
        """
        until = monotonic() + seconds
        while True:
            ended = self._process.poll() is not None
            try:
                line = self._said.get(timeout=min(_LOOK, max(0.0, until - monotonic())))
            except queue.Empty:
                line = None if ended else ""
            if line is None:
                self._said.put(None)  # for the next question
                raise Foul(CRASHED, f"it ended in the middle of the game{self._last_words()}")
            if line.strip():
                self._listen(">", printable(line.strip()))
                return line.strip()
            if monotonic() >= until:
                raise Foul(OUT_OF_TIME, f"it said nothing for {seconds:.1f} s")

    def _why_it_does_not_listen(self) -> str:
        """Its input is closed: mostly it has just ended, and its keeper is about to."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
            return f"it ended in the middle of the game{self._last_words()}"
        return "it does not take orders any more"

    def _last_words(self) -> str:
        """What an engine that has ended complained of: a wrong option, say."""
        self._readers[1].join(_LOOK)
        return f', saying "{self._complaint:.200}"' if self._complaint else ""

    def dismiss(self) -> None:
        """Tell it, by the end of its input, that nothing more will be asked."""
        with suppress(OSError, ValueError):
            self._input.close()

    def close(self) -> None:
        """Let it leave, and end it if it does not, with all it started."""
        self.dismiss()
        try:
            for blow in (None, signal.SIGTERM):
                if blow is not None:
                    self._strike(blow)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(GRACE)
                    break
        finally:
            self._tell_keeper()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE if KEPT else 0)
            self._strike(getattr(signal, "SIGKILL", signal.SIGTERM))  # also to what it left behind
            self._process.wait()
        for reader, stream in zip(self._readers, (self._process.stdout, self._process.stderr), strict=True):
            reader.join(GRACE)
            if stream and not reader.is_alive():
                stream.close()

    def _strike(self, blow: signal.Signals) -> None:
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, blow)
            else:
                self._process.kill()
