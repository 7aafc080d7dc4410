"""A grid world as text: its map, and who walks on it."""

from collections.abc import Mapping

from apprenti.games.mdp.grid import Rules, name_of
from apprenti.games.mdp.state import State
from apprenti.games.mdp.views.svg import world_svg
from apprenti.views.view import Look, View, best_of

SIGNS = {"S": ".", "G": "+", "P": "-", "C": "!"}


class GridView(View):
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
