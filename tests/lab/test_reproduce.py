"""Experiments that are shipped, and those of files and packages.

Every kind of experiment runs in `tests/contracts/test_kinds.py`, every shipped one in `make soak PART=experiments`.
"""

import json
import shutil

import matplotlib.pyplot as plt
import pytest

from apprenti.core.errors import ApprentiError, BadPlugin
from apprenti.core.plugins import folders, plugins
from apprenti.lab import experiments
from apprenti.lab.experiments import COSTS, FORMER, cost_of, known, read
from apprenti.lab.kinds import scores
from apprenti.lab.kinds.kind import KINDS, Settings
from apprenti.lab.reproduce import Spent, reproduce
from apprenti.store.runs import Run

PUBLISHED = sorted(path for path in known())


def run_short(name, folder, seed=1):
    return reproduce(read(name), Settings(short=True, seed=seed, workers=1), folder, lambda part, words: None)


def check_short_version(name, folder):
    """A short version writes table, pictures and numbers, and says that it is no result."""
    table = run_short(name, folder)
    assert table.startswith("|") and table.count("\n") >= 3
    assert "a short run" in (folder / "table.md").read_text()
    for ending in KINDS.load(read(name).kind).pictures:
        assert (folder / f"picture.{ending}").stat().st_size > 1000
    assert json.loads((folder / "results.json").read_text())


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("short", [False, True])
def test_every_experiment_is_divided_into_parts_before_anything_runs(name, short, tmp_path):
    experiment = read(name)
    parts = KINDS.load(experiment.kind)(experiment, Settings(short=short), tmp_path).parts
    assert parts and len({json.dumps(part.key, sort_keys=True) for part in parts}) == len(parts)
    assert not list(tmp_path.iterdir())


def test_a_finished_training_is_taken_up_and_another_seed_is_not(tmp_path):
    first = run_short("four-criteria", tmp_path)
    assert run_short("four-criteria", tmp_path) == first
    assert len(list((tmp_path / "runs").iterdir())) == 1
    run_short("four-criteria", tmp_path, seed=2)
    assert {Run(run).about()["config"]["seed"] for run in (tmp_path / "runs").iterdir()} == {1, 2}


def test_every_experiment_says_what_it_asks():
    for name in PUBLISHED:
        experiment = read(name)
        assert experiment.title and experiment.question.endswith("?")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "title = 1",
        "title = 'a'\nquestion = 'b?'\nkind = 3",
        "title = 'a'\nquestion = 'b?'\nkind = 'training'\nstudy = 3",
        "[[",
    ],
)
def test_files_that_are_no_experiments_are_refused_with_a_sentence(text, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ApprentiError):
        run_short(str(path), tmp_path)


def test_an_experiment_without_any_part_is_refused(tmp_path):
    class Empty(scores.Scores):
        def divide(self):
            return []

    with pytest.raises(ApprentiError, match="asks for nothing"):
        Empty(read("players-10x10"), Settings(), tmp_path)


@pytest.mark.parametrize("content", ["{}", '{"found": 3}'])
def test_a_part_without_what_it_came_to_is_refused(content, tmp_path):
    run_short("players-10x10", tmp_path)
    for path in (tmp_path / "parts").iterdir():
        path.write_text(content)
    with pytest.raises(ApprentiError, match="delete it"):
        run_short("players-10x10", tmp_path)


def test_unknown_experiments_are_refused():
    with pytest.raises(ApprentiError, match="did you mean players-10x10"):
        read("players-10x1")


def test_an_interruption_keeps_the_table_so_far_and_is_passed_on(tmp_path, monkeypatch):
    def interrupted(*arguments):
        return {**play(*arguments), "interrupted": True}

    play = scores.play_alone
    monkeypatch.setattr(scores, "play_alone", interrupted)
    with pytest.raises(KeyboardInterrupt):
        reproduce(read("players-10x10"), Settings(short=True), tmp_path, lambda *_: None)
    assert "interrupted" in (tmp_path / "table.md").read_text()
    assert len(json.loads((tmp_path / "results.json").read_text())) == 1
    assert not (tmp_path / "parts").exists()  # a part of its games is no result


def test_what_was_spent_before_an_interruption_belongs_to_the_cost(tmp_path):
    about = {"experiment": "mine", "version": "1", "short": False, "seed": 1}
    (tmp_path / "progress.json").write_text('{"part": 0.5, "seconds": 100.0, "core_seconds": 150.0}')
    (tmp_path / "settings.json").write_text(json.dumps({**about, "complete": False}))
    cost = Spent(tmp_path, about).so_far()
    assert 100 <= cost["seconds"] < 110 and 150 <= cost["core_seconds"] < 160
    assert Spent(tmp_path, {**about, "seed": 2}).so_far()["seconds"] < 10  # another one, from the beginning
    (tmp_path / "progress.json").write_text('{"part": 0.5, "seconds": 100.0}')  # as an older version wrote it
    assert set(Spent(tmp_path, about).so_far()) == {"seconds"}


def test_the_cost_of_an_experiment_is_known_or_is_said_to_be_unknown(tmp_path, monkeypatch):
    shutil.copy(known()["tictactoe-tournament"], tmp_path / "mine.toml")
    monkeypatch.setattr(experiments, "folders", lambda part: [tmp_path])
    assert cost_of(known()["mine"]) == {}
    (tmp_path / "costs.json").write_text('{"mine": {"core_seconds": 7.0}}')
    assert cost_of(known()["mine"]) == {"core_seconds": 7.0}


