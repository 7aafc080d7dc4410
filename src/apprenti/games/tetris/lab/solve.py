"""Solve a small board exactly, check the result by playing, and keep the table as an agent."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from apprenti.arena.executors import cores
from apprenti.arena.statistics import student_interval
from apprenti.core.data import JsonData, JsonObject
from apprenti.core.errors import BadOption
from apprenti.core.game import AnyGame
from apprenti.core.machine import GB, ThreadPool, free_memory
from apprenti.games.tetris.agents.optimal import OptimalAgent
from apprenti.games.tetris.fast.reachable import (
    MemoryPlan,
    Space,
    every_wall,
    explore_walls,
    plan,
    plan_every_wall,
    warm_up,
)
from apprenti.games.tetris.fast.wall_table import WallTable
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.learn.exact import ExactConfig, Solver
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.kinds.fields import rules_of
from apprenti.lab.results import MOST_GAMES, Effort
from apprenti.lab.so_far import OnRow
from apprenti.lab.solve import Solution, solve_into
from apprenti.lab.solve import Solver as GameSolver
from apprenti.store.runs import ROOT

CURVE = (*range(1, 11), 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""The iterations whose greedy policy is measured; and the last."""

LONGEST = 1000
"""Pieces of a game that is played where lines to come are discounted: such games may never end."""


@dataclass(frozen=True)
class Problem:
    """What to solve, how, and how much to play for it."""

    rules: Rules
    config: ExactConfig = field(default_factory=ExactConfig)
    check_games: int = 50_000
    """Games of the optimal policy, to compare their mean with the value; 0 for none."""
    curve_games: int = 5_000
    """Games of the greedy policy of an iteration; 0 for no curve."""
    seed: int = 1
    workers: int = 0
    memory: float = 0.0
    """Gigabytes that may be taken; 0 for nine tenths of what is free."""
    every_wall: bool = False
    """Solve all walls of the board, also those that play does not lead to: what a window of a larger board shows."""

    def __post_init__(self) -> None:
        for name in ("check_games", "curve_games"):
            if not 0 <= getattr(self, name) <= MOST_GAMES:
                raise BadOption(f"--{name.replace('_', '-')} is from 0 to {MOST_GAMES}, not {getattr(self, name)}.")
        if not 0 <= self.workers <= 256:
            raise BadOption(f"--workers is a number of cores from 1 to 256, or 0 for all, not {self.workers}.")
        if not 0 <= self.memory < 1e6:
            raise BadOption(f"--memory is a number of gigabytes, or 0 for what is free, not {self.memory:g}.")

    @property
    def size(self) -> str:
        """Columns x rows."""
        return f"{self.rules.width}x{self.rules.height}"

    @property
    def name(self) -> str:
        """What the agent is called unless it is given a name."""
        pieces, dealt = self.rules.pieces.name, self.rules.randomiser.kind
        parts = ["optimal", self.size, "overflow" if self.rules.overflow_clears else ""]
        parts += ["" if pieces == "rapid" else pieces, "" if dealt == "uniform" else dealt]
        parts += ["every-wall"] if self.every_wall else []
        return "-".join(part for part in parts if part)

    @property
    def cores(self) -> int:
        """Cores that will be used."""
        return self.workers or cores()


