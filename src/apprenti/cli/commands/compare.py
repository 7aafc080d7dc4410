"""`apprenti compare AGENT AGENT…`: one table, one picture."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.commands.evaluate import watcher
from apprenti.cli.keeper import check_writable
from apprenti.cli.options import RulesOptions, Text
from apprenti.cli.progress import progress
from apprenti.cli.tables import print_evaluations
from apprenti.core.errors import BadOption
from apprenti.lab.agents import KnownForTwo, find, find_any
from apprenti.lab.evaluate import Effort, Evaluation, check_fit, evaluate


@dataclass(frozen=True, kw_only=True)
class Options(RulesOptions):
    """Measure several agents under the same rules and with the same pieces: one table, one picture.

    Agents of games for two play each other, everybody against everybody, as in `apprenti tournament`.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="AGENT…")]
    """Names from the zoo, runs, files, or descriptions; the rules are the first one's unless said otherwise."""
    games: int = 30
    """How many games each."""
    seed: int = 1
    """Game i depends on this and on i alone: all agents meet the same pieces."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""
    json: bool = False
    """Print one JSON object and nothing else."""
    figure: Text = ""
    """Write a picture of the means and intervals to this file (png, svg, pdf)."""
    record: Text = ""
    """Keep every game as a replay in this folder."""


def run(options: Options) -> int:
    """Measure and report."""
    from apprenti.views.plots import check_path, comparison

    figure = check_path(Path(options.figure)) if options.figure else None
    if options.record:
        check_writable(Path(options.record))
    if figure:
        check_writable(figure.parent)
    if not options.agents:
        raise BadOption("name at least one agent to compare, like: apprenti compare random filtering tetrisbot.")
    known = find_any(options.agents[0])
    if isinstance(known, KnownForTwo):
        return run_for_two(known, options, figure)
    agents = [find(name) for name in options.agents]
    rules = options.apply(agents[0].rules)
    for known in agents:
        check_fit(known, rules)
    effort = Effort(options.games, options.seed, options.workers)
    evaluations: list[Evaluation] = []
    for known in agents:
        with progress(f"evaluate {known.name}", quiet=options.json) as report:
            evaluations.append(evaluate(known, rules, effort, watcher(report)))
        if evaluations[-1].interrupted:
            break
    evaluations = [evaluation for evaluation in evaluations if evaluation.games]
    if not evaluations:
        raise KeyboardInterrupt
    if options.json:
        data = {"rules": rules.description, "agents": [evaluation.to_json() for evaluation in evaluations]}
        print(json.dumps(data, ensure_ascii=False))
    else:
        print_evaluations(evaluations)
    if options.record:
        from apprenti.lab.record import record

        for known, evaluation in zip(agents, evaluations, strict=False):
            record(known, evaluation, Path(options.record))
    if figure:
        unit = evaluations[0].unit
        comparison({e.name: e.summary(unit) for e in evaluations}, unit, rules.description, figure)
        if not options.json:
            print(f"figure: {figure}")
    return 130 if any(evaluation.interrupted for evaluation in evaluations) else 0


def run_for_two(known: KnownForTwo, options: Options, figure: Path | None) -> int:
    """Agents of games for two meet each other."""
    from apprenti.cli.duels.measure import compare_for_two
    from apprenti.cli.duels.options import rules_for
    from apprenti.lab.agents import find_for_two

    players = [find_for_two(name, known.game) for name in options.agents]
    rules = rules_for(options, known.game, known.rules)
    effort = Effort(options.games, options.seed, options.workers)
    return compare_for_two(known.game, rules, players, effort, options.json, figure, options.record)
