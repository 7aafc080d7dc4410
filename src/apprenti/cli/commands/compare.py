"""`apprenti compare AGENT AGENT…`: one table, one picture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.measure import (
    Measured,
    Rare,
    check_outputs,
    conclude,
    evaluate_each,
    shown_on_page,
    so_far_of,
    split_each,
    watcher,
)
from apprenti.cli.options import MeasureOptions
from apprenti.cli.progress import progress
from apprenti.cli.request import Request, read_agents
from apprenti.cli.tables import print_measured, print_tournament
from apprenti.core.errors import BadOption
from apprenti.core.protocols import AnyRules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.cluster import on_cluster
from apprenti.lab.match import tournament
from apprenti.lab.results import Effort, Result, compared

Remark = Callable[[Sequence[Result]], None]
"""Says more below the tables."""
NOBODY = "name at least one agent to compare, like: apprenti compare random filtering tetrisbot."


@dataclass(frozen=True, kw_only=True)
class Options(Rare, MeasureOptions):
    """Measure several agents under the same rules and with the same pieces: one table, one picture.

    Agents of games for two play each other, everybody against everybody, as in `apprenti tournament`.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="AGENT…")]
    """Names from the zoo, runs, files, or descriptions; the rules are the first one's unless said otherwise."""
    games: int = 30
    """How many games each."""


def read_words(words: Sequence[str]) -> Request:
    """The request."""
    return read_agents("compare", Options, words, NOBODY)


def run(request: Request) -> int:
    """Measure and report."""
    options = request.options
    check_outputs(options)
    if not options.agents:
        raise BadOption(NOBODY)
    agents = [request.agent(name) for name in options.agents]
    rules = request.rules(agents[0].rules)
    for agent in agents:
        agent.check(request.game, rules)
    options = shown_on_page(request)
    effort = Effort(options.games, options.seed, options.workers, options.precision)
    with on_cluster(options.cluster, options.workers):
        measure = alone if request.game.players == 1 or options.rare else together
        return measure(agents, rules, effort, options)


def alone(agents: list[NamedAgent], rules: AnyRules, effort: Effort, options: Options) -> int:
    """Agents of a game for one."""
    if options.rare:
        return report(split_each(agents, rules, effort, options), rules, options)
    return report(evaluate_each(agents, rules, effort, options), rules, options)


def report(results: Sequence[Measured], rules: AnyRules, options: Options, remark: Remark = lambda _: None) -> int:
    """What was measured of agents that play alone, as a table, as a picture or as plain data."""
    game, unit = results[0].game, results[0].unit

    def draw(path: Path) -> None:
        from apprenti.views.plots import comparison

        comparison({each.name: each.summary(unit) for each in results}, unit, game.describe(rules), path)

    def show() -> None:
        print_measured(results)
        remark([each for each in results if isinstance(each, Result)])

    return conclude(options, lambda: compared(results), show, results, draw)


def together(
    agents: list[NamedAgent], rules: AnyRules, effort: Effort, options: Options, remark: Remark = lambda _: None
) -> int:
    """Agents that meet each other."""
    game, pairs = agents[0].game, len(agents) * (len(agents) - 1) // 2
    with progress("tournament", quiet=options.json) as report:
        found = tournament(game, rules, agents, effort, watcher(report, pairs * effort.games, so_far_of(options)))
    if not found.matches:
        raise KeyboardInterrupt

    def draw(path: Path) -> None:
        from apprenti.views.plots import ladder

        ladder(dict(zip(found.names, found.ratings(), strict=True)), game.describe(rules), path)

    matches = list(found.matches.values())

    def show() -> None:
        print_tournament(found)
        remark(matches)

    return conclude(options, found.to_json, show, matches, draw)
