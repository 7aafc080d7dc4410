"""What commands that measure have in common: progress on the way, and what becomes of a result."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from apprenti.cli.options import Measuring
from apprenti.cli.progress import Report
from apprenti.cli.replays import check_writable
from apprenti.cli.tables import said
from apprenti.lab.evaluate import Evaluation
from apprenti.lab.match import Match
from apprenti.lab.results import OnGame, Result
from apprenti.views.numbers import counted


def check_outputs(options: Measuring) -> Path | None:
    """The file of the picture, if one is wanted; what cannot be written is refused now, and not after an hour."""
    from apprenti.views.plots import check_path

    figure = check_path(Path(options.figure)) if options.figure else None
    for folder in ([Path(options.record)] if options.record else []) + ([figure.parent] if figure else []):
        check_writable(folder)
    return figure


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


def conclude(
    options: Measuring, data: dict[str, Any], show: Callable[[], None], results: Sequence[Result],
    figure: Path | None = None, draw: Callable[[Path], None] = lambda path: None,
) -> int:  # fmt: skip
    """Print a result, write its replays and its picture, and say where they are; return the exit code."""
    if options.json:
        print(json.dumps(data, ensure_ascii=False))
    else:
        show()
    paths = (
        [path for result in results for path in result.write_replays(Path(options.record))] if options.record else []
    )
    if figure:
        draw(figure)
    if paths and not options.json:
        print(f"{counted(len(paths), 'replay')} in {options.record}; the first: apprenti replay {paths[0]}")
    if figure and not options.json:
        print(f"figure: {figure}")
    return 130 if any(result.interrupted for result in results) else 0
