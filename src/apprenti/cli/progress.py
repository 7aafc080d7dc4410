"""Progress: a bar with time left on a terminal, plain lines elsewhere; always on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

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
        yield lambda part, words: bar.update(task, completed=min(1.0, part), words=words)


def _lines(title: str, every: float = 10.0) -> Report:
    said = monotonic()

    def report(part: float, words: str) -> None:
        nonlocal said
        if monotonic() - said >= every:
            said = monotonic()
            print(f"{title}: {part:.0%} {words}", file=sys.stderr, flush=True)

    return report