@dataclass
class BoardSolution(Solution):
    """A board on its way to being solved."""

    problem: Problem
    space: Space
    solver: Solver
    memory: int
    curve: list[JsonData] = field(default_factory=list)
    seconds: float = 0.0
    """Time spent on exploring and solving, without the games."""
    cpu_seconds: float = 0.0
    """The same of all cores together: what a busy machine does not change."""
    check: Evaluation | None = None
    game = GAME

    @property
    def rules(self) -> Rules:
        return self.problem.rules

    @property
    def converged(self) -> bool:
        """Whether the residual is as small as was asked for."""
        return self.solver.residual <= self.problem.config.residual

    @property
    def value(self) -> float:
        """Lines of a game of the optimal player."""
        return float(self.solver.value_of_empty_board)

    @property
    def title(self) -> str:
        return f"the optimal player of {self.problem.size}: {self.value:.3f} lines"

    @property
    def source(self) -> str:
        method, residual = self.problem.config.method, self.solver.residual
        return f"solved by {method} iteration to a residual of {residual:.1e} (apprenti solve)"

    @property
    def measured(self) -> tuple[JsonData, ...]:
        if self.check is None:
            return ()
        summary = self.check.summary("lines")
        return ({
            "mean": summary.mean, "ci95": list(self.played), "unit": "lines", "rules": self.rules.name,
            "size": self.problem.size, "games": summary.games, "deaths": summary.deaths, "seed": self.problem.seed,
        },)  # fmt: skip

    def agent(self) -> OptimalAgent:
        values = self.solver.values[:-1].astype(np.float32)
        return OptimalAgent(WallTable(self.problem.rules, self.problem.config.gamma, self.space.index, values))

    def to_json(self) -> JsonObject:
        problem, rules, solver = self.problem, self.problem.rules, self.solver
        return {
            "size": problem.size,
            "overflow_clears": rules.overflow_clears,
            "rules": rules.to_json(),
            "description": rules.description,
            "reachable_walls": self.space.total,
            "walls_up_to_mirror": self.space.size,
            "value_of_empty_board": self.value,
            "iterations": solver.iteration,
            "sweeps": solver.sweeps,
            "residual": solver.residual,
            "converged": self.converged,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "memory_bytes": self.memory,
            "workers": problem.cores,
            **{"lambda" if name == "lambda_" else name: value for name, value in asdict(problem.config).items()
               if name in ("method", "gamma", "lambda_")},
            "wanted_residual": problem.config.residual,
            "curve": self.curve,
            "check": self._check_to_json(),
        }  # fmt: skip

    @property
    def played(self) -> tuple[float, float]:
        """The 95 % interval of the mean of the games played.

        By Student's law: there are many games, and scores of low boards are far from exponential.
        """
        if self.check is None:
            return -math.inf, math.inf
        summary = self.check.summary("lines")
        return student_interval(summary.mean, summary.deviation, summary.games)

    @property
    def agrees(self) -> bool | None:
        """Whether the value lies in the interval of the games; None if none were played."""
        low, high = self.played
        return low <= self.value <= high if self.check is not None else None

    def _check_to_json(self) -> JsonObject | None:
        if self.check is None:
            return None
        summary = self.check.summary("lines")
        return {
            "games": summary.games, "mean": summary.mean, "deviation": summary.deviation, "ci95": list(self.played),
            "seed": self.problem.seed, "agrees": self.agrees,
        }  # fmt: skip


class Clock:
    """Time, and the time of all cores together."""

    def __init__(self) -> None:
        self._began = perf_counter(), process_time()

    def stopped(self) -> tuple[float, float]:
        """What has passed since it was made."""
        return perf_counter() - self._began[0], process_time() - self._began[1]


@dataclass(frozen=True)
class SolverEvents:
    """What is called as a solution goes on."""

    planned: Callable[[MemoryPlan], None] = lambda _: None
    """Called before memory is taken."""
    explored: Callable[[Space], None] = lambda _: None
    stepped: Callable[[JsonData], None] = lambda _: None
    """Called after each iteration, with its row of the curve."""
    say: Callable[[str], None] = lambda _: None


