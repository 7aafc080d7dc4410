"""The pictures of the results: from the zoo's files, and an interval is what it says."""

import pytest

from apprenti.lab.agents import zoo_folder
from apprenti.lab.published import _said, draw, ratings, ratios, records
from apprenti.views.plots.scores import Score


def test_published_scores_are_those_of_the_same_rules_and_size():
    again = ratios(zoo_folder())
    assert again["dt-10, simplified 10x10"].agrees and again["dt-20, simplified 10x20"].agrees
    assert not again["thesis-27, simplified 10x20"].agrees
    assert "xtris, strict 10x20" not in again  # nothing was published for it
    assert all(score.published == 1 for score in again.values())


def test_the_best_is_on_top():
    means = [score.mean for score in records(zoo_folder(), "10x10").values()]
    assert means == sorted(means, reverse=True) and len(means) > 5


@pytest.mark.parametrize(
    ("note", "half"),
    [("± 20 %, later 31 M", 20), ("100 games", 19.6), ("10 000 games, the record", 1.96), ("about", 0)],
)
def test_how_sure_a_published_score_is_stands_in_its_note(note, half):
    assert _said({"mean": 100, "note": note}) == (100, pytest.approx(half))


def test_intervals_agree_where_they_meet():
    assert Score(10, 9, 11, 12, 1).agrees and not Score(10, 9, 11, 12).agrees and not Score(10, 9, 11).agrees


def test_all_pictures_are_drawn(tmp_path):
    (tmp_path / "ppo.md").write_text("| `strong` | 700 | 50 | 40 |\n| `weak` | 0 | 0 | 40 |\n")
    assert ratings(tmp_path / "ppo.md")["strong"].elo == 700
    draw(zoo_folder(), tmp_path)
    names = {path.name for path in tmp_path.glob("*.svg")}
    assert names == {"results-10x10.svg", "results-10x20.svg", "results-again.svg", "results-ladder.svg"}
