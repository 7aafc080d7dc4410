"""Runs from the command line: train, look, resume, measure, watch; and every wrong word refused before it costs."""

import contextlib
import json
import signal
import subprocess
import sys
from dataclasses import asdict
from time import monotonic

import pytest

from apprenti.cli.main import main
from apprenti.cli.train import by_their_names
from apprenti.lab.agents import load_agent
from apprenti.learn.methods import METHODS
from apprenti.store.runs import ROOT, Run, find_run
from tests.learn.tiny import TETRIS, TINY, config, words

PATIENCE = 150.0


@pytest.fixture
def here(tmp_path, elsewhere):
    """An empty folder to work in."""
    return tmp_path


@pytest.fixture
def apprenti(here, run):
    """The command line in an empty folder: exit code, standard output, standard error."""
    return run


@pytest.fixture
def trained(apprenti):
    """A finished run called `one`."""
    assert apprenti("train", *words("ce"), "--name", "one")[0] == 0
    return find_run("one")


def is_refused(answer, *why):
    """One sentence on standard error, nothing on standard output, exit code 2."""
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.startswith("apprenti: ")
    assert err.count("\n") == 1
    for part in why:
        assert part in err


def edit(run, file="run.json", **changes):
    """Change the options of a run, or other things in its description."""
    path = run.folder / file
    data = json.loads(path.read_text())
    for name, value in changes.items():
        (data if name in data else data["config"])[name] = value
    path.write_text(json.dumps(data))


def outcome(run):
    """All that a run has come to, but for the time it took."""
    state = json.loads((run.folder / "checkpoint.json").read_text())["state"]
    return json.loads(run.agent_path.read_text())["config"], state, [{**row, "seconds": 0} for row in run.metrics()]


# A whole life ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", TETRIS)
def test_a_run_is_trained_listed_shown_measured_and_watched(method, apprenti, here):
    code, out, err = apprenti("train", *words(method), "--name", "mine")
    assert code == 0
    assert "run mine: 4 generations" in out
    assert "run mine: generation 4/4" in err
    assert {path.name for path in (here / "runs" / "mine").iterdir()} >= {
        "run.json", "metrics.jsonl", "checkpoint.json", "checkpoint-before.json", "agent.json", "curve.png",
    }  # fmt: skip
    code, out, _ = apprenti("runs")
    assert code == 0
    assert "mine" in out
    assert "4/4" in out
    code, out, _ = apprenti("show", "mine")
    assert code == 0
    assert "best" in out
    for name in getattr(load_agent("mine"), "weights", ()):
        assert name in out
    code, out, _ = apprenti("evaluate", "mine", "--games", "20", "--max-pieces", "300")
    assert code == 0
    assert f"rules, {TINY[method]['size']}" in out
    code, out, _ = apprenti("watch", "mine", "--seed", "1", "--max-pieces", "5")
    assert code == 0
    assert "5 pieces (mine, seed 1)" in out


def test_a_run_of_a_game_for_two_is_trained_listed_and_shown(apprenti, here):
    code, out, err = apprenti("train", *words("sarsa"), "--name", "mine")
    assert code == 0
    assert "run mine: 4 generations" in out
    assert "against perfect" in err and "optimal" in err
    assert (here / "runs" / "mine" / "curve.png").stat().st_size > 1000
    code, out, _ = apprenti("runs")
    assert code == 0
    assert "4/4" in out and "3x3x3" in out and "None" not in out
    code, out, _ = apprenti("show", "mine")
    assert code == 0
    assert "against_random" in out and "can lose" in out


def test_the_commands_that_the_farewell_names_work(apprenti):
    _, out, _ = apprenti("train", *words("ce"))
    named = [line.split()[1:3] for line in out.splitlines() if line.startswith("  apprenti ")]
    assert named == [["show", "ce-1"], ["evaluate", "ce-1"], ["watch", "ce-1"]]
    for command in named:
        assert apprenti(*command)[0] == 0


