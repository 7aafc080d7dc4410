"""SARSA with many seeds: it counts what it says it counts."""

from apprenti.games.mnk import Rules
from apprenti.games.mnk.fast.exact import never_loses
from apprenti.games.mnk.fast.tree import tree_of
from apprenti.games.mnk.kinds.unbeatable import Unbeatable, games_of, middle, way_of
from apprenti.games.mnk.learn.sarsa import Sarsa, SarsaConfig
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings


def test_a_way_says_when_the_player_could_not_lose_and_since_when():
    learner, tree = Sarsa(SarsaConfig(iterations=12, episodes=1000)), tree_of(Rules())
    metrics, seen = [], []
    while not learner.done:
        metrics.append(learner.step())
        seen.append(never_loses(tree, learner.best_moves(tree)))
    way = way_of(metrics)
    assert way["reached"] == 1000 * (seen.index(True) + 1) if any(seen) else way["reached"] is None
    last_bad = max((number for number, good in enumerate(seen, 1) if not good), default=0)
    assert way["stays"] == (1000 * (last_bad + 1) if seen[-1] else None)
    assert (way["can_lose"] == 0) == seen[-1]


def test_a_row_counts_seeds_and_takes_the_median_of_those_that_never_came_there_too(tmp_path):
    plan = {"seeds": 3, "run": [{"group": "ε", "name": "0.1"}]}
    kind = Unbeatable(Experiment("mine", "Mine", "What?", "unbeatable", plan), Settings(), tmp_path)
    said = {"group": "ε", "name": "0.1", "label": "ε: 0.1", "can_lose": 0.0, "optimal": 1.0, "against_perfect": 0.5}
    found = ((1000, 3000), (2000, None), (None, None))
    kind.found = [{**said, "reached": reached, "stays": stays} for reached, stays in found]
    ways = kind.numbers()[0]["ways"]
    assert (middle(ways, "reached"), middle(ways, "stays")) == ("2 000", "-")
    assert (games_of(ways, "reached"), games_of(ways, "stays")) == ([1000, 2000], [3000])
    assert kind.cells(kind.numbers()[0]) == ["ε", "0.1", "2 of 3", "2 000", "**1** of 3", "-", "100.0%", "0%", "50.0%"]
