"""The report's plan: what is learned is measured, and what grows beyond all bounds is said."""

from apprenti.games.luzhanqi.kinds import training as module
from apprenti.games.luzhanqi.kinds.training import Rates
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from tests.learn.tiny import FEW


def plan(rows=(), tests=2, repeats=1, **config):
    usual = {**FEW, "hidden": [4], "test_games": 0, "iterations": 1, "episodes": 1}
    return {"tests": tests, "repeats": repeats, "config": {**usual, **config}, "run": [{"name": "some"}, *rows]}


def rates(folder, tests, **config):
    made = Rates(
        Experiment("plan", "title", "question?", "training/rates", plan((), tests, **config)), Settings(), folder
    )
    assert list(made.run(lambda part, words: None)) == [None]  # one row is known
    return made


def test_a_row_is_what_its_learner_reaches(tmp_path):
    made = rates(tmp_path, 6, iterations=3, episodes=1)
    (row,) = made.numbers()
    assert (row["games"], row["tests"]) == (3, 6)
    assert 0 <= row["points"] <= 6 and 0 <= row["quiet"] <= 6 - row["points"] and row["length"] > 1
    assert made.table().count("|") == 3 * (len(Rates.headings) + 1)


def test_all_seeds_of_a_choice_are_one_line_and_each_of_them_is_said(tmp_path):
    made = Rates(Experiment("plan", "title", "question?", "training/rates", plan(repeats=2)), Settings(), tmp_path)
    list(made.run(lambda part, words: None))
    for row, points in zip(made.findings, (4.0, 1.0), strict=True):
        row.update(points=points, quiet=1, tests=8, length=30.0, flags=0.5)
    line = made.table().splitlines()[2]
    assert line == "| some | 2 × 1 | 30 | 50% | **31.2%** | 14.2 … 55.6 | 50%, 12% | 12% |"
    assert [row["config"]["seed"] for row in made.findings] == [1, 2]


def test_weights_that_grow_beyond_all_bounds_are_a_row_too(tmp_path):
    made = rates(tmp_path, 4, iterations=2, episodes=20, learning_rate_critic=1e12, learning_rate_actor=1e12)
    assert made.numbers()[0]["points"] is None and "beyond all bounds" in made.table()
    made.draw(tmp_path / "picture.png")


def test_the_picture_has_a_square_for_each_pair_of_rates(tmp_path, monkeypatch):
    rows = [{"name": "slow", "config": {"lam_actor": 0.25}}, {"name": "both", "config": {"gamma": 0.9}}]
    drawn = []
    monkeypatch.setattr(module, "choices", lambda *given: drawn.append(given))
    made = Rates(Experiment("plan", "title", "question?", "training/rates", plan(rows)), Settings(), tmp_path)
    list(made.run(lambda part, words: None))
    made.draw(tmp_path / "picture.png")
    (shares, squares, *_), usual = drawn[0], "λ: actor (rows) and critic"
    assert list(shares) == ["some", "slow", "both"]
    assert list(squares) == [usual] and set(squares[usual]) == {(0.5, 0.5), (0.25, 0.5)}, "γ is another matter"
