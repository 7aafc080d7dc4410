"""Tetris in the terminal: the board with the score beside it, and the keys of a person."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.state import State
from apprenti.games.tetris.views.text import screen
from apprenti.views.numbers import counted
from apprenti.views.thoughts import FEW
from apprenti.views.view import Look, View


class TetrisView(View):
    """The view of Tetris."""

    keys: ClassVar[Mapping[str, str]] = MappingProxyType({
        "left": "L", "a": "L", "right": "R", "d": "R", "up": "H", "x": "H", "w": "H", "z": "T", " ": "D",
        "down": "N", "n": "N", "s": "N",
    })  # fmt: skip
    key_help: ClassVar[tuple[str, ...]] = (
        "← →    move", "↑ x    turn clockwise", "z      turn back", "space  drop", "↓ n    wait",
    )  # fmt: skip
    beside: ClassVar[bool] = True
    pace: ClassVar[str] = "pieces"

    def screen(self, state: State, look: Look) -> str:
        best = sorted(look.hints, key=lambda move: -look.hints[move])
        ranked = [move for move in best if isinstance(move, Placement)][:FEW]
        return screen(state, look.colour, look.by_keys, look.words, look.small, ranked, look.numbers)

    def statistics(self, state: State) -> list[str]:
        board, heights = state.board, " ".join(map(str, state.board.column_heights))
        counts = f"L {state.tally.lines}  H {board.sum_heights}  T {board.holes}  B {board.bumpiness}"
        return [counts, f"columns {heights}"]

    def how(self, state: State) -> str:
        return "L (left), R (right), D (drop), N (nothing), H (clockwise), T (anticlockwise) or P:column:rotation"

    def score(self, state: State) -> str:
        tally = state.tally
        points = [] if state.rules.points == "lines" else [counted(tally.points, "point")]
        return ", ".join([*points, counted(tally.lines, "line"), counted(tally.pieces, "piece")])

    def shows(self, before: State | None, state: State) -> bool:
        return before is not None and before.tally.pieces != state.tally.pieces


VIEW = TetrisView()