def solve(problem: Problem, watch: SolverEvents | None = None) -> BoardSolution:
    """Explore, solve, and play to check; nothing is written."""
    watch = watch or SolverEvents()
    allowed = int(problem.memory * GB) or free_memory() * 9 // 10
    watch.say("planning")
    warm_up()
    if problem.every_wall:
        planned = plan_every_wall(problem.rules, problem.config.arrays, allowed)
    else:
        planned = plan(problem.rules, problem.config.arrays, allowed)
    watch.planned(planned)
    threads, clock = ThreadPool(problem.cores), Clock()
    if problem.every_wall:
        space = every_wall(problem.rules)
    else:
        space = explore_walls(problem.rules, threads, lambda words: watch.say(f"exploring: {words}"))
    spent = clock.stopped()
    if planned.is_guess:
        planned = MemoryPlan(problem.rules, space.size, False, problem.config.arrays).check(allowed)
        watch.planned(planned)
    watch.explored(space)
    solution = BoardSolution(problem, space, Solver(space, problem.config, threads), planned.bytes, [], *spent)
    solution.solver.warm_up()
    _iterate(solution, watch)
    solution.solver.forget_all_but_values()
    if problem.check_games and problem.config.gamma == 1:
        watch.say("checking by playing")
        solution.check = _played(solution, problem.check_games)
    return solution


def solve_and_keep(
    problem: Problem, name: str = "", root: Path = ROOT, watch: SolverEvents | None = None
) -> BoardSolution:
    """Solve a board and keep the agent in its folder; when this is interrupted nothing is there."""
    return solve_into(name or problem.name, lambda: solve(problem, watch), root)


def _iterate(solution: BoardSolution, watch: SolverEvents) -> None:
    """Step until done; measure the greedy policy now and then."""
    solver, games = solution.solver, solution.problem.curve_games
    while not solver.done:
        clock = Clock()
        row = solver.step(lambda words: watch.say(f"iteration {solver.iteration}: {words}"))
        seconds, cpu_seconds = clock.stopped()
        solution.seconds, solution.cpu_seconds = solution.seconds + seconds, solution.cpu_seconds + cpu_seconds
        row["seconds"] = round(solution.seconds, 3)
        if games and (solver.iteration in CURVE or solver.done):
            summary = _played(solution, games).summary("lines")
            row |= {"greedy_score": summary.mean, "greedy_ci95": list(summary.ci95)}
        solution.curve.append(row)
        watch.stepped(row)


def _played(solution: BoardSolution, games: int) -> Evaluation:
    """Games of the greedy policy; the same pieces every time."""
    problem = solution.problem
    known = NamedAgent(problem.name, solution.agent(), GAME, problem.rules)
    rules = problem.rules if problem.config.gamma == 1 else problem.rules.changed(max_pieces=LONGEST)
    evaluation = evaluate(known, rules, Effort(games, problem.seed, problem.cores))
    if evaluation.interrupted:
        raise KeyboardInterrupt
    return evaluation


def solve_as_asked(
    game: AnyGame, options: JsonData, gamma: float, residual: float, agent: str, stepped: OnRow
) -> JsonObject:
    """Solve the board that some options of the rules ask for, and store the table as an agent."""
    wrong = set(options) - {"size", "pieces", "randomiser"}
    if wrong:
        raise BadOption(f"what is solved has a size, pieces and a randomiser, and no {', '.join(sorted(wrong))}.")
    rules = rules_of(game, game.rules(rules="simplified"), {"size": "4x5", **options}, game.name)
    problem = Problem(rules, ExactConfig("modified", gamma, residual=residual))
    watch = SolverEvents(stepped=lambda row: stepped(row_so_far(row)))
    solution = solve_and_keep(problem, agent, watch=watch)
    return {"agent": agent or problem.name, **solution.to_json()}


def row_so_far(row: JsonData) -> dict[str, float]:
    """A row of the curve as it is written while it grows."""
    return {"value": row["value_of_empty_board"], "iteration": row["iteration"], "residual": row["residual"]}


def solve_of_options(
    game: AnyGame, method: str = "modified", gamma: float = 1.0, seed: int = 1, workers: int = 0, **options: Any
) -> BoardSolution:
    """The optimal player of a small board; other options are those of the rules."""
    rules = game.rules(**{"size": "4x5", **options})
    return solve(Problem(rules, ExactConfig(method, gamma), seed=seed, workers=workers))


SOLVER = GameSolver(solve_as_asked, solve_of_options, "apprenti.games.tetris.cli.solve")
