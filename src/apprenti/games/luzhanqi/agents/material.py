"""What the armies are worth as material: a rough count that learners lend while a game lasts."""

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.rules import Rules

WORTH = np.array([9.0, 7.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.5, 2.5, 2.5, 4.0, 0.0, 0.0])
"""Of the pieces a to l, and of an empty slot."""


def material(rules: Rules, games: NDArray[np.int64]) -> NDArray[np.float64]:
    """For each game, what the player to move has more than the other, as a share of an army."""
    alive = games[:, at.POINT : at.POINT + at.PIECES] >= 0
    worth = WORTH[games[:, at.TYPE : at.TYPE + at.PIECES]] * alive
    half = at.PIECES // 2
    army = max(1.0, float((WORTH[:12] * rules.counts).sum()))
    south = (worth[:, :half].sum(axis=1) - worth[:, half:].sum(axis=1)) / army
    return np.asarray(np.where(games[:, at.TO_MOVE] == 0, south, -south))
