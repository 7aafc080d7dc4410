"""`apprenti compare AGENT AGENT…`: one table, one picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.measure import check_outputs, conclude, watcher
from apprenti.cli.options import Measuring
from apprenti.cli.progress import progress
from apprenti.cli.request import Request, read_agents
from apprenti.cli.tables import print_evaluations, print_tournament
from apprenti.core.errors import BadOption
from apprenti.core.protocols import Rules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.effort import Effort
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.match import tournament

NOBODY = "name at least one agent to compare, like: apprenti compare random filtering tetrisbot."


@dataclass(frozen=True, kw_only=True)
class Options(Measuring):
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
    options, figure = request.options, check_outputs(request.options)
    if not options.agents:
        raise BadOption(NOBODY)
    agents = [request.agent(name) for name in options.agents]
    rules = request.rules(agents[0].rules)
    for agent in agents:
        agent.check(request.game, rules)
    effort = Effort(options.games, options.seed, options.workers)
    if request.game.players == 1:
        return alone(agents, rules, effort, options, figure)
    return together(request, agents, rules, effort, figure)


def alone(agents: list[NamedAgent], rules: Rules, effort: Effort, options: Options, figure: Path | None) -> int:
    """Agents of a game for one, on the same deals."""
    results: list[Evaluation] = []
    for agent in agents:
        with progress(f"evaluate {agent.name}", quiet=options.json) as report:
            results.append(evaluate(agent, rules, effort, watcher(report, effort.games)))
        if results[-1].interrupted:
            break
    results = [result for result in results if result.games]
    if not results:
        raise KeyboardInterrupt
    game, unit = results[0].game, results[0].unit
    about = {"rules": game.rules_to_json(rules), "description": game.describe(rules)}

    def draw(path: Path) -> None:
        from apprenti.views.plots import comparison

        comparison({each.name: each.summary(unit) for each in results}, unit, game.describe(rules), path)

    data = {**about, "agents": [each.to_json() for each in results]}
    return conclude(options, data, lambda: print_evaluations(results), results, figure, draw)


def together(request: Request, agents: list[NamedAgent], rules: Rules, effort: Effort, figure: Path | None) -> int:
    """Agents that meet each other, everybody everybody."""
    pairs = len(agents) * (len(agents) - 1) // 2
    with progress("tournament", quiet=request.options.json) as report:
        found = tournament(request.game, rules, agents, effort, watcher(report, pairs * effort.games))
    if not found.matches:
        raise KeyboardInterrupt

    def draw(path: Path) -> None:
        from apprenti.views.plots import ladder

        ladder(dict(zip(found.names, found.ratings(), strict=True)), request.game.describe(rules), path)

    results = list(found.matches.values())
    return conclude(request.options, found.to_json(), lambda: print_tournament(found), results, figure, draw)
