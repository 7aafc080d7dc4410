"""Experiments: a short version of each runs, and says that it is short."""

import json

import pytest

from apprenti.core.errors import ApprentiError
from apprenti.lab.experiments import known, read
from apprenti.lab.kinds import scores
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.kinds.registry import KINDS
from apprenti.lab.reproduce import reproduce

PUBLISHED = sorted(path for path in known())


def run_short(name, folder):
    return reproduce(read(name), Settings(short=True, workers=1), folder, lambda part, words: None)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_short_version_writes_table_picture_and_numbers(name, tmp_path):
    table = run_short(name, tmp_path)
    assert table.startswith("|") and table.count("\n") >= 3
    assert "a short run" in (tmp_path / "table.md").read_text()
    for ending in KINDS.load(read(name).kind).pictures:
        assert (tmp_path / f"picture.{ending}").stat().st_size > 1000
    assert json.loads((tmp_path / "results.json").read_text())


def test_a_finished_training_is_taken_up_and_another_seed_is_not(tmp_path):
    first = run_short("four-criteria", tmp_path)
    assert run_short("four-criteria", tmp_path) == first
    reproduce(read("four-criteria"), Settings(short=True, seed=2, workers=1), tmp_path, lambda part, words: None)
    assert {path.name for path in tmp_path.glob("runs*")} == {"runs-short-1", "runs-short-2"}


def test_every_experiment_says_what_it_asks():
    for name in PUBLISHED:
        experiment = read(name)
        assert experiment.title and experiment.question.endswith("?")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "title = 1",
        "title = 'a'\nquestion = 'b?'\nkind = 'nonsense'",
        "title = 'a'\nquestion = 'b?'\nkind = 'scores'",
        "[[",
    ],
)
def test_files_that_are_no_experiments_are_refused_with_a_sentence(text, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ApprentiError):
        run_short(str(path), tmp_path)


def test_unknown_experiments_are_refused():
    with pytest.raises(ApprentiError, match="did you mean players-10x10"):
        read("players-10x1")


def test_an_interruption_keeps_the_table_so_far_and_is_passed_on(tmp_path, monkeypatch):
    def interrupted(*arguments):
        evaluation = measure(*arguments)
        evaluation.interrupted = True
        return evaluation

    measure = scores.measure
    monkeypatch.setattr(scores, "measure", interrupted)
    with pytest.raises(KeyboardInterrupt):
        reproduce(read("players-10x10"), Settings(short=True), tmp_path, lambda *_: None)
    assert "interrupted" in (tmp_path / "table.md").read_text()
    assert len(json.loads((tmp_path / "results.json").read_text())) == 1
