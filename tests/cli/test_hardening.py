"""What a campaign against the first version found on the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from apprenti.core.errors import MissingExtra
from apprenti.learn.methods import METHODS, config_class
from apprenti.store.runs import Run

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {modules!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
from apprenti.cli.main import main

sys.exit(main({words!r}))
"""


def without(modules, *words, folder):
    """The command line on a machine that lacks some modules."""
    script = WITHOUT.format(modules=set(modules), words=list(words))
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=folder, check=False)


@pytest.mark.parametrize("method", ["dqn", "ppo"])
def test_without_torch_deep_learning_is_refused_with_the_extra_that_is_missing(method, tmp_path):
    done = without(["torch"], "train", method, folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"apprenti: method {method} cannot be used without an extra: pip install 'apprenti[deep]'.\n"
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("module", "extra", "words"),
    [
        ("torch", "deep", ["reproduce", "luzhanqi-best-response", "--short"]),
        ("plotly", "web", ["web", "--no-browser", "--port", "0"]),
        ("ray", "cluster", ["evaluate", "random", "--game", "tictactoe", "--cluster", "local:1"]),
    ],
)
def test_whatever_needs_an_extra_names_it(module, extra, words, tmp_path):
    done = without([module], *words, folder=tmp_path)
    assert done.returncode == 2 and done.stderr.count("apprenti: ") == 1
    assert done.stderr.endswith(f"pip install 'apprenti[{extra}]'.\n")


def test_a_module_that_is_missing_in_a_method_names_its_extra():
    assert issubclass(MissingExtra, ImportError)
    assert str(MissingExtra("x", "web")).endswith("pip install 'apprenti[web]'.")


@pytest.fixture
def three_runs(tmp_path, monkeypatch):
    """Two good runs, and one between them to be damaged."""
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b", "c"):
        run = Run(tmp_path / "runs" / name)
        run.begin("ce", dict(config_class("ce")().__dict__), {"apprenti": "0"})
        (run.folder / "metrics.jsonl").write_text('{"generation": 1, "seconds": 1.0, "best": 2.0}\n' * 2)
    return tmp_path / "runs" / "b"


def test_a_run_that_is_a_link_to_itself_is_listed_as_damaged(run, three_runs):
    (three_runs / "run.json").unlink()
    (three_runs / "run.json").symlink_to("run.json")
    code, out, err = run("runs")
    assert code == 0 and "damaged" in out and "symbolic links" in err


def test_a_strangers_run_commands_no_terminal_and_is_no_markup(run, three_runs):
    path = three_runs / "run.json"
    about = json.loads(path.read_text())
    about["config"]["criteria"] = "[red]\x1b[2Jholes"
    path.write_text(json.dumps(about))
    code, out, _ = run("runs")
    assert code == 0 and "\x1b" not in out and "[red][2Jholes" in out


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("metrics.jsonl", '"x"\n{"generation": 1, "seconds": 1.0, "best": "many"}\n{}\n'),
        ("run.json", "{"),
        ("run.json", '{"format": 1, "method": "ce", "versions": {}, "config": {"criteria": {"a": 5}}}'),
        ("run.json", '{"format": 1, "method": 5, "versions": {}, "config": {}}'),
        ("run.json", '{"format": 9, "method": "ce", "versions": {}, "config": {}}'),
    ],
)
def test_one_damaged_run_is_listed_as_damaged_beside_the_others(run, three_runs, file, text):
    (three_runs / file).write_text(text)
    code, out, err = run("runs")
    assert code == 0 and [word in out for word in ("  a ", "damaged", "  c ")] == [True] * 3
    assert err.count("\n") == 1
    rows = json.loads(run("runs", "--json")[1])["runs"]
    assert [row["run"] for row in rows] == ["a", "b", "c"]
    assert [("damaged" in row) for row in rows] == [False, True, False]


def test_a_number_for_the_criteria_breaks_nothing(run, three_runs):
    data = json.loads((three_runs / "run.json").read_text())
    (three_runs / "run.json").write_text(json.dumps({**data, "config": {**data["config"], "criteria": 5}}))
    code, out, err = run("runs")
    assert (code, err) == (0, "") and "  c " in out


HUGE = "99999999999"
BEYOND = str(2**70)


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "dellacherie", "--games", HUGE),
        ("evaluate", "dellacherie", "--games", "1", "--max-pieces", BEYOND),
        ("compare", "dellacherie", "bcts", "--games", BEYOND),
        ("solve", "--check-games", HUGE),
        ("train", "ga", "--population", HUGE),
        ("train", "ce", "--games", BEYOND),
        ("train", "ce", "--max-pieces", BEYOND),
        ("train", "ce", "--population", "999999999"),
        ("train", "dqn", "--replay-buffer", HUGE),
        ("train", "dqn", "--replay-buffer", "999999999"),
        ("train", "dqn", "--parallel-games", "999999999"),
        ("train", "ppo", "--gru-units", "999999999", "--past-share", "0"),
        ("train", "ppo", "--parallel-games", HUGE),
        ("train", "actor-critic", "--hidden", "999999999"),
        ("train", "sarsa", "--episodes", BEYOND),
    ],
)
def test_huge_numbers_are_refused_with_the_limit_before_memory_is_asked_for(run, words):
    code, out, err = run(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert any(said in err for said in ("at most 1000000000", "to 1000000000", f"to {2**62}", "of memory, and")), err


@pytest.mark.parametrize("method", METHODS)
def test_every_learner_refuses_a_number_of_iterations_that_nobody_can_wait_for(run, method):
    code, _, err = run("train", method, "--iterations", BEYOND)
    assert (code, err.count("\n")) == (2, 1) and "--iterations is at most 1000000000" in err


def test_a_long_run_is_not_taken_for_a_large_one():
    assert config_class("sarsa")(iterations=10**6).memory == config_class("sarsa")(iterations=1).memory


def test_an_option_in_another_encoding_is_refused_before_a_folder_is_made(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run("train", "dqn", "--criteria", "\udcff")  # its inputs are the board: nobody looks at criteria
    assert (code, err) == (2, "apprenti: --criteria is text, not '\\udcff'.\n")
    assert not Path("runs").exists()


def test_who_looks_ahead_cannot_be_told_to_look_ahead_again(run):
    for name in ("expectimax:expectimax:dellacherie", "preview:expectimax:dellacherie"):
        code, _, err = run("evaluate", name, "--games", "1")
        assert code == 2 and "looks ahead as it is" in err


def test_solve_says_one_line_on_an_error_with_json(run):
    code, out, err = run("solve", "--size", "10x20", "--memory", "0.001", "--json")
    said = [line for line in err.splitlines() if not line.startswith("compiling")]
    assert (code, out, len(said)) == (2, "", 1)
