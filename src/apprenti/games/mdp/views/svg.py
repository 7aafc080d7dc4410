"""Grid worlds as SVG pictures."""

from collections.abc import Mapping

from apprenti.games.mdp.grid import Rules, name_of
from apprenti.views.svg import square, svg

LARGE = 72
ARROWS = {"up": "↑", "right": "→", "down": "↓", "left": "←"}
COLOURS = {"#": "#37474f", "G": "#43a047", "P": "#e53935", "C": "#8d6e63"}


def _text(row: int, column: int, text: str, up: float, size: int) -> str:
    x, y = (column + 0.5) * LARGE, (row + up) * LARGE
    style = f'text-anchor="middle" font-family="sans-serif" font-size="{size}" fill="#111"'
    return f'<text x="{x}" y="{y}" {style}>{text}</text>'


def world_svg(rules: Rules, values: Mapping[str, float], policy: Mapping[str, str]) -> str:
    """A map with the value and the best move of each cell."""
    parts = []
    for r, row in enumerate(rules.rows):
        for c, kind in enumerate(row):
            parts.append(square(r, c, LARGE, COLOURS.get(kind, "#eceff1")))
            place = name_of(r, c)
            if place in values:
                parts.append(_text(r, c, f"{values[place]:.2f}", 0.45, 18))
                parts.append(_text(r, c, ARROWS.get(policy.get(place, ""), ""), 0.85, 22))
    return svg(LARGE * len(rules.rows[0]), LARGE * len(rules.rows), parts)
