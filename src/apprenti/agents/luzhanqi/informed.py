"""Players who know layouts that the enemy uses: what a habit is worth to whoever has seen it.

They begin with all known layouts, and weigh each by how many pieces cannot be what it has there (`kernel/prior.py`): so
an enemy who varies a little is still understood. A tenth of the weight stays with counting alone.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from apprenti.agents.luzhanqi.kernel.prior import draw_towards, informed_odds, layout_weights
from apprenti.agents.luzhanqi.monte_carlo import MonteCarloPlayer
from apprenti.agents.luzhanqi.one_ply import ExpectedValuePlayer, Odds, OnePlyPlayer
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.fast.arrays import Ints, types_of
from apprenti.games.luzhanqi.fast.beliefs import Beliefs, dice_from
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import TYPE_OF


@cache
def layouts_of(known: str) -> Ints:
    """(layouts, slots): layouts that are written with spaces between them."""
    wrong = [text for text in known.split() if len(text) != SLOTS or not set(text) <= TYPE_OF.keys()]
    if wrong or not known.split():
        raise BadAgent(f"known layouts are 25 letters each, with spaces between, not {(wrong or [known])[0]!r}.")
    return np.array([types_of(text) for text in known.split()], np.int64)


def _masks(beliefs: Beliefs) -> Ints:
    return np.array(beliefs.assignments.tight, np.int64)


@dataclass(frozen=True)
class InformedBeliefs(Beliefs):
    """Beliefs of somebody who knows layouts that the enemy uses."""

    known: str = ""

    def marginals(self) -> Odds:
        """For each slot and type, how likely it is; in the numbers of the army nearly, not exactly."""
        odds = super().marginals()
        informed_odds(_masks(self), np.array(self.assignments.counts), layouts_of(self.known), odds)
        return odds

    def sample(self, rng: Chance, count: int) -> Ints:
        """Layouts of the enemy that fit, most of them as near to a known one as they can be."""
        rows, masks, layouts = super().sample(rng, count), _masks(self), layouts_of(self.known)
        weights, near = np.empty(len(layouts)), rows.copy()
        layout_weights(masks, layouts, weights)
        draw_towards(masks, layouts, weights, dice_from(rng), near)
        if self.shields:
            fits = np.array([self._fits(row) for row in near])
            near[~fits] = rows[~fits]
        return near


def informed(seen: Observation, known: str) -> InformedBeliefs:
    """The beliefs of a player who knows layouts that the enemy uses."""
    beliefs = Beliefs.of(seen)
    return InformedBeliefs(beliefs.assignments, beliefs.shields, known)


@dataclass(frozen=True)
class InformedPlayer(ExpectedValuePlayer):
    """The expected-value player, who knows layouts that the enemy uses."""

    kind = "luzhanqi-informed"
    known: str = ""
    """Layouts that the enemy uses, with spaces between them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        layouts_of(self.known)

    def odds(self, seen: Observation) -> Odds:
        """Beliefs that know the layouts."""
        return informed(seen, self.known).marginals()


@dataclass(frozen=True)
class InformedMonteCarloPlayer(MonteCarloPlayer):
    """The Monte-Carlo player, who knows layouts that the enemy uses."""

    kind = "luzhanqi-informed-monte-carlo"
    known: str = ""
    """Layouts that the enemy uses, with spaces between them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        layouts_of(self.known)

    def one_ply(self) -> OnePlyPlayer:
        """The informed one."""
        return InformedPlayer(known=self.known)

    def beliefs(self, seen: Observation) -> Beliefs:
        """Beliefs that know the layouts."""
        return informed(seen, self.known)
