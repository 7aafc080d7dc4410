"""`apprenti solve --size 4x5`: the optimal player of a small board."""

import math
import sys
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import tyro

from apprenti.cli.options import Text
from apprenti.cli.progress import Report, progress
from apprenti.cli.solve import curve_of, hints, print_json
from apprenti.core.data import JsonData
from apprenti.core.machine import free_memory
from apprenti.core.machine import in_words as bytes_in_words
from apprenti.games.tetris.fast.reachable import MemoryPlan
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.lab.solve import BoardSolution, Problem, SolverEvents, row_so_far, solve
from apprenti.games.tetris.lab.value import PlayerValue, value_and_keep, value_of
from apprenti.games.tetris.learn.exact import ExactConfig
from apprenti.games.tetris.walls import board_of
from apprenti.lab.agents import find_own
from apprenti.lab.so_far import CurveSoFar
from apprenti.lab.solve import solve_into


@dataclass(frozen=True, kw_only=True)
class Options:
    """Solve a small board exactly: the value of every wall, and the best player.

    With --of PLAYER, that player's own value of every wall, exactly, beside the optimum.

    `apprenti solve --game gridworld --help` shows the options for another small game for one.
    """

    game: Text = ""
    """tetris, or another small game for one, like gridworld."""
    size: str = "4x5"
    """Columns x rows. 5x5 takes seconds; a board that does not fit into memory is refused."""
    of: Text = ""
    """Any player, like dellacherie, random or epsilon-greedy:0.1,bcts: what it is worth, instead of the best one."""
    every_wall: bool = False
    """Solve all walls of the board, also those that play does not lead to."""
    overflow_clears: bool = False
    """Lines are removed first, and the game is over only if the pile is still too high."""
    pieces: Text = ""
    """rapid, classic, domino, or a text file of shapes."""
    randomiser: Text = ""
    """uniform, or weighted:S=2,Z=2,I=1 (shares)."""
    method: str = "modified"
    """modified (policy iteration that evaluates only roughly: the quickest), value, policy or lambda."""
    lambda_: Annotated[float, tyro.conf.arg(name="lambda")] = 0.9
    """For --method lambda: from 0 (value iteration) to 1 (policy iteration)."""
    gamma: float = 1.0
    """What a line is worth one piece later; 1 for all lines alike."""
    residual: float = 1e-6
    """Go on until Bellman's equation holds up to this, for every wall."""
    iterations: int = 100_000
    """Stop after this number of iterations, however large the residual is."""
    check_games: int = 50_000
    """Games of the optimal player to compare with its value; 0 for none."""
    curve_games: int = 5_000
    """Games that measure the greedy policy of an iteration; 0 for no curve."""
    seed: int = 1
    """Game i depends on this and on i alone."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""
    memory: float = 0.0
    """Gigabytes that may be taken; 0 for nine tenths of what is free."""
    name: Text = ""
    """Name of the agent; default: optimal and the size."""
    store: bool = True
    """Store the table as an agent in runs/NAME; --no-store only solves."""
    so_far: Text = ""
    """While it goes on, write the residual of every iteration to this file, about twice a second (JSON)."""
    json: bool = False
    """Print one JSON object and nothing else."""


def problem_of(options: Options) -> Problem:
    """What was asked for; wrong input is refused here, before anything is done."""
    name = "overflow" if options.overflow_clears else "simplified"
    asked = {"rules": name, "size": options.size, "pieces": options.pieces, "randomiser": options.randomiser}
    rules = GAME.rules(**GAME.typed(asked))
    config = ExactConfig(options.method, options.gamma, options.lambda_, options.residual, options.iterations)
    games = (options.check_games, options.curve_games)
    return Problem(rules, config, *games, options.seed, options.workers, options.memory, options.every_wall)


def line(row: JsonData) -> str:
    """A row of the curve."""
    score = f"{row['greedy_score']:.2f}" if "greedy_score" in row else ""
    return (
        f"{row['iteration']:>9}  {row['value_of_empty_board']:>20.6f}  {score:>19}  "
        f"{row['residual']:>9.1e}  {row['sweeps']:>6}  {row['seconds']:>7.1f} s"
    )


HEADINGS = "iteration  value of empty board  its greedy policy's  residual  sweeps       time"


def watcher(report: Report, problem: Problem, curve: CurveSoFar, quiet: bool = False) -> SolverEvents:
    """Say what is needed, then how far the residual has come; the curve gets every iteration."""
    part, so_far = 0.0, ""

    def planned(plan: MemoryPlan) -> None:
        if not quiet:
            print(f"{problem.size}: {plan}; {bytes_in_words(free_memory())} are free.", file=sys.stderr, flush=True)

    def stepped(row: JsonData) -> None:
        nonlocal part, so_far
        part = max(part, min(1.0, math.log(max(row["residual"], 1e-300) / 3) / math.log(problem.config.residual / 3)))
        curve.add(row_so_far(row))
        so_far = f"value {row['value_of_empty_board']:.4f}, residual {row['residual']:.1e}; "

    return SolverEvents(planned, lambda _: None, stepped, lambda words: report(max(part, 0.0), so_far + words))


def table(solution: BoardSolution) -> str:
    """What was seen on the way; of many iterations the first and those that were measured."""
    space, rows = solution.space, solution.curve
    shown = [row for row in rows if "greedy_score" in row or len(rows) <= 20 or row is rows[-1]]
    walls = f"{space.total} reachable walls, {space.size} up to their mirror image"
    return "\n".join([solution.problem.rules.description, walls, "", HEADINGS, *map(line, shown)])


def conclusion(solution: BoardSolution, name: str) -> str:
    """What came out, and what to do with it."""
    solver, check = solution.solver, solution.check
    words = [f"\noptimum of {solution.problem.size}: {solver.value_of_empty_board:.4f} lines a game"]
    words[0] += f" (residual {solver.residual:.1e}, {solution.seconds:.1f} s)"
    if not solution.converged:
        words.append(f"not solved: the residual is above {solution.problem.config.residual:g}; raise --iterations.")
    if check is not None:
        summary, (low, high) = check.summary("lines"), solution.played
        where = "inside" if solution.agrees else "outside (as one check in twenty)"
        words.append(
            f"played: {summary.mean:.3f} lines in {summary.games} games, 95 % interval {low:.3f} … {high:.3f}; "
            f"the value is {where}"
        )
    elif solution.problem.config.gamma < 1:
        words.append("not checked by playing: with gamma below 1 the value is no mean of lines.")
    if name:
        words.append(hints(name))
    return "\n".join(words)


def run_of(options: Options, problem: Problem) -> None:
    """Evaluate a player, store its values and report."""
    agent = find_own(options.of, GAME)
    with progress(f"{agent.name} on {problem.size}", quiet=options.json) as report:
        say = partial(report, 0.0)
        if options.store:
            value, name = value_and_keep(agent, problem, options.name, say=say)
        else:
            value, name = value_of(agent, problem, say), ""
    if options.json:
        print_json(value, name)
    else:
        print(in_words(value, name))


def in_words(value: PlayerValue, name: str) -> str:
    """What a player is worth."""
    size, (wall, own, best) = value.problem.size, value.farthest
    quantiles = ", ".join(f"{part:.0%}" for part in value.parts)
    words = [
        value.problem.rules.description,
        f"{value.player} on {size}: {value.value:.4f} lines a game, {value.value / value.optimum:.1%} of the optimum "
        f"{value.optimum:.4f}",
        f"it meets {value.walls_met} of {value.table.values.size} walls and plays {value.moves:.2f} pieces a game; "
        f"{value.costly:.1%} of them lose lines, {value.lost:.4f} altogether",
        f"improved once (greedy for its values): {value.improved:.4f} lines",
        f"of what can be had on a wall it makes {quantiles} (5, 25, 50, 75 and 95 % of the walls make less)",
        f"it lacks most here: {own:.2f} lines of {best:.2f}",
        str(board_of(value.problem.rules, wall)),
    ]
    if name:
        words.append(f"  apprenti explain {name} POSITION   what each placement is worth to {value.player} (Q)")
    return "\n".join(words)


def run(options: Options) -> None:
    """Solve, store and report."""
    problem = problem_of(options)
    if options.of:
        run_of(options, problem)
        return
    name, curve = (options.name or problem.name) if options.store else "", curve_of(options.so_far)
    with progress(f"solve {problem.size}", quiet=options.json) as report:
        watch = watcher(report, problem, curve, quiet=options.json)
        solution = solve_into(name, lambda: solve(problem, watch))
    curve.write()
    if options.json:
        print_json(solution, name)
    else:
        print(f"{table(solution)}\n{conclusion(solution, name)}")
