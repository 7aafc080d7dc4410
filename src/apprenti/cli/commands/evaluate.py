"""`apprenti evaluate AGENT`: many games, and how sure the result is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.measure import check_outputs, conclude, evaluate_each, watcher
from apprenti.cli.options import MeasureOptions, Text
from apprenti.cli.progress import progress
from apprenti.cli.request import Request, read_agents
from apprenti.cli.tables import print_evaluations, print_matches, print_rare
from apprenti.core.errors import BadOption
from apprenti.core.protocols import Rules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.effort import Effort
from apprenti.lab.evaluate import Evaluation
from apprenti.lab.match import match
from apprenti.lab.rare_events import RareEvaluation, evaluate_rare
from apprenti.views.numbers import number


@dataclass(frozen=True, kw_only=True)
class Options(MeasureOptions):
    """Measure an agent over many games, with intervals; in a game for two, against another.

    The picture of a game for one is a histogram with its box plot.
    """

    agent: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="AGENT")]
    """A name from the zoo (apprenti agents), a run, a file, or a description like evaluation:0.5,0.5,0.6,0.2."""
    against: Text = ""
    """For games for two: the opponent; default: the best that answers at once."""
    precision: float = 0.0
    """For games for one: until the half-width of the interval is this part of the mean; at most 100 000 games."""
    rare: bool = False
    """For players of Tetris whose games hardly ever end: by splitting, until --precision (0.05 if nothing is said)."""


def read_words(words: Sequence[str]) -> Request:
    """The request."""
    return read_agents("evaluate", Options, words)


def run(request: Request) -> int:
    """Measure and report."""
    options = request.options
    check_outputs(options)
    agents, rules = request.players(options.agent, options.against)
    effort = Effort(options.games, options.seed, options.workers, options.precision)
    if options.rare:
        return rare(agents[0], rules, effort, options)
    if request.game.players == 1:
        return alone(agents[0], rules, effort, options)
    if options.figure:
        raise BadOption("--figure is for games for one: a tournament draws a picture of the strength.")
    with progress(" against ".join(agent.name for agent in agents), quiet=options.json) as report:
        found = match(request.game, rules, agents, effort, watcher(report, effort.games))
    if not found.games:
        raise KeyboardInterrupt
    return conclude(options, found.to_json(), lambda: print_matches([found], found.interrupted), [found])


def alone(agent: NamedAgent, rules: Rules, effort: Effort, options: Options) -> int:
    """Measure an agent of a game for one."""
    (found,) = evaluate_each([agent], rules, effort, options.json)

    def draw(path: Path) -> None:
        from apprenti.views.plots import histogram

        title = f"{found.name}: {found.game.describe(rules)}"
        histogram(found.scores(), found.summary(), title, found.unit, path)

    return conclude(options, found.to_json(), lambda: print_evaluations([found]), [found], draw)


def rare(agent: NamedAgent, rules: Rules, effort: Effort, options: Options) -> int:
    """Measure an agent whose games hardly ever end."""
    if options.record or options.figure:
        raise BadOption("--rare plays parts of games: there is nothing to --record, and no histogram.")

    def told(found: RareEvaluation | Evaluation) -> None:
        low, high = found.interval
        report(0.0, f"{found.games} repetitions, {found.unit} {number(found.mean)} ({number(low)} … {number(high)})")

    with progress(f"split {agent.name}", quiet=options.json) as report:
        found = evaluate_rare(agent, rules, effort, told)
    if not found.games:
        raise KeyboardInterrupt
    if isinstance(found, Evaluation):
        return conclude(options, found.to_json(), lambda: print_evaluations([found]), [found])
    conclude(options, found.to_json(), lambda: print_rare(found), [])
    return 130 if found.interrupted else 0
