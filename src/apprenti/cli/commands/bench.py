"""`apprenti bench`: how fast this machine is."""

from dataclasses import dataclass

from apprenti.cli.options import Cluster
from apprenti.cli.progress import progress
from apprenti.cli.tables import print_table
from apprenti.lab.bench import bench
from apprenti.lab.bench.machine import Figure, as_json, machine
from apprenti.views.numbers import number


@dataclass(frozen=True)
class Options:
    """Measure the speed of this machine; let nothing else run meanwhile."""

    json: bool = False
    """Print one JSON object and nothing else."""
    quick: bool = False
    """A rough look in a few seconds."""
    cluster: Cluster = ""
    """Measure what a Ray cluster costs instead, like local:2, beside as many threads of this machine."""


def shown(figure: Figure) -> str:
    """A measurement in a few characters."""
    return f"{figure.value:.2f}" if figure.unit in ("s", "times", "cores", "%") else number(figure.value)


def run(options: Options) -> None:
    """Measure and report."""
    figures: list[Figure] = []
    with progress("bench", quiet=options.json) as report:
        for figure in bench(options.quick, options.cluster):
            figures.append(figure)
            report(min(1.0, len(figures) / 60), figure.name)
    if options.json:
        print(as_json(figures))
        return
    rows = [(figure.name, shown(figure), figure.unit) for figure in figures]
    print_table(("what", "speed", "unit"), rows, width=90)
    print(" · ".join(f"{key} {value}" for key, value in machine().items() if value))
