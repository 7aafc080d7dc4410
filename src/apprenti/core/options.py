"""Options are dataclasses: a field is an option, the docstring below it is its help."""

import ast
import inspect
import textwrap
from dataclasses import fields
from itertools import pairwise
from typing import Any


def help_of(options: type[Any]) -> dict[str, str]:
    """What is said of each option: the docstrings of the fields, by their names."""
    found: dict[str, str] = {}
    for owner in reversed(options.__mro__[:-1]):
        body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
        for field, after in pairwise(getattr(body, "body", ())):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
            ):
                found[ast.unparse(field.target)] = inspect.cleandoc(str(after.value.value))
    return {field.name: found.get(field.name, "") for field in fields(options)}
