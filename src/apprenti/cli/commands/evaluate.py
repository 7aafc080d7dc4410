"""`apprenti evaluate AGENT`: many games, and how sure the result is."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.keeper import check_writable
from apprenti.cli.options import RulesOptions, Text
from apprenti.cli.progress import Report, progress
from apprenti.cli.tables import print_evaluations
from apprenti.core.errors import BadOption
from apprenti.lab.agents import KnownForTwo, find_any
from apprenti.lab.evaluate import Effort, Evaluation, Watcher, evaluate
from apprenti.views.numbers import number


@dataclass(frozen=True, kw_only=True)
class Options(RulesOptions):
    """Measure an agent over many games, with intervals."""

    agent: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="AGENT")]
    """A name from the zoo (apprenti agents), a run, a file, or a description like evaluation:0.5,0.5,0.6,0.2."""
    against: Text = ""
    """For games for two: the opponent."""
    games: int = 100
    """How many games."""
    seed: int = 1
    """Game i depends on this and on i alone."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""
    precision: float = 0.0
    """Go on until the half-width of the interval is this part of the mean, like 0.05; at most 100 000 games."""
    json: bool = False
    """Print one JSON object and nothing else."""
    figure: Text = ""
    """Write the histogram with its box plot to this file (png, svg, pdf)."""
    record: Text = ""
    """Keep every game as a replay in this folder."""


def watcher(report: Report) -> Watcher:
    """Show games played and the interval narrowing."""
    last = 0.0

    def watch(evaluation: Evaluation) -> None:
        nonlocal last
        if evaluation.seconds - last < 0.2:
            return
        last = evaluation.seconds
        summary = evaluation.summary(evaluation.unit)
        effort = evaluation.effort
        part = summary.games / effort.games
        if effort.precision:
            part = min(1.0, (effort.precision / summary.half_width) ** 2) if summary.half_width else 0.0
        low, high = summary.ci95
        words = f"{summary.games} games, {evaluation.unit} {number(summary.mean)} ({number(low)} … {number(high)})"
        report(part, words)

    return watch


def run(options: Options) -> int:
    """Measure and report."""
    from apprenti.views.plots import check_path, histogram

    figure = check_path(Path(options.figure)) if options.figure else None
    if options.record:
        check_writable(Path(options.record))
    if figure:
        check_writable(figure.parent)
    known = find_any(options.agent)
    effort = Effort(options.games, options.seed, options.workers, options.precision)
    if isinstance(known, KnownForTwo):
        return run_for_two(known, options, effort)
    if options.against:
        raise BadOption(f"--against is for games for two, and {known.name} plays tetris: use compare.")
    rules = options.apply(known.rules)
    with progress(f"evaluate {known.name}", quiet=options.json) as report:
        evaluation = evaluate(known, rules, effort, watcher(report))
    if not evaluation.games:
        raise KeyboardInterrupt
    if options.json:
        print(json.dumps(evaluation.to_json(), ensure_ascii=False))
    else:
        print_evaluations([evaluation])
    if options.record:
        from apprenti.lab.record import record

        paths = record(known, evaluation, Path(options.record))
        if not options.json:
            print(f"{len(paths)} replays in {options.record}; the first: apprenti replay {paths[0]}")
    if figure:
        scores = [getattr(game.tally, evaluation.unit) for game in evaluation.games]
        title = f"{known.name}: {rules.description}"
        histogram(scores, evaluation.summary(evaluation.unit), title, evaluation.unit, figure)
        if not options.json:
            print(f"figure: {figure}")
    return 130 if evaluation.interrupted else 0


def run_for_two(known: KnownForTwo, options: Options, effort: Effort) -> int:
    """Measure an agent against another."""
    from apprenti.cli.duels.measure import evaluate_against
    from apprenti.cli.duels.options import rules_for
    from apprenti.lab.agents import find_for_two

    if options.figure:
        raise BadOption("--figure is for games for one: a tournament draws a picture of the strength.")
    other = find_for_two(options.against or "random", known.game)
    rules = rules_for(options, known.game, known.rules)
    return evaluate_against(known.game, rules, (known, other), effort, options.json, options.record)
