"""Numbers as people read them."""

import math


def number(value: float, digits: int = 4) -> str:
    """A number that can be read: millions with so many digits, thousands apart, small ones short."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "-"
    if abs(value) >= 1e6:
        return f"{_apart(value / 1e6) if abs(value) >= 1e9 else f'{value / 1e6:.{digits}g}'} M"
    return _apart(value) if abs(value) >= 100 else f"{value:.3g}"


def _apart(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ")


def counted(number: int, word: str) -> str:
    """A number of things."""
    return f"{number} {word}{'' if number == 1 else 's'}"
