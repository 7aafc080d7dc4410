"""`apprenti solve` and `explain`: what is best, and what an agent thinks is best."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from apprenti.cli.language import say
from apprenti.cli.options import CommandLine, Text, check_writable, parse
from apprenti.cli.request import Request, read_agents, read_game, scan
from apprenti.cli.tables import print_table
from apprenti.core.errors import BadNotation, BadOption
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES, load, usual_game
from apprenti.core.protocols import CHANCE, OVER, AnyRules, AnyState
from apprenti.core.seeds import Stream
from apprenti.lab.so_far import CurveSoFar
from apprenti.lab.solve import GameSolution, Solution, solve_game, solve_into, solver_of
from apprenti.learn.value_iteration import ValueConfig
from apprenti.views.numbers import number
from apprenti.views.thoughts import finite, rows_of, thinks, thoughts_of
from apprenti.views.view import Look, view_of

MOST_SHOWN = 60
"""States in a table, at most."""


@dataclass(frozen=True, kw_only=True)
class SolveOptions:
    """Solve a small game for one exactly, by value iteration: what every state and every move is worth."""

    game: Text = ""
    """The game (apprenti games)."""
    gamma: float = 1.0
    """What a reward is worth one move later; below 1 for a game without an end."""
    residual: float = 1e-9
    """Go on until Bellman's equation holds up to this, in every state."""
    iterations: int = 100_000
    """Stop after this many, however large the residual is."""
    name: Text = ""
    """Store the table as an agent in runs/NAME."""
    so_far: Text = ""
    """While it goes on, write the residual of every iteration to this file, about twice a second (JSON)."""
    json: bool = False
    """Print one JSON object and nothing else."""


def read_solve(options: type[SolveOptions], command: str, words: Sequence[str]) -> Any:
    """The options of the game's own solver, or a request for any other game."""
    _, named = scan(words, options)
    game = GAMES.load(named.get("game") or usual_game())
    own = solver_of(game).command
    return parse(load(own).Options, command, words) if own else read_game(options, command, words, game)


def solve(request: Any) -> int:
    """Solve, store and report."""
    if not isinstance(request, Request):
        return load(type(request).__module__).run(request) or 0
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
        say(f"and {len(rows) - MOST_SHOWN} more: --json has them all.")
    values = solution.solved
    say(f"rules: {solution.game.describe(solution.rules)}")
    say(
        f"from the start: {number(solution.value)} {solution.game.unit(solution.rules)}, γ = {values.config.gamma:g} "
        f"({solution.states} states, {values.iterations} iterations, residual {values.residual:.1e})"
    )
    if not solution.converged:
        say("not solved: raise --iterations, or choose a --gamma below 1 if games may never end.")
    if name:
        say(hints(name))


@dataclass(frozen=True, kw_only=True)
class ExplainOptions:
    """What an agent thinks of one position: the value of every move, and what each criterion adds to it.

    For agents that can tell: players of tetris, tables, search. At tetris a position is the board, the top row first
    ('.' empty, '/' between rows; rows that are left out are empty ones on top), and the piece, like
    "####....../###....... T". --json and `apprenti replay FILE --json` write whole positions.
    """

    agent: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="AGENT")]
    """A name from the zoo (apprenti agents), a run, a file, or a description like evaluation:0.5,0.5,0.6,0.2."""
    position: Annotated[
        tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="POSITION", help_behavior_hint="")
    ] = ()
    """In the game's notation, with or without quotes; default: the first position of a game."""
    game: Text = ""
    """The game (apprenti games), so that short names like random will do; default: the one the agent plays."""
    seed: int = 1
    """What chance brings where no position is given."""
    json: bool = False
    """Print one JSON object and nothing else."""


def explain(request: Request) -> None:
    """Say what it thinks."""
    options, game, agent = request.options, request.game, request.agent(request.options.agent)
    rules = request.rules(agent.rules)
    agent.check(game, rules)
    state = position(game, rules, " ".join(options.position), options.seed)
    if not thinks(agent.agent):
        raise BadOption(f"explain is for agents that can say what they think, and {agent.name} cannot.")
    thoughts = thoughts_of(agent.agent, state.observation(state.turn))
    if options.json:
        moves = [one.to_json(game.write_move(one.move)) for one in thoughts.moves]
        about = {"agent": agent.name, "game": game.name, "position": game.write_state(state)}
        print(json.dumps({**about, "moves": moves, "words": thoughts.words}, ensure_ascii=False))
        return
    hints = {one.move: one.value for one in thoughts.moves if finite(one.value) is not None}
    view = view_of(game)
    say(view.screen(state, Look(state.turn, colour=False, hints=hints, numbers=True)))
    if thoughts.moves:
        print_table(*rows_of(view.named_in(state, thoughts)))
    if thoughts.words:
        say(thoughts.words)


def position(game: AnyGame, rules: AnyRules, text: str, seed: int) -> AnyState:
    """A position in which somebody is to move."""
    rng = Stream.named(seed, "explain")
    state: AnyState = game.read_state(rules, text) if text else game.start(rules, [rng] * game.players)
    while not text and state.turn == CHANCE:
        state = state.deal(rng)
    if state.turn in (CHANCE, OVER):
        raise BadNotation("nobody is to move in this position: the game is over, or chance has to deal first.")
    return state


SOLVE = CommandLine(SolveOptions, solve, read_solve)
EXPLAIN = CommandLine(ExplainOptions, explain, read_agents)
