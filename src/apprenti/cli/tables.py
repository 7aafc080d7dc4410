"""Results as tables."""

import math
from collections.abc import Sequence

from apprenti.arena.statistics import Summary
from apprenti.lab.evaluate import Evaluation
from apprenti.views.numbers import number


def short(value: float) -> str:
    """A number in four or five characters."""
    if abs(value) < 10_000 or not math.isfinite(value):
        return number(value)
    return f"{value / 1e6:.3g}M" if abs(value) >= 1e6 else f"{value / 1e3:.0f}k"


def row(evaluation: Evaluation, unit: str) -> list[str]:
    """One agent's line."""
    summary: Summary = evaluation.summary(unit)
    low, high = summary.ci95
    pieces = sum(game.tally.pieces for game in evaluation.games)
    cut = summary.games - summary.deaths
    return [
        evaluation.name,
        f"{summary.games}" + (f" ({cut} cut)" if cut else ""),
        number(summary.mean),
        f"{number(low)} … {number(high)}",
        number(summary.deviation),
        " · ".join(short(value) for value in summary.five),
        number(pieces / max(evaluation.seconds, 1e-9)),
    ]


def print_evaluations(evaluations: Sequence[Evaluation]) -> None:
    """The table of `evaluate` and `compare`."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    unit = evaluations[0].unit
    table = Table(box=box.SIMPLE_HEAD)
    headings = (
        "agent",
        "games",
        f"mean {unit}",
        "95 % interval",
        "deviation",
        "min · Q1 · median · Q3 · max",
        "pieces/s",
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "agent" else "right", no_wrap=True)
    for evaluation in evaluations:
        table.add_row(*map(Text, row(evaluation, unit)))  # [brackets] in a name are no markup
    Console(width=max(Console().width, 120)).print(table)
    print(f"rules: {evaluations[0].rules.description}")
    engines = " and ".join(sorted({evaluation.engine for evaluation in evaluations}))
    seed = evaluations[0].effort.seed
    print(f"seed {seed}, {engines} engine, ties to the lowest rotation, then leftmost")
    if any(evaluation.interrupted for evaluation in evaluations):
        print("interrupted: this is what was known by then.")
