"""A grid world as text and as an SVG picture: its map, the player on it, values and best moves."""

from collections.abc import Mapping

from apprenti.games.mdp.grid import Rules, name_of
from apprenti.games.mdp.state import State
from apprenti.views.svg import square, svg
from apprenti.views.view import Look, View, best_of

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


SIGNS = {"S": ".", "G": "+", "P": "-", "C": "!"}


class GridView(View[State]):
    """The view of grid worlds."""

    def screen(self, state: State, look: Look) -> str:
        rows = state.rules.rows  # type: ignore[union-attr]
        lines = ["   " + " ".join(chr(ord("a") + column) for column in range(len(rows[0])))]
        for r, row in enumerate(rows):
            cells = ["@" if name_of(r, c) == state.place else SIGNS.get(kind, kind) for c, kind in enumerate(row)]
            lines.append(f"{r + 1:>2} {' '.join(cells)}")
        return "\n".join([*lines, *([f"hint: {best_of(look.hints)}"] if look.hints else [])])

    def how(self, state: State) -> str:
        return f"one of {' '.join(state.legal_moves())}"

    def score(self, state: State) -> str:
        return f"score {state.score:g}, moves {state.moves}"

    def solved(self, rules: Rules, values: Mapping[str, float], policy: Mapping[str, str]) -> str:
        return world_svg(rules, values, policy)

    def about(self, rules: object) -> tuple[str, ...]:
        return (
            "@ is you. Reach + and keep away from - and !. The floor may be slippery: then you sometimes",
            "land beside the cell you wanted. Every step has its price. # is a wall.",
        )


VIEW = GridView()
