"""A terminal that gives single keys and shows whole screens, and is always handed back as it was."""

import os
import select
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from types import FrameType
from typing import Any, NoReturn

ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
END = "\x04"
"""Ctrl-D, and what is read when nobody is there any more."""

_TAKE = "\x1b[?1049h\x1b[?25l\x1b[?7l"  # the other screen, no cursor, long lines cut and not wrapped
_GIVE_BACK = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_TOLD_TO_END = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that end a program; Windows has no SIGHUP."""
_PATIENCE = 0.05
"""Seconds after which an escape character was the key and not the beginning of a sequence."""


def on_terminal() -> bool:
    """Whether a person is there to press keys and to watch, at a terminal that gives single keys; else lines do."""
    capable = find_spec("termios") is not None and os.environ.get("TERM", "dumb") != "dumb"
    return capable and sys.stdin.isatty() and sys.stdout.isatty()


def in_colour() -> bool:
    """Whether colours are welcome (no-color.org)."""
    return not os.environ.get("NO_COLOR")


class Terminal:
    """The keyboard and the screen of a person, while they are ours."""

    def __init__(self, woken: int | None = None) -> None:
        """`woken` is where a byte can be read for each signal that has come, if anywhere."""
        self._awaited = [sys.stdin.fileno(), *([] if woken is None else [woken])]

    @property
    def rows(self) -> int:
        """Lines that fit on the screen now."""
        return shutil.get_terminal_size().lines

    @property
    def columns(self) -> int:
        """Characters that fit on a line now."""
        return shutil.get_terminal_size().columns

    def draw(self, text: str) -> None:
        """Show a whole screen; what does not fit is cut."""
        lines = text.split("\n")[: self.rows]
        # a line is erased before it is written: afterwards that would take the last letter of one as wide as the screen
        sys.stdout.write("\x1b[H" + "\r\n".join(f"\x1b[2K{line}" for line in lines) + "\x1b[J")
        sys.stdout.flush()

    def leaf(self, lines: Sequence[str]) -> bool:
        """Show lines page by page, a key for each; whether whoever reads them stays."""
        room = max(1, self.rows - 1)
        while len(lines) > room and not lines[-1]:  # an empty line needs no page
            lines = lines[:-1]
        for start in range(0, len(lines), room):
            self.draw("\n".join([*lines[start : start + room], "any key goes on"]))
            if self.key() == END:
                return False
        return True

    def key(self, timeout: float | None = None) -> str | None:
        """The next key: a character, `up`, `down`, `left`, `right`, or `` for others; None when the time is up."""
        first = self._character(timeout)
        return self._sequence() if first == "\x1b" else first

    def _character(self, timeout: float | None) -> str | None:
        keyboard, *woken = self._awaited
        ready, _, _ = select.select(self._awaited, [], [], timeout)
        if keyboard not in ready:
            for signals in set(woken) & set(ready):
                os.read(signals, 100)
            return None
        try:
            return os.read(keyboard, 1).decode("latin-1") or END
        except OSError:  # the window has been closed
            return END

    def _sequence(self) -> str:
        """The key behind an escape sequence: `[A` and `OA` are arrows, `[1;5A` one with Ctrl held."""
        if self._character(_PATIENCE) not in ("[", "O"):
            return ""
        character = self._character(_PATIENCE)
        while character and character in "0123456789;":
            character = self._character(_PATIENCE)
        return ARROWS.get(character or "", "")


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    """End on a signal the way an exception does: everybody on the way out tidies up."""
    raise SystemExit(128 + number)


@contextmanager
def _handling(handler: Callable[[int, FrameType | None], Any] | signal.Handlers, *numbers: int) -> Iterator[None]:
    """Handle signals so for a while."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextmanager
def leaving_tidily() -> Iterator[None]:
    """While this lasts, being told to end is an exception, and everybody on the way out tidies up."""
    with _handling(_leave, *_TOLD_TO_END):
        yield


@contextmanager
def _woken_by_signals() -> Iterator[int]:
    """Where a byte can be read for each signal that has come.

    A signal that comes after Python has last looked for one, and before it waits for a key, would have to wait for that
    key too.
    """
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    before = signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    try:
        yield woken
    finally:
        signal.set_wakeup_fd(before)
        os.close(woken)
        os.close(waking)


@contextmanager
def taken_terminal() -> Iterator[Terminal]:
    """Take the terminal: single keys, no echo, a screen of its own. It is given back whatever happens.

    Ctrl-C is still a signal; Ctrl-Z and Ctrl-\\ are not, because they would leave the terminal as it is.
    """
    import termios
    import tty

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    with leaving_tidily(), _woken_by_signals() as woken:
        try:
            tty.setcbreak(keyboard)
            _without_stopping(keyboard)
            sys.stdout.write(_TAKE)
            yield Terminal(woken)
        finally:
            _give_back(keyboard, before)


def _give_back(keyboard: int, attributes: list[Any]) -> None:
    import termios

    with (
        _handling(signal.SIG_IGN, signal.SIGINT, *_TOLD_TO_END),  # a second Ctrl-C comes too late
        suppress(OSError, termios.error),  # a window that has been closed needs nothing back
    ):
        sys.stdout.write(_GIVE_BACK)
        sys.stdout.flush()
        termios.tcsetattr(keyboard, termios.TCSAFLUSH, attributes)


def _without_stopping(keyboard: int) -> None:
    import termios

    attributes, nothing = termios.tcgetattr(keyboard), bytes([os.fpathconf(keyboard, "PC_VDISABLE") & 0xFF])
    for key in (termios.VSUSP, termios.VQUIT):
        attributes[6][key] = nothing
    termios.tcsetattr(keyboard, termios.TCSANOW, attributes)
