"""What many scores say, and how sure it is.

Scores at Tetris are close to exponential, so the interval of a mean comes from the χ² law: 2·total/mean has 2·deaths
degrees of freedom. A game cut short adds its lines to the total but no death; averaging cut games as if they were whole
would be wrong (Epstein & Sobel 1953).

Other scores are no lifetimes: their mean is that of what was scored, with the interval of Student's law.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from apprenti.core.data import JsonObject

if TYPE_CHECKING:
    from numpy.typing import NDArray


def chi2_quantile(probability: float, degrees: int) -> float:
    """The quantile of the χ² law."""
    from scipy.special import gammaincinv

    return 2.0 * float(gammaincinv(degrees / 2, probability))


def interval(total: float, deaths: int, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of the mean of an exponential law, from the total of all scores and the number of deaths."""
    tail = (1 - confidence) / 2
    if deaths == 0:
        return 2 * total / chi2_quantile(confidence, 2), math.inf
    low = 2 * total / chi2_quantile(1 - tail, 2 * deaths)
    return low, 2 * total / chi2_quantile(tail, 2 * deaths)


def student_interval(mean: float, deviation: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of a mean from the deviation of scores of any law (Student 1908); without end for a single game."""
    from scipy.special import stdtrit

    half = float(stdtrit(games - 1, (1 + confidence) / 2)) * deviation / math.sqrt(games) if games > 1 else math.inf
    return mean - half, mean + half


@dataclass(frozen=True)
class Summary:
    """A list of scores in a few numbers."""

    games: int
    deaths: int
    total: float
    mean: float
    """Total / deaths: the mean score of a whole game, also when some were cut short. Infinite without a death."""
    deviation: float
    five: tuple[float, float, float, float, float]
    """Minimum, first quartile, median, third quartile, maximum."""
    ci95: tuple[float, float]

    @property
    def half_width(self) -> float:
        """Half of the interval, as a part of the mean."""
        return (self.ci95[1] - self.ci95[0]) / (2 * self.mean) if self.deaths and self.mean else math.inf


QUARTILES = ("linear", "french")
"""Between two scores in proportion, as most programs do; or a score itself, as French schools define them: the smallest
that at least a quarter (three quarters) of the scores do not exceed."""


def five_numbers(scores: "NDArray[np.float64]", quartiles: str = "linear") -> tuple[float, float, float, float, float]:
    """Minimum, first quartile, median, third quartile, maximum."""
    method: Literal["inverted_cdf", "linear"] = "inverted_cdf" if quartiles == "french" else "linear"
    first, third = (float(q) for q in np.quantile(scores, [0.25, 0.75], method=method))
    return float(scores.min()), first, float(np.median(scores)), third, float(scores.max())


def summarise(
    scores: Sequence[float], deaths: int | None = None, quartiles: str = "linear", exponential: bool = True
) -> Summary:
    """The summary of scores; exponential ones may be of games cut short."""
    deaths = len(scores) if deaths is None else deaths
    array = np.asarray(scores, dtype=float)
    if len(array) == 0:
        return Summary(0, 0, 0.0, math.nan, math.nan, (math.nan,) * 5, (math.nan, math.nan))
    total = float(array.sum())
    deviation = float(array.std(ddof=1)) if len(array) > 1 else 0.0
    five = five_numbers(array, quartiles)
    if not exponential:
        mean = total / len(array)
        return Summary(len(array), deaths, total, mean, deviation, five, student_interval(mean, deviation, len(array)))
    mean = total / deaths if deaths else math.inf
    return Summary(len(array), deaths, total, mean, deviation, five, interval(total, deaths))


def as_json(summary: Summary) -> JsonObject:
    """The summary as plain data; what is infinite or unknown is null."""

    def number(value: float) -> float | None:
        return value if math.isfinite(value) else None

    return {
        "games": summary.games,
        "deaths": summary.deaths,
        "total": number(summary.total),
        "mean": number(summary.mean),
        "deviation": number(summary.deviation),
        "five_numbers": [number(value) for value in summary.five],
        "ci95": [number(value) for value in summary.ci95],
    }


def from_json(data: dict[str, Any]) -> Summary:
    """The summary that `as_json` wrote; what was null is infinite."""

    def number(value: float | None) -> float:
        return math.inf if value is None else value

    total, mean, deviation = (number(data[name]) for name in ("total", "mean", "deviation"))
    low, first, median, third, high = map(number, data["five_numbers"])
    five, interval_ = (low, first, median, third, high), (number(data["ci95"][0]), number(data["ci95"][1]))
    return Summary(data["games"], data["deaths"], total, mean, deviation, five, interval_)
