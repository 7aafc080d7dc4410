"""`apprenti train METHOD`: learn a player from nothing."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, make_dataclass
from typing import Any

from apprenti.cli.options import Cluster, Text, parse
from apprenti.cli.training import display
from apprenti.core.errors import BadOption
from apprenti.lab.cluster import training_on
from apprenti.lab.train import train
from apprenti.learn.methods import METHODS, config_class, older_options
from apprenti.store.runs import Run

HELP = """usage: apprenti train METHOD [options]

Learn a player from nothing; everything is kept in runs/NAME and survives a crash.

{methods}

  apprenti train METHOD --help    all options of a method
"""
INTERRUPTED = "interrupted: nothing is lost; `apprenti runs` names the run, `apprenti resume NAME` goes on."


@dataclass(frozen=True)
class Words:
    """The command line, read in two steps because the method decides which options there are."""

    words: tuple[str, ...]


def read_words(arguments: Sequence[str]) -> Words:
    """Keep the words for `run`."""
    return Words(tuple(arguments))


def options_of(method: str) -> type[Any]:
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
    found: list[str] = []
    for word in words:
        option, equals, value = word.partition("=")
        name = option.removeprefix("--").replace("-", "_") if option.startswith("--") else ""
        if found and found[-1] in less:  # the value of an option that was one word
            found[-1:] = [f"--{less[found[-1]]}", _one_more(word)]
        elif name in less:
            found += [f"--{less[name]}={_one_more(value)}"] if equals else [name]
        else:
            found.append(f"--{names[name]}{equals}{value}" if name in names else word)
    return [f"--{word}" if word in less else word for word in found]


def _one_more(text: str) -> str:
    """A number plus one; what is no number is left to be refused."""
    return str(int(text) + 1) if text.isdecimal() else text


def run(words: Words) -> int:
    """Train."""
    if not words.words or words.words[0] in ("-h", "--help"):
        methods = "\n".join(f"  {name:<14} {entry.about}" for name, entry in METHODS.items())
        print(HELP.format(methods=methods), end="")
        return 0
    method, *rest = words.words
    if method.startswith("-"):
        raise BadOption("name the method first, like: apprenti train ce --size 10x10.")
    options = parse(options_of(method), f"train {method}", by_their_names(rest, method))
    workers = getattr(options.config, "workers", 0)
    with training_on(options.cluster, method, workers), display(options.json) as watch:
        try:
            done = train(method, options.config, options.name, watch=watch)
        except KeyboardInterrupt:
            print(INTERRUPTED, file=sys.stderr)
            return 130
    print(json.dumps(done.summary()) if options.json else farewell(done))
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
