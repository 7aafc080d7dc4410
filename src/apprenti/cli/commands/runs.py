"""`apprenti runs`: what has been learned here."""

import json
import sys
from dataclasses import dataclass
from typing import Any

from apprenti.core.errors import ApprentiError
from apprenti.lab.train import build_config
from apprenti.store.runs import Run, all_runs
from apprenti.views.numbers import number


@dataclass(frozen=True)
class Options:
    """What has been learned here: the runs in runs/."""

    json: bool = False
    """Print one JSON object and nothing else."""


def planned_steps(method: str, stored: dict[str, Any]) -> int | None:
    """How many steps a run has; None if this version does not take its options."""
    try:
        return build_config(method, stored).steps
    except ApprentiError:
        return None


def about(run: Run) -> dict[str, Any]:
    """A run in one line."""
    if damage := run.damage():
        return {"run": run.name, "damaged": damage}
    described, rows = run.about(), run.metrics()
    config = described["config"]
    return {
        "run": run.name,
        "method": described["method"],
        "rules": " ".join(str(config[name]) for name in ("game", "rules", "size") if config.get(name)),
        "criteria": config.get("criteria"),
        "generation": rows[-1]["generation"] if rows else 0,
        "of": planned_steps(described["method"], config),
        "best": max((row["best"] for row in rows if "best" in row), default=None),
        "seconds": rows[-1]["seconds"] if rows else 0.0,
    }


def run(options: Options) -> None:
    """List the runs."""
    rows = [about(run) for run in all_runs()]
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

    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("run", "method", "rules", "criteria", "generation", "best", "time"):
        table.add_column(heading)
    for row in rows:
        if "damaged" in row:
            table.add_row(row["run"], "damaged")
            continue
        best = number(row["best"]) if row["best"] is not None else "-"
        done = f"{row['generation']}/{row['of'] or '?'}"
        names = (row["run"], row["method"], row["rules"], str(row["criteria"] or "-"))
        table.add_row(*names, done, best, f"{row['seconds']:.1f} s")
    Console(width=max(Console().width, 110)).print(table)
