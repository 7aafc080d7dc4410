"""What many scores say, and how sure it is.

The mean is that of what was scored in the games that were played. Its interval is that of Student's law; where scores
are lifetimes that a rare accident ends, and no game was cut, that of the χ² law: 2·total/mean has 2·deaths degrees of
freedom.

A lifetime that was cut short adds to the total, but no death: total/deaths estimates the mean of whole games, where the
mean of what was played would be too small (Epstein & Sobel 1953). That is the estimated whole game.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import JsonData, JsonObject

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
    """Of what was scored in the games as they were played."""
    deviation: float
    five: tuple[float, float, float, float, float]
    """Minimum, first quartile, median, third quartile, maximum."""
    ci95: tuple[float, float]
    """The interval of the mean."""
    estimated_mean: float = math.nan
    """Of whole games: total / deaths, infinite without a death; unknown if the scores are no lifetimes."""
    estimated_ci95: tuple[float, float] = (math.nan, math.nan)

    @property
    def is_cut(self) -> bool:
        """Whether lifetimes were cut short, so that a whole game is more than the mean."""
        return self.deaths < self.games and not math.isnan(self.estimated_mean)

    @property
    def whole(self) -> "Summary":
        """The same with the mean of whole games, which is estimated where some were cut."""
        return replace(self, mean=self.estimated_mean, ci95=self.estimated_ci95) if self.is_cut else self

    @property
    def half_width(self) -> float:
        """Half of the interval of whole games, as a part of their mean."""
        whole = self.whole
        return (whole.ci95[1] - whole.ci95[0]) / (2 * whole.mean) if self.deaths and self.mean else math.inf


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
    mean = total / len(array)
    deviation = float(array.std(ddof=1)) if len(array) > 1 else 0.0
    known = len(array), deaths, total, mean, deviation, five_numbers(array, quartiles)
    if not exponential:
        return Summary(*known, student_interval(mean, deviation, len(array)))
    return _of_lifetimes(Summary(*known, (math.nan, math.nan)))


def _of_lifetimes(summary: Summary) -> Summary:
    """The summary with the interval of the mean, and what whole games are estimated to score."""
    whole = summary.total / summary.deaths if summary.deaths else math.inf
    bounds = interval(summary.total, summary.deaths)
    own = bounds if summary.deaths == summary.games else _of_cut_lifetimes(summary)
    return replace(summary, ci95=own, estimated_mean=whole, estimated_ci95=bounds)


def _of_cut_lifetimes(summary: Summary) -> tuple[float, float]:
    """The interval of the mean of what was played; what is never below 0 has no mean below 0."""
    low, high = student_interval(summary.mean, summary.deviation, summary.games)
    return (max(0.0, low) if summary.five[0] >= 0 else low), high


def as_json(summary: Summary) -> JsonObject:
    """The summary as plain data; what is infinite or unknown is null."""

    def number(value: float) -> float | None:
        return value if math.isfinite(value) else None

    lifetimes = not math.isnan(summary.estimated_mean)
    return {
        "games": summary.games,
        "deaths": summary.deaths,
        "total": number(summary.total),
        "mean": number(summary.mean),
        "deviation": number(summary.deviation),
        "five_numbers": [number(value) for value in summary.five],
        "ci95": [number(value) for value in summary.ci95],
        "estimated_mean": number(summary.estimated_mean),
        "estimated_ci95": [number(value) for value in summary.estimated_ci95] if lifetimes else None,
    }


def from_json(data: JsonData) -> Summary:
    """The summary that `as_json` wrote; what was null is infinite.

    What version 0.2 wrote has no estimate beside the mean: its mean was that of whole games.
    """

    def number(value: float | None) -> float:
        return math.inf if value is None else value

    def bounds(pair: Sequence[float | None]) -> tuple[float, float]:
        return number(pair[0]), number(pair[1])

    total, mean, deviation = (number(data[name]) for name in ("total", "mean", "deviation"))
    low, first, median, third, high = map(number, data["five_numbers"])
    five, ci95 = (low, first, median, third, high), bounds(data["ci95"])
    summary = Summary(data["games"], data["deaths"], total, mean, deviation, five, ci95)
    if "estimated_mean" not in data:
        return _of_version_0_2(summary)
    if data["estimated_ci95"] is None:
        return summary
    return replace(
        summary, estimated_mean=number(data["estimated_mean"]), estimated_ci95=bounds(data["estimated_ci95"])
    )


def _of_version_0_2(summary: Summary) -> Summary:
    """Its mean was total / deaths if the scores were lifetimes, and that of what was played if they were not."""
    if not (summary.games and math.isfinite(summary.total)):
        return summary
    played = summary.total / summary.games
    if summary.deaths < summary.games and math.isclose(summary.mean, played):
        return summary
    own = replace(summary, mean=played)
    ci95 = _of_cut_lifetimes(own) if summary.deaths < summary.games else summary.ci95
    return replace(own, ci95=ci95, estimated_mean=summary.mean, estimated_ci95=summary.ci95)


Z95 = 1.959964
"""Standard errors in half of a 95 % interval of a normal law."""
ELO = 400 / math.log(10)
"""Elo points of one natural unit of strength: 400 points are odds of ten to one."""


def wilson(points: float, games: float, z: float = Z95) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); a draw counts as half a point, which makes it a little too wide."""
    if games <= 0:
        return 0.0, 1.0
    share = points / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Rating:
    """A player's strength among the others."""

    elo: float
    error: float
    """Standard error, from the curvature of the likelihood; infinite if no opponent met the anchor."""

    @property
    def half(self) -> float:
        """Half of the 95 % interval."""
        return Z95 * self.error

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.elo - self.half, self.elo + self.half


