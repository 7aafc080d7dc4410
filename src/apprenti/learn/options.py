"""Checks of options that all learners share: each refuses with a sentence that names the option."""

from apprenti.core.errors import BadOption

HUGE = 1e12
"""Larger than any option has to be."""


def positive(config: object, *names: str) -> None:
    """Refuse options that must be at least 1."""
    for name in names:
        if not getattr(config, name) >= 1:
            raise BadOption(f"--{name.replace('_', '-')} must be at least 1, not {getattr(config, name)}.")


def at_least_0(config: object, *names: str) -> None:
    """Refuse options below 0, and numbers that nothing can be computed with."""
    for name in names:
        if not 0 <= getattr(config, name) <= HUGE:
            raise BadOption(f"--{name.replace('_', '-')} must be from 0 to {HUGE:g}, not {getattr(config, name)}.")


def share(config: object, *names: str) -> None:
    """Refuse options that must be between 0 and 1."""
    for name in names:
        if not 0 <= getattr(config, name) <= 1:
            raise BadOption(f"--{name.replace('_', '-')} must be between 0 and 1, not {getattr(config, name)}.")
