"""A person, or a program, that says its commands in lines of text."""

import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from apprenti.cli.session import Quit
from apprenti.cli.tetris.keyboard import seen
from apprenti.core.errors import BadNotation, IllegalMove
from apprenti.games.tetris.state import Observation, press
from apprenti.views.tetris.text import screen


@dataclass
class LinePlayer:
    """Shows the board as text and reads the next line of commands."""

    line: int = 0
    waiting: deque[str] = field(default_factory=deque)

    def ask(self, observation: Observation, legal: Sequence[str]) -> str:
        """The next command that can be played; a wrong one ends a program's game, a person may try again."""
        while True:
            command = self._next(observation)
            try:
                press(seen(observation), command)
                return command
            except (BadNotation, IllegalMove) as error:
                self.waiting.clear()
                wrong = type(error)(f"line {self.line}: {error}")
                if not sys.stdin.isatty():
                    raise wrong from None
                print(f"apprenti: {wrong}", file=sys.stderr)

    def _next(self, observation: Observation) -> str:
        while not self.waiting:
            print(screen(seen(observation), colour=False), end="\n\n", flush=True)
            self._read()
        command = self.waiting.popleft()
        if command == "Q":
            raise Quit
        return command

    def _read(self) -> None:
        text = sys.stdin.readline()
        if not text:
            raise Quit
        self.line += 1
        self.waiting.extend(text.upper().split())
