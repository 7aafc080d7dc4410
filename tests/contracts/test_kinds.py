"""What every kind of experiment must do; what experiments ask for is tested in `tests/lab/test_reproduce.py`."""

import ast
import copy
import json
import re
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import apprenti.lab
from apprenti.core.errors import ApprentiError, UnknownName
from apprenti.games.tetris.criteria import SETS
from apprenti.games.tetris.kinds import criteria
from apprenti.lab.experiments import Experiment, known, read
from apprenti.lab.kinds.kind import KINDS, Kind, Part, Settings
from apprenti.lab.kinds.runs import TrainingKind
from apprenti.lab.reproduce import reproduce
from apprenti.store.runs import Run
from tests.lab.kinds.tiny import TINY

EXPERIMENTS = {name: read(name) for name in known()}
GAMES = ("tetris", "mnk", "luzhanqi")
every_kind = pytest.mark.parametrize("name", KINDS)


def experiment(kind, data):
    return Experiment("mine", "Mine", "What comes of it?", kind, data)


def rows_of(file):
    """The names of the fields that are rows, and what a row is."""
    inner = {name: get_args(wanted)[0] for name, wanted in get_type_hints(file).items() if get_args(wanted)}
    return {name: row for name, row in inner.items() if is_dataclass(row)}


def declared(name):
    """The fields of a kind's file and of its rows: where each is, what it is called, whether it has to be there."""
    file = KINDS.load(name).File
    for where, table in {"": file, **rows_of(file)}.items():
        for one in fields(table):
            if not one.metadata.get("rest"):
                yield where, one.name, one.default is MISSING and one.default_factory is MISSING


def put(name, where, field, value):
    """The tiny experiment of a kind with another value in one place; without one, the field is left out."""
    data = copy.deepcopy(TINY[name])
    table = data[where][-1] if where else data
    table.pop(field, None)
    if value is not MISSING:
        table[field] = value
    return experiment(name, data)


def refused(mine, folder):
    """What is said of an experiment that cannot be run; nothing is done, nothing written."""

    def never(part, words):
        raise AssertionError("nothing may be run")

    with pytest.raises(ApprentiError) as caught:
        reproduce(mine, Settings(), folder, never)
    assert list(folder.iterdir()) == []
    assert "\n" not in str(caught.value) and mine.name in str(caught.value)
    return str(caught.value)


TABLES = ("config", "short_config", "test_rules", "short_rules")
NUMBERS = ("seconds", "mean", "deviation", "game_seconds", "driver_ms", "trip_ms")
"""The fields that may be 3.5."""


@every_kind
def test_it_is_in_the_folder_of_kinds_and_says_on_one_line_what_it_is(name):
    assert re.fullmatch(r"apprenti\.(lab|games\.\w+)\.kinds\.\w+:\w+", KINDS[name].where)
    assert KINDS[name].about.isprintable() and KINDS[name].about
    assert issubclass(KINDS.load(name), Kind)


def test_there_are_few_kinds_and_every_other_look_at_their_work_is_a_study_of_one():
    assert {name.partition("/")[0] for name in KINDS} <= set(KINDS)
    assert len([name for name in KINDS if "/" not in name]) <= 10


@every_kind
def test_some_experiment_is_of_this_kind(name):
    assert name in {one.kind for one in EXPERIMENTS.values()}


@every_kind
def test_a_file_that_lacks_a_field_is_refused_by_name_before_anything_runs(name, tmp_path):
    for where, field, required in declared(name):
        if required:
            said = refused(put(name, where, field, MISSING), tmp_path)
            assert f"experiment mine of kind {name} needs {field}." in said


@every_kind
def test_a_value_of_another_type_is_refused_by_name_before_anything_runs(name, tmp_path):
    for where, field, _ in declared(name):
        said = refused(put(name, where, field, {"odd": [1]}), tmp_path)
        assert field in said
        if field not in (
            "config",
            "short_config",
            "test_rules",
            "short_rules",
            "weights",
        ):  # these are tables, and what is in them is refused
            assert re.search(rf"{field} of .*experiment mine of kind {name} is (a|true)", said)
            assert field in refused(put(name, where, field, "long" if field in NUMBERS else 3.5), tmp_path)


