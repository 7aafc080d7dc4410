"""The exact value of a player on a small board, and wall by wall how far it is from the optimum."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import JsonObject
from apprenti.core.machine import GB, ThreadPool, free_memory
from apprenti.games.tetris.agents.optimal import OptimalAgent
from apprenti.games.tetris.fast.reachable import PLACE_BITS, chunks, explore_walls, plan, warm_up
from apprenti.games.tetris.fast.wall_table import WallTable
from apprenti.games.tetris.lab.solve import Problem, write_table
from apprenti.games.tetris.learn.exact import ExactConfig, Solver
from apprenti.games.tetris.learn.policy_evaluation import PolicyEvaluation, law_of
from apprenti.games.tetris.learn.sweeps import CHUNK, Values
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.walls import board_of
from apprenti.lab.agents import NamedAgent
from apprenti.lab.solve import table_folder
from apprenti.store.runs import ROOT

Say = Callable[[str], None]
PARTS = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles of the walls."""
SETTLED = 1e-9
"""Lines by which the values of a player may change in a last sweep."""
COSTLY = 1e-6
"""Lines that a move must lose to count: the optimum itself is known up to its residual."""


@dataclass(frozen=True)
class PlayerValue:
    """What a player is worth on each wall, what could be had there, and how often it comes there."""

    name: str
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

    @property
    def agent(self) -> OptimalAgent:
        return OptimalAgent(self.table)

    def to_json(self) -> JsonObject:
        """Everything that belongs beside the value."""
        wall, own, best = self.farthest
        return {
            "player": self.name, "size": self.problem.size, "rules": self.problem.rules.description,
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
    found = solver.value_of_policy()
    solver.values[:] = optimum
    solver.improve()
    return found


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
    with table_folder(name or usual, root) as run:
        found = value_of(agent, problem, say)
        title = f"{agent.name} improved once on {problem.size}: {found.improved:.3f} lines"
        source = f"greedy for the exact value of {agent.name}, {found.value:.3f} lines (apprenti solve --of)"
        write_table(run, title, found.agent, source, found.to_json(), ())
    return found, run.name
