"""What one-ply players say of every move in many games at once, compiled; and the advice that networks may take."""

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.luzhanqi.kernel.scores import score_all
from apprenti.agents.luzhanqi.kernel.worth import attack_values, prior
from apprenti.agents.luzhanqi.one_ply import ExpectedValuePlayer
from apprenti.games.luzhanqi.fast.arrays import rules_array
from apprenti.games.luzhanqi.rules import Rules

_EXPECTED = ExpectedValuePlayer()


def scores(rules: Rules, games: NDArray[np.int64], fear: float, march: float, counted: bool) -> NDArray[np.float64]:
    """(games, actions): what each move is worth as the player to move sees it, in points; −∞ where it is not legal.

    `counted`: whether the odds of the enemy's types fit the counts of the army (nearly), or look at each piece alone.
    """
    out = np.empty((len(games), rules.actions))
    score_all(rules_array(rules), games, prior(), attack_values(rules), fear, march, counted, out)
    return out


def advice(rules: Rules, games: NDArray[np.int64]) -> NDArray[np.float32]:
    """What the expected-value player says (nearly: its odds are scaled, not counted); 0 where a move is not legal."""
    found = scores(rules, games, float(_EXPECTED.fear), float(_EXPECTED.march), counted=True)
    return np.where(np.isfinite(found), found, 0.0).astype(np.float32)
