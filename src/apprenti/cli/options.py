"""Options are dataclasses: a field is an option, its docstring the help."""

import contextlib
import inspect
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

import tyro

from apprenti.core.errors import ApprentiError

Options = TypeVar("Options")

Text = Annotated[str, tyro.conf.arg(help_behavior_hint="")]
"""An option that says nothing unless it is given."""
Cluster = Annotated[
    str,
    tyro.conf.arg(
        help="Play on a Ray cluster, with the same results: local:4 (nodes on this machine), auto, HOST:PORT or "
        "ray://HOST:PORT.",
        help_behavior_hint="",
    ),
]
Seed = Annotated[int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(default: drawn, and shown)")]


class BadUsage(ApprentiError):
    """Words on the command line that no command understands."""


def _one_sentence(box: str, command: str) -> str:
    """What a parser said in a box, without the box, and which command's help says more."""
    lines = [re.sub(r"[│╭╮╰╯]", "", line).strip() for line in box.splitlines()]
    lines = [line for line in lines if line and not line.startswith(("usage:", "For full"))]
    rules = [number for number, line in enumerate(lines) if set(line) <= {"─", "-"}]
    first = 2 if rules[:1] == [1] else 1  # a terminal that knows no boxes gets a line below the title
    head = lines[first : next((number for number in rules if number >= first), None)] or lines
    near = re.search(r"Perhaps you meant:\W*\s*(--[\w-]+)", " ".join(lines))
    said = re.sub(r"\s+", " ", " ".join(head)).rstrip(". :")
    missing = re.match(r"Missing from apprenti \w+: (\S+)", said)
    if missing:
        said = f"{missing[1]} is missing"
    said = said.replace("invalid literal for int() with base 10:", "a whole number was expected, not")
    said = said.replace("could not convert string to float:", "a number was expected, not")
    said = re.sub(r"no type matching .*: (a whole number was expected)", r"\1", said)  # an option that may be left out
    hint = f"; did you mean {near[1]}?" if near else ""
    return f"{said}{hint} (apprenti {command} --help shows what there is)."


def parse(options: type[Options], command: str, arguments: Sequence[str], more: str = "", game: str = "") -> Options:
    """Read a command's options; `more` is said in its help, `game` is the word that makes its help complete."""
    box = io.StringIO()
    if {"-h", "--help"} & set(arguments):
        arguments = ["--help"]  # the help leaves out what has been said before it
    try:
        with contextlib.redirect_stderr(box):
            return tyro.cli(
                options,
                prog=f"apprenti {command}",
                description=inspect.cleandoc(options.__doc__ or "") + more,
                args=list(arguments),
                config=(tyro.conf.FlagCreatePairsOff, tyro.conf.OmitArgPrefixes),
            )
    except SystemExit as stop:
        if stop.code in (0, None):
            sys.stdout.flush()
            sys.exit(0)
        raise BadUsage(_one_sentence(box.getvalue(), f"{command} {game}".strip())) from None


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """What commands that measure have in common."""

    game: Text = ""
    """The game (apprenti games), so that short names like random will do; default: the one the agent plays."""
    games: int = 100
    """How many games."""
    seed: int = 1
    """Game i depends on this and on i alone."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""
    cluster: Cluster = ""
    json: bool = False
    """Print one JSON object and nothing else."""
    figure: Text = ""
    """Write a picture of the result to this file (png, svg, pdf)."""
    record: Text = ""
    """Store every game as a replay in this folder."""
    csv: Text = ""
    """Write a line for every game to this file: what was counted, how it ended (comma-separated values)."""
    so_far: Text = ""
    """While it goes on, write what is known so far to this file, about twice a second (JSON)."""
    page: bool = False
    """Show it on the page while it goes on, and afterwards: apprenti web in the same folder, under Measure."""
    every_game: bool = False
    """With --json: also a line for every game."""
    quartiles: str = "linear"
    """linear, or french: as French schools define them, a score that was made."""


def option_name(field: str) -> str:
    """The option of a field, as it is typed."""
    return "--" + field.replace("_", "-")
