"""Who is stronger: shares with Wilson's interval, and Elo from many matches by Bradley and Terry's model."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ELO = 400 / math.log(10)
"""Elo points of one natural unit of strength: 400 points are odds of ten to one."""


def wilson(points: float, games: float, z: float = 1.959964) -> tuple[float, float]:
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
    """Standard error, from the curvature of the likelihood; infinite for who met nobody that met the anchor."""


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
