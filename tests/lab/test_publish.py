"""What experiments have found goes into the zoo and the pages, and nothing else changes there."""

import json
import shutil
from datetime import date

import pytest

from apprenti.core.errors import BadFile
from apprenti.lab.agents import zoo
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.publish import publish
from apprenti.lab.reproduce import reproduce
from tests.lab.kinds.tiny import TINY

PAGE = "# A page\n\nbefore\n\n<!-- table who-wins -->\nan old table\n<!-- end who-wins -->\n\nafter\n"


@pytest.fixture
def checkout(tmp_path):
    """A zoo of three and two pages."""
    (tmp_path / "zoo").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "how-long.toml").touch()
    (tmp_path / "experiments" / "costs.json").write_text('{"older": {"core_seconds": 1.0}}')
    for name in ("dellacherie", "sarsa-tictactoe", "mnk-perfect"):
        shutil.copy(zoo()[name], tmp_path / "zoo")
    (tmp_path / "docs" / "page.md").write_text(PAGE)
    (tmp_path / "docs" / "results.md").write_text("# Results\n")
    return tmp_path


def run(checkout, name, kind, **settings):
    experiment = Experiment(name, f"Title of {name}", "Really?", kind, TINY[kind])
    reproduce(experiment, Settings(workers=1, **settings), checkout / "results" / name, lambda *_: None)


def measured(checkout, name):
    return json.loads((checkout / "zoo" / f"{name}.json").read_text())["measured"]


def by_name(folder, suffix):
    return {path.stem: path for path in folder.glob(f"*.{suffix}")}


def publish_in(checkout):
    publish(
        checkout / "results",
        by_name(checkout / "zoo", "json"),
        checkout / "docs",
        by_name(checkout / "experiments", "toml"),
    )


def costs(checkout):
    return json.loads((checkout / "experiments" / "costs.json").read_text())


def test_scores_and_shares_go_to_the_agents_and_tables_to_the_pages(checkout):
    before = measured(checkout, "dellacherie")
    run(checkout, "who-wins", "match")
    run(checkout, "how-long", "scores")
    publish_in(checkout)
    (share,) = [one for one in measured(checkout, "sarsa-tictactoe") if one["experiment"] == "who-wins"]
    assert (share["against"], share["games"], share["size"]) == ("mnk-random", 4, "3x3x3")
    (score,) = [one for one in measured(checkout, "dellacherie") if one not in before]
    assert (score["rules"], score["size"], score["unit"], score["games"]) == ("simplified", "10x6", "lines", 3)
    page = (checkout / "docs" / "page.md").read_text()
    assert "| sarsa-tictactoe | mnk-random |" in page and "old table" not in page
    assert page.startswith("# A page\n\nbefore\n\n<!-- table") and page.endswith("<!-- end who-wins -->\n\nafter\n")
    results = (checkout / "docs" / "results.md").read_text()
    assert "## Title of how-long\n\nReally?\n\n| agent |" in results and "`apprenti reproduce how-long`" in results
    assert "who-wins" not in results  # it has a page of its own
    assert set(costs(checkout)) == {"how-long", "older"}  # who-wins is no experiment of ours
    cost = costs(checkout)["how-long"]
    assert cost["core_seconds"] > 0 and cost["seconds"] > 0 and cost["cores"] >= 1
    assert cost["date"] == date.today().isoformat()


def test_what_is_published_twice_is_there_once_and_newer(checkout):
    run(checkout, "how-long", "scores")
    publish_in(checkout)
    once, page = measured(checkout, "dellacherie"), (checkout / "docs" / "results.md").read_text()
    publish_in(checkout)
    assert measured(checkout, "dellacherie") == once
    assert (checkout / "docs" / "results.md").read_text() == page
    run(checkout, "how-long", "scores", seed=2)
    publish_in(checkout)
    assert {one["seed"] for one in measured(checkout, "dellacherie") if one["size"] == "10x6"} == {2}


def test_the_ratings_that_are_drawn_are_those_of_their_matches(checkout):
    folder = checkout / "experiments"
    (folder / "who-wins.toml").touch()
    (folder / "pictures.json").write_text('{"experiment": "who-wins", "ladder": "Who wins"}')
    run(checkout, "who-wins", "match")
    publish_in(checkout)
    drawn = json.loads((folder / "pictures.json").read_text())
    assert drawn["ladder"] == "Who wins" and drawn["strengths"][-1] == {"agent": "mnk-random", "elo": 0, "half": 0}
    assert [one["elo"] for one in drawn["strengths"]] == sorted(
        (one["elo"] for one in drawn["strengths"]), reverse=True
    )


def test_a_short_run_is_not_published(checkout):
    before = measured(checkout, "dellacherie")
    run(checkout, "how-long", "scores", short=True)
    publish_in(checkout)
    assert measured(checkout, "dellacherie") == before
    assert (checkout / "docs" / "results.md").read_text() == "# Results\n"
    assert "how-long" not in costs(checkout)


def test_a_folder_that_is_not_there_is_one_sentence(checkout):
    with pytest.raises(BadFile, match="give the folder of results"):
        publish(checkout / "nowhere", {}, checkout / "docs", {})
