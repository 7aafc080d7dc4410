"""Plain data: what a JSON file can hold and how it is checked; options, which are dataclasses.

A field of options is an option, and the docstring below it is its help.
"""

import ast
import inspect
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from itertools import pairwise
from numbers import Integral, Real
from threading import Lock
from typing import Any, Protocol, TypeAlias, Union, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadFile, BadOption

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""What JSON can say."""
JsonObject: TypeAlias = Mapping[str, Json]
"""What JSON can say, by name: options, rules, results."""
Arrays: TypeAlias = Mapping[str, NDArray[np.generic]]
"""Arrays by name, each of numbers of its own type."""
AnyArray: TypeAlias = NDArray[Any]
"""An array of numbers of some type."""
AnyFunction: TypeAlias = Callable[..., Any]
"""A function that is only passed on, or called with what somebody else gives."""
SavedState: TypeAlias = Mapping[str, Json | Arrays]
"""What a learner stores: plain data and, under `arrays`, what is large."""
JsonData: TypeAlias = dict[str, Any]
"""Data by name as it was read, not yet checked; or as it is written."""
JsonMapping: TypeAlias = Mapping[str, Any]
"""The same, where it is only looked at."""


Bound: TypeAlias = float | Sequence[int] | NDArray[np.generic] | None
"""The least or the greatest number in an array: one for all of it, or one for each of its columns."""


class Shape(Protocol):
    """A declaration of what some data is."""

    def trouble(self, data: object, where: str) -> str:
        """What is wrong with data, beginning with where; empty if nothing is."""


def check(shape: Shape, data: object, what: str) -> None:
    """Refuse data of another shape, with one sentence."""
    if trouble := shape.trouble(data, ""):
        raise BadFile(f"{what} is not what it should be: {trouble.removeprefix('.')}.")


def _wrong(where: str, wanted: str, data: object) -> str:
    return f"{where or 'it'} is {wanted}, not {data!r:.40}"


@dataclass(frozen=True)
class Anything:
    """Data that nothing is said of."""

    def trouble(self, data: object, where: str) -> str:
        return ""


@dataclass(frozen=True)
class Whole:
    """A whole number in a range."""

    low: int = 0
    high: int = 2**63 - 1

    def trouble(self, data: object, where: str) -> str:
        fits = type(data) is int and self.low <= data <= self.high
        return "" if fits else _wrong(where, f"a whole number from {self.low} to {self.high}", data)


SEED = Whole(0, 2**64 - 1)
"""The state of a stream of random numbers."""


@dataclass(frozen=True)
class Number:
    """A finite number, not below another."""

    low: float = -math.inf

    def trouble(self, data: object, where: str) -> str:
        fits = (type(data) is int or type(data) is float) and self.low <= data and abs(data) < math.inf
        return "" if fits else _wrong(where, "a finite number", data)


@dataclass(frozen=True)
class AnyNumber:
    """A number that was measured: it may be infinite, or none at all (NaN)."""

    def trouble(self, data: object, where: str) -> str:
        return "" if type(data) in (int, float) else _wrong(where, "a number", data)


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def trouble(self, data: object, where: str) -> str:
        return "" if isinstance(data, bool) else _wrong(where, "true or false", data)


@dataclass(frozen=True)
class Word:
    """One of some texts; with none given, any text."""

    words: tuple[str, ...] = ()

    def trouble(self, data: object, where: str) -> str:
        fits = isinstance(data, str) and (not self.words or data in self.words)
        return "" if fits else _wrong(where, " or ".join(self.words) or "a text", data)


@dataclass(frozen=True)
class Maybe:
    """Something, or None."""

    inner: Shape

    def trouble(self, data: object, where: str) -> str:
        return "" if data is None else self.inner.trouble(data, where)


@dataclass(frozen=True)
class Newer:
    """Something that older files do not have."""

    inner: Shape

    def trouble(self, data: object, where: str) -> str:
        return self.inner.trouble(data, where)


@dataclass(frozen=True)
class Each:
    """A list of things of one shape; of a length, if one is given."""

    inner: Shape
    length: int | None = None

    def trouble(self, data: object, where: str) -> str:
        if not isinstance(data, list | tuple) or self.length not in (None, len(data)):
            return _wrong(where, "a list" if self.length is None else f"a list of {self.length}", data)
        return next(filter(None, (self.inner.trouble(one, f"{where}[{i}]") for i, one in enumerate(data))), "")


@dataclass(frozen=True)
class Row:
    """A list of things, each of a shape of its own."""

    inner: tuple[Shape, ...]

    def trouble(self, data: object, where: str) -> str:
        if not isinstance(data, list | tuple) or len(data) != len(self.inner):
            return _wrong(where, f"a list of {len(self.inner)}", data)
        parts = zip(self.inner, data, strict=True)
        return next(filter(None, (shape.trouble(one, f"{where}[{i}]") for i, (shape, one) in enumerate(parts))), "")


@dataclass(frozen=True)
class AnyOf:
    """One of several shapes."""

    inner: tuple[Shape, ...]

    def trouble(self, data: object, where: str) -> str:
        troubles = [shape.trouble(data, where) for shape in self.inner]
        return troubles[-1] if all(troubles) else ""


@dataclass(frozen=True)
class Fields:
    """Things by name: those that must be there, and those of a pattern (`memory/*`) that may be there besides."""

    inner: Mapping[str, Shape]
    more: Mapping[str, Shape] = field(default_factory=dict)

    def trouble(self, data: object, where: str) -> str:
        if not isinstance(data, Mapping):
            return _wrong(where, "an object", data)
        for name, shape in self.inner.items():
            if name not in data and not isinstance(shape, Newer):
                return f"{where}.{name} is missing"
        return next(filter(None, (self._of(str(name), one, where) for name, one in data.items())), "")

    def _of(self, name: str, data: object, where: str) -> str:
        fitting = (shape for pattern, shape in self.more.items() if fnmatchcase(name, pattern))
        shape = self.inner.get(name) or next(fitting, None)
        return shape.trouble(data, f"{where}.{name}") if shape else f"{where}.{name:.40} is unknown"


@dataclass(frozen=True)
class Numbers:
    """An array: its type, its shape (None where any length will do), and a range for what is in it."""

    dtype: str
    shape: tuple[int | None, ...]
    low: Bound = None
    high: Bound = None

    def trouble(self, data: object, where: str) -> str:
        if not isinstance(data, np.ndarray) or data.dtype != self.dtype or not self._fits(data.shape):
            given = f"{data.dtype} {data.shape}" if isinstance(data, np.ndarray) else data
            return _wrong(where, f"an array of {self.dtype} {self.shape}", given)
        if data.dtype.kind == "f" and not np.isfinite(data).all():
            return f"{where} has numbers that are not finite"
        outside = (self.low is not None and (data < self.low).any()) or (
            self.high is not None and (data > self.high).any()
        )
        return f"{where} has numbers out of their range" if outside else ""

    def flat(self) -> "Numbers":
        """The same numbers in one row."""
        return replace(self, shape=(math.prod(n or 0 for n in self.shape),))

    def _fits(self, shape: tuple[int, ...]) -> bool:
        return len(shape) == len(self.shape) and all(n in (None, m) for n, m in zip(self.shape, shape, strict=True))


def like(array: NDArray[np.generic], low: Bound = None, high: Bound = None, grows: bool = False) -> Numbers:
    """An array of the same type and shape; or, if it grows, of any length."""
    return Numbers(str(array.dtype), (None, *array.shape[1:]) if grows else array.shape, low, high)


Varies: TypeAlias = Mapping[str, Union[Shape, "Varies"]]
"""What is not as in an example, by name: a shape, or again such a table for the parts of it."""


def shape_of(example: object, varies: "Shape | Varies | None" = None) -> Shape:
    """What an example looks like, but for what varies. What varies and is not in the example need not be there."""
    if varies is not None and not isinstance(varies, Mapping):
        shape: Shape = varies
        return shape
    if isinstance(example, Mapping):
        more = varies or {}
        parts = {name: shape_of(part, more.get(name)) for name, part in example.items()}
        return Fields(parts, {name: shape_of(None, rest) for name, rest in more.items() if name not in parts})
    if isinstance(example, np.ndarray):
        return like(example)
    if isinstance(example, list | tuple):
        return Row(tuple(map(shape_of, example)))
    return Number() if isinstance(example, float) else Whole() if isinstance(example, int) else Word()


GENERATOR = Fields(
    {
        "bit_generator": Word(("PCG64",)),
        "state": Fields({"state": Whole(0, 2**128 - 1), "inc": Whole(0, 2**128 - 1)}),
        "has_uint32": Whole(0, 1),
        "uinteger": Whole(0, 2**32 - 1),
    }
)
"""The state of numpy's default generator."""


# Options -------------------------------------------------------------------------------------------------------------

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


def without_defaults(options: type[Any], given: JsonMapping) -> JsonData:
    """The options that are not at their defaults."""
    usual = {one.name: one.default for one in fields(options)}
    return {name: value for name, value in given.items() if value != usual[name]}


def help_of(options: type[Any]) -> dict[str, str]:
    """What is said of each option: the docstrings of the fields, by their names."""
    helps: dict[str, str] = {}
    for owner in reversed(options.__mro__[:-1]):
        with _PARSING:
            body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
        for option, after in pairwise(getattr(body, "body", ())):
            if (
                isinstance(option, ast.AnnAssign)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
            ):
                helps[ast.unparse(option.target)] = inspect.cleandoc(str(after.value.value))
    return {one.name: helps.get(one.name, "") for one in fields(options)}
