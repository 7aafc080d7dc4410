"""Sampled worlds with flat Monte-Carlo: the best published recipe for this family of games.

Layouts are drawn for the enemy from exact beliefs. In each world every move is tried and played on for a few moves,
both sides greedy by what each of them knows there; then pieces are counted. Successive halving (Karnin, Koren, Somekh
2013): the worse half of the moves is dropped, the rest is tried in fresh worlds, until one is left.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.agents.base import Player
from apprenti.games.luzhanqi.agents.one_ply import ExpectedValuePlayer, OnePlyPlayer, action_numbers
from apprenti.games.luzhanqi.agents.prior import beliefs_with, check_prior
from apprenti.games.luzhanqi.agents.search_kernel import try_moves
from apprenti.games.luzhanqi.agents.worth_kernel import attack_values_by_set
from apprenti.games.luzhanqi.fast.arrays import rules_array, worlds_of
from apprenti.games.luzhanqi.fast.beliefs import Beliefs, dice_from
from apprenti.games.luzhanqi.observation import Observation

Ints = NDArray[np.integer]
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class MonteCarloPlayer(Player):
    """Tries every move in sampled worlds."""

    kind = "luzhanqi-monte-carlo"
    worlds: int = 64
    """Worlds for each round of halving; there are about five rounds."""
    depth: int = 10
    """Moves to play on after the move that is tried."""
    march: float = 0.3
    """What a move nearer to the flag is worth while playing on, in points."""
    noise: float = 1.5
    """How far from greedy the playing on is, in points."""
    prejudice: float = 0.3
    """What the one-ply value of a move counts beside what its playouts come to."""
    seconds: float = 0.0
    """Think so long instead, with as many worlds as that allows; then a game cannot be repeated exactly. 0: off."""
    prior: float = 0.0
    """The weight of layouts beside counting in what it believes, from 0 to 1."""
    known: str = ""
    """Layouts that the enemy uses, with spaces between them; none for the usual ones."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_prior(self.prior, self.known)
        if self.worlds < 1 or self.depth < 0 or self.seconds < 0:
            raise BadAgent("a Monte-Carlo player needs at least 1 world, a depth of 0 or more and no negative time.")

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        bias = self.prejudice * self.one_ply().scores(seen, legal) if len(legal) > 1 else np.zeros(1)
        return legal[self.best(seen, legal, bias, np.arange(len(legal)), rng)]

    def one_ply(self) -> OnePlyPlayer:
        """Whose word it takes beside the playouts."""
        return ExpectedValuePlayer(prior=self.prior, known=self.known)

    def beliefs(self, seen: Observation) -> Beliefs:
        """What it believes of the enemy's layout."""
        return beliefs_with(seen, self.prior, self.known)

    def best(self, seen: Observation, legal: Sequence[str], bias: Reals, candidates: Ints, rng: Chance) -> int:
        """Which candidate among the legal moves survives all halvings; `bias` is added to what playouts come to."""
        return self.halved(seen, legal, bias, candidates, rng)[0]

    def halved(
        self, seen: Observation, legal: Sequence[str], bias: Reals, candidates: Ints, rng: Chance
    ) -> tuple[int, Reals]:
        """The candidate that survives all halvings, and what each legal move came to with its bias; −∞ if not tried."""
        values = np.full(len(legal), -np.inf)
        if len(candidates) == 1:
            values[candidates] = bias[candidates]
            return int(candidates[0]), values
        beliefs = self.beliefs(seen)
        actions, rounds = action_numbers(legal), max(1, int(np.ceil(np.log2(len(candidates)))))
        scores, tried = np.zeros(len(legal)), np.zeros(len(legal))
        until = time.monotonic() + self.seconds
        for left in range(rounds, 0, -1):
            enough = until - (left - 1) * self.seconds / rounds
            while True:
                self._try(seen, beliefs, actions, candidates, scores, tried, rng)
                if time.monotonic() >= enough:
                    break
            values[candidates] = scores[candidates] / tried[candidates] + bias[candidates]
            candidates = candidates[np.argsort(-values[candidates], kind="stable")[: max(1, len(candidates) // 2)]]
        return int(candidates[0]), values

    @announcing("the playouts of Luzhanqi", try_moves)
    def _try(
        self,
        seen: Observation,
        beliefs: Beliefs,
        actions: Ints,
        candidates: Ints,
        scores: Reals,
        tried: Reals,
        rng: Chance,
    ) -> None:
        """Try the moves that are left in fresh worlds."""
        worlds = worlds_of(seen, beliefs.sample(rng, self.worlds))
        rules, table, sums = rules_array(seen.rules), attack_values_by_set(seen.rules), np.zeros(len(candidates))
        options = self.depth, self.march, self.noise
        try_moves(rules, worlds, actions[candidates], table, *options, dice_from(rng), sums)
        scores[candidates] += sums
        tried[candidates] += len(worlds)
