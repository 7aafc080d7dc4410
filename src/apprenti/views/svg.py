"""Grids as SVG pictures."""

from collections.abc import Sequence
from typing import Any

SMALL = 24
"""Pixels of a cell."""
EMPTY = (0, "", ".", None, False)


def svg(width: int, height: int, parts: Sequence[str]) -> str:
    """A picture of these parts."""
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">\n{body}\n</svg>\n'


def square(row: int, column: int, side: int, colour: str) -> str:
    """A cell."""
    place = f'x="{column * side + 0.5}" y="{row * side + 0.5}" width="{side - 1}" height="{side - 1}"'
    return f'<rect {place} rx="3" fill="{colour}"/>'


def grid_svg(grid: Sequence[Sequence[Any]]) -> str:
    """A grid of full and empty cells, row 0 at the top."""
    parts = [
        square(r, c, SMALL, "#eceff1" if cell in EMPTY else "#1e5fbf")
        for r, row in enumerate(grid)
        for c, cell in enumerate(row)
    ]
    return svg(SMALL * max(map(len, grid)), SMALL * len(grid), parts)
