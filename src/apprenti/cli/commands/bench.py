"""`apprenti bench`: how fast this machine is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import tyro

from apprenti.cli.options import Cluster
from apprenti.cli.progress import progress
from apprenti.cli.tables import print_table
from apprenti.core.errors import BadOption
from apprenti.lab.bench import bench
from apprenti.lab.bench.machine import Figure, as_json, machine
from apprenti.views.numbers import number


@dataclass(frozen=True)
class Options:
    """Measure the speed of this machine; let nothing else run meanwhile."""

    what: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="[web]")]] = ""
    """`web` measures the page's server alone; nothing said: everything else."""
    json: bool = False
    """Print one JSON object and nothing else."""
    quick: bool = False
    """A rough look in a few seconds."""
    cluster: Cluster = ""
    """Measure what a Ray cluster costs instead, like local:2, beside as many threads of this machine."""


def shown(figure: Figure) -> str:
    """A measurement in a few characters."""
    return f"{figure.value:.2f}" if figure.unit in ("s", "ms", "times", "cores", "%") else number(figure.value)


def _figures(options: Options) -> Iterator[Figure]:
    """What was asked for."""
    if options.what not in ("", "web"):
        raise BadOption(f"bench measures this machine or, as `bench web`, the page: not {options.what!r}.")
    if options.what and options.cluster:
        raise BadOption("bench measures the page or a cluster: leave out web or --cluster.")
    if not options.what:
        return bench(options.quick, options.cluster)
    from apprenti.web.bench import figures

    return figures(options.quick)


def run(options: Options) -> None:
    """Measure and report."""
    figures: list[Figure] = []
    with progress("bench", quiet=options.json) as report:
        for figure in _figures(options):
            figures.append(figure)
            report(min(1.0, len(figures) / 60), figure.name)
    if options.json:
        print(as_json(figures))
        return
    rows = [(figure.name, shown(figure), figure.unit) for figure in figures]
    print_table(("what", "speed", "unit"), rows)
    print(" · ".join(f"{key} {value}" for key, value in machine().items() if value))
