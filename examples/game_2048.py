"""2048: a whole game for one, with chance, in a file. Installed with these lines, every command knows it:

[project.entry-points."apprenti.plugins"]
2048 = "game_2048:PLUGIN"
"""

from dataclasses import dataclass
from functools import cache, cached_property

import apprenti
from apprenti import (
    CHANCE,
    OVER,
    BadNotation,
    BadRules,
    Entry,
    Game,
    IllegalMove,
    Outcome,
    Plugin,
    Reason,
    RulesBase,
    StateBase,
)

Cells = tuple[tuple[int, ...], ...]
Tile = tuple[int, int, int]
"""A tile that comes: its row, its column, 2 or 4."""


class End(Reason):
    """How a game ends."""

    STUCK = "stuck", "nothing can be pushed any more"


@dataclass(frozen=True)
class Rules(RulesBase):
    """The board, and how often a 4 comes."""

    size: int = 4
    """Rows and columns."""
    fours: float = 0.1
    """The probability that a new tile is a 4 and not a 2."""

    def __post_init__(self) -> None:
        if type(self.size) is not int or not 2 <= self.size <= 8 or not 0 <= self.fours <= 1:
            raise BadRules(f"a board of 2 to 8 rows, and fours from 0 to 1, not {self.size} and {self.fours}.")


@cache
def slid(row: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """A row pushed to the left, and what its mergers score."""
    tiles, merged, score = [tile for tile in row if tile], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
            score += tile
        merged.append(tile)
    return (*merged, *[0] * (len(row) - len(merged))), score


def turned(cells: Cells) -> Cells:
    """The board turned by a quarter, clockwise."""
    return tuple(zip(*cells[::-1], strict=True))


@dataclass(frozen=True)
class State(StateBase[str | Tile, "State"]):
    """A position: the tiles, 0 where there is none, the score, and how many tiles chance has still to put there."""

    rules: Rules
    cells: Cells
    score: int = 0
    coming: int = 0

    @classmethod
    def start(cls, rules: Rules) -> "State":
        """The empty board; two tiles come."""
        return cls(rules, ((0,) * rules.size,) * rules.size, coming=2)

    @classmethod
    def parse(cls, rules: Rules, text: str) -> "State":
        """Read `2,0/0,4 12 0`: the rows, the score, the tiles to come."""
        try:
            board, score, coming = text.split()
            cells = tuple(tuple(map(int, row.split(","))) for row in board.split("/"))
            state = cls(rules, cells, int(score), int(coming))
        except ValueError:
            raise BadNotation(f"a position is like 2,0/0,4 12 0, not {text!r:.60}.") from None
        if {len(cells), *map(len, cells)} != {rules.size} or state.coming not in (0, 1, 2):
            raise BadNotation(f"a position has {rules.size} rows of {rules.size} tiles, unlike {text!r:.60}.")
        return state

    @property
    def notation(self) -> str:
        """The position on one line."""
        return f"{'/'.join(','.join(map(str, row)) for row in self.cells)} {self.score} {self.coming}"

    @property
    def turn(self) -> int:
        """Chance's while tiles are to come."""
        return CHANCE if self.coming else OVER if self.outcome else 0

    @cached_property
    def _pushed(self) -> dict[str, tuple[Cells, int]]:
        """Where each push that changes something leads, and what it scores."""
        found, cells = {}, self.cells
        for quarter, move in enumerate("LDRU"):
            rows = [slid(row) for row in cells]
            after = tuple(row for row, _ in rows)
            if after != cells:
                for _ in range(-quarter % 4):
                    after = turned(after)
                found[move] = after, sum(score for _, score in rows)
            cells = turned(cells)
        return found

    @property
    def outcome(self) -> Outcome | None:
        """Over when nothing can be pushed."""
        return None if self.coming or self._pushed else Outcome(End.STUCK, scores=(float(self.score),))

    def legal_moves(self) -> tuple[str, ...]:
        """The pushes that change something: left, down, right, up."""
        return () if self.coming else tuple(self._pushed)

    def chances(self) -> tuple[tuple[Tile, float], ...]:
        """Where a tile can come, which, and how likely that is."""
        if not self.coming:
            return ()
        free = [(r, c) for r, row in enumerate(self.cells) for c, tile in enumerate(row) if not tile]
        law = [(tile, p) for tile, p in ((2, 1 - self.rules.fours), (4, self.rules.fours)) if p]
        return tuple(((row, column, tile), p / len(free)) for row, column in free for tile, p in law)

    def play(self, move: str | Tile) -> "State":
        """The board after a push, or after a tile of `chances` has come."""
        if self.coming and move in [tile for tile, _ in self.chances()]:
            row, column, tile = move
            rows = [list(cells) for cells in self.cells]
            rows[row][column] = tile
            return State(self.rules, tuple(map(tuple, rows)), self.score, self.coming - 1)
        if move not in self.legal_moves():
            raise IllegalMove(f"one can push {' '.join(self.legal_moves()) or 'nowhere'} here, not {move!r}.")
        cells, score = self._pushed[move]
        return State(self.rules, cells, self.score + score, 1)


class Game2048(Game[Rules, State, str | Tile, State]):
    """The game."""

    name, players, sides = "2048", 1, ("player",)
    RulesType, StateType, Reasons = Rules, State, End

    def measures(self, state: State) -> dict[str, float]:
        """The score and the highest tile."""
        return {"score": float(state.score), "highest": float(max(max(row) for row in state.cells))}


GAME = Game2048()
PLUGIN = Plugin(games={"2048": Entry("game_2048:GAME", "tiles that add up")})

if __name__ == "__main__":
    for name in ("random", "mcts:5"):
        found = apprenti.evaluate(name, game=GAME, games=3, workers=1, size=3)
        print(f"{name}: {found.mean:.0f} points a game on 3 by 3")
