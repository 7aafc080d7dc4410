"""A small curve in one line of text."""

from collections.abc import Sequence

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
