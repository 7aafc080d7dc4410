"""A person at a terminal, key by key."""

from collections.abc import Sequence
from dataclasses import dataclass

from apprenti.cli.session import Quit, result_of
from apprenti.cli.terminal import END, Terminal
from apprenti.cli.viewer import fitted
from apprenti.games.tetris.state import Observation, State

KEYS = {
    "left": "L", "a": "L", "right": "R", "d": "R", "up": "H", "x": "H", "w": "H", "z": "T", " ": "D",
    "down": "N", "n": "N", "s": "N",
}  # fmt: skip
"""What each key means."""
QUIT = ("q", END)

HELP = ("← →    move", "↑ x    turn clockwise", "z      turn back", "space  drop", "↓ n    wait", "q      quit")


def seen(observation: Observation) -> State:
    """The position as its player sees it."""
    it = observation
    return State(it.rules, it.board, it.piece, it.next_piece, it.remaining, it.dealt, it.tally, it.position)


@dataclass
class KeyPlayer:
    """Shows the game and asks for keys."""

    terminal: Terminal
    title: tuple[str, ...]
    help: bool = True

    def ask(self, observation: Observation, legal: Sequence[str]) -> str:
        """The command of the next key that means something."""
        while True:
            self._draw(seen(observation), ["? hides the keys" if self.help else "? shows the keys"])
            key = self._key()
            if key in QUIT:
                raise Quit
            if key == "?":
                self.help = not self.help
            if key in KEYS and KEYS[key] in legal:
                return KEYS[key]

    def again(self, state: State) -> bool:
        """Show how the game ended, and ask for another one."""
        end, _, score = result_of(state).partition(": ")
        self._draw(state, [f"{end}:", score, "", "play again? y n"])
        while (key := self._key()) not in ("y", "n", *QUIT):
            pass
        return key == "y"

    def _key(self) -> str:
        return (self.terminal.key() or "").lower()

    def _draw(self, state: State, words: list[str]) -> None:
        keys = ["", *HELP] if self.help and not state.outcome else []
        self.terminal.draw(fitted(state, self.terminal, True, ["", *self.title, *keys, "", *words]))