@every_kind
def test_a_mistyped_field_is_answered_with_the_nearest(name, tmp_path):
    for where, field, _ in declared(name):
        if field in ("game", "games"):  # the one is near the other
            continue
        said = refused(put(name, where, f"{field}x", 3), tmp_path)
        assert f"called '{field}x': did you mean {field}?" in said


@pytest.mark.parametrize("name", [name for name in KINDS if issubclass(KINDS.load(name), TrainingKind)])
def test_options_that_the_learner_does_not_have_are_refused_with_the_run(name, tmp_path):
    number = len(TINY[name]["run"])
    for table in ("config", "short_config"):
        said = refused(put(name, "run", table, {"sed": 3}), tmp_path)
        wanted = f"{table} of run {number} of experiment mine of kind {name}"
        assert f"no field of {wanted} called 'sed': did you mean seed?" in said


@pytest.mark.parametrize("rows", [[], {}, 3, "some", [3]])
def test_rows_that_are_no_rows_are_refused(rows, tmp_path):
    refused(experiment("scores", {"row": rows}), tmp_path)


@pytest.mark.parametrize(
    ("kind", "changes", "said"),
    [
        ("scores", {"row": [{"agent": "nobody", "games": 1}]}, "row 1 of experiment mine of kind scores: there is no"),
        ("scores", {"row": [{"agent": "bcts", "games": 0}]}, "row 1 of .* --games is from 1 to .*, not 0"),
        ("scores", {"row": [{"agent": "bcts", "games": 1, "size": "big"}]}, "row 1 of experiment mine .*'big'"),
        ("scores", {"row": [{"agent": "bcts", "games": 1, "preview": 1}]}, "preview of row 1 .* is true or false"),
        (
            "scores",
            {"row": [{"agent": "mnk-perfect", "games": 1}]},
            "a game for 2, which is an experiment of kind match",
        ),
        ("match", {"game": "tetris"}, "tetris is a game for 1, and a match needs a game for two"),
        ("match", {"game": "chess"}, "no game called 'chess'"),
        ("match", {"size": "9x9x9x9"}, "match 1 of experiment mine of kind match"),
        ("match", {"row": [], "agents": ["random", "random"]}, "none is named twice"),
        ("match", {"row": []}, "experiment mine of kind match: matches have either a row for each or agents"),
        ("match", {"agents": ["random", "perfect"]}, "matches have either a row for each or agents"),
        ("training", {"method": "sarsax"}, "called 'sarsax': did you mean sarsa"),
        ("training", {"method": ""}, "run 1 of experiment mine of kind training needs method"),
        ("training", {"test_rules": {"sizes": "4x4"}}, "test_rules of .* called 'sizes': did you mean size"),
        ("training", {"run": [{"name": "a"}, {"name": "a"}]}, "two runs are called 'a'"),
        ("training", {"repeats": 2**70}, "has .* parts to run: at most 10000"),
        ("scores/coverage", {"intervals": 2**70}, "has .* parts to run: at most 10000"),
        ("recipe", {"stage": [{"sed": 3}]}, "stage 1 of experiment mine .* called 'sed': did you mean seed"),
        ("solve", {"sizes": ["4by4"]}, "experiment mine of kind solve: .*4by4"),
    ],
)
def test_what_cannot_be_played_or_learned_is_refused_before_anything_runs(kind, changes, said, tmp_path):
    assert re.search(said, refused(experiment(kind, {**TINY[kind], **changes}), tmp_path))


def test_an_unknown_kind_is_one_sentence_with_the_nearest(tmp_path):
    with pytest.raises(UnknownName, match="no kind of experiment called 'score': did you mean scores"):
        reproduce(experiment("score", {}), Settings(), tmp_path, lambda *_: None)


@pytest.mark.parametrize("bug", [KeyError("x"), TypeError("x"), IndexError("x")])
def test_a_bug_is_not_dressed_as_a_bad_file(bug, tmp_path, monkeypatch):
    def broken(self, part):
        raise bug

    monkeypatch.setattr(Kind, "result", broken)
    with pytest.raises(type(bug)):
        reproduce(experiment("scores", TINY["scores"]), Settings(), tmp_path, lambda *_: None)


