"""Checks of options that all learners share: each refuses with a sentence that names the option."""

from dataclasses import fields

from apprenti.core.errors import BadOption
from apprenti.core.options import check_types

MOST = 10**9
"""Larger than any whole number has to be."""
HUGE = 1e12
"""Larger than any option has to be."""


def _refuse_unless(fits: bool, config: object, name: str, wanted: str) -> None:
    if not fits:
        raise BadOption(f"--{name.replace('_', '-')} {wanted}, not {getattr(config, name)!r}.")


def within_limits(config: object) -> None:
    """Refuse values of another type, and whole numbers that no run could have use of; a seed may be any."""
    check_types(type(config), vars(config))
    for one in fields(config):  # type: ignore[arg-type]
        value = getattr(config, one.name)
        numbers = value if isinstance(value, tuple) else (value,)
        large = any(isinstance(number, int) and abs(number) > MOST for number in numbers)
        _refuse_unless(one.name == "seed" or not large, config, one.name, f"is at most {MOST}")
        _refuse_unless(not isinstance(value, str) or _is_text(value), config, one.name, "is text")


def _is_text(value: str) -> bool:
    """Whether it can be stored: what is typed in another encoding than the system's is no text."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def positive(config: object, *names: str) -> None:
    """Refuse options that must be at least 1."""
    for name in names:
        _refuse_unless(getattr(config, name) >= 1, config, name, "must be at least 1")


def above_0(config: object, *names: str) -> None:
    """Refuse options that must be above 0."""
    for name in names:
        _refuse_unless(0 < getattr(config, name) <= HUGE, config, name, "must be above 0")


def at_least_0(config: object, *names: str) -> None:
    """Refuse options below 0, and numbers that nothing can be computed with."""
    for name in names:
        _refuse_unless(0 <= getattr(config, name) <= HUGE, config, name, f"must be from 0 to {HUGE:g}")


def finite(config: object, *names: str) -> None:
    """Refuse numbers that nothing can be computed with, whatever their sign."""
    for name in names:
        _refuse_unless(abs(getattr(config, name)) <= HUGE, config, name, f"must be a number up to {HUGE:g}")


def share(config: object, *names: str) -> None:
    """Refuse options that must be between 0 and 1."""
    for name in names:
        _refuse_unless(0 <= getattr(config, name) <= 1, config, name, "must be between 0 and 1")


_WORDS: dict[type[object], dict[str, tuple[object, ...]]] = {}
"""The words that options take, as far as they were checked."""


def one_of(config: object, name: str, *known: object) -> None:
    """Refuse what is none of the words an option takes."""
    _WORDS.setdefault(type(config), {})[name] = known
    listed = f"{', '.join(map(str, known[:-1]))} or {known[-1]}"
    _refuse_unless(getattr(config, name) in known, config, name, f"is {listed}")


def allowed(config: type[object]) -> dict[str, tuple[object, ...]]:
    """For options that take certain words only: these words."""
    config()  # it checks itself, and so says what it takes
    return _WORDS.get(config, {})
