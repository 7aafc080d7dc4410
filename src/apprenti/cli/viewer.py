"""A game shown state by state: animated on a terminal, as plain text elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from apprenti.cli.session import Quit
from apprenti.cli.terminal import END, Terminal, in_colour, on_terminal, taken_terminal
from apprenti.core.errors import BadOption
from apprenti.games.tetris.state import State
from apprenti.views.tetris.text import screen

Show = Callable[[State], None]

SLOWEST, FASTEST = 0.1, 1000.0
_FRAME = 0.02
"""Seconds a screen stands at least; at higher speeds some states are not drawn, none is skipped in the game."""

KEYS = ("space  pause", "n      one step", "+ -    speed", "q      quit")


def check_speed(speed: float) -> float:
    """Refuse what is no speed."""
    if speed != 0 and not SLOWEST <= speed <= FASTEST:
        raise BadOption(
            f"--speed is {SLOWEST:g} to {FASTEST:g} pieces per second, or 0 for as fast as possible, not {speed:g}."
        )
    return speed


def fitted(state: State, terminal: Terminal, ghost: bool, more: list[str]) -> str:
    """The screen of a game, at half size where the terminal is too small for the whole."""
    whole = screen(state, in_colour(), ghost, more)
    return whole if whole.count("\n") < terminal.rows else screen(state, in_colour(), ghost, more, small=True)


@dataclass
class Viewer:
    """Shows a game on a terminal and obeys the keys of whoever watches."""

    terminal: Terminal
    title: tuple[str, ...]
    speed: float
    """Pieces per second: a piece is seen twice, when it appears and when it rests. 0 for as fast as possible."""
    ghost: bool = False
    paused: bool = False
    _drawn: float = 0.0
    _due: float = 0.0

    def show(self, state: State) -> None:
        """Draw a state and wait until it is time for the next."""
        if monotonic() - self._drawn >= _FRAME or self.paused or state.outcome:
            self._draw(state)
        self._due = max(self._due, monotonic() - self._step) + self._step
        while (key := self.terminal.key(self._left)) is not None:
            if self._obey(key):
                return
            self._draw(state)

    def _draw(self, state: State) -> None:
        self._drawn = monotonic()
        self.terminal.draw(fitted(state, self.terminal, self.ghost, ["", *self.title, self._pace, "", *KEYS]))

    @property
    def _step(self) -> float:
        return 0.5 / self.speed if self.speed else 0.0

    @property
    def _left(self) -> float | None:
        """Seconds to wait; for ever while paused."""
        return None if self.paused else max(0.0, self._due - monotonic())

    @property
    def _pace(self) -> str:
        pace = f"{self.speed:g} pieces/s" if self.speed else "as fast as possible"
        return f"{pace}, paused" if self.paused else pace

    def _obey(self, key: str) -> bool:
        """Do what a key says; return whether that is to go on to the next state."""
        if key in ("q", "Q", END):
            raise Quit
        if key == " ":
            self.paused = not self.paused
        elif key in ("+", "-", "="):  # + without shift is =
            self.speed = slower(self.speed) if key == "-" else faster(self.speed)
            self._due = min(self._due, monotonic() + self._step)
        return key == "n" and self.paused


def faster(speed: float) -> float:
    """Twice the speed; beyond the fastest, no waiting at all."""
    return 0.0 if speed == 0 or 2 * speed > FASTEST else 2 * speed


def slower(speed: float) -> float:
    """Half the speed."""
    return max(SLOWEST, (speed or 2 * FASTEST) / 2)


@contextmanager
def viewer(title: tuple[str, ...], speed: float, ghost: bool = False) -> Iterator[Show]:
    """A way to show states: animated where somebody watches, otherwise every piece at rest as plain text."""
    if not on_terminal():
        yield plain_viewer()
        return
    last: State | None = None

    def show(state: State) -> None:
        nonlocal last
        last = state
        animated.show(state)

    with taken_terminal() as terminal:
        animated = Viewer(terminal, title, speed, ghost)
        yield show
    if last:
        print(screen(last, in_colour(), ghost=False))


def plain_viewer() -> Show:
    """Print the board whenever a piece has come to rest."""
    pieces = 0

    def show(state: State) -> None:
        nonlocal pieces
        if state.tally.pieces != pieces:
            pieces = state.tally.pieces
            sys.stdout.write(screen(state, colour=False) + "\n\n")

    return show