def timeless(data):
    """The same without times, which no two runs share."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if "second" not in key and key != "workers"}
    return [timeless(value) for value in data] if isinstance(data, list) else data


def results(folder):
    return timeless(json.loads((folder / "results.json").read_text()))


def run(name, folder, report=lambda part, words: None, short=False):
    """With criteria to choose from that the other tests have compiled; `make soak PART=experiments` has all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(criteria, "POOL", SETS["dellacherie"])
        return reproduce(experiment(name, TINY[name]), Settings(short=short, workers=1), folder, report)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The results of the tiny experiment of a kind, all at once."""
    found = {}

    def of(name):
        if name not in found:
            folder = tmp_path_factory.mktemp(name.replace("/", "-"))
            run(name, folder)
            found[name] = results(folder)
        return found[name]

    return of


@every_kind
def test_interrupted_between_two_parts_and_resumed_it_comes_to_the_same_and_nothing_is_done_twice(
    name, tmp_path, monkeypatch, uninterrupted
):
    def second(part, words):
        if part > 0:
            raise KeyboardInterrupt

    wanted = uninterrupted(name)
    if name != "solve/disagreements":  # it has one part
        with pytest.raises(KeyboardInterrupt):
            run(name, tmp_path, second)
        assert "interrupted" in (tmp_path / "table.md").read_text()
        assert json.loads((tmp_path / "settings.json").read_text())["complete"] is False
    done = {path: path.stat().st_mtime_ns for path in (tmp_path / "parts").glob("*.json")}
    assert len(done) == (name != "solve/disagreements")
    run(name, tmp_path)
    assert results(tmp_path) == wanted
    assert json.loads((tmp_path / "settings.json").read_text())["complete"] is True
    assert {path: path.stat().st_mtime_ns for path in done} == done  # what was done was not done again
    monkeypatch.setattr(Part, "work", property(lambda self: never, lambda self, work: None), raising=False)
    run(name, tmp_path)
    assert results(tmp_path) == wanted


@every_kind
def test_a_short_run_writes_table_pictures_and_numbers_and_says_that_it_is_no_result(name, tmp_path):
    table = run(name, tmp_path, short=True)
    assert table.startswith("|") and table.count("\n") >= 3
    assert "a short run" in (tmp_path / "table.md").read_text()
    for ending in KINDS.load(name).pictures:
        assert (tmp_path / f"picture.{ending}").stat().st_size > 1000
    assert json.loads((tmp_path / "results.json").read_text())


def never(*_):
    raise AssertionError("this was done before")


LEARNING = [name for name in KINDS if issubclass(KINDS.load(name), TrainingKind) and "unbeatable" not in name]
LEARNING.append("recipe")
"""The kinds with run folders; a run of `training/unbeatable` takes a second and is a part."""


@pytest.mark.parametrize("name", LEARNING)
def test_interrupted_within_a_run_and_resumed_it_comes_to_the_same(name, tmp_path, monkeypatch, uninterrupted):
    wanted, saved, save = uninterrupted(name), [], Run.save

    def second(self, checkpoint, metrics):
        if len(saved) == 1:
            raise KeyboardInterrupt
        saved.append(checkpoint.generation)
        save(self, checkpoint, metrics)

    with monkeypatch.context() as patched:
        patched.setattr(Run, "save", second)
        with pytest.raises(KeyboardInterrupt):
            run(name, tmp_path)
    (begun,) = (tmp_path / "runs").iterdir()
    assert saved == [1] and len(Run(begun).metrics()) == 1
    run(name, tmp_path)
    assert results(tmp_path) == wanted
    assert [row["generation"] for row in Run(begun).metrics()] == list(range(1, 5))


def test_what_serves_every_game_knows_none():
    lab = Path(apprenti.lab.__file__).parent
    for path in [*lab.glob("*.py"), *lab.glob("kinds/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            assert not set(GAMES) & set(module.split(".")), f"{path.name} imports {module}"
