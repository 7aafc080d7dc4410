"""Options are dataclasses: a field is an option, the docstring below it is its help."""

import ast
import inspect
import textwrap
from collections.abc import Mapping
from dataclasses import fields
from itertools import pairwise
from numbers import Integral, Real
from threading import Lock
from typing import Any, get_origin, get_type_hints

from apprenti.core.errors import BadOption

_KINDS: dict[type, tuple[type | tuple[type, ...], str]] = {
    bool: (bool, "True or False"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "text"),
    tuple: ((tuple, list), "several values"),
}
"""By the type of an option: what is taken for it, and its name for people."""


_PARSING = Lock()
"""Python 3.11 counts how deep it reads for all threads together: two that read at once end in a SystemError."""


def check_types(options: type[Any], given: Mapping[str, object]) -> None:
    """Refuse, with its name, a value that is not of the type of its option."""
    types = get_type_hints(options)
    for name, value in given.items():
        kind, words = _KINDS.get(get_origin(types[name]) or types[name], (object, ""))
        if not isinstance(value, kind):
            raise BadOption(f"{name} is {words}, not {value!r:.40}.")


def said(options: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was said: the options that are not at their defaults."""
    unsaid = {field.name: field.default for field in fields(options)}
    return {name: value for name, value in given.items() if value != unsaid[name]}


def help_of(options: type[Any]) -> dict[str, str]:
    """What is said of each option: the docstrings of the fields, by their names."""
    found: dict[str, str] = {}
    for owner in reversed(options.__mro__[:-1]):
        with _PARSING:
            body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
        for field, after in pairwise(getattr(body, "body", ())):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
            ):
                found[ast.unparse(field.target)] = inspect.cleandoc(str(after.value.value))
    return {field.name: found.get(field.name, "") for field in fields(options)}
