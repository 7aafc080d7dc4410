"""Exact best responses: by hand in a small game of cards, and as OpenSpiel computes them where it is installed."""

from dataclasses import dataclass

import numpy as np
import pytest

from apprenti.arena.best_response import Tree
from apprenti.core.protocols import CHANCE, OVER, Outcome, Reason


class End(Reason):
    """How a hand ends."""

    SHOWN = "shown", "the cards were shown"


@dataclass(frozen=True)
class Kuhn:
    """Kuhn's poker (1950): three cards, one each, an ante of one, a bet of one; p passes, b bets."""

    cards: tuple[int, ...] = ()
    moves: str = ""

    @property
    def turn(self):
        if len(self.cards) < 2:
            return CHANCE
        return OVER if self.moves in ("pp", "bp", "bb", "pbp", "pbb") else len(self.moves) % 2

    @property
    def outcome(self):
        if self.turn != OVER:
            return None
        high = 1 if self.cards[0] > self.cards[1] else -1
        won = {"pp": high, "bb": 2 * high, "pbb": 2 * high, "bp": 1, "pbp": -1}[self.moves]
        return Outcome(End.SHOWN, scores=(won / 2, -won / 2))

    def legal_moves(self):
        return ("p", "b")

    def chances(self):
        left = [card for card in range(3) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def play(self, move):
        return Kuhn((*self.cards, move), self.moves) if self.turn == CHANCE else Kuhn(self.cards, self.moves + move)

    def observation(self, player):
        return self.cards[player], self.moves


def tree():
    return Tree([(Kuhn(), 1.0)])


def test_kuhns_equilibrium_cannot_be_exploited_and_is_worth_a_loss_of_an_eighteenth():
    """Bet a jack in a third of the hands, a king always; call with a queen in two thirds; answer as Kuhn says."""
    bets = {(0, ""): 1 / 3, (1, ""): 0, (2, ""): 1, (0, "pb"): 0, (1, "pb"): 2 / 3, (2, "pb"): 1,
            (0, "p"): 1 / 3, (1, "p"): 0, (2, "p"): 1, (0, "b"): 0, (1, "b"): 1 / 3, (2, "b"): 1}  # fmt: skip
    game = tree()
    policy = game.policy(lambda known: np.array([1 - bets[known.observation], bets[known.observation]]))
    assert len(game.sets) == 12
    assert game.value(policy) == pytest.approx(-1 / 18) and game.nash_conv(policy) == pytest.approx(0)


def test_uniform_play_at_kuhns_poker_is_exploited_for_eleven_twelfths():
    game = tree()
    assert game.nash_conv(game.uniform()) == pytest.approx(11 / 12)


def test_openspiel_computes_the_same_for_any_policy():
    """For development: needs open_spiel."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import exploitability

    game, other = tree(), pyspiel.load_game("kuhn_poker")
    for seed in range(3):
        rng = np.random.Generator(np.random.PCG64(seed))
        ours = game.policy(lambda known: rng.dirichlet((1.0, 1.0)))  # noqa: B023
        theirs = policies.TabularPolicy(other)
        for known in game.sets.values():
            card, moves = known.observation
            theirs.action_probability_array[theirs.state_lookup[f"{card}{moves}"]] = ours[known.first : known.first + 2]
        assert game.nash_conv(ours) == pytest.approx(exploitability.nash_conv(other, theirs))
