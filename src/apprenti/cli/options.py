"""Options are dataclasses: a field is an option, its docstring the help. A command is its options and what it does."""

import contextlib
import inspect
import io
import re
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import tyro

from apprenti.core.errors import ApprentiError, BadFile

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
WANTED = {int: "a whole number", float: "a number"}


class BadUsage(ApprentiError):
    """Words on the command line that no command understands."""


@dataclass(frozen=True)
class Option:
    """An option as it is typed, or a word that stands without one."""

    name: str
    """`--max-pieces`, `--no-store`; what the help calls a word without an option."""
    kind: type
    """What is typed: the type of each value; bool for none."""
    several: bool
    needed: bool
    positional: bool


def options_in(options: type[Any]) -> Iterator[Option]:
    """All that can be typed, as the fields of a dataclass and of those inside it say it."""
    hints = get_type_hints(options, include_extras=True)
    for one in fields(options):
        wanted, *marks = get_args(hints[one.name]) if get_origin(hints[one.name]) is Annotated else (hints[one.name],)
        if is_dataclass(wanted):
            yield from options_in(wanted)  # type: ignore[arg-type]
            continue
        positional, name = tyro.conf.Positional in marks, one.name.strip("_").replace("_", "-")
        several, optional = get_origin(wanted) is tuple, get_origin(wanted) is UnionType
        kind = get_args(wanted)[0] if several or optional else wanted
        prefix = "--no-" if kind is bool and one.default is True else "--"
        needed = one.default is MISSING and one.default_factory is MISSING and not several
        place = name.upper() if needed else f"[{name.upper()}]"
        yield Option(place if positional else prefix + name, kind, several, needed, positional)


def option_name(field: str) -> str:
    """The option of a field, as it is typed."""
    return "--" + field.replace("_", "-")


def parse(options: type[Options], command: str, words: Sequence[str], more: str = "", game: str = "") -> Options:
    """Read a command's options; `more` is said in its help, `game` is the word that makes its help complete."""
    if {"-h", "--help"} & set(words):
        words = ["--help"]  # the help leaves out what has been said before it
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # a box of many lines: `trouble` says it in one
            return tyro.cli(
                options,
                prog=f"apprenti {command}",
                description=inspect.cleandoc(options.__doc__ or "") + more,
                args=list(words),
                config=(tyro.conf.FlagCreatePairsOff, tyro.conf.OmitArgPrefixes),
            )
    except SystemExit as stop:
        if stop.code in (0, None):
            sys.stdout.flush()
            sys.exit(0)
        help_of = f"{command} {game}".strip()
        raise BadUsage(f"{trouble(options, words)} (apprenti {help_of} --help shows what there is).") from None


@dataclass(frozen=True)
class CommandLine:
    """A command: its options, what it does with them, and how its words are read."""

    Options: type[Any]
    run: Callable[[Any], int | None]
    read: Callable[[type[Any], str, Sequence[str]], Any] = parse


def trouble(options: type[Any], words: Sequence[str]) -> str:
    """Why words could not be read, as a sentence without its end."""
    known = [*options_in(options)]
    named = {each.name: each for each in known if not each.positional}
    places = deque(each for each in known if each.positional)
    rest, strange, values = deque(words), [], []
    while rest:
        word = rest.popleft()
        name, equals, value = word.partition("=")
        option = named.get(name.replace("_", "-"))
        if option is None and places and not is_option(word):
            values.append((places[0] if places[0].several else places.popleft(), word))
        elif option is None or (option.kind is bool and equals):
            strange.append(word if option is None else value)
        elif equals:
            values.append((option, value))
        elif option.kind is not bool:
            before = len(values)
            while rest and not is_option(rest[0]) and (option.several or len(values) == before):
                values.append((option, rest.popleft()))
            if len(values) == before and not option.several:
                return f"Missing value for argument '{name}'. Expected 1 values"
    missing = [place.name for place in places if place.needed]
    if missing:
        return f"{missing[0]} is missing"
    if strange:
        near = [match for word in strange for match in get_close_matches(word, named, 1, 0.8)]
        return f"Unrecognized options: {', '.join(strange)}" + (f"; did you mean {near[0]}?" if near else "")
    return next(
        (wrong for option, value in values if (wrong := wrong_value(option, value))), "these words are not clear"
    )


def is_option(word: str) -> bool:
    """Whether a word is an option, and not a value like -1."""
    return word.startswith("-") and not re.match(r"-[\d.]", word)


def wrong_value(option: Option, text: str) -> str:
    """What is wrong with the value of an option; empty if nothing is."""
    try:
        option.kind(text)
    except (ValueError, TypeError):
        return f"Error parsing {option.name}: {WANTED.get(option.kind, 'another value')} was expected, not {text!r}"
    return ""


def check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be written now, and not after an hour of play."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError:
        raise BadFile(f"{folder} is not a folder: replays go to a file that ends in .json, or to a folder.") from None
    except OSError as error:
        raise BadFile(f"cannot write to {folder}: {error.strerror}.") from None
