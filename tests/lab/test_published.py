"""The pictures of the results: from the zoo's files, and an interval is what it says."""

from pathlib import Path

import pytest

from apprenti.core.errors import ApprentiError, BadFile
from apprenti.lab.agents import zoo
from apprenti.lab.french import picture_in_french
from apprenti.lab.published import Pictures, Records, Score, all_pictures, draw, published_mean, ratios, records

DOCS = Path(__file__).parents[2] / "docs"


def test_published_scores_are_those_of_the_same_rules_and_size():
    again = ratios(zoo())
    assert again["dt-10, simplified 10x10"].agrees and again["dt-20, simplified 10x20"].agrees
    assert not again["thesis-27, simplified 10x20"].agrees
    assert "xtris, strict 10x20" not in again  # nothing was published for it
    assert all(score.published == 1 for score in again.values())


def test_the_best_is_on_top():
    for one in all_pictures().records:
        means = [score.mean for score in records(zoo(), one).values()]
        assert means == sorted(means, reverse=True) and len(means) > 5


@pytest.mark.parametrize(
    ("note", "half"),
    [("± 20 %, later 31 M", 20), ("100 games", 19.6), ("10 000 games, the record", 1.96), ("about", 0)],
)
def test_how_sure_a_published_score_is_stands_in_its_note(note, half):
    assert published_mean({"mean": 100, "note": note}) == (100, pytest.approx(half))


def test_intervals_agree_where_they_meet():
    assert Score(10, 9, 11, 12, 1).agrees and not Score(10, 9, 11, 12).agrees and not Score(10, 9, 11).agrees


def test_the_ratings_that_are_drawn_are_those_of_the_table_that_is_published():
    for page in ("ppo.md", "luzhanqi.md"):
        text = (DOCS / page).read_text(encoding="utf-8").replace("`", "")
        for one in all_pictures().strengths:
            assert f"| {one.agent} | {one.elo:.0f} | {one.half:.0f} |" in text


def test_all_pictures_are_drawn_in_both_languages(tmp_path):
    draw(zoo(), tmp_path)
    names = {f"results{part}" for part in ("", "-10x10", "-10x20", "-again", "-ladder")}
    assert {path.name for path in tmp_path.glob("*.svg")} == {
        name + ending for name in names for ending in (".svg", ".fr.svg")
    }
    assert ">10x20, ici<" in (tmp_path / "results.fr.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("lines a game", "lignes par partie"),
        ("mean 1.031 M", "moyenne 1,031 M"),
        ("λ = 0.3 (10 runs)", "λ = 0,3 (10 exécutions)"),
        ("0.5", "0,5"),
        ("proba_mutation: 0.05", "proba_mutation: 0.05"),  # an option is typed as it is
        ("dt-20, simplified 10x20", "dt-20, simplified 10x20"),
    ],
)
def test_words_and_fractions_of_a_picture_are_translated(english, french):
    assert picture_in_french(f'<text x="0.5">{english}</text>', {"dt-20"}) == f'<text x="0.5">{french}</text>'


def test_a_picture_with_words_that_have_no_french_is_refused():
    with pytest.raises(BadFile, match="'so few games' has no French"):
        picture_in_french("<text>so few games</text>", {"dt-20"})


@pytest.mark.parametrize("size", ["a/../../../escaped", "..", "", "x" * 41, "a b"])
def test_a_size_that_is_no_part_of_a_name_is_refused(size):
    with pytest.raises(ApprentiError, match="the size of a board"):
        Records(rules="simplified", size=size, title="t")


def test_a_board_that_nothing_was_measured_on_is_named(tmp_path, monkeypatch):
    drawn = Pictures(records=(Records(rules="simplified", size="9x9", title="t"),))
    monkeypatch.setattr("apprenti.lab.published.all_pictures", lambda: drawn)
    with pytest.raises(BadFile, match="nothing was measured on the board 9x9"):
        draw(zoo(), tmp_path)