def test_costs_are_of_experiments_that_there_are():
    costs = [json.loads(path.read_text()) for folder in folders("experiments") for path in folder.glob(COSTS)]
    assert len(costs) == 3
    for name, cost in (pair for each in costs for pair in each.items()):
        assert name in PUBLISHED
        assert set(cost) == {"core_seconds", "seconds", "cores", "processor", "date", "commit"}
        assert cost["core_seconds"] > 0


@pytest.mark.parametrize("former", FORMER)
def test_a_file_with_a_kind_of_version_0_2_is_of_the_study_that_it_is_now(former, tmp_path):
    (tmp_path / "mine.toml").write_text(f"title = 'a'\nquestion = 'b?'\nkind = '{former}'")
    now = read(str(tmp_path / "mine.toml")).kind
    assert now in KINDS
    (tmp_path / "mine.toml").write_text(f"title = 'a'\nquestion = 'b?'\nkind = '{former}'\nstudy = 'nonsense'")
    with pytest.raises(ApprentiError, match="no kind of experiment called"):
        run_short(str(tmp_path / "mine.toml"), tmp_path)


TOURNAMENT = """
title = "a"
question = "b?"
kind = "tournament"
game = "mnk"
size = "3x3x3"
games = 2
agents = ["random", "sarsa-tictactoe", "perfect"]
"""


def test_a_tournament_of_version_0_2_is_run(tmp_path):
    (tmp_path / "mine.toml").write_text(TOURNAMENT)
    lines = run_short(str(tmp_path / "mine.toml"), tmp_path / "results").splitlines()
    assert sum(line.startswith("| mnk-random | ") for line in lines) == 3  # two matches, and its rating
    assert any(line.startswith("| mnk-random | 0 | 0 |") for line in lines)  # the first named


MINE = """
title = "Mine"
question = "Who wins?"
kind = "match"
game = "tictactoe"
games = 4
row = [{ agent = "random", against = "perfect" }]
"""


def plugin(folder, name, group, value):
    """An installed package with one entry point."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")


@pytest.fixture(autouse=True)
def looked_for_anew():
    """Plug-ins are looked for once in a process."""
    yield
    plugins.cache_clear()


def test_a_package_adds_experiments_but_takes_none_of_our_names(tmp_path, monkeypatch):
    (tmp_path / "rare_games").mkdir()
    (tmp_path / "rare_games" / "__init__.py").write_text("raise RuntimeError('nobody has to run this')")
    for name in ("mine", "optima"):
        (tmp_path / "rare_games" / f"{name}.toml").write_text(MINE)
    plugin(tmp_path, "rare", "apprenti.experiments", "rare_games")
    monkeypatch.syspath_prepend(tmp_path)
    plugins.cache_clear()
    assert read("mine").title == "Mine"
    assert read("optima").kind == "solve"


def test_a_package_that_is_not_there_is_named(tmp_path, monkeypatch):
    plugin(tmp_path, "rare", "apprenti.experiments", "rare_games.not_there")
    monkeypatch.syspath_prepend(tmp_path)
    plugins.cache_clear()
    with pytest.raises(BadPlugin, match=r"rare_games.not_there is a package with files, and there is no such"):
        known()


def test_a_package_adds_a_kind_of_experiment(tmp_path, monkeypatch):
    (tmp_path / "rare_kinds.py").write_text("from apprenti.lab.kinds.match import Match as Rare\n")
    plugin(tmp_path, "rare", "apprenti.kinds", "rare_kinds:Rare")
    monkeypatch.syspath_prepend(tmp_path)
    plugins.cache_clear()
    assert issubclass(KINDS.load("rare"), KINDS.load("match"))
    assert KINDS["rare"].about == "from the package rare"


MATCH = """title = "t\\u001b]0;x\\u0007"
question = "q?"
kind = "match"
game = "tictactoe"
games = 2
row = [{agent = "mnk-random", against = "mnk-perfect"}]
"""


@pytest.mark.parametrize(
    "name", ["share", "agent", "against", "games", "lost", "won", "ci95", "reasons", "rules", "game"]
)
@pytest.mark.parametrize("value", [None, "x", {"a": 1}])
def test_a_part_that_is_none_of_its_kind_is_refused(name, value, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MATCH)
    run_short(str(path), tmp_path / "out")
    (part,) = (tmp_path / "out" / "parts").iterdir()
    data = json.loads(part.read_text())
    data["found"] = {**data["found"], name: value}
    if value is None:
        del data["found"][name]
    part.write_text(json.dumps(data))
    try:
        run_short(str(path), tmp_path / "out")
    except ApprentiError as error:
        assert str(error).endswith(".")
    else:
        assert value is not None  # a text may be the name of somebody
    plt.close("all")


def test_an_error_of_ours_in_a_fresh_folder_is_none_of_the_parts(tmp_path, monkeypatch):
    path = tmp_path / "mine.toml"
    path.write_text(MATCH)
    monkeypatch.setattr(KINDS.load("match"), "table", lambda self: {}["ours"])
    with pytest.raises(KeyError):
        run_short(str(path), tmp_path / "out")
