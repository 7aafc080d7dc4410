"""Beliefs with known layouts: some that the enemy is known to use, or that are usual, beside counting all that fit.

`scores_kernel.py` weighs layouts and counting by what was seen: an enemy who varies a little is still understood, and
one who sets up in another way is soon believed to have any layout.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from apprenti.core.errors import BadAgent
from apprenti.core.protocols import Arranges
from apprenti.core.seeds import Chance, Stream
from apprenti.games.luzhanqi.agents.one_ply_kernel import initial_odds
from apprenti.games.luzhanqi.agents.scores_kernel import draw_towards, informed_odds, layout_weights, seen_by_chance
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.fast.arrays import Ints, types_of
from apprenti.games.luzhanqi.fast.beliefs import Beliefs, Shares, dice_from
from apprenti.games.luzhanqi.layout import ALLOWED, book, varied_layout
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import TYPE_OF
from apprenti.games.luzhanqi.rules import Rules

TRUST = 0.9
"""How likely it is, at first, that an enemy uses one of the layouts that are known of it, more or less."""
USUAL = 1024
"""Layouts that everybody expects of an enemy, if any."""


_ALLOWED = np.array(ALLOWED, np.int64)


@cache
def usual_layouts(rules: Rules) -> str:
    """A thousand sensible layouts, the same for everybody, with spaces between them; none where there is no book."""
    drawn = (varied_layout(rules, Stream.named(1, "usual layout", number)) for number in range(USUAL))
    return " ".join(drawn) if book(rules) else ""


@cache
def layouts_of(known: str) -> Ints:
    """(layouts, slots): layouts that are written with spaces between them; perhaps none."""
    wrong = [text for text in known.split() if len(text) != SLOTS or not set(text) <= TYPE_OF.keys()]
    if wrong:
        raise BadAgent(f"known layouts are 25 letters each, with spaces between, not {wrong[0]!r}.")
    return np.array([types_of(text) for text in known.split()], np.int64).reshape(-1, SLOTS)


def drawn_layouts(agent: Arranges, rules: Rules, count: int, seed: int) -> tuple[str, ...]:
    """Layouts of an agent, as an opponent sees them who has met it `count` times."""
    return tuple(agent.arrange(rules, Stream.named(seed, "habits", number)) for number in range(count))


def check_prior(weight: float, known: str) -> None:
    """Refuse a weight that is no share, and layouts that are none."""
    if not 0 <= weight <= 1:
        raise BadAgent(f"the weight of a prior is from 0 to 1, not {weight}.")
    layouts_of(known)


def _masks(beliefs: Beliefs) -> Ints:
    return np.array(beliefs.assignments.tight, np.int64)


@dataclass(frozen=True)
class InformedBeliefs(Beliefs):
    """Beliefs of somebody who knows layouts that the enemy may use."""

    known: str = ""
    trust: float = TRUST

    def marginals(self) -> Shares:
        odds = super().marginals()
        counts = np.array(self.assignments.counts)
        informed_odds(_masks(self), _ALLOWED, initial_odds(), counts, layouts_of(self.known), self.trust, odds)
        return odds

    def sample(self, rng: Chance, count: int) -> Ints:
        rows, masks, layouts = super().sample(rng, count), _masks(self), layouts_of(self.known)
        weights, chance, near = np.empty(len(layouts)), np.empty(SLOTS), rows.copy()
        seen_by_chance(masks, _ALLOWED, initial_odds(), chance)
        trust = layout_weights(masks, chance, layouts, self.trust, weights)
        draw_towards(masks, layouts, weights, trust, dice_from(rng), near)
        if self.shields:
            fits = np.array([self._fits(row) for row in near])
            near[~fits] = rows[~fits]
        return near


def beliefs_with(seen: Observation, trust: float, known: str = "") -> Beliefs:
    """What a player believes: by counting and, as far as it trusts them, by known layouts, or by the usual ones."""
    beliefs, layouts = Beliefs.of(seen), known or usual_layouts(seen.rules)
    if not trust or not layouts:
        return beliefs
    return InformedBeliefs(beliefs.assignments, beliefs.shields, layouts, float(trust))
