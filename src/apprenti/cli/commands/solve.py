"""`apprenti solve --game gridworld`: the best that can be done, exactly."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from apprenti.cli.options import Text, parse
from apprenti.cli.replays import check_writable
from apprenti.cli.request import Request, read_game, scan
from apprenti.cli.tables import print_table
from apprenti.core.plugins import GAMES, usual_game
from apprenti.lab.so_far import CurveSoFar
from apprenti.lab.solve import GameSolution, Solution, solve_game, solve_into, solver_of
from apprenti.learn.value_iteration import ValueConfig
from apprenti.views.numbers import number

MOST_SHOWN = 60
"""States in a table, at most."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Solve a small game for one exactly, by value iteration: what every state and every move is worth."""

    game: Text = ""
    """The game (apprenti games)."""
    gamma: float = 1.0
    """What a reward is worth one move later; below 1 for a game without an end."""
    residual: float = 1e-9
    """Go on until Bellman's equation holds up to this, in every state."""
    iterations: int = 100_000
    """Stop after so many, however large the residual is."""
    name: Text = ""
    """Store the table as an agent in runs/NAME."""
    so_far: Text = ""
    """While it goes on, write the residual of every iteration to this file, about twice a second (JSON)."""
    json: bool = False
    """Print one JSON object and nothing else."""


def read_words(words: Sequence[str]) -> Any:
    """The options of the game's own solver, or a request for any other game."""
    _, said = scan(words, Options)
    game = GAMES.load(said.get("game") or usual_game())
    own = solver_of(game).command
    return parse(import_module(own).Options, "solve", words) if own else read_game("solve", Options, words, game)


def run(request: Any) -> int:
    """Solve, store and report."""
    if not isinstance(request, Request):
        return import_module(type(request).__module__).run(request) or 0
    options = request.options
    config = ValueConfig(options.gamma, options.residual, options.iterations)
    curve = curve_of(options.so_far)
    solution = solve_into(options.name, lambda: solve_game(request.game, request.rules(), config, curve.add))
    curve.write()
    if options.json:
        print_json(solution, options.name)
    else:
        show(solution, options.name)
    return 0


def print_json(solution: Solution, name: str) -> None:
    """One object: what is known, and the name of the agent that was stored."""
    print(json.dumps({"agent": name or None, **solution.to_json()}, ensure_ascii=False))


def hints(name: str) -> str:
    """What to do with the agent that was stored."""
    return f"  apprenti watch {name}      watch it play\n  apprenti evaluate {name}   measure it"


def curve_of(path: str) -> CurveSoFar:
    """Where the residual is written while it goes on; a place that takes no file is refused now."""
    if path:
        check_writable(Path(path).parent)
    return CurveSoFar(Path(path) if path else None)


def show(solution: GameSolution, name: str) -> None:
    """The values of a few states, and what was found."""
    best, rows = solution.policy, list(solution.values.items())
    print_table(
        ("state", "value", "best move"), [(text, number(value), best[text]) for text, value in rows[:MOST_SHOWN]]
    )
    if len(rows) > MOST_SHOWN:
        print(f"and {len(rows) - MOST_SHOWN} more: --json has them all.")
    found = solution.found
    print(f"rules: {solution.game.describe(solution.rules)}")
    print(
        f"from the start: {number(solution.value)} {solution.game.unit(solution.rules)}, γ = {found.config.gamma:g} "
        f"({solution.states} states, {found.iterations} iterations, residual {found.residual:.1e})"
    )
    if not solution.converged:
        print("not solved: raise --iterations, or choose a --gamma below 1 if games may never end.")
    if name:
        print(hints(name))
