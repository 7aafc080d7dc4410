"""Numbers as people read them."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apprenti.arena.statistics import Summary


def number(value: float, digits: int = 4) -> str:
    """A number that can be read: millions with a number of digits, thousands apart, small ones short."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "-"
    if abs(value) >= 1e6:
        return f"{apart(value / 1e6) if abs(value) >= 1e9 else f'{value / 1e6:.{digits}g}'} M"
    return apart(value) if abs(value) >= 100 else f"{value:.3g}"


def apart(value: float) -> str:
    """A whole number, its thousands apart."""
    return f"{value:,.0f}".replace(",", " ")


def interval(bounds: Sequence[float], digits: int = 3) -> str:
    """From the lower bound to the upper one."""
    low, high = bounds
    return f"{number(low, digits)} … {number(high, digits)}"


def mean_and_interval(summary: "Summary") -> tuple[str, str]:
    """A mean, in bold, and its 95 % interval, as tables have them."""
    return f"**{number(summary.mean, 3)}**", interval(summary.ci95)


def counted(number: int, word: str) -> str:
    """A number of things."""
    return f"{number} {word}{'' if number == 1 else 's'}"


BARS = "▁▂▃▄▅▆▇█"


def spark(values: Sequence[float], width: int = 40) -> str:
    """The last values as bars; on a logarithmic scale when they span more than a hundred times."""
    import math

    if not values:
        return ""
    step = max(1, -(-len(values) // width))
    shown = [max(values[i : i + step]) for i in range(0, len(values), step)]
    if min(shown) > 0 and max(shown) / min(shown) > 100:
        shown = [math.log(value) for value in shown]
    low, high = min(shown), max(shown)
    return "".join(BARS[int((value - low) / (high - low) * 7)] if high > low else BARS[0] for value in shown)


CURVES = {
    "best": "#d55e00",
    "elite": "#e69f00",
    "mean": "#0072b2",
    "worst": "#56b4e9",
    "test": "#000000",
    "optimal": "#009e73",
    "against_perfect": "#000000",
    "against_random": "#0072b2",
    "against_greedy": "#009e73",
    "against_expected": "#d55e00",
    "can_lose": "#cc79a7",
}
"""Colours of Okabe and Ito: colour-blind people tell them apart."""


def shown(row: dict[str, float]) -> list[str]:
    """The names of those metrics that a row has."""
    return [name for name in CURVES if name in row]
