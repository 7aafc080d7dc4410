"""SARSA with many seeds: it counts what it says it counts."""

from apprenti.games.mnk import Rules
from apprenti.games.mnk.fast.exact import never_loses
from apprenti.games.mnk.fast.tree import tree_of
from apprenti.lab.kinds.mnk.unbeatable import Way, Ways, way_of
from apprenti.learn.mnk.sarsa import Sarsa, SarsaConfig


def test_a_way_says_when_the_player_could_not_lose_and_since_when():
    config = SarsaConfig(iterations=1, episodes=12_000)
    way, learner, tree, seen = way_of(config, every=1000), Sarsa(config), tree_of(Rules()), []
    while not learner.done:
        learner.play_until(learner.played + 1000)
        seen.append(never_loses(tree, learner.best_moves(tree)))
    assert way.reached == 1000 * (seen.index(True) + 1) if any(seen) else way.reached is None
    last_bad = max((number for number, good in enumerate(seen, 1) if not good), default=0)
    assert way.stays == (1000 * (last_bad + 1) if seen[-1] else None)
    assert (way.can_lose == 0) == seen[-1]


def test_a_row_counts_seeds_and_takes_the_median_of_those_that_never_came_there_too():
    found = ((1000, 3000), (2000, None), (None, None))
    row = Ways("ε", "0.1", tuple(Way(1, reached, stays, 0.0, 1.0, 0.5) for reached, stays in found))
    assert (row.middle("reached"), row.middle("stays")) == (2000, None)
    assert (row.games("reached"), row.games("stays")) == ([1000, 2000], [3000])
    assert row.cells() == ["ε", "0.1", "2 of 3", "2 000", "**1** of 3", "-", "100.0%", "0%", "50.0%"]
