"""`apprenti runs`: what has been learned here."""

import json
import sys
from dataclasses import dataclass

from apprenti.lab.runs import summary_of
from apprenti.store.runs import all_runs
from apprenti.views.numbers import number


@dataclass(frozen=True)
class Options:
    """What has been learned here: the runs in runs/."""

    json: bool = False
    """Print one JSON object and nothing else."""


def run(options: Options) -> None:
    """List the runs."""
    rows = [summary_of(run) for run in all_runs()]
    for row in rows:
        if "damaged" in row:  # the others are still worth seeing
            print(f"apprenti: {row['damaged']}", file=sys.stderr)
    if options.json:
        print(json.dumps({"runs": rows}))
        return
    if not rows:
        print("no runs yet: apprenti train ce makes one.")
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("run", "method", "rules", "criteria", "generation", "best", "time"):
        table.add_column(heading)
    for row in rows:
        if "damaged" in row:
            table.add_row(Text(row["run"]), "damaged")
            continue
        best = number(row["best"]) if row["best"] is not None else "-"
        done = f"{row['generation']}/{row['of'] or '?'}"
        names = (row["run"], row["method"], row["rules"], str(row["criteria"] or "-"))
        table.add_row(*map(Text, names), done, best, f"{row['seconds']:.1f} s")  # [brackets] in a name are no markup
    Console(width=max(Console().width, 110)).print(table)
