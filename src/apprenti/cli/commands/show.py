"""`apprenti show RUN`: curves and the agent learned."""

import json
from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from apprenti.lab.runs import PICTURES, own_pictures, summary_of, weights_of
from apprenti.lab.train import draw_curve
from apprenti.store.runs import find_run
from apprenti.views.numbers import number, shown, spark


@dataclass(frozen=True)
class Options:
    """A run: its table, its curve, and the weights it has learned, by criterion."""

    run: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="RUN")]
    """A run by its name (apprenti runs) or its folder."""
    json: bool = False
    """Print one JSON object and nothing else."""


def run(options: Options) -> None:
    """Show a run."""
    found = find_run(options.run)
    rows, weights = found.metrics(), weights_of(found)
    if options.json:
        print(json.dumps({**summary_of(found), "config": found.about()["config"], "metrics": rows, "weights": weights}))
        return
    if not rows:
        print(f"run {found.name} has not finished its first generation yet.")
        return
    print_rows(rows)
    for name in shown(rows[-1]):
        if name != "elite":
            print(f"{name.replace('_', ' '):>15} {spark([row[name] for row in rows if name in row], 70)}")
    for place, regime in enumerate(weights if isinstance(weights, list) else [weights], 1):
        if isinstance(weights, list):
            print(f"set of weights {place}")
        print_weights(regime)
    draw_curve(found)
    for name, path in own_pictures(found).items():
        print(f"{PICTURES[name].about}: {path}")
    print(f"curve: {found.folder / 'curve.png'} · agent: {found.agent_path}")


def print_rows(rows: list[dict[str, Any]]) -> None:
    """The first and the last generations."""
    shown = rows if len(rows) <= 12 else [*rows[:3], *rows[-9:]]
    names = [name for name in rows[-1] if name not in ("spread",)]
    widths = [max(10, len(name)) for name in names]
    print("  ".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True)))
    for before, row in zip([None, *shown], shown, strict=False):
        if before and row["generation"] != before["generation"] + 1:
            print("         …")
        cells = [number(row.get(name, float("nan"))) for name in names]
        print("  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)))


def print_weights(weights: dict[str, Any]) -> None:
    """Weights as bars."""
    flat: list[tuple[str, float]] = []
    for name, weight in weights.items():
        numbers = weight if isinstance(weight, list) else [weight]
        flat += [(f"{name}[{i}]" if isinstance(weight, list) else name, w) for i, w in enumerate(numbers, 1)]
    top = max((abs(weight) for _, weight in flat), default=1.0) or 1.0
    for name, weight in flat:
        bar = "█" * round(abs(weight) / top * 30)
        print(f"  {name:<24} {weight:>9.4f} {'-' if weight < 0 else '+'}{bar}")