def elo_of(points: NDArray[np.float64], games: NDArray[np.float64], anchor: int = 0) -> list[Rating]:
    """Elo from tables (row against column): points won and games played; the anchor has 0.

    Maximum likelihood by Newton's method. Half a drawn game against everybody met keeps a player who has lost or won
    everything finite.
    """
    met = games > 0
    points, games = points + 0.25 * met, games + 0.5 * met
    number = len(points)
    free = [i for i in range(number) if i != anchor]
    strength = np.zeros(number)
    for _ in range(100):
        expected = 1 / (1 + np.exp(strength[np.newaxis, :] - strength[:, np.newaxis]))
        slope = (points - games * expected).sum(axis=1)
        information = _information(games, expected)
        step = np.linalg.lstsq(information[np.ix_(free, free)], slope[free], rcond=None)[0]
        strength[free] += np.clip(step, -2, 2)
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    errors = np.zeros(number)
    errors[free] = np.sqrt(np.maximum(0.0, np.diag(np.linalg.pinv(information[np.ix_(free, free)]))))
    errors[~_related(met, anchor)] = np.inf
    return [Rating(float(s * ELO), float(e * ELO)) for s, e in zip(strength, errors, strict=True)]


def _information(games: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Minus the second derivative of the likelihood."""
    weight = games * expected * (1 - expected)
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)


def _related(met: NDArray[np.bool_], anchor: int) -> NDArray[np.bool_]:
    """Whom a chain of games leads to from the anchor: only they can be compared with it."""
    related = np.asarray(np.arange(len(met)) == anchor)
    for _ in range(len(met)):
        related |= met[related].any(axis=0)
    return related


def expected_share(difference: float) -> float:
    """The share of points that a difference in Elo gives."""
    return 1 / (1 + math.exp(-difference / ELO))


def counted(points: Sequence[float]) -> tuple[int, int, int]:
    """Won, drawn and lost games."""
    return sum(p == 1 for p in points), sum(0 < p < 1 for p in points), sum(p == 0 for p in points)
