"""Grids and grid worlds as SVG pictures."""

from collections.abc import Mapping, Sequence
from typing import Any

from apprenti.games.mdp.grid import Rules, name_of

SMALL, LARGE = 24, 72
ARROWS = {"up": "↑", "right": "→", "down": "↓", "left": "←"}
COLOURS = {"#": "#37474f", "G": "#43a047", "P": "#e53935", "C": "#8d6e63"}
EMPTY = (0, "", ".", None, False)


def _svg(width: int, height: int, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">\n{body}\n</svg>\n'


def _square(row: int, column: int, side: int, colour: str) -> str:
    place = f'x="{column * side + 0.5}" y="{row * side + 0.5}" width="{side - 1}" height="{side - 1}"'
    return f'<rect {place} rx="3" fill="{colour}"/>'


def _text(row: int, column: int, text: str, up: float, size: int) -> str:
    x, y = (column + 0.5) * LARGE, (row + up) * LARGE
    style = f'text-anchor="middle" font-family="sans-serif" font-size="{size}" fill="#111"'
    return f'<text x="{x}" y="{y}" {style}>{text}</text>'


def grid_svg(grid: Sequence[Sequence[Any]]) -> str:
    """A grid of full and empty cells, row 0 at the top."""
    parts = [
        _square(r, c, SMALL, "#eceff1" if cell in EMPTY else "#1e5fbf")
        for r, row in enumerate(grid)
        for c, cell in enumerate(row)
    ]
    return _svg(SMALL * max(map(len, grid)), SMALL * len(grid), parts)


def world_svg(rules: Rules, values: Mapping[str, float], policy: Mapping[str, str]) -> str:
    """A map with the value and the best move of each cell."""
    parts = []
    for r, row in enumerate(rules.rows):
        for c, kind in enumerate(row):
            parts.append(_square(r, c, LARGE, COLOURS.get(kind, "#eceff1")))
            place = name_of(r, c)
            if place in values:
                parts.append(_text(r, c, f"{values[place]:.2f}", 0.45, 18))
                parts.append(_text(r, c, ARROWS.get(policy.get(place, ""), ""), 0.85, 22))
    return _svg(LARGE * len(rules.rows[0]), LARGE * len(rules.rows), parts)
