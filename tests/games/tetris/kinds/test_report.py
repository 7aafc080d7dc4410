"""The chapter of results of the Tetris Bot report, whole, in little."""

import re
from html.parser import HTMLParser

import pytest

from apprenti.arena.statistics import summarise
from apprenti.games.tetris.kinds.report import (
    Player,
    Section,
    besides,
    coefficients,
    evolution,
    page,
    parameters_of,
    standard_errors,
)
from apprenti.lab.experiments import read
from tests.lab.test_reproduce import check_short_version


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A short run of the whole chapter."""
    where = tmp_path_factory.mktemp("chapter")
    check_short_version("tetrisbot-report", where)
    return where


def test_every_histogram_and_every_evolution_is_there_once(folder):
    data = read("tetrisbot-report").data
    players, runs = len(data["player"]), len(data["run"])
    assert (players, runs) == (10, 7)
    assert len(list(folder.glob("histogram-*.png"))) == players + runs
    assert len(list(folder.glob("evolution-*.png"))) == runs


def test_the_page_needs_nothing_else_and_says_that_it_is_no_result(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")
    pictures = re.findall(r'src="data:image/png;base64,([^"]+)"', text)
    assert len(pictures) == text.count("<img ") == 1 + 10 + 2 * 7
    assert len(set(pictures)) >= 1 + 7  # in a few games several agents score the same
    assert "no result" in text and "http" not in text


def test_ours_stands_beside_the_reports(folder):
    lines = (folder / "table.md").read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in lines if line.startswith("| Example 3 | 518 412 ± 504 237 |")]
    assert row.count("|") == 7
    (row,) = [line for line in lines if line.startswith("| Example 3 | about 3 h |")]
    assert "[0.2173, 0.4716, 0.9472, 0.1798]" in row


def test_standard_errors_by_hand():
    ours = summarise([90.0, 110.0] * 50)  # mean 100, deviation 10.05: a standard error of 1.005
    row = Player(title="somebody", agent="", mean=97.0, deviation=10.0)
    assert standard_errors(ours, row, 100) == pytest.approx(3 / (1.005**2 + 1) ** 0.5, rel=1e-3)
    unknown = Player(title="somebody", agent="", mean=97.0)
    assert standard_errors(ours, unknown, 100) == pytest.approx(3 / (1.005**2 + 9.7**2) ** 0.5, rel=1e-3)


def test_only_parameters_that_play_a_part_are_shown():
    from apprenti.games.tetris.learn.genetic_algorithm import GeneticConfig

    shown = parameters_of(vars(GeneticConfig(vector_encoding="bin", parents_selection_method="wheel",
                                             old_generation_policy="elitism")))  # fmt: skip
    assert {"nb_bits", "elitism_percentage", "proba_mutation"} <= shown.keys()
    assert not {"mutation_rate", "percentage_for_tournament", "percentage_new_offspring"} & shown.keys()
    assert coefficients([0.5, 0.12345]) == "[0.5, 0.1235]"


def test_text_stays_text_and_tables_have_their_cells(tmp_path):
    (tmp_path / "one.png").write_bytes(b"\x89PNG")
    sections = [Section("a <b>", ["x & y"], [["agent", "points"], ["one", "<3"]], [tmp_path / "one.png"])]
    text = page("Title & more", sections)
    found = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.append(tag)

    Parser().feed(text)
    assert (found.count("th"), found.count("td"), found.count("img"), found.count("b")) == (2, 2, 1, 0)
    assert "<h1>Title &amp; more</h1>" in text and "x &amp; y" in text and "&lt;3" in text
    assert "base64,iVBORw==" in text


def test_an_evolution_has_its_parameters_and_whole_generations(tmp_path):
    rows = [{"generation": number, "best": 1e6 * number, "mean": 5e5 * number} for number in range(3)]
    evolution(rows, {"proba_mutation": 0.05}, "points", "a run", tmp_path / "evolution.svg")
    text = (tmp_path / "evolution.svg").read_text()
    assert "1e6" not in text and "1 M" in text and ">0.5<" not in text and "proba_mutation: 0.05" in text


def test_published_means_stand_beside_ours(tmp_path):
    besides({"one": (3.0, 1.0)}, {"one": (4.0, 2.0)}, (100, 8), "points", "title", tmp_path / "both.svg")
    assert "measured here" in (tmp_path / "both.svg").read_text()
