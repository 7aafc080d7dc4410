"""Figures are written whole, as what their names say, or refused."""

from xml.etree import ElementTree

import pytest

from apprenti.arena.statistics import Rating, summarise
from apprenti.core.errors import ApprentiError
from apprenti.views.plots import check_path, comparison, curve_panels, curves, dots, histogram, ladder
from apprenti.views.plots.style import of_curve

SCORES = [12, 40, 7, 90, 33, 21, 5, 64]
MEANS = {"one": summarise(SCORES), "two": summarise([1000 * score for score in SCORES])}


def draw_histogram(path):
    histogram(SCORES, summarise(SCORES), "somebody", "lines", path)


def draw_comparison(path):
    comparison(MEANS, "lines", "some rules", path)


def draw_curves(path):
    points = [(1, 10.0, 5.0, 20.0), (2, 300.0, 0.0, 400.0)]
    curves({"one": [points], "two": [[(1, 3.0), (2, 0.0)]]}, "rows", "mean lines a game", "sizes", path, log="y")


def test_the_box_has_the_quartiles_of_its_caption(tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr("apprenti.views.plots.scores.save", lambda figure, path: drawn.append(figure.axes[1]))
    for quartiles in ("linear", "french"):
        summary = summarise(SCORES, quartiles=quartiles)
        histogram(SCORES, summary, "somebody", "lines", tmp_path / "box.svg")
        corners = {float(x) for line in drawn[-1].lines for x in line.get_xdata()}
        assert corners == set(summary.five)
        assert f"Q1 {summary.five[1]:.3g}" in drawn[-1].get_xlabel()
    assert drawn[0].get_xlabel() != drawn[1].get_xlabel()


def test_where_games_were_cut_pictures_show_the_mean_and_the_estimated_whole_game(tmp_path):
    cut = summarise([90.0, 90.0, 30.0], deaths=1)
    histogram([90.0, 90.0, 30.0], cut, "somebody", "lines", tmp_path / "one.svg")
    comparison({"one": cut, "two": summarise(SCORES)}, "lines", "some rules", tmp_path / "two.svg")
    assert "2 of 3 games were cut; estimated whole game: 210" in (tmp_path / "one.svg").read_text()
    words = (tmp_path / "two.svg").read_text()
    assert ">70<" in words and "210, estimated whole game" in words


def test_a_ladder_says_that_its_bars_are_95_percent_intervals(tmp_path):
    ladder({"one": Rating(0, 0), "two": Rating(100, 20)}, "a ladder", tmp_path / "ladder.svg")
    assert "Elo and its 95 % interval" in (tmp_path / "ladder.svg").read_text()
    assert Rating(100, 20).interval == pytest.approx((60.8, 139.2), abs=0.01)


FIGURES = pytest.mark.parametrize("draw", [draw_histogram, draw_comparison, draw_curves])


@FIGURES
def test_a_png_is_a_png_and_an_svg_is_well_formed(draw, tmp_path):
    draw(tmp_path / "new" / "figure.png")
    assert (tmp_path / "new" / "figure.png").read_bytes().startswith(b"\x89PNG\r\n")
    draw(tmp_path / "figure.svg")
    assert ElementTree.parse(tmp_path / "figure.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure.svg", "new"]  # nothing temporary is left


def test_the_same_numbers_give_the_same_svg(tmp_path):
    for name in ("one.svg", "two.svg"):
        draw_histogram(tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_no_figure_changes_the_next_one(tmp_path):
    draw_histogram(tmp_path / "before.svg")
    draw_curves(tmp_path / "curves.svg")
    draw_histogram(tmp_path / "after.svg")
    assert (tmp_path / "before.svg").read_bytes() == (tmp_path / "after.svg").read_bytes()
    assert "mean lines a game" in (tmp_path / "curves.svg").read_text()  # its words are text


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "figure.png.txt", ".png", "figure.PNG"])
def test_another_ending_is_refused_before_the_work_and_by_every_figure(name, tmp_path):
    with pytest.raises(ApprentiError, match="has another ending"):
        check_path(tmp_path / name)
    with pytest.raises(ApprentiError, match="has another ending"):
        draw_comparison(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_figure_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ApprentiError, match="cannot write"):
        draw_histogram(tmp_path / "file" / "figure.png")


@pytest.mark.parametrize("scores", [[0], [7] * 50, [1, 10**9]])
def test_any_scores_can_be_drawn(scores, tmp_path):
    for deaths in (len(scores), 0):
        summary = summarise(scores, deaths)
        histogram(scores, summary, "somebody", "lines", tmp_path / "figure.png")
        comparison({"somebody": summary}, "lines", "some rules", tmp_path / "figure.png")


def test_a_panel_for_each_configuration_and_one_for_the_means(tmp_path):
    runs = {"λ = 0": [[1.0, 2.0, 3.0], [2.0, 0.0, 5.0]], "λ = 1": [[0.0, 1.0]]}
    curve_panels(runs, {}, "runs", tmp_path / "curves.svg")
    text = (tmp_path / "curves.svg").read_text()
    assert text.count('id="axes_') == 3


def test_published_runs_are_drawn_into_the_panel_of_ours(tmp_path):
    ours, theirs = {"noise": [[1.0, 2.0], [2.0, 4.0]]}, {"noise": [[3.0, 5.0, 9.0]]}
    curve_panels(ours, theirs, "runs", tmp_path / "both.svg", log=True)
    curve_panels(ours, {}, "runs", tmp_path / "ours.svg", log=True)
    both, alone = ((tmp_path / name).read_text() for name in ("both.svg", "ours.svg"))
    assert "published" in both and "published" not in alone


def test_no_two_curves_look_alike_even_without_colours():
    looks = [(style["linestyle"], style["marker"]) for style in map(of_curve, range(14))]
    assert len(set(looks)) == len(looks)
    assert of_curve(0, points=1000)["marker"] is None


def test_numbers_on_axes_are_written_as_people_write_them(tmp_path):
    scores = [2_000_000.0 * number for number in range(1, 9)]
    histogram(scores, summarise(scores), "somebody", "points", tmp_path / "figure.svg")
    text = (tmp_path / "figure.svg").read_text()
    assert "1e7" not in text and "10 M" in text
    assert ">0.5<" not in text  # games do not come in halves


def test_choices_can_be_drawn_also_where_one_comes_to_nothing(tmp_path):
    dots({"one": {"a": 3.0, "b": 0.0}, "two": {"a": 30.0, "b": 7.0}}, "moves", "title", tmp_path / "dots.png")
