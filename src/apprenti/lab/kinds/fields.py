"""The file of an experiment as typed values: what is missing, unknown or of another type is named before anything runs.

A dataclass declares the fields of a file, and another those of its rows. Options of learners and of rules are read in
the same way: they are dataclasses, too.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadFile, UnknownName
from apprenti.core.game import AnyGame
from apprenti.core.protocols import AnyRules

T = TypeVar("T")
REST = {"rest": True}
"""Marks a field that takes whatever the others do not: options of rules, say, which only the game can check."""
WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", dict: "a table"}

MOST_PARTS = 10_000
"""Runs, or other parts of the work, that one experiment can have."""


def check_parts(number: int, where: str) -> None:
    """Refuse an experiment with more parts than anybody can wait for, before they are listed."""
    if number > MOST_PARTS:
        raise BadFile(f"{where} has {number} parts to run: at most {MOST_PARTS} are taken.")


def read(cls: type[T], data: Any, where: str, others: Sequence[type[Any]] = ()) -> T:
    """A dataclass from a table of a file; `others` are those whose fields stand beside its own, which may be meant."""
    if not isinstance(data, dict):
        raise BadFile(f"{where} is a table, not {data!r:.40}.")
    types, values, more = get_type_hints(cls), {}, {}
    known = {one.name: one for one in fields(cls)}  # type: ignore[arg-type]
    catch_all = [name for name, one in known.items() if one.metadata.get("rest")]
    for name, value in data.items():
        if name in known and name not in catch_all:
            values[name] = _value(types[name], value, name, where)
        elif catch_all:
            more[name] = value
        else:
            beside = [one.name for other in others for one in fields(other)]
            raise UnknownName(f"field of {where}", name, [*known, *beside])
    for name, one in known.items():
        if one.default is MISSING and one.default_factory is MISSING and values.get(name, ()) == ():
            raise BadFile(f"{where} needs {name}.")
    with blaming(where):
        return cls(**values, **dict.fromkeys(catch_all, more))


def _value(wanted: Any, value: Any, name: str, where: str) -> Any:
    """A value of the wanted type, or one sentence about it."""
    if is_dataclass(wanted):
        return read(wanted, value, f"{name} of {where}")  # type: ignore[arg-type]
    if get_origin(wanted) is tuple:
        return _list(get_args(wanted), value, name, where)
    if get_origin(wanted) is UnionType:  # something or None
        return None if value is None else _value(get_args(wanted)[0], value, name, where)
    plain = get_origin(wanted) or wanted
    if type(value) is plain or (plain is float and type(value) is int):
        return float(value) if plain is float else value
    raise BadFile(f"{name} of {where} is {WORDS[plain]}, not {value!r:.40}.")


def _list(inner: tuple[Any, ...], value: Any, name: str, where: str) -> tuple[Any, ...]:
    """A list of a number of things, or of as many as there are."""
    some = inner[-1] is Ellipsis
    if not isinstance(value, list | tuple) or not (some or len(value) == len(inner)):
        raise BadFile(f"{name} of {where} is a list{'' if some else f' of {len(inner)}'}, not {value!r:.40}.")
    kinds = inner[:1] * len(value) if some else inner
    return tuple(
        _value(*pair, f"{name} {number}", where) for number, pair in enumerate(zip(kinds, value, strict=True), 1)
    )


@contextmanager
def blaming(where: str) -> Iterator[None]:
    """Say where in which experiment something was asked for that is refused."""
    try:
        yield
    except BadFile:
        raise
    except ApprentiError as error:
        raise BadFile(f"{where}: {error}") from None


def rules_of(
    game: AnyGame, usual: AnyRules, options: JsonData, where: str, others: Sequence[type[Any]] = ()
) -> AnyRules:
    """The rules that some fields of a file ask for; what is left open is as usual."""
    asked = read(game.Options, options, where, others)
    with blaming(where):
        return game.rules(usual, **{name: getattr(asked, name) for name in options})