def test_json_is_one_object_and_nothing_else(apprenti):
    code, out, err = apprenti("train", *words("ce"), "--json")
    assert (code, out.count("\n")) == (0, 1)
    assert "generation" not in err
    said = json.loads(out)
    run = find_run("ce-1")
    assert said == {"run": "ce-1", "folder": "runs/ce-1", **run.metrics()[-1]}
    assert json.loads(apprenti("resume", "ce-1", "--json")[1]) == said
    shown = json.loads(apprenti("show", "ce-1", "--json")[1])
    assert (shown["metrics"], shown["run"], shown["method"]) == (run.metrics(), "ce-1", "ce")
    assert shown["config"].items() >= TINY["ce"].items()
    assert shown["weights"] == json.loads(run.agent_path.read_text())["config"]["weights"]
    listed = json.loads(apprenti("runs", "--json")[1])["runs"]
    assert [(row["run"], row["generation"], row["of"]) for row in listed] == [("ce-1", 4, 4)]
    assert json.loads(apprenti("evaluate", "ce-1", "--games", "5", "--json")[1])


def test_what_was_trained_is_the_learners_options_and_versions(trained):
    about = trained.about()
    assert about["method"] == "ce"
    assert about["config"].items() >= TINY["ce"].items()
    assert {"apprenti", "python", "numpy", "numba", "scipy", "cmaes"} <= set(about["versions"])


def test_racing_can_be_switched_off_and_weights_to_begin_with_given(apprenti):
    first = ["-1.5", "1", "-1", "-1", "-4", "-1"]
    assert apprenti("train", *words("cma"), "--no-racing", "--initial-weights", *first)[0] == 0
    options = find_run("cma-1").about()["config"]
    assert options["racing"] is False
    assert options["initial_weights"] == [float(weight) for weight in first]


def test_names_count_up_and_an_old_run_is_never_overwritten(apprenti, trained):
    before = outcome(trained)
    is_refused(apprenti("train", *words("ce"), "--name", "one"), "already", "--name")
    assert apprenti("train", *words("ce"))[0] == 0
    assert apprenti("train", *words("ce"))[0] == 0
    assert {row["run"] for row in json.loads(apprenti("runs", "--json")[1])["runs"]} == {"one", "ce-1", "ce-2"}
    assert outcome(trained) == before == outcome(find_run("ce-1")) == outcome(find_run("ce-2"))


def test_without_runs_there_is_a_hint(apprenti):
    assert "apprenti train ce makes one" in apprenti("runs")[1]
    assert json.loads(apprenti("runs", "--json")[1]) == {"runs": []}
    for command in ("show", "resume"):
        is_refused(apprenti(command, "one"), "no run called 'one'")


def test_one_broken_run_does_not_hide_the_others(apprenti, trained, here):
    (here / "runs" / "broken").mkdir()
    (here / "runs" / "broken" / "run.json").write_text("{")
    code, out, err = apprenti("runs")
    assert code == 0
    assert "one" in out
    assert "broken" in err


def test_a_run_of_another_version_is_listed_with_what_is_known_of_it(apprenti, trained):
    edit(trained, method="magic")
    code, out, _ = apprenti("runs")
    assert code == 0
    assert "magic" in out and "4/?" in out


def test_a_run_before_its_first_generation_is_shown_as_such(apprenti, here):
    Run(here / "runs" / "new").begin("ce", asdict(config("ce")), {})
    assert "has not finished its first generation" in apprenti("show", "new")[1]
    assert "0/4" in apprenti("runs")[1]


def test_help_names_the_methods(apprenti):
    for arguments in (["train"], ["train", "--help"]):
        code, out, _ = apprenti(*arguments)
        assert code == 0
        assert all(method in out for method in METHODS)


def test_on_a_terminal_there_is_a_panel_with_curves_and_time_left(terminal, here):
    shown = terminal("train", *words("ce", iterations=12))
    assert shown.finish() == 0
    for part in ("run ce-1", "generation 12/12", "best", "test", "left 0:00:0", "run ce-1: 12 generations"):
        assert part in shown.output


