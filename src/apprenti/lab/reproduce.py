"""Run an experiment and write its table, its picture and its numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apprenti.core.errors import BadFile, UnknownName
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import find
from apprenti.lab.evaluate import Effort, Evaluation, evaluate
from apprenti.lab.experiments import Experiment
from apprenti.store.files import write_json, write_text

Report = Callable[[float, str], None]


@dataclass(frozen=True)
class Settings:
    """How much of an experiment to run."""

    short: bool = False
    """A few games only, to see that it works."""
    seed: int = 1
    workers: int = 0


def _rules(row: dict[str, Any], default: Rules) -> Rules:
    """The rules of a row: a preset and changes, or the agent's own."""
    changes = {key: row[key] for key in ("randomiser", "points", "max_pieces", "preview") if key in row}
    size = row.get("size", "")
    return Rules.preset(row["rules"], size, **changes) if "rules" in row else default.changed(size, **changes)


def _effort(row: dict[str, Any], settings: Settings) -> Effort:
    if settings.short:
        return Effort(row.get("short_games", 8), settings.seed, settings.workers, seconds=row.get("short_seconds", 2.0))
    return Effort(row["games"], settings.seed, settings.workers, seconds=row.get("seconds", 0.0))


def measure(row: dict[str, Any], settings: Settings) -> Evaluation:
    """Play one row of an experiment."""
    agent = find(row["agent"])
    rules = _rules(row, agent.rules)
    if settings.short and "max_pieces" not in row:
        rules = rules.changed(max_pieces=20_000)
    return evaluate(agent, rules, _effort(row, settings))


def number(value: float) -> str:
    """A number for a table."""
    if value == float("inf"):
        return "∞"
    if value >= 1e6:
        return f"{value / 1e6:.3g} M"
    return f"{value:,.0f}".replace(",", " ") if value >= 100 else f"{value:.3g}"


def _line(row: dict[str, Any], evaluation: Evaluation) -> list[str]:
    unit = row.get("unit", evaluation.unit)
    summary = evaluation.summary(unit)
    rules = evaluation.rules
    pieces = sum(game.tally.pieces for game in evaluation.games)
    return [
        evaluation.name,
        f"{rules.name} {rules.width}x{rules.height}",
        f"{summary.games} ({summary.deaths})",
        str(row.get("published", "-")),
        f"**{number(summary.mean)}** {unit}",
        f"{number(summary.ci95[0])} … {number(summary.ci95[1])}",
        f"{evaluation.seconds:,.0f} s",
        f"{evaluation.seconds * evaluation.effort.cores / max(1, pieces) * 1e6:.2f} µs",
    ]


def _table(headings: list[str], lines: list[list[str]]) -> str:
    rows = [headings, ["---"] * len(headings), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def scores(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Agents, each under its rules, beside what was published."""
    rows = experiment.data["row"]
    lines, summaries, found = [], {}, []
    for done, row in enumerate(rows):
        report(done / len(rows), row["agent"])
        evaluation = measure(row, settings)
        lines.append(_line(row, evaluation))
        found.append(evaluation.to_json())
        summaries[f"{evaluation.name} {evaluation.rules.name} {evaluation.rules.width}x{evaluation.rules.height}"] = (
            evaluation.summary(row.get("unit", evaluation.unit))
        )
        write_json(folder / "results.json", found)  # what is known, also after an interruption
        if evaluation.interrupted:
            break
    from apprenti.views.plots import comparison

    comparison(summaries, rows[0].get("unit", "lines"), experiment.title, folder / "picture.png")
    headings = [
        "agent",
        "rules",
        "games (deaths)",
        "published",
        "measured",
        "95 % interval",
        "time",
        "core time a piece",
    ]
    return _table(headings, lines)


def sizes(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """One agent on boards of many sizes (the thesis' figure 1.2)."""
    data = experiment.data
    widths, heights = range(data["widths"][0], data["widths"][1] + 1), range(data["heights"][0], data["heights"][1] + 1)
    if settings.short:
        widths, heights = range(4, 6), range(4, 7)
    means: dict[tuple[int, int], float] = {}
    found, cells = [], [(w, h) for w in widths for h in heights]
    for done, (width, height) in enumerate(cells):
        report(done / len(cells), f"{width}x{height}")
        evaluation = measure({**data, "size": f"{width}x{height}"}, settings)
        summary = evaluation.summary("lines")
        means[width, height] = summary.mean
        found.append({"size": f"{width}x{height}", **evaluation.to_json()})
        write_json(folder / "results.json", found)
        if evaluation.interrupted:
            break
    from apprenti.views.plots import by_size

    by_size(means, experiment.title, folder / "picture.png")
    lines = [[str(h), *(number(means[w, h]) if (w, h) in means else "-" for w in widths)] for h in heights]
    return _table(["rows \\ columns", *map(str, widths)], lines)


KINDS: dict[str, Callable[[Experiment, Settings, Path, Report], str]] = {"scores": scores, "sizes": sizes}


def reproduce(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Run an experiment; return its table, which is also written with its picture and numbers."""
    if experiment.kind not in KINDS:
        raise UnknownName("kind of experiment", experiment.kind, KINDS)
    try:
        table = KINDS[experiment.kind](experiment, settings, folder, report)
    except (KeyError, TypeError, IndexError) as error:
        raise BadFile(f"experiment {experiment.name} lacks something its kind needs ({error!r}).") from None
    size = "a short run, to see that it works: no result\n\n" if settings.short else ""
    write_text(folder / "table.md", f"# {experiment.title}\n\n{experiment.question}\n\n{size}{table}")
    return table
