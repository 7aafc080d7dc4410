"""How far work is: a bar or a panel on a terminal, plain lines elsewhere; always on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from apprenti.cli.language import worded
from apprenti.views.numbers import number, shown, spark

if TYPE_CHECKING:
    from apprenti.lab.train import OnProgress, Progress

Report = Callable[[float, str], None]
"""Called with the part done (0 … 1) and a few words."""


@contextmanager
def progress(title: str, quiet: bool = False) -> Iterator[Report]:
    """Show how far a job is."""
    if quiet:
        yield lambda part, words: None
    elif sys.stderr.isatty():
        with _bar(title) as report:
            yield report
    else:
        yield _lines(title)


@contextmanager
def _bar(title: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn(title, markup=False), BarColumn(), TextColumn("{task.fields[words]}"),
        TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=1.0, words="")
        yield lambda part, words: bar.update(task, completed=min(1.0, part), words=worded(words))


def _lines(title: str, every: float = 10.0) -> Report:
    last = monotonic()

    def report(part: float, words: str) -> None:
        nonlocal last
        if monotonic() - last >= every:
            last = monotonic()
            print(f"{title}: {part:.0%} {worded(words)}", file=sys.stderr, flush=True)

    return report


def time_left(progress: "Progress") -> str:
    """The time left, if things go on like this."""
    from apprenti.lab.runs import seconds_left

    seconds = int(seconds_left(progress.history, progress.steps))
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def summary(progress: "Progress") -> str:
    """One line about a run."""
    row = progress.history[-1]
    named = [f"{name.replace('_', ' ')} {number(row[name])}" for name in shown(row)]
    return f"generation {progress.done}/{progress.steps}  " + "  ".join(named) + f"  left {time_left(progress)}"


@contextmanager
def run_progress(quiet: bool = False) -> "Iterator[OnProgress]":
    """Show a run while it goes on."""
    if quiet:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with _run_panel() as watch:
            yield watch
    else:
        yield _run_lines()


@contextmanager
def _run_panel() -> "Iterator[OnProgress]":
    from rich.console import Console
    from rich.live import Live
    from rich.panel import Panel

    with Live(console=Console(stderr=True), refresh_per_second=5, transient=True) as live:

        def watch(progress: "Progress") -> None:
            curves = [
                f"{name.replace('_', ' '):>15} {spark([row[name] for row in progress.history if name in row], 60)}"
                for name in shown(progress.history[-1])
                if name != "elite"
            ]
            live.update(Panel("\n".join([summary(progress), *curves]), title=f"run {progress.run.name}", expand=False))

        yield watch


def _run_lines(every: float = 5.0) -> "OnProgress":
    last = monotonic() - every

    def watch(progress: "Progress") -> None:
        nonlocal last
        if monotonic() - last >= every or progress.done == progress.steps:
            last = monotonic()
            print(f"run {progress.run.name}: {summary(progress)}", file=sys.stderr, flush=True)

    return watch