# Wrong options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "arguments", "field"),
    [
        *(
            ("ga", [f"--{name}", value], f"--{name}")
            for name in ("percentage-for-tournament", "elitism-percentage", "percentage-new-offspring",
                         "proba-mutation", "mutation-rate")
            for value in ("-0.1", "1.1", "nan")
        ),
        ("ga", ["--population", "0"], "--population"),
        ("ga", ["--population-size", "1"], "--population"),
        ("ga", ["--iterations", "0"], "--iterations"),
        ("ga", ["--nb-generations=-1"], "--iterations"),
        ("ga", ["--nb-bits", "0"], "--nb-bits"),
        ("ga", ["--nb-games", "-1"], "--games"),
        ("ga", ["--max-blocks", "-1"], "--max-pieces"),
        ("ga", ["--max-pieces", "99999999999999999999"], "--max-pieces"),
        ("ga", ["--vector-encoding", "octal"], "--vector-encoding"),
        ("ga", ["--parents-selection-method", "chance"], "--parents-selection-method"),
        ("ga", ["--old-generation-policy", "worst"], "--old-generation-policy"),
        ("ga", ["--evaluation-criteria", "time"], "--evaluation-criteria"),
        ("ga", ["--normalisation", "3"], "--normalisation"),
        ("ga", ["--initial-weights", "1", "2"], "--initial-weights"),
        ("ce", ["--population", "0"], "--population"),
        ("ce", ["--population", "-5"], "--population"),
        ("ce", ["--iterations", "0"], "--iterations"),
        ("ce", ["--games", "-3"], "--games"),
        ("ce", ["--games", "0"], "--games"),
        ("ce", ["--games", "2.5"], "--games"),
        ("ce", ["--games", "many"], "--games"),
        ("ce", ["--test-games", "-1"], "--test-games"),
        ("ce", ["--max-pieces", "-1"], "--max-pieces"),
        ("ce", ["--elite", "1.5"], "--elite"),
        ("ce", ["--elite", "0.01", "--population", "10"], "--elite"),
        ("ce", ["--noise", "loud"], "--noise"),
        ("ce", ["--noise-level", "-1"], "--noise-level"),
        ("ce", ["--noise-level", "inf"], "--noise-level"),
        ("ce", ["--noise-slope", "nan"], "--noise-slope"),
        ("ce", ["--variance", "0"], "--variance"),
        ("ce", ["--variance", "inf"], "--variance"),
        ("ce", ["--mean", "inf"], "--mean"),
        ("ce", ["--initial-weights", "1", "2"], "--initial-weights"),
        ("ce", ["--workers", "-1"], "--workers"),
        ("ce", ["--criteria", "holez"], "criterion called 'holez': did you mean holes"),
        ("ce", ["--criteria", ""], "--criteria"),
        ("ce", ["--criteria", "holes,holes"], "--criteria"),
        ("ce", ["--rules", "chess"], "no set of rules called 'chess'"),
        ("ce", ["--size", "10"], "size"),
        ("ce", ["--size", "17x20"], "--size 17x20"),
        ("ce", ["--size", "10x99"], "10x99"),
        ("ce", ["--popluation", "3"], "--popluation"),
        ("cma", ["--population", "3"], "--population"),
        ("cma", ["--population", "-1"], "--population"),
        ("cma", ["--iterations", "0"], "--iterations"),
        ("cma", ["--games", "0"], "--games"),
        ("cma", ["--max-games", "-1"], "--max-games"),
        ("cma", ["--sigma", "0"], "--sigma"),
        ("cma", ["--sigma", "inf"], "--sigma"),
        ("cma", ["--criteria", "holes"], "--criteria"),
        ("cma", ["--initial-weights", "1", "2", "3", "4", "5", "1e300"], "--initial-weights"),
        ("ce", ["--name", "../up"], "'../up'"),
        ("ce", ["--name", "dellacherie"], "--name dellacherie"),
        ("magic", [], "no method called 'magic'"),
        ("cee", [], "did you mean ce?"),
        ("--size", ["10x10"], "name the method first"),
    ],
)  # fmt: skip
def test_impossible_options_are_refused_by_name_before_a_folder_is_made(apprenti, here, method, arguments, field):
    is_refused(apprenti("train", method, *arguments), field)
    assert list(here.iterdir()) == []


# Resuming -------------------------------------------------------------------------------------------------------------


def test_a_finished_run_is_resumed_to_no_effect(apprenti, trained):
    before = outcome(trained)
    code, out, _ = apprenti("resume", "one")
    assert code == 0
    assert "run one: 4 generations" in out
    assert outcome(trained) == before


def test_a_run_in_use_is_refused(apprenti, trained):
    with trained.locked():
        is_refused(apprenti("resume", "one"), "in use by another process")
        is_refused(apprenti("train", *words("ce"), "--name", "one"), "in use by another process")
    assert apprenti("resume", "one")[0] == 0


