"""Where a player disagrees with the optimal one: on which walls, how often, and with how much regret.

The regret of a move is the best value there less the value of the move that was made, in lines. What a game of a player
lacks of the optimum is the sum of the regrets of its moves (the performance difference of Kakade and Langford 2002).
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from apprenti.arena.game import seeds_of_game
from apprenti.core.data import JsonObject
from apprenti.core.protocols import Compiles
from apprenti.games.tetris.agents.optimal import OptimalAgent
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.walls import afterstates, board_of, mirrored

LONGEST = 10_000
"""Moves of a game that are looked at."""


@dataclass(frozen=True)
class Choice:
    """A placement, the wall it leaves (None: the end), and what it is worth."""

    placement: Placement
    after: int | None
    value: float


@dataclass(frozen=True)
class Disagreement:
    """A move that the optimal player does not make, and that costs lines."""

    wall: int
    theirs: Choice
    best: Choice
    times: int
    """How often it was made; its mirror image counts, too."""

    @property
    def regret(self) -> float:
        """Lines it costs each time."""
        return self.best.value - self.theirs.value

    def drawn(self, rules: Rules) -> str:
        """The wall, their placement and the best one, side by side."""
        board = board_of(rules, self.wall)
        boards = [board, *(board.with_cells(c.placement.cells, c.placement.piece) for c in (self.theirs, self.best))]
        rows = max(len(one.rows) for one in boards)
        columns = [[one.rows[r] if r < len(one.rows) else "." * one.width for r in range(rows)] for one in boards]
        return "\n".join("    ".join(parts) for parts in reversed(list(zip(*columns, strict=True))))


@dataclass(frozen=True)
class Disagreements:
    """All the moves of many games that cost lines, the most expensive altogether first."""

    found: tuple[Disagreement, ...]
    games: int
    moves: int
    rules: Rules

    @property
    def regrets(self) -> list[float]:
        """Lines that each of the moves costs a game."""
        return [one.regret * one.times / self.games for one in self.found]

    @property
    def regret(self) -> float:
        """Lines that all of them cost a game."""
        return sum(one.regret * one.times for one in self.found) / self.games

    def to_json(self, most: int) -> JsonObject:
        """The most expensive moves, and what all of them cost."""
        shown: list[JsonObject] = [
            {
                "piece": one.best.placement.piece,
                "times": one.times,
                "regret": one.regret,
                "boards": one.drawn(self.rules),
            }
            for one in self.found[:most]
        ]
        costly = sum(one.times for one in self.found)
        return {"regret": self.regret, "games": self.games, "moves": self.moves, "costly_moves": costly, "shown": shown}


def disagreements(player: Compiles, optimal: OptimalAgent, games: int, seed: int = 1) -> Disagreements:
    """Let a compiled player play, and value every move of it as the optimal one does."""
    from apprenti.games.tetris.fast.players import play

    rules = optimal.table.rules
    choices = _choices(optimal, rules)
    seen: Counter[tuple[int, str, int, int]] = Counter()
    seeds = [seeds_of_game(seed, i) for i in range(games)]
    for result in play(rules, player.compiled(rules), [(one.chance, one.players[0]) for one in seeds], LONGEST):
        wall: int | None = 0
        for letter, rotation, column in result.moves:
            assert wall is not None  # the game goes on
            seen[wall, letter, rotation, column] += 1
            wall = choices(wall, letter)[rotation, column].after
    pooled: dict[tuple[int, int], Disagreement] = {}
    for (wall, letter, rotation, column), times in seen.items():
        options = choices(wall, letter)
        theirs, best = options[rotation, column], max(options.values(), key=lambda choice: choice.value)
        if best.value > theirs.value:
            key = _key(rules, wall, theirs.placement)
            times += pooled[key].times if key in pooled else 0
            pooled[key] = Disagreement(wall, theirs, best, times)
    found = sorted(pooled.values(), key=lambda one: -one.regret * one.times)
    return Disagreements(tuple(found), games, sum(seen.values()), rules)


def _choices(optimal: OptimalAgent, rules: Rules) -> Callable[[int, str], dict[tuple[int, int], Choice]]:
    """(rotation, column) → what that placement is worth; walls come again and again."""

    @cache
    def choices(wall: int, letter: str) -> dict[tuple[int, int], Choice]:
        return {
            (placement.rotation, placement.column): Choice(
                placement, after, lines + optimal.table.gamma * (0.0 if after is None else optimal.table.value(after))
            )
            for placement, lines, after in afterstates(rules, wall, letter)
        }

    return choices


def _key(rules: Rules, wall: int, placement: Placement) -> tuple[int, int]:
    """The same for a move and its mirror image."""
    cells = sum(1 << (row * rules.width + column) for row, column in placement.cells)
    return max((wall, cells), (mirrored(wall, rules.width), mirrored(cells, rules.width)))
