"""`apprenti reproduce EXPERIMENT`: run a published experiment again."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.options import Cluster
from apprenti.cli.progress import progress
from apprenti.lab.cluster import on_cluster
from apprenti.lab.experiments import known, read
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.reproduce import reproduce


@dataclass(frozen=True)
class Options:
    """Run a published experiment again: its table, its picture and all its numbers."""

    experiment: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="EXPERIMENT", help_behavior_hint="")] = ""
    """A name (without one, all are listed), or a .toml file."""
    short: bool = False
    """A few games of the first rows only, to see that it works."""
    seed: int = 1
    """Root of all seeds."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""
    cluster: Cluster = ""
    out: str = "results"
    """Folder for the results; each experiment gets one inside it."""
    trust: bool = False
    """Start programs that the file names as agents (a Python file, engine:…): they may do all that you may."""
    json: bool = False
    """Print the numbers as JSON and nothing else."""


def run(options: Options) -> None:
    """Run it, or list what there is."""
    if not options.experiment:
        listed = {name: read(str(path)).title for name, path in known().items()}
        print(
            json.dumps(listed, ensure_ascii=False)
            if options.json
            else "\n".join(f"{n:<22} {t}" for n, t in listed.items())
        )
        return
    experiment = replace(read(options.experiment), trusted=options.trust)
    folder = Path(options.out) / experiment.name
    settings = Settings(options.short, options.seed, options.workers)
    place = on_cluster(options.cluster, options.workers)
    with place, progress(f"reproduce {experiment.name}", quiet=options.json) as report:
        table = reproduce(experiment, settings, folder, report)
    if options.json:
        numbers = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        print(json.dumps({"experiment": experiment.name, "results": numbers}, ensure_ascii=False))
    else:
        print(f"{experiment.title}\n\n{table}\ntable, picture and numbers: {folder}")
