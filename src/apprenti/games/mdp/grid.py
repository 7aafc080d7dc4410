"""Grid worlds: a map, four moves, a floor that may be slippery."""

from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from apprenti.core.errors import BadRules
from apprenti.core.game import RulesBase
from apprenti.games.mdp.tables import Law, Model

FREE, WALL, START, GOAL, PIT, CLIFF = ".#SGPC"
MOVES = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
LONGEST = 26
"""Rows and columns of a map, at most: columns are named by letters."""


@dataclass(frozen=True)
class Rules(RulesBase):
    """A map and what it pays. A cell has the name of its column and its row: a1 is the top left corner."""

    world: str = "...G/.#.P/S..."
    """Rows from the top, `/` between them: S start, . free, # wall, G goal, P pit (the end), C cliff (back to S)."""
    slip: float = 0.2
    """The probability to slip: half of it to either side of where one wants to go."""
    step: float = -0.04
    """The reward of every move."""
    goal: float = 1.0
    """What reaching a goal adds to it."""
    pit: float = -1.0
    """What falling into a pit, or off a cliff, adds to it."""
    max_moves: int = 1000
    """A game is cut after this number of moves."""

    def __post_init__(self) -> None:
        for name in ("slip", "step", "goal", "pit"):
            object.__setattr__(self, name, float(getattr(self, name)))
        rows = self.rows
        if not rows[0] or {len(row) for row in rows} != {len(rows[0])} or not set(self.world) <= set(".#SGPC/"):
            raise BadRules(
                f"a world is rows of . # S G P C, / between them, like ...G/.#.P/S..., not {self.world!r:.60}."
            )
        if self.world.count(START) != 1 or max(len(rows), len(rows[0])) > LONGEST:
            raise BadRules(f"a world has one S to start from, and up to {LONGEST} rows and columns.")
        if not 0 <= self.slip <= 1 or not all(map(isfinite, (self.step, self.goal, self.pit))):
            raise BadRules(f"slip is a probability and rewards are numbers, unlike {self.slip:g} and {self.rewards}.")
        if type(self.max_moves) is not int or not 1 <= self.max_moves <= 1_000_000:
            raise BadRules(f"--max-moves is from 1 to 1000000, not {self.max_moves}.")

    @property
    def rows(self) -> list[str]:
        """The map, row by row from the top."""
        return self.world.split("/")

    @property
    def rewards(self) -> str:
        """What is paid, as the option has it."""
        return f"{self.step:g},{self.goal:g},{self.pit:g}"

    @property
    def description(self) -> str:
        named = next((name for name, rules in WORLDS.items() if rules.world == self.world), self.world)
        return f"gridworld {named}: slip {self.slip:g}; step {self.step:g}, goal {self.goal:g}, pit {self.pit:g}"

    @property
    def model(self) -> Model:
        """The world as a decision process."""
        return _model(self)


WORLDS = {
    "book": Rules(),
    "cliff": Rules("............/............/............/SCCCCCCCCCCG", 0.0, -1.0, 0.0, -99.0),
    "lake": Rules("S.../.P.P/...P/P..G", 2 / 3, 0.0, 1.0, 0.0),
}
"""Worlds by name: of Russell and Norvig's book (4 by 3), Sutton and Barto's cliff (example 6.6), the frozen lake."""


def name_of(row: int, column: int) -> str:
    """A cell by its column and row."""
    return f"{chr(ord('a') + column)}{row + 1}"


@lru_cache(maxsize=64)
def _model(rules: Rules) -> Model:
    rows = rules.rows
    cells = {(r, c): kind for r, row in enumerate(rows) for c, kind in enumerate(row)}
    start = next(name_of(*cell) for cell, kind in cells.items() if kind == START)
    worth = {GOAL: rules.goal, PIT: rules.pit, CLIFF: rules.pit}

    def reached(cell: tuple[int, int], move: str) -> tuple[str, float]:
        """Where one step leads, and what it pays; walls and edges hold one back."""
        there = cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]
        there = there if cells.get(there, WALL) != WALL else cell
        kind = cells[there]
        return start if kind == CLIFF else name_of(*there), rules.step + worth.get(kind, 0.0)

    def law(cell: tuple[int, int], move: str) -> Law:
        names = list(MOVES)
        sides = [names[(names.index(move) + turn) % 4] for turn in (1, 3)]
        law: dict[str, tuple[float, float]] = {}
        for way, share in ((move, 1 - rules.slip), *((side, rules.slip / 2) for side in sides)):
            if share > 0:
                place, reward = reached(cell, way)
                before, paid = law.get(place, (0.0, 0.0))
                law[place] = before + share, paid + share * reward  # the start can be reached in two ways
        return tuple((place, share, paid / share) for place, (share, paid) in law.items())

    moves = {
        name_of(*cell): {move: law(cell, move) for move in MOVES}
        for cell, kind in cells.items() if kind in (FREE, START)
    }  # fmt: skip
    return Model(start, moves)
