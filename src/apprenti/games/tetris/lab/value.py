"""A player beside the optimum of a small board: its exact value wall by wall, and which of its moves cost most.

The regret of a move is the best value there less the value of the move that was made, in lines. What a game of a player
lacks of the optimum is the sum of the regrets of its moves (the performance difference of Kakade and Langford 2002).
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apprenti.arena.game import seeds_of_game
from apprenti.core.data import JsonObject
from apprenti.core.machine import GB, ThreadPool, free_memory
from apprenti.core.protocols import Compiles
from apprenti.games.tetris.agents.optimal import OptimalAgent
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.fast.reachable import PLACE_BITS, chunks, explore_walls, plan, warm_up
from apprenti.games.tetris.fast.wall_table import WallTable
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.lab.solve import Problem
from apprenti.games.tetris.learn.exact import CHUNK, ExactConfig, PolicyEvaluation, Solver, Values, law_of
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.walls import afterstates, board_of, mirrored
from apprenti.lab.agents import NamedAgent
from apprenti.lab.solve import Solution, solve_into
from apprenti.store.runs import ROOT

Say = Callable[[str], None]
PARTS = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles of the walls."""
SETTLED = 1e-9
"""Lines by which the values of a player may change in a last sweep."""
COSTLY = 1e-6
"""Lines that a move must lose to count: the optimum itself is known up to its residual."""


@dataclass(frozen=True)
class PlayerValue(Solution):
    """What a player is worth on each wall, what could be had there, and how often it comes there."""

    player: str
    problem: Problem
    table: WallTable
    """Ṽ^π of every reachable wall. Who is greedy for it is better than the player (Howard's improvement)."""
    value: float
    optimum: float
    improved: float
    """What a game of the player that is greedy for these values is worth."""
    parts: tuple[float, ...]
    """Of all walls, by `PARTS`, what the player makes of what could be had."""
    moves: float
    """Pieces of a game."""
    costly: float
    """Which part of them loses lines."""
    lost: float
    """Lines that all of them lose in a game, in the mean."""
    walls_met: int
    """Walls that its games come to."""
    farthest: tuple[int, float, float]
    """The wall on which it lacks most, its own value there, and the best."""

    game = GAME

    @property
    def rules(self) -> Rules:
        return self.problem.rules

    @property
    def title(self) -> str:
        return f"{self.player} improved once on {self.problem.size}: {self.improved:.3f} lines"

    @property
    def source(self) -> str:
        return f"greedy for the exact value of {self.player}, {self.value:.3f} lines (apprenti solve --of)"

    def agent(self) -> OptimalAgent:
        return OptimalAgent(self.table)

    def to_json(self) -> JsonObject:
        wall, own, best = self.farthest
        return {
            "player": self.player, "size": self.problem.size, "rules": self.problem.rules.description,
            "value_of_empty_board": self.value, "optimum": self.optimum, "part": self.value / self.optimum,
            "improved": self.improved, "pieces": self.moves, "costly_moves": self.costly, "lost": self.lost,
            "walls": int(self.table.values.size), "walls_met": self.walls_met,
            "parts_of_walls": dict(zip(map(str, PARTS), self.parts, strict=True)),
            "farthest": {"value": own, "optimum": best, "board": str(board_of(self.problem.rules, wall))},
        }  # fmt: skip


