"""A game shown state by state: animated on a terminal, as plain text elsewhere."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import monotonic

from apprenti.cli.language import say
from apprenti.cli.screen import END, Terminal, in_colour, on_terminal, screen, taken_terminal, wrapped
from apprenti.core.errors import BadOption
from apprenti.core.protocols import CHANCE, AnyMove, AnyState
from apprenti.lab.session import Quit
from apprenti.views.view import AnyView, Look

SLOWEST, FASTEST = 0.1, 1000.0
FRAME = 0.02
"""Seconds a screen stands at least; at higher speeds some states are not drawn, none is skipped in the game."""
RESULT = 3
"""Lines that come after the last state: how it ended, and the shell's."""
FIRST = 200
"""Moves that are all drawn, at any speed."""

KEYS = ("space  pause", "n      one step", "+ -    speed", "q      quit")


def check_speed(speed: float) -> float:
    """Refuse what is no speed."""
    if speed != 0 and not SLOWEST <= speed <= FASTEST:
        raise BadOption(f"--speed is {SLOWEST:g} to {FASTEST:g} a second, or 0 for as fast as possible, not {speed:g}.")
    return speed


@dataclass
class Viewer:
    """Shows a game and, on a terminal, obeys the keys of the one who watches."""

    view: AnyView
    title: tuple[str, ...]
    speed: float
    """Moves per second; 0 for as fast as possible."""
    eyes: int | None = None
    by_keys: bool = False
    explain: Callable[[AnyState, bool], str] | None = None
    """What a player thinks of a position."""
    hints: Callable[[AnyState], Mapping[AnyMove, float]] | None = None
    """What each move is worth to that player, to be drawn on the board."""
    statistics: Callable[[AnyState], Sequence[str]] | None = None
    """What can be counted on the board, and how long moves take."""
    numbers: bool = False
    """Rows and columns are numbered."""
    terminal: Terminal | None = None
    paused: bool = False
    moves: int = 0
    """How many have been shown."""
    last: tuple[AnyState, str] | None = None
    """The state that was shown last, and the move that led to it."""
    _drawn: float = 0.0
    _due: float = 0.0

    def show(self, state: AnyState, move: str = "") -> None:
        """Show a state and wait until it is time for the next."""
        before, self.last, self.moves = self.last, (state, move), self.moves + bool(move)
        if self.terminal is None:
            if self.view.shows(before[0] if before else None, state) or (self.explain and state.turn >= 0):
                sys.stdout.write(self.text(state, move, False) + "\n\n")
            return
        if monotonic() - self._drawn >= FRAME or self.moves <= FIRST or self.paused or state.outcome:
            self._draw(state, move, self.terminal)
        step = self._step * (0.5 if CHANCE in (state.turn, before and before[0].turn) else 1.0)
        self._due = max(self._due, monotonic() - step) + step if before else monotonic() + step
        while (key := self.terminal.key(self._left)) is not None:
            if self._obey(key):
                return
            self._draw(state, move, self.terminal)

    def text(self, state: AnyState, move: str, colour: bool, small: bool = False) -> str:
        """A state as plain text: who plays, the board, what was played, and what a player thinks of it."""
        board = self.view.screen(state, replace(self._look(state, move, colour), small=small))
        lines = [board] if self.view.beside else ["   ".join(self.title), board, self.view.said(state, move)]
        return "\n".join([*lines, *self._counted(state), *self._thoughts(state, small)])

    def _look(self, state: AnyState, move: str, colour: bool) -> Look:
        last, hints = self.view.points(move) if move else (), self.hints(state) if self.hints else {}
        return Look(self.eyes, colour, last=last, hints=hints, by_keys=self.by_keys, numbers=self.numbers)

    def _draw(self, state: AnyState, move: str, terminal: Terminal) -> None:
        self._drawn = monotonic()
        look, small = self._look(state, move, in_colour()), self.view.beside
        words = self._words(state, move, small)
        if not small and self.explain:
            board = self.view.screen(state, replace(look, small=True)).count("\n") + 1
            height = sum(len(wrapped(line)) for line in words if line)
            if board + height + 2 > terminal.rows:  # a line for who plays, and one for the keys
                words = self._words(state, move, True)
        terminal.draw(screen(self.view, state, look, self.title, words, KEYS, terminal.rows))

    def _words(self, state: AnyState, move: str, small: bool) -> list[str]:
        """What stands beside or below the board, but for the keys."""
        more = [*self._counted(state), *self._thoughts(state, small)]
        return [self._pace, *more] if self.view.beside else [self.view.said(state, move), *more, "", self._pace]

    def _counted(self, state: AnyState) -> Sequence[str]:
        return self.statistics(state) if self.statistics else []

    def _thoughts(self, state: AnyState, small: bool) -> list[str]:
        return self.explain(state, small).splitlines() if self.explain else []

    @property
    def _step(self) -> float:
        """Seconds for a move; where chance deals between two moves, half of it is for the deal."""
        return 1 / self.speed if self.speed else 0.0

    @property
    def _left(self) -> float | None:
        """Seconds to wait; for ever while paused."""
        return None if self.paused else max(0.0, self._due - monotonic())

    @property
    def _pace(self) -> str:
        pace = f"{self.speed:g} {'keys' if self.by_keys else self.view.pace}/s" if self.speed else "as fast as possible"
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
def on_screen(viewer: Viewer) -> Iterator[Viewer]:
    """Show on the terminal if there is one, and leave the last state there to be read."""
    if not on_terminal():
        yield viewer
        return
    with taken_terminal() as terminal:
        viewer.terminal = terminal
        yield viewer
    if viewer.last:
        viewer.by_keys = False
        texts = [viewer.text(*viewer.last, in_colour(), small) for small in (False, True)]
        fits = texts[0].count("\n") + RESULT < terminal.rows
        say(texts[0] if fits else texts[1])
