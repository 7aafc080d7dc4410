"""The report's plan: what is learned is measured, and what grows beyond all bounds is said."""

from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.kinds.luzhanqi.rates import Rates
from tests.learn.tiny import FEW


def rates(folder, tests, **config):
    plan = {"tests": tests, "config": {**FEW, "hidden": [4], "test_games": 0, **config}, "run": [{"name": "some"}]}
    made = Rates(Experiment("plan", "title", "question?", "rates", plan), Settings(), folder)
    assert list(made.run(lambda part, words: None)) == [None]  # one row is known
    return made


def test_a_row_is_what_its_learner_reaches(tmp_path):
    made = rates(tmp_path, 6, iterations=3, episodes=1)
    (row,) = made.numbers()
    assert (row["games"], row["tests"]) == (3, 6)
    low, high = row["ci95"]
    assert low <= row["share"] <= high and row["length"] > 1
    assert len(made.cells(row)) == len(Rates.headings)


def test_repeats_have_seeds_and_lines_of_their_own(tmp_path):
    plan = {"tests": 2, "repeats": 2, "config": {**FEW, "hidden": [4], "test_games": 0, "iterations": 1, "episodes": 1},
            "run": [{"name": "some"}]}  # fmt: skip
    made = Rates(Experiment("plan", "title", "question?", "rates", plan), Settings(), tmp_path)
    list(made.run(lambda part, words: None))
    assert [row["name"] for row in made.numbers()] == ["some, seed 1", "some, seed 2"]


def test_weights_that_grow_beyond_all_bounds_are_a_row_too(tmp_path):
    made = rates(tmp_path, 4, iterations=2, episodes=20, learning_rate_critic=1e12, learning_rate_actor=1e12)
    assert made.numbers()[0]["share"] is None and "beyond all bounds" in made.table()
