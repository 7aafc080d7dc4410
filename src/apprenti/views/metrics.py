"""The metrics of learners that are worth a curve, in the order and the colours in which they are shown."""

CURVES = {
    "best": "#c0392b",
    "elite": "#e59866",
    "mean": "#5d8aa8",
    "worst": "#aab7b8",
    "test": "#22313f",
    "optimal": "#27ae60",
    "against_perfect": "#22313f",
    "against_random": "#5d8aa8",
    "against_greedy": "#27ae60",
    "against_expected": "#c0392b",
    "can_lose": "#c0392b",
}


def shown(row: dict[str, float]) -> list[str]:
    """The names of those metrics that a row has."""
    return [name for name in CURVES if name in row]