def test_more_generations_may_be_asked_for_later_and_that_is_said(apprenti, trained):
    edit(trained, iterations=7, workers=1)
    code, _, err = apprenti("resume", "one")
    assert code == 0
    assert "iterations was 4 and is 7" in err
    assert "workers was 0 and is 1" in err
    apprenti("train", *words("ce", iterations=7), "--name", "long")
    assert outcome(trained) == outcome(find_run("long"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"population": 16}, "population was 8 and is 16"),
        ({"seed": 2, "noise": "none"}, "seed was 1 and is 2, noise was 'constant' and is 'none'"),
        ({"criteria": "bcts"}, "criteria was 'dellacherie' and is 'bcts'"),
        ({"size": "10x8", "iterations": 9}, "size was '10x6' and is '10x8'"),
    ],
)
def test_resuming_with_changed_options_explains_what_differs(apprenti, trained, changes, said):
    before = (trained.folder / "checkpoint.json").read_bytes()
    edit(trained, **changes)
    answer = apprenti("resume", "one")
    for part in said.split(", "):
        is_refused(answer, part, "after generation 4")
    assert (trained.folder / "checkpoint.json").read_bytes() == before


def test_options_of_another_version_are_named(apprenti, trained):
    path = trained.folder / "run.json"
    about = json.loads(path.read_text())
    del about["config"]["elite"]
    path.write_text(json.dumps({**about, "config": {**about["config"], "temperature": 3}}))
    is_refused(apprenti("resume", "one"), "unknown: temperature", "missing: elite")


@pytest.mark.parametrize(
    "changes", [{"population": "many"}, {"population": None}, {"criteria": 5}, {"initial_weights": 3}]
)
def test_options_of_another_kind_are_one_sentence(apprenti, trained, changes):
    edit(trained, **changes)
    is_refused(apprenti("resume", "one"), "the options of this run")


def test_impossible_options_in_a_run_folder_are_refused_by_name(apprenti, trained):
    edit(trained, elite=3.0)
    is_refused(apprenti("resume", "one"), "--elite")
    edit(trained, method="magic")
    is_refused(apprenti("resume", "one"), "no method called 'magic'")


def test_resuming_with_another_version_says_so_and_goes_on(apprenti, trained):
    edit(trained, versions={**trained.about()["versions"], "apprenti": "0.0.1", "numpy": "1.0"})
    code, _, err = apprenti("resume", "one")
    assert code == 0
    assert "began with apprenti 0.0.1, now it is" in err
    assert "began with numpy 1.0, now it is" in err
    assert "python" not in err


def test_what_a_run_says_of_its_versions_commands_no_terminal_and_has_an_end(apprenti, trained):
    edit(trained, versions={**trained.about()["versions"], "numpy": "\x1b]0;x\x07" + "y" * 100_000})
    code, _, err = apprenti("resume", "one")
    assert code == 0 and "began with numpy" in err
    assert "\x1b" not in err and "\x07" not in err and len(err) < 5000


def test_a_broken_checkpoint_is_said_and_its_generation_is_made_again(apprenti, trained):
    before = outcome(trained)
    path = trained.folder / "checkpoint.json"
    path.write_text(path.read_text()[:100])
    code, _, err = apprenti("resume", "one")
    assert code == 0
    assert "checkpoint.json" in err
    assert "Going on from the generation before" in err
    assert outcome(trained) == before


def test_two_broken_checkpoints_are_one_sentence(apprenti, trained):
    for name in ("checkpoint.json", "checkpoint-before.json"):
        (trained.folder / name).write_text("{}")
    is_refused(apprenti("resume", "one"), "no checkpoint of runs/one can be read")


def test_lost_metrics_and_a_lost_agent_hinder_nothing(apprenti, trained):
    (trained.folder / "metrics.jsonl").unlink()
    trained.agent_path.unlink()
    assert apprenti("show", "one")[0] == 0
    assert apprenti("resume", "one")[0] == 0
    assert apprenti("evaluate", "one", "--games", "5")[0] == 0


# Several processes ----------------------------------------------------------------------------------------------------


@pytest.fixture
def started(here):
    """Start the program in a process of its own."""
    begun = []

    def start(*arguments):
        command = [sys.executable, "-m", "apprenti", *arguments]
        begun.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return begun[-1]

    yield start
    for process in begun:
        process.kill()
        process.communicate()


def wait_for(path, process):
    """Wait until a process has written a first line."""
    deadline = monotonic() + PATIENCE
    while not (path.exists() and path.stat().st_size):
        assert process.poll() is None, process.stderr.read()
        assert monotonic() < deadline, f"{path} never came"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.005)


