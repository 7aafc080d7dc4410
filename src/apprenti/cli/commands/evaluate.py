"""`apprenti evaluate AGENT`: many games, and how sure the result is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.measure import (
    Rare,
    check_outputs,
    conclude,
    evaluate_each,
    shown_on_page,
    so_far_of,
    split_each,
    watcher,
)
from apprenti.cli.options import MeasureOptions, Text
from apprenti.cli.progress import progress
from apprenti.cli.request import Request, read_agents
from apprenti.cli.tables import print_evaluations, print_matches, print_measured
from apprenti.core.errors import BadOption
from apprenti.core.protocols import AnyRules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.cluster import on_cluster
from apprenti.lab.match import match
from apprenti.lab.results import Effort


@dataclass(frozen=True, kw_only=True)
class Options(Rare, MeasureOptions):
    """Measure an agent over many games, with intervals; in a game for two, against another.

    The picture of a game for one is a histogram with its box plot.
    """

    agent: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="AGENT")]
    """A name from the zoo (apprenti agents), a run, a file, or a description like evaluation:0.5,0.5,0.6,0.2."""
    against: Text = ""
    """For games for two: the opponent; default: the best that answers at once."""


def read_words(words: Sequence[str]) -> Request:
    """The request."""
    return read_agents("evaluate", Options, words)


def run(request: Request) -> int:
    """Measure and report."""
    options = request.options
    check_outputs(options)
    agents, rules = request.players(options.agent, options.against)
    options = shown_on_page(request)
    effort = Effort(options.games, options.seed, options.workers, options.precision)
    if options.figure and request.game.players > 1:
        raise BadOption("--figure is for games for one: a tournament draws a picture of the strength.")
    with on_cluster(options.cluster, options.workers):
        if options.rare:
            return rare(agents[0], rules, effort, options)
        measure = alone if request.game.players == 1 else together
        return measure(agents, rules, effort, options)


def together(agents: list[NamedAgent], rules: AnyRules, effort: Effort, options: Options) -> int:
    """Measure an agent of a game for two, against another."""
    game = agents[0].game
    with progress(" against ".join(agent.name for agent in agents), quiet=options.json) as report:
        found = match(game, rules, agents, effort, watcher(report, effort.games, so_far_of(options)))
    if not found.games:
        raise KeyboardInterrupt
    return conclude(options, found.to_json, lambda: print_matches([found], found.interrupted), [found])


def alone(agents: list[NamedAgent], rules: AnyRules, effort: Effort, options: Options) -> int:
    """Measure an agent of a game for one."""
    (found,) = evaluate_each(agents, rules, effort, options)

    def draw(path: Path) -> None:
        from apprenti.views.plots import histogram

        title = f"{found.name}: {found.game.describe(rules)}"
        histogram(found.scores(), found.summary(), title, found.unit, path)

    return conclude(options, found.to_json, lambda: print_evaluations([found]), [found], draw)


def rare(agent: NamedAgent, rules: AnyRules, effort: Effort, options: Options) -> int:
    """Measure an agent whose games hardly ever end."""
    (found,) = split_each([agent], rules, effort, options)
    return conclude(options, found.to_json, lambda: print_measured([found]), [found])
