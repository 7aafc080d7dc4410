"""The metrics of learners that are worth a curve, in the order and the colours in which they are shown."""

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