def value_of(agent: NamedAgent, problem: Problem, say: Say = lambda _: None) -> PlayerValue:
    """Evaluate a player exactly, solve the board, and hold the two together."""
    agent.check(agent.game, problem.rules)
    allowed, threads = int(problem.memory * GB) or free_memory() * 9 // 10, ThreadPool(problem.cores)
    warm_up()
    taken = 2 * plan(problem.rules, problem.config.arrays, allowed // 2).bytes  # a wall and its image are two here
    say("solving the board")
    solver = _solved(problem.rules, problem.config, problem.cores)
    space = solver.space
    law = law_of(agent.agent, space, say, allowed - taken)
    player = PolicyEvaluation(space, law, problem.config.gamma, threads)
    player.settle(SETTLED, say=say)
    improved = _improved(solver, player.values)
    say("visiting the walls")
    visits, best = player.visits(), solver.values[:-1]
    costly, lost = _losses(player, solver, visits)
    lacks = best - player.values[:-1]
    worst = int(lacks.argmax())
    wall = int(space.walls[int(np.flatnonzero(space.places == worst)[0])])
    parts = np.quantile(player.values[:-1][best > 0] / best[best > 0], PARTS)
    table = WallTable(problem.rules, problem.config.gamma, space.index, player.values[:-1].astype(np.float32), True)
    return PlayerValue(
        agent.name, problem, table, player.value_of_empty_board, solver.value_of_empty_board, improved,
        tuple(map(float, parts)), float(visits.sum()), costly, lost, int((visits > 0).sum()),
        (wall, float(player.values[worst]), float(best[worst])),
    )  # fmt: skip


@lru_cache(maxsize=1)
def _solved(rules: Rules, config: ExactConfig, cores: int) -> Solver:
    """The optimum of a board on which a wall and its image are two; the next player may want the same."""
    threads = ThreadPool(cores)
    solver = Solver(explore_walls(rules, threads, mirrored=False), config, threads)
    while not solver.done:
        solver.step()
    return solver


def _improved(solver: Solver, values: Values) -> float:
    """What a game of the greedy policy of some values is worth."""
    optimum = solver.values.copy()
    solver.values[:] = values
    solver.improve()
    value = solver.value_of_policy()
    solver.values[:] = optimum
    solver.improve()
    return value


def _losses(player: PolicyEvaluation, solver: Solver, visits: Values) -> tuple[float, float]:
    """Which part of a game's moves loses lines to the optimum, and how many all of them lose."""
    space, law, pieces = player.space, player.law, len(solver.shares)
    costly = lost = 0.0
    for begin, end in chunks(0, space.size, CHUNK):
        drops = slice(law.starts[begin], law.starts[end])
        walls = np.repeat(np.arange(end - begin), np.diff(law.starts[begin : end + 1]))
        piece = np.searchsorted(space.drops.first, law.drops[drops], "right") - 1
        best = _worth(solver, solver.successors[begin * pieces : end * pieces]).reshape(-1, pieces)
        loss = best[walls, piece] - _worth(solver, player.successors[drops])
        often = visits[space.places[begin:end]][walls] * law.probabilities[drops]
        costly, lost = costly + float(often[loss > COSTLY].sum()), lost + float(often @ loss)
    return costly / float(visits.sum()), lost


def _worth(solver: Solver, successors: NDArray[np.uint32]) -> Values:
    """Lines now and the optimum after."""
    after = solver.values[successors & ((1 << PLACE_BITS) - 1)]
    return np.asarray((successors >> PLACE_BITS) + solver.config.gamma * after)


def value_and_keep(
    agent: NamedAgent, problem: Problem, name: str = "", root: Path = ROOT, say: Say = lambda _: None
) -> tuple[PlayerValue, str]:
    """Evaluate a player, and keep the values as an agent: the player improved once, whose `explain` says Q^π."""
    usual = re.sub(r"[^a-z0-9]+", "-", f"improved-{agent.name}-{problem.size}".lower()).strip("-")
    return solve_into(name or usual, lambda: value_of(agent, problem, say), root), name or usual


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

    by_cost: tuple[Disagreement, ...]
    games: int
    moves: int
    rules: Rules

    @property
    def regrets(self) -> list[float]:
        """Lines that each of the moves costs a game."""
        return [one.regret * one.times / self.games for one in self.by_cost]

    @property
    def regret(self) -> float:
        """Lines that all of them cost a game."""
        return sum(one.regret * one.times for one in self.by_cost) / self.games

    def to_json(self, most: int) -> JsonObject:
        """The most expensive moves, and what all of them cost."""
        shown: list[JsonObject] = [
            {
                "piece": one.best.placement.piece,
                "times": one.times,
                "regret": one.regret,
                "boards": one.drawn(self.rules),
            }
            for one in self.by_cost[:most]
        ]
        costly = sum(one.times for one in self.by_cost)
        return {"regret": self.regret, "games": self.games, "moves": self.moves, "costly_moves": costly, "shown": shown}


def disagreements(player: Compiles, optimal: OptimalAgent, games: int, seed: int = 1) -> Disagreements:
    """Let a compiled player play, and value every move of it as the optimal one does."""
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
    by_cost = sorted(pooled.values(), key=lambda one: -one.regret * one.times)
    return Disagreements(tuple(by_cost), games, sum(seen.values()), rules)


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
