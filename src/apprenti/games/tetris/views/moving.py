"""A game as a moving picture: an SVG that plays by itself, with what its player thinks of every piece."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from apprenti.games.tetris.board import EMPTY
from apprenti.games.tetris.state import State
from apprenti.games.tetris.views.svg import COLOURS, OTHER
from apprenti.views.thoughts import Thoughts, ValuedMove

SECONDS = 0.5
"""How long a piece is shown."""
TINTS = 5
"""Shades of what placements are worth."""
ABOVE = 3
"""Rows above the board, where the piece waits."""
PANEL = 12
"""Width of what is said beside the board, in cells."""
STYLE = """svg{{background:#f6f7fb;font-family:sans-serif;font-size:.62px}}text,.bar{{fill:#1c2030}}.bar{{opacity:.55}}
.board{{fill:#e9ecf7}}.tint{{fill:#2a9d76}}.best{{fill:none;stroke:#4f46e5;stroke-width:.16}}.small{{fill:#6b7080;font-size:.5px}}
@media(prefers-color-scheme:dark){{svg{{background:#14171f}}text,.bar{{fill:#e6e8f0}}.board{{fill:#1d2230}}}}
@keyframes turn{{0%{{visibility:visible}}{share:.4g}%{{visibility:hidden}}}}
.frame{{visibility:hidden;animation:turn {seconds:g}s step-end infinite}}
@media(prefers-reduced-motion:reduce){{.frame{{animation:none}}.frame:last-child{{visibility:visible}}}}"""

Cells = Iterable[tuple[int, int]]


class Frame(NamedTuple):
    """A piece that waits, and what the player thinks of its placements."""

    state: State
    thoughts: Thoughts


def moving_svg(frames: Sequence[Frame], title: str) -> str:
    """The frames one after the other, for ever; the last one alone where nothing should move."""
    board = frames[0].state.board
    rows, width = len(board.rows) + ABOVE, board.width + PANEL
    style = STYLE.format(share=100 / len(frames), seconds=SECONDS * len(frames))
    widest = max(abs(term) for frame in frames for term in frame.thoughts.moves[0].terms.values())
    drawn = (
        f'<g class="frame" style="animation-delay:{SECONDS * number:g}s">'
        f"{_position(frame, rows)}{_words(frame, board.width + 1, widest)}</g>"
        for number, frame in enumerate(frames)
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 0 {width + 1} {rows + 1}" width="{26 * (width + 1)}">'
        f"<style>{style}</style>"
        f'<rect class="board" y="{ABOVE}" width="{board.width}" height="{rows - ABOVE}"/>'
        f'<text x="{board.width + 1}" y="{ABOVE + 0.6}" font-weight="bold">{escape(title)}</text>'
    )
    return head + "\n" + "\n".join(drawn) + "\n</svg>\n"


def _path(cells: Cells, rows: int, more: str) -> str:
    squares = "".join(f"M{column} {rows - 1 - row}h1v1h-1z" for row, column in cells)
    return f'<path d="{squares}" {more}/>' if squares else ""


def _position(frame: Frame, rows: int) -> str:
    """The board, the piece above it, and all its placements, the better the stronger."""
    state, moves = frame.state, frame.thoughts.moves
    found: dict[str, list[tuple[int, int]]] = {}
    for row, letters in enumerate(state.board.rows):
        for column, letter in enumerate(letters):
            if letter != EMPTY:
                found.setdefault(letter, []).append((row, column))
    parts = [_path(cells, rows, f'fill="{COLOURS.get(letter, OTHER)}"') for letter, cells in sorted(found.items())]
    for tint, cells in enumerate(_tints(moves)):
        parts.append(_path(cells, rows, f'class="tint" opacity="{(tint + 1) / (TINTS + 2):.2f}"'))
    parts.append(_path(moves[0].move.cells, rows, 'class="best"'))
    shape = state.shape.rotations[moves[0].move.rotation]
    waits = [(rows - ABOVE + row, moves[0].move.column + column) for row, column in shape.cells]
    return "".join([*parts, _path(waits, rows, f'fill="{COLOURS.get(state.piece or "", OTHER)}"')])


def _tints(moves: Sequence[ValuedMove]) -> list[list[tuple[int, int]]]:
    """The cells of all placements by the best that each is part of: five parts from the worst to the best."""
    values = sorted(one.value for one in moves if math.isfinite(one.value))
    groups: list[list[tuple[int, int]]] = [[] for _ in range(TINTS)]
    seen: set[tuple[int, int]] = set()
    for one in (one for one in moves if math.isfinite(one.value)):  # the best first
        share = (one.value - values[0]) / max(values[-1] - values[0], 1e-9)
        fresh = [cell for cell in one.move.cells if cell not in seen]
        groups[round(share * (TINTS - 1))] += fresh
        seen.update(fresh)
    return groups


def _words(frame: Frame, left: int, widest: float) -> str:
    """The score, and what the value of the best placement is made of."""
    tally, terms, top = frame.state.tally, frame.thoughts.moves[0].terms, ABOVE + 2
    parts = [
        f'<text class="small" x="{left + 4 * place}" y="{top}">{word}</text>'
        f'<text x="{left + 4 * place}" y="{top + 0.9}" font-weight="bold">{number}</text>'
        for place, (word, number) in enumerate((("lines", tally.lines), ("pieces", tally.pieces)))
    ]
    for place, (name, term) in enumerate(terms.items()):
        y = top + 2.4 + 1.5 * place
        parts.append(f'<text class="small" x="{left}" y="{y}">{escape(name.replace("_", " "))}</text>')
        parts.append(f'<text class="small" x="{left + 10}" y="{y}" text-anchor="end">{_number(term)}</text>')
        parts.append(
            f'<rect class="bar" x="{left}" y="{y + 0.2:g}" height=".35" width="{10 * abs(term) / widest:.2f}"/>'
        )
    return "".join(parts)


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")
