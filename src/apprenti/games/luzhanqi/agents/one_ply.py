"""Players that look one move ahead and weigh it with how likely the enemy's pieces are what."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.agents.base import Player
from apprenti.games.luzhanqi.agents.one_ply_kernel import score_moves
from apprenti.games.luzhanqi.agents.prior import beliefs_with, check_prior
from apprenti.games.luzhanqi.agents.worth_kernel import attack_values, prior
from apprenti.games.luzhanqi.board import ACTION_OF, parse_move
from apprenti.games.luzhanqi.fast.arrays import blank_world, rules_array
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import TYPES

Odds = NDArray[np.float64]


def action_numbers(legal: Sequence[str]) -> NDArray[np.int64]:
    """The numbers of moves."""
    return np.array([ACTION_OF[parse_move(move)] for move in legal], dtype=np.int64)


@dataclass(frozen=True)
class OnePlyPlayer(Player):
    """Plays the move that is worth most at once; of equal ones, any."""

    fear: float = 0.1
    """How much the danger for the moving piece counts."""
    march: float = 1.0
    """How many points a move nearer to the flag is worth."""

    def odds(self, seen: Observation) -> Odds:
        """For each slot of the enemy, how likely each type is."""
        raise NotImplementedError

    @announcing("a one-ply player of Luzhanqi", score_moves)
    def scores(self, seen: Observation, legal: Sequence[str]) -> NDArray[np.float64]:
        """What each move is worth."""
        rules, values, scores = rules_array(seen.rules), attack_values(seen.rules), np.empty(len(legal))
        weights = float(self.fear), float(self.march)
        score_moves(rules, blank_world(seen), action_numbers(legal), self.odds(seen), values, *weights, scores)
        return scores

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        scores = self.scores(seen, legal)
        scores += 1e-3 * np.array([rng.random() for _ in legal])
        return legal[int(np.argmax(scores))]


@dataclass(frozen=True)
class GreedyPlayer(OnePlyPlayer):
    """Looks at each enemy piece alone: the odds of the beginning among the types this piece can still be."""

    kind = "luzhanqi-greedy"

    def odds(self, seen: Observation) -> Odds:
        sets = np.array(seen.deduced)[:, None] >> np.arange(TYPES) & 1
        odds = sets * prior()
        return np.asarray(odds / np.maximum(odds.sum(axis=1, keepdims=True), 1e-9))


@dataclass(frozen=True)
class ExpectedValuePlayer(OnePlyPlayer):
    """Knows exactly how likely each piece is what, from everything that was seen."""

    kind = "luzhanqi-expected"
    fear: float = 0.5
    prior: float = 0.0
    """The weight of layouts beside counting in what it believes, from 0 to 1."""
    known: str = ""
    """Layouts that the enemy uses, with spaces between them; none for the usual ones."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_prior(self.prior, self.known)

    def odds(self, seen: Observation) -> Odds:
        return beliefs_with(seen, self.prior, self.known).marginals()
