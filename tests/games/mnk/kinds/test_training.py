"""SARSA with many seeds and on several boards: what is counted, and from which side."""

from apprenti.games.mnk import Rules
from apprenti.games.mnk.fast.exact import never_loses, tree_of
from apprenti.games.mnk.kinds.training import Boards, Unbeatable, games_needed, games_of, middle, share, way_of
from apprenti.games.mnk.learn.sarsa import Sarsa, SarsaConfig
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from tests.learn.tiny import TINY


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
    kind = Unbeatable(Experiment("mine", "Mine", "What?", "training/unbeatable", plan), Settings(), tmp_path)
    said = {"group": "ε", "name": "0.1", "label": "ε: 0.1", "can_lose": 0.0, "optimal": 1.0, "against_perfect": 0.5}
    found = ((1000, 3000), (2000, None), (None, None))
    kind.findings = [{**said, "reached": reached, "stays": stays} for reached, stays in found]
    ways = kind.numbers()[0]["ways"]
    assert (middle(ways, "reached"), middle(ways, "stays")) == ("2 000", "-")
    assert (games_of(ways, "reached"), games_of(ways, "stays")) == ([1000, 2000], [3000])
    assert kind.cells(kind.numbers()[0]) == ["ε", "0.1", "2 of 3", "2 000", "**1** of 3", "-", "100.0%", "0%", "50.0%"]


def test_results_are_counted_from_the_side_of_the_agent(tmp_path):
    # Who begins wins on 2x2x2, and nobody can win on 1x2x2
    sizes = [{"name": size, "config": {"size": size}} for size in ("2x2x2", "1x2x2")]
    plan = {"tests": 3, "config": TINY["sarsa"], "run": sizes}
    boards = Boards(Experiment("mine", "Mine", "What?", "training/boards", plan), Settings(), tmp_path)
    assert len(list(boards.run(lambda part, words: None))) == 2
    won, drawn = boards.numbers()
    assert (won["value"], won["as_x"], won["as_o"]) == ("X wins", [3, 0, 0], [0, 0, 3])
    assert (drawn["value"], drawn["as_x"], drawn["as_o"]) == ("draw", [0, 3, 0], [0, 3, 0])


def test_a_draw_is_half_a_point():
    assert share([1, 2, 1]) == 0.5


def test_the_picture_says_how_many_seeds_stayed_where_they_came(tmp_path):
    games_needed([("some", [1000], []), ("more", [900, 2000], [3000, 4000])], 2, "games", tmp_path / "needed.svg")
    text = (tmp_path / "needed.svg").read_text()
    assert "0 of 2" in text and "2 of 2" in text
