"""The micro game: its sets are counted, and exact best responses are those of brute force."""

from itertools import product

import numpy as np
import pytest

from apprenti.arena.best_response import Tree
from apprenti.core.errors import BadOption
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.agents.micro import MICRO, information, layouts_of, micro_tree, nash_conv
from apprenti.games.luzhanqi.agents.players import ExpectedValuePlayer, RandomPlayer
from apprenti.games.luzhanqi.board import BLOCKED, POINTS, mirrored, turned

TINY = Rules.preset("micro", quiet_limit=2, max_moves=2)


def some_policy(tree, seed=1):
    rng = np.random.Generator(np.random.PCG64(seed))
    return tree.policy(lambda known: rng.dirichlet(np.ones(len(known.legal))))


def test_the_micro_game_is_small_and_its_board_has_all_symmetries():
    tree = micro_tree()
    assert len(list(layouts_of(MICRO))) == 6 and len(tree.roots) == 36
    assert (len(tree), len(tree.sets), tree.moves) == (98_836, 3_838, 30_232)
    board = frozenset(range(POINTS)) - BLOCKED["micro"]
    assert len(board) == 28 and {mirrored(p) for p in board} == board == {turned(p) for p in board}


@pytest.mark.parametrize("seed", range(6))
def test_a_best_response_is_the_best_of_all_pure_policies(seed):
    """Deals that are not equally likely and that south cannot tell apart, one move each: all its policies are tried."""
    south, *others = layouts_of(TINY)
    chances = np.random.Generator(np.random.PCG64(seed)).dirichlet(np.full(5, 0.3))
    deals = [State.start(south, other, TINY) for other in others]
    tree = Tree(list(zip(deals, chances, strict=True)), information)
    policy = some_policy(tree, seed)
    sets = [known for known in tree.sets.values() if known.player == 0]
    best = -2.0
    for choice in product(*(range(len(known.legal)) for known in sets)):
        mixed = policy.copy()
        for known, place in zip(sets, choice, strict=True):
            mixed[known.first : known.first + len(known.legal)] = np.arange(len(known.legal)) == place
        best = max(best, tree.value(mixed))
    found, chosen = tree.best_response(policy, 0)
    assert found == pytest.approx(best)
    mixed = policy.copy()
    for known in sets:
        span = slice(known.first, known.first + len(known.legal))
        assert chosen[span].sum() == 1
        mixed[span] = chosen[span]
    assert tree.value(mixed) == pytest.approx(found), "the moves it names are worth what it says"


def test_a_best_response_gains_and_averaging_best_responses_comes_nearer_to_an_equilibrium():
    tree = micro_tree()
    policy = tree.uniform()
    first = tree.nash_conv(policy)
    value = tree.value(policy)
    assert tree.best_response(policy, 0)[0] >= value and tree.best_response(policy, 1)[0] >= -value
    for k in range(1, 20):
        best = tree.best_response(policy, 0)[1] | tree.best_response(policy, 1)[1]
        policy = policy + (best - policy) / (k + 1)
    assert 0 <= tree.nash_conv(policy) < 0.6 * first


def test_any_agent_has_a_nash_conv():
    layout = next(iter(layouts_of(TINY)))
    tree = Tree([(State.start(layout, layout, TINY), 1.0)], information)
    assert nash_conv(RandomPlayer(), tree) == pytest.approx(tree.nash_conv(tree.uniform()), abs=0.15)
    assert nash_conv(ExpectedValuePlayer(), tree) >= 0


def test_a_game_that_is_too_large_is_refused():
    layout = next(iter(layouts_of(MICRO)))
    with pytest.raises(BadOption, match="too large"):
        Tree([(State.start(layout, layout, MICRO), 1.0)], information, most=50)
