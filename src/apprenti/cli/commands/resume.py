"""`apprenti resume RUN`: go on after a crash or an interruption."""

import json
import sys
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import tyro

from apprenti.cli.commands.train import farewell
from apprenti.cli.options import Cluster
from apprenti.cli.training import display
from apprenti.lab.cluster import training_on
from apprenti.lab.train import resume
from apprenti.store.runs import find_run


@dataclass(frozen=True)
class Options:
    """Go on with a run that was interrupted, or make one longer.

    The end is the same, to the bit, as if nothing had happened.
    """

    run: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="RUN")]
    """A run by its name (apprenti runs) or its folder."""
    iterations: int = 0
    """Steps of the run in all, to make it longer; 0 for as many as it was begun with."""
    cluster: Cluster = ""
    json: bool = False
    """Print one JSON object and nothing else."""


def run(options: Options) -> int:
    """Resume."""
    found = find_run(options.run)
    about = found.about()
    place = training_on(options.cluster, about["method"], about["config"].get("workers", 0))
    with place, display(options.json) as watch:
        try:
            say = partial(print, "apprenti:", file=sys.stderr)
            resume(found, watch, say, options.iterations)
        except KeyboardInterrupt:
            print(f"interrupted: nothing is lost; `apprenti resume {found.name}` goes on.", file=sys.stderr)
            return 130
    print(json.dumps(found.summary()) if options.json else farewell(found))
    return 0
