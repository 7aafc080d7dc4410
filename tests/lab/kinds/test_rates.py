"""The report's plan: what is learned is measured, and what grows beyond all bounds is said."""

from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.kinds.rates import Rates, rate
from apprenti.learn.luzhanqi.actor_critic import ActorCriticConfig
from tests.learn.tiny import FEW


def test_a_row_is_what_its_learner_reaches():
    row = rate("some", ActorCriticConfig(**FEW, hidden=(4,), iterations=3, episodes=1, test_games=0), 6)
    assert (row.games, row.tests) == (3, 6)
    low, high = row.ci95
    assert low <= row.share <= high and row.length > 1
    assert len(row.cells()) == len(Rates.headings)


def test_weights_that_grow_beyond_all_bounds_are_a_row_too(tmp_path):
    much = {"name": "much", "config": {"learning_rate_critic": 1e12, "learning_rate_actor": 1e12}}
    plan = {"tests": 4, "config": {**FEW, "hidden": [4], "episodes": 40}, "run": [much]}
    rates = Rates(Experiment("plan", "title", "question?", "rates", plan), Settings(), tmp_path)
    assert list(rates.run(lambda part, words: None)) == [None]  # one row is known
    assert rates.numbers()[0]["share"] is None and "beyond all bounds" in rates.table()
