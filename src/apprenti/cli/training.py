"""The live display of a run: on a terminal a panel that renews itself, elsewhere a line now and then."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from apprenti.lab.runs import seconds_left
from apprenti.lab.train import OnProgress, Progress
from apprenti.views.numbers import number, shown, spark


def left(progress: Progress) -> str:
    """The time left, if things go on like this."""
    seconds = int(seconds_left(progress.history, progress.steps))
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def summary(progress: Progress) -> str:
    """One line about a run."""
    row = progress.history[-1]
    named = [f"{name.replace('_', ' ')} {number(row[name])}" for name in shown(row)]
    return f"generation {progress.done}/{progress.steps}  " + "  ".join(named) + f"  left {left(progress)}"


@contextmanager
def display(quiet: bool = False) -> Iterator[OnProgress]:
    """Show a run while it goes on."""
    if quiet:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with _panel() as watch:
            yield watch
    else:
        yield _lines()


@contextmanager
def _panel() -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.live import Live
    from rich.panel import Panel

    with Live(console=Console(stderr=True), refresh_per_second=5, transient=True) as live:

        def watch(progress: Progress) -> None:
            curves = [
                f"{name.replace('_', ' '):>15} {spark([row[name] for row in progress.history if name in row], 60)}"
                for name in shown(progress.history[-1])
                if name != "elite"
            ]
            live.update(Panel("\n".join([summary(progress), *curves]), title=f"run {progress.run.name}", expand=False))

        yield watch


def _lines(every: float = 5.0) -> OnProgress:
    said = monotonic() - every

    def watch(progress: Progress) -> None:
        nonlocal said
        if monotonic() - said >= every or progress.done == progress.steps:
            said = monotonic()
            print(f"run {progress.run.name}: {summary(progress)}", file=sys.stderr, flush=True)

    return watch
