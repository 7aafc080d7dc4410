"""`apprenti train`, `resume`, `runs` and `show`: players that learn."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any

import tyro

from apprenti.cli.language import say, worded
from apprenti.cli.options import Cluster, CommandLine, Text, parse
from apprenti.cli.progress import run_progress
from apprenti.core.data import JsonData
from apprenti.core.errors import BadOption
from apprenti.lab.cluster import training_on
from apprenti.lab.runs import PICTURES, own_pictures, summary_of, weights_of
from apprenti.lab.train import draw_curve, resume, train
from apprenti.learn.methods import METHODS, config_class, older_options
from apprenti.store.runs import Run, all_runs, find_run
from apprenti.views.numbers import number, shown, spark

METHODS_HELP = """usage: apprenti train METHOD [options]

Learn a player from nothing; everything is kept in runs/NAME and survives a crash.

{methods}

  apprenti train METHOD --help    all options of a method
"""
INTERRUPTED = "interrupted: nothing is lost; `apprenti runs` names the run, `apprenti resume NAME` goes on."


def method_options(method: str) -> type[Any]:
    """The options of a method, and the name of the run."""
    config = config_class(method)
    named = make_dataclass(
        "Options",
        [
            ("config", config, field(default_factory=config)),
            ("name", Text, field(default="")),
            ("cluster", Cluster, field(default="")),
            ("json", bool, field(default=False)),
        ],
        frozen=True,
    )
    named.__doc__ = (
        (config.__doc__ or "")
        + "\n\nArgs:\n    name: Name of the run; default: the method and a number."
        + ("\n    json: Print one JSON object and nothing else.")
    )
    return named


def by_their_names(words: Sequence[str], method: str) -> list[str]:
    """The command line with options under our names, where they were called as in the report of their method."""
    older = older_options(method)
    names, less = older.papers, older.counted_from_0
    ours: list[str] = []
    for word in words:
        option, equals, value = word.partition("=")
        name = option.removeprefix("--").replace("-", "_") if option.startswith("--") else ""
        if ours and ours[-1] in less:  # the value of an option that was one word
            ours[-1:] = [f"--{less[ours[-1]]}", _one_more(word)]
        elif name in less:
            ours += [f"--{less[name]}={_one_more(value)}"] if equals else [name]
        else:
            ours.append(f"--{names[name]}{equals}{value}" if name in names else word)
    return [f"--{word}" if word in less else word for word in ours]


def _one_more(text: str) -> str:
    """A number plus one; what is no number is left to be refused."""
    return str(int(text) + 1) if text.isdecimal() else text


@dataclass(frozen=True)
class TrainOptions:
    """The words after `train`: the method decides which options there are."""

    words: Annotated[tuple[str, ...], tyro.conf.Positional]


def train_words(options: TrainOptions) -> int:
    """Train."""
    if not options.words or options.words[0] in ("-h", "--help"):
        methods = "\n".join(f"  {name:<14} {entry.about}" for name, entry in METHODS.items())
        say(METHODS_HELP.format(methods=methods), end="")
        return 0
    method, *rest = options.words
    if method.startswith("-"):
        raise BadOption("name the method first, like: apprenti train ce --size 10x10.")
    asked = parse(method_options(method), f"train {method}", by_their_names(rest, method))
    workers = getattr(asked.config, "workers", 0)
    with training_on(asked.cluster, method, workers), run_progress(asked.json) as watch:
        try:
            done = train(method, asked.config, asked.name, watch=watch)
        except KeyboardInterrupt:
            say(INTERRUPTED, file=sys.stderr)
            return 130
    print(json.dumps(done.summary()) if asked.json else worded(farewell(done)))
    return 0


def farewell(done: Run) -> str:
    """What to do with a finished run."""
    row = {"generation": 0, "seconds": 0.0, "games": 0, **(done.metrics() or [{}])[-1]}
    return (
        f"run {done.name}: {row['generation']} generations in {row['seconds']:.1f} s, {row['games']} games\n"
        f"  apprenti show {done.name}       curve and weights\n"
        f"  apprenti evaluate {done.name}   measure it on fresh games\n"
        f"  apprenti watch {done.name}      watch it play"
    )


@dataclass(frozen=True)
class ResumeOptions:
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


def resume_run(options: ResumeOptions) -> int:
    """Resume."""
    run = find_run(options.run)
    about = run.about()
    place = training_on(options.cluster, about["method"], about["config"].get("workers", 0))
    with place, run_progress(options.json) as watch:
        try:
            resume(run, watch, lambda words: say(f"apprenti: {words}", file=sys.stderr), options.iterations)
        except KeyboardInterrupt:
            say(f"interrupted: nothing is lost; `apprenti resume {run.name}` goes on.", file=sys.stderr)
            return 130
    print(json.dumps(run.summary()) if options.json else worded(farewell(run)))
    return 0


@dataclass(frozen=True)
class RunsOptions:
    """What has been learned here: the runs in runs/."""

    json: bool = False
    """Print one JSON object and nothing else."""


def list_runs(options: RunsOptions) -> None:
    """List the runs."""
    rows = [summary_of(run) for run in all_runs()]
    for row in rows:
        if "damaged" in row:  # the others are still worth seeing
            say(f"apprenti: {row['damaged']}", file=sys.stderr)
    if options.json:
        print(json.dumps({"runs": rows}))
        return
    if not rows:
        say("no runs yet: apprenti train ce makes one.")
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("run", "method", "rules", "criteria", "generation", "best", "time"):
        table.add_column(worded(heading))
    for row in rows:
        if "damaged" in row:
            table.add_row(Text(row["run"]), worded("damaged"))
            continue
        best = number(row["best"]) if row["best"] is not None else "-"
        done = f"{row['generation']}/{row['of'] or '?'}"
        names = (row["run"], row["method"], worded(row["rules"]), str(row["criteria"] or "-"))
        table.add_row(
            *map(Text, names), done, worded(best), worded(f"{row['seconds']:.1f} s")
        )  # [brackets] in a name are no markup
    Console(width=max(Console().width, 110)).print(table)


@dataclass(frozen=True)
class ShowOptions:
    """A run: its table, its curve, and the weights it has learned, by criterion."""

    run: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="RUN")]
    """A run by its name (apprenti runs) or its folder."""
    json: bool = False
    """Print one JSON object and nothing else."""


def show_run(options: ShowOptions) -> None:
    """Show a run."""
    run = find_run(options.run)
    rows, weights = run.metrics(), weights_of(run)
    if options.json:
        print(json.dumps({**summary_of(run), "config": run.about()["config"], "metrics": rows, "weights": weights}))
        return
    if not rows:
        say(f"run {run.name} has not finished its first generation yet.")
        return
    print_rows(rows)
    for name in shown(rows[-1]):
        if name != "elite":
            print(f"{worded(name.replace('_', ' ')):>15} {spark([row[name] for row in rows if name in row], 70)}")
    for place, regime in enumerate(weights if isinstance(weights, list) else [weights], 1):
        if isinstance(weights, list):
            say(f"set of weights {place}")
        print_weights(regime)
    draw_curve(run)
    for name, path in own_pictures(run).items():
        say(f"{PICTURES[name].about}: {path}")
    say(f"curve: {run.folder / 'curve.png'} · agent: {run.agent_path}")


def print_rows(rows: list[JsonData]) -> None:
    """The first and the last generations."""
    shown = rows if len(rows) <= 12 else [*rows[:3], *rows[-9:]]
    names = [name for name in rows[-1] if name not in ("spread",)]
    headings = [worded(name) for name in names]
    widths = [max(10, len(heading)) for heading in headings]
    print("  ".join(f"{heading:>{width}}" for heading, width in zip(headings, widths, strict=True)))
    for before, row in zip([None, *shown], shown, strict=False):
        if before and row["generation"] != before["generation"] + 1:
            say("         …")
        cells = [worded(number(row.get(name, float("nan")))) for name in names]
        print("  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)))


def name_of(criterion: str) -> str:
    """A criterion in the language of the terminal; in English as it is written in files."""
    name, bracket, number = criterion.partition("[")
    english = name.replace("_", " ")
    french = worded(english)
    return criterion if french == english else french + bracket + number


def print_weights(weights: JsonData) -> None:
    """Weights as bars."""
    flat: list[tuple[str, float]] = []
    for name, weight in weights.items():
        numbers = weight if isinstance(weight, list) else [weight]
        flat += [(f"{name}[{i}]" if isinstance(weight, list) else name, w) for i, w in enumerate(numbers, 1)]
    top = max((abs(weight) for _, weight in flat), default=1.0) or 1.0
    width = max((len(name_of(name)) for name, _ in flat), default=0)
    for name, weight in flat:
        bar = "█" * round(abs(weight) / top * 30)
        criterion, shown = name_of(name), worded(f"{weight:.4f}")
        print(f"  {criterion:<{max(24, width)}} {shown:>9} {'-' if weight < 0 else '+'}{bar}")


TRAIN = CommandLine(TrainOptions, train_words, lambda options, command, words: options(tuple(words)))
RESUME = CommandLine(ResumeOptions, resume_run)
RUNS = CommandLine(RunsOptions, list_runs)
SHOW = CommandLine(ShowOptions, show_run)