def interrupted(process):
    """Press Ctrl-C, once; what the process said."""
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("method", ["ga", "cma", "lambda-pi", "sarsa"])  # kill −9 is tested with every method
def test_ctrl_c_leaves_a_run_that_resumes_to_the_same_end(method, apprenti, started):
    whole = 150 if method == "sarsa" else 0  # its rates fall over as many steps as it began with
    process = started("train", *words(method, iterations=whole or 10**6), "--name", "one", "--json")
    run = Run(ROOT / "one")
    wait_for(run.folder / "metrics.jsonl", process)
    out, err = interrupted(process)
    assert (process.returncode, out) == (130, "")
    assert "nothing is lost" in err
    assert "Traceback" not in err
    kept = run.load()
    steps = whole or 3 + (kept.generation if kept else 0)
    edit(run, iterations=steps)
    assert apprenti("resume", "one")[0] == 0
    assert apprenti("train", *words(method, iterations=steps), "--name", "whole")[0] == 0
    assert outcome(run) == outcome(find_run("whole"))


def test_two_runs_at_once_do_not_disturb_each_other(apprenti, started):
    both = [started("train", *words("ce", iterations=20), "--json") for _ in range(2)]
    said = [json.loads(process.communicate(timeout=PATIENCE)[0]) for process in both]
    assert {row["run"] for row in said} == {"ce-1", "ce-2"}
    apprenti("train", *words("ce", iterations=20), "--name", "alone")
    assert outcome(find_run("ce-1")) == outcome(find_run("ce-2")) == outcome(find_run("alone"))


def test_a_full_table_ends_a_run_with_one_line_and_the_run_goes_on_with_more_room(here, capsys):
    options = ["--size", "4x4x4", "--iterations", "3", "--episodes", "100", "--max-entries", "900"]
    assert main(["train", "sarsa", *options, "--name", "one", "--json"]) == 2
    assert "--max-entries allows 900" in capsys.readouterr().err.splitlines()[-1]
    path = here / "runs" / "one" / "run.json"
    data = json.loads(path.read_text())
    data["config"]["max_entries"] = 100_000
    path.write_text(json.dumps(data))
    assert main(["resume", "one", "--json"]) == 0
    rows = [json.loads(line) for line in (path.parent / "metrics.jsonl").read_text().splitlines()]
    assert [row["games"] for row in rows] == [100, 200, 300] and rows[-1]["entries"] > 900


# The report's names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "ours"),
    [
        (["--nb-games-played", "3"], ["--games", "3"]),
        (["--nb_games=3"], ["--games=3"]),
        (["--population-size", "6", "--max-blocks", "60"], ["--population", "6", "--max_pieces", "60"]),
        (["--nb-generations", "20"], ["--iterations", "21"]),  # 20 are created from the random one, which is number 0
        (["--nb_generations=20", "--nb-bits", "4"], ["--iterations=21", "--nb-bits", "4"]),
        (["--nb-generations", "many"], ["--iterations", "many"]),
        (["--nb-generations"], ["--nb_generations"]),
    ],
)
def test_options_of_the_genetic_algorithm_may_have_the_reports_names(said, ours):
    assert by_their_names(said, "ga") == ours
    assert by_their_names(said, "ce") == said


def test_a_run_with_the_reports_names_has_as_many_generations_as_it_counts(apprenti):
    tiny = words("ga")
    i = tiny.index("--iterations")
    code, _, _ = apprenti("train", *tiny[:i], *tiny[i + 2 :], "--nb-generations", "2", "--nb-games-played", "1",
                          "--name", "report")  # fmt: skip
    assert code == 0
    run = find_run("report")
    assert [row["generation"] for row in run.metrics()] == [1, 2, 3]
    assert run.about()["config"]["games"] == 1


@pytest.mark.parametrize("options", [[], ["--state", "apart"], ["--state", "differences"]])
def test_show_draws_what_a_run_of_q_learning_knows(options, apprenti):
    assert apprenti("train", *words("q-learning"), *options, "--name", "table")[0] == 0
    code, out, _ = apprenti("show", "table")
    assert code == 0
    picture = find_run("table").folder / "known.png"
    assert str(picture) in out
    assert picture.read_bytes().startswith(b"\x89PNG")
