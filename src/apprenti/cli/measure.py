"""What commands that measure have in common: the work with its progress, and what becomes of a result."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from apprenti.cli.options import MeasureOptions
from apprenti.cli.progress import Report, progress
from apprenti.cli.replays import check_writable
from apprenti.cli.tables import said
from apprenti.core.protocols import Rules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.effort import Effort
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.match import Match
from apprenti.lab.results import OnGame, Result
from apprenti.views.numbers import counted

Draw = Callable[[Path], None]
"""Draws a picture of a result into a file."""


def check_outputs(options: MeasureOptions) -> None:
    """Refuse what cannot be written now, and not after an hour."""
    from apprenti.views.plots import check_path

    figure = check_path(Path(options.figure)) if options.figure else None
    if options.record:
        check_writable(Path(options.record))
    if figure:
        check_writable(figure.parent)


def watcher(report: Report, games: int) -> OnGame:
    """Tell the progress of results that have so many games altogether."""
    last, played = 0.0, 0

    def watch(found: Match | Evaluation) -> None:
        nonlocal last, played
        played += 1
        if monotonic() - last < 0.2:  # a quick match has thousands of games a second
            return
        last, part = monotonic(), played / games
        if isinstance(found, Evaluation) and found.effort.precision:
            width = found.summary().half_width
            part = min(1.0, (found.effort.precision / width) ** 2) if width else 0.0
        names = f"{' – '.join(found.names)}: " if isinstance(found, Match) else ""
        report(part, f"{names}{said(found)}")

    return watch


def evaluate_each(agents: Sequence[NamedAgent], rules: Rules, effort: Effort, quiet: bool) -> list[Evaluation]:
    """Measure agents of a game for one, on the same deals; Ctrl-C leaves what is known by then, if anything is."""
    results: list[Evaluation] = []
    for agent in agents:
        with progress(f"evaluate {agent.name}", quiet) as report:
            results.append(evaluate(agent, rules, effort, watcher(report, effort.games)))
        if results[-1].interrupted:
            break
    results = [result for result in results if result.games]
    if not results:
        raise KeyboardInterrupt
    return results


def conclude(
    options: MeasureOptions,
    data: dict[str, Any],
    show: Callable[[], None],
    results: Sequence[Result],
    draw: Draw | None = None,
) -> int:
    """Print a result, write its replays and its picture, and say where they are; return the exit code."""
    say = (lambda words: None) if options.json else print
    if options.json:
        print(json.dumps(data, ensure_ascii=False))
    else:
        show()
    paths = (
        [path for result in results for path in result.write_replays(Path(options.record))] if options.record else []
    )
    if paths:
        say(f"{counted(len(paths), 'replay')} in {options.record}; the first: apprenti replay {paths[0]}")
    if options.figure and draw:
        draw(Path(options.figure))
        say(f"figure: {options.figure}")
    return 130 if any(result.interrupted for result in results) else 0
