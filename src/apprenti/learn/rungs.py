"""Rungs of Luzhanqi's ladder as opponents and teachers: compiled, on many games at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.luzhanqi.kernel.worth import gains, prior
from apprenti.agents.luzhanqi.one_ply import ExpectedValuePlayer, GreedyPlayer
from apprenti.core.errors import UnknownName
from apprenti.games.luzhanqi.kernel.tables import rules_array
from apprenti.games.luzhanqi.rules import Rules
from apprenti.learn.rungs_kernel import score_all

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Rung:
    """How a player of the ladder looks one move ahead."""

    fear: float = 0.0
    march: float = 0.0
    counted: bool = False
    """Whether the odds of the enemy's types keep the counts of the army (nearly), or look at each piece alone."""
    blind: bool = False
    """All moves are worth the same."""

    def scores(self, rules: Rules, games: NDArray[np.int64]) -> Scores:
        """(games, actions): what each move is worth as the player to move sees it; −∞ where it is not legal."""
        out = np.empty((len(games), rules.actions))
        score_all(rules_array(rules), games, prior(), gains(rules), self.fear, self.march, self.counted, out)
        if self.blind:
            out[np.isfinite(out)] = 0.0
        return out

    def moves(self, rules: Rules, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """A move of the greatest worth in each game; of equals, any."""
        scores = self.scores(rules, games)
        return np.asarray((scores + 1e-3 * rng.random(scores.shape)).argmax(axis=1))


_GREEDY, _EXPECTED = GreedyPlayer(), ExpectedValuePlayer()
RUNGS = {
    "random": Rung(blind=True),
    "greedy": Rung(float(_GREEDY.fear), float(_GREEDY.march)),
    "expected": Rung(float(_EXPECTED.fear), float(_EXPECTED.march), counted=True),
}
"""`random` and `greedy` are the ladder's; `expected` approximates its exact beliefs by scaling, to be fast."""


def rung(name: str) -> Rung:
    """A rung by its name."""
    if name not in RUNGS:
        raise UnknownName("rung of the ladder", name, RUNGS)
    return RUNGS[name]
