"""The terminal of a person: single keys, whole screens, a board and its words made to fit; handed back as it was."""

import os
import re
import select
import shutil
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.util import find_spec
from types import FrameType
from typing import Any, NoReturn

from apprenti.cli.language import worded
from apprenti.core.protocols import AnyState
from apprenti.views.view import AnyView, Look

ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
END = "\x04"
"""Ctrl-D, and what is read when the window is closed."""

_TAKE = "\x1b[?1049h\x1b[?25l\x1b[?7l"  # the other screen, no cursor, long lines cut and not wrapped
_GIVE_BACK = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
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

    def draw(self, text: str) -> None:
        """Show a whole screen; what does not fit is cut."""
        lines = text.split("\n")[: self.rows]
        # a line is erased before it is written: afterwards that would take the last letter of one as wide as the screen
        sys.stdout.write("\x1b[H" + "\r\n".join(f"\x1b[2K{line}" for line in lines) + "\x1b[J")
        sys.stdout.flush()

    def leaf(self, lines: Sequence[str]) -> bool:
        """Show lines screen by screen, a key for each; whether the reader stays."""
        room = max(1, self.rows - 1)
        while len(lines) > room and not lines[-1]:  # an empty line needs no screen
            lines = lines[:-1]
        for start in range(0, len(lines), room):
            self.draw("\n".join([*lines[start : start + room], worded("any key goes on")]))
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


def leave(number: int, frame: FrameType | None) -> NoReturn:
    """End on a signal the way an exception does: whatever is on the way out tidies up."""
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
    """While this lasts, a signal to end is an exception, and whatever is on the way out tidies up."""
    with _handling(leave, *_ENDING):
        yield


@contextmanager
def woken_by_signals() -> Iterator[int]:
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
    with leaving_tidily(), woken_by_signals() as woken:
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
        _handling(signal.SIG_IGN, signal.SIGINT, *_ENDING),  # a second Ctrl-C comes too late
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


CUT = "the board is cut: enlarge the window"
"""Said where it is, in few enough words for a window that is too small."""


def screen(
    view: AnyView,
    state: AnyState,
    look: Look,
    title: Sequence[str],
    words: Sequence[str],
    keys: Sequence[str],
    rows: int,
) -> str:
    """The screen: who plays, the board, the words and what can be pressed, beside the board or around it."""
    title, words, keys = ([*map(worded, each)] for each in (title, words, keys))
    line = "   ".join(re.sub(" +", " ", key) for key in keys)

    def board(small: bool, beside_it: Sequence[str] = ()) -> str:
        return view.screen(state, replace(look, small=small, words=tuple(beside_it)))

    if view.beside:
        return beside(board, ["", *title, *words], keys, line, rows)
    return framed(["   ".join(title), ""], board, [*words, *([line] if keys else [])], rows)


def too_wide(text: str) -> bool:
    """Whether lines of a screen are cut at the edge of the terminal."""
    columns = shutil.get_terminal_size().columns
    return any(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) > columns for line in text.split("\n"))


def wrapped(line: str) -> list[str]:
    """A line as it fits on the terminal: nothing is cut."""
    columns = shutil.get_terminal_size().columns
    return textwrap.wrap(line, columns) if len(line) > columns else [line]


def beside(
    board: Callable[[bool, Sequence[str]], str], words: Sequence[str], keys: Sequence[str], line: str, rows: int
) -> str:
    """The board with words beside it. Where these are too many, the keys stand on one line and empty lines go."""
    tall, flat = [*words, *(["", *keys] if keys else [])], [*filter(None, words), *([line] if keys else [])]
    drawn = [board(small, shown) for small, shown in ((False, tall), (False, flat), (True, tall), (True, flat))]
    return next((screen for screen in drawn if screen.count("\n") < rows), drawn[-1])


def framed(above: Sequence[str], board: Callable[[bool], str], below: Sequence[str], rows: int) -> str:
    """The board between words; `board(True)` is the board drawn smaller.

    Where the terminal is too narrow the board is drawn smaller. Where it is too low the empty lines go first, then the
    board is drawn smaller, then the words above go, then the last rows of the board. Whatever of the board is cut, is
    said. What is below says how to play, and stays.
    """
    below = [part for line in below for part in wrapped(line)]
    large, small = board(False), board(True)
    large = small if too_wide(large) else large
    above = [*([CUT] if too_wide(small) else []), *above]
    whole = [*above, *large.split("\n"), *below]
    if len(whole) <= rows:
        return "\n".join(whole)
    above, below = list(filter(None, above)), list(filter(None, below))
    for drawn in (large.split("\n"), small.split("\n")):
        if len(above) + len(drawn) + len(below) <= rows:
            return "\n".join([*above, *drawn, *below])
    room = max(0, rows - len(below))
    cut = [] if len(drawn) <= room else [CUT]
    return "\n".join([*[*cut, *drawn][:room], *below])
