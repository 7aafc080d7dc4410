"""What one-ply players say of every move in many games at once, compiled; and the advice that networks may take."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi.agents.one_ply import ExpectedValuePlayer
from apprenti.games.luzhanqi.agents.prior import TRUST
from apprenti.games.luzhanqi.agents.scores_kernel import MOVE_FEATURES, POINT_FEATURES, features_all, score_all
from apprenti.games.luzhanqi.agents.worth_kernel import attack_values
from apprenti.games.luzhanqi.agents.worth_kernel import prior as odds_at_first
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.fast.arrays import rules_array
from apprenti.games.luzhanqi.rules import Rules

_EXPECTED = ExpectedValuePlayer()


NO_LAYOUTS = np.empty((0, SLOTS), np.int64)


def scores(
    rules: Rules, games: NDArray[np.int64], fear: float, march: float, counted: bool,
    layouts: NDArray[np.int64] = NO_LAYOUTS, trust: float = TRUST,
) -> NDArray[np.float64]:  # fmt: skip
    """(games, actions): what each move is worth as the player to move sees it, in points; −∞ where it is not legal.

    `counted`: whether the odds of the enemy's types fit the counts of the army (nearly), or look at each piece alone.
    `layouts`: some that the enemy is known to use, for who counts; `trust`: their weight beside counting.
    """
    out = np.empty((len(games), rules.actions))
    score_all(
        rules_array(rules), games, odds_at_first(), attack_values(rules), fear, march, counted, layouts, trust, out
    )
    return out


class Features(NamedTuple):
    """What the expected-value player knows of games (nearly: its odds are scaled, not counted)."""

    moves: NDArray[np.float32]
    """(games, actions, 3): what a move is worth, what its fight is worth, whether it takes back; 0 if it is illegal."""
    points: NDArray[np.float32]
    """(games, 5, 60): of each enemy piece the chance of flag, mine and bomb, its entropy and its worth."""


def features(
    rules: Rules, games: NDArray[np.int64], prior: float = 0.0, layouts: NDArray[np.int64] = NO_LAYOUTS
) -> Features:
    """Features of all moves and points, as the players to move see them.

    `prior`: how likely it is at first that the enemy has one of these `layouts`.
    """
    found = Features(
        np.empty((len(games), rules.actions, MOVE_FEATURES), np.float32),
        np.empty((len(games), POINT_FEATURES, POINTS), np.float32),
    )
    options = float(_EXPECTED.fear), float(_EXPECTED.march)
    layouts = layouts if prior else NO_LAYOUTS
    features_all(rules_array(rules), games, odds_at_first(), attack_values(rules), *options, layouts, prior, *found)
    return found


def advice(
    rules: Rules, games: NDArray[np.int64], prior: float = 0.0, layouts: NDArray[np.int64] = NO_LAYOUTS
) -> NDArray[np.float32]:
    """(games, actions): what the expected-value player says of each move; 0 where it is not legal."""
    return features(rules, games, prior, layouts).moves[..., 0]
