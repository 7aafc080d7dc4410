"""`apprenti solve` from the command line."""

import json
import signal
import subprocess
import sys
from time import sleep

import pytest

pytestmark = pytest.mark.usefixtures("elsewhere")


QUICK = ("--check-games", "200", "--curve-games", "100", "--workers", "1")


def test_solve_reports_keeps_and_is_played_like_any_other(run):
    code, out, err = run("solve", "--size", "4x4", *QUICK)
    assert code == 0
    assert "2582 reachable walls, 1295 up to their mirror image" in out
    assert "optimum of 4x4: 7.0669 lines a game" in out
    assert "played: " in out
    assert "of memory" in err
    assert run("evaluate", "optimal-4x4", "--games", "20")[0] == 0
    code, out, _ = run("watch", "optimal-4x4", "--seed", "3", "--max-pieces", "5")
    assert code == 0
    assert "optimal-4x4, seed 3" in out
    code, _, err = run("evaluate", "optimal-4x4", "--size", "5x5")
    assert code == 2
    assert err.count("\n") == 1


def test_solve_prints_one_json_object(run, tmp_path):
    code, out, _ = run("solve", "--size", "4x4", "--overflow-clears", "--method", "lambda", "--lambda", "0.5", *QUICK,
                       "--no-store", "--json")  # fmt: skip
    assert code == 0
    assert out.count("\n") == 1
    data = json.loads(out, parse_constant=lambda constant: pytest.fail(f"{constant} is no JSON"))
    assert (data["size"], data["overflow_clears"], data["reachable_walls"]) == ("4x4", True, 5588)
    assert (data["method"], data["lambda"], data["gamma"]) == ("lambda", 0.5, 1.0)
    assert data["residual"] <= 1e-6
    assert data["iterations"] == len(data["curve"])
    assert data["seconds"] > 0
    assert data["check"]["games"] == 200
    assert data["value_of_empty_board"] == data["curve"][-1]["value_of_empty_board"]
    assert data["agent"] is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--size", "10x20"], "10x20 would need about"),
        (["--size", "ten"], "like 10x20"),
        (["--size", "3x4"], "piece I does not fit"),
        (["--method", "vlaue"], "did you mean value"),
        *(
            ([f"--{option}", wrong], f"--{option}")
            for option, wrongs in {
                "gamma": ("2", "0", "nan"),
                "lambda": ("2", "-0.1"),
                "residual": ("0",),
                "iterations": ("0",),
                "check-games": ("-1",),
                "curve-games": ("-1",),
                "workers": ("1000", "-1"),
                "memory": ("-1",),
            }.items()
            for wrong in wrongs
        ),
        (["--memory", "1e-9"], "would need"),
        (["--randomiser", "bag"], "independently"),
        (["--pieces", "nothing"], "set of pieces"),
        (["--size", "2x3", "--pieces", "domino"], "for ever"),
        (["--name", "bcts"], "zoo"),
        (["--nonsense"], "solve --help"),
    ],
)
def test_wrong_input_is_answered_with_one_sentence(words, said, run, tmp_path):
    code, _, err = run("solve", *words, "--json")
    assert code == 2
    assert said in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("apprenti: ")
    assert not (tmp_path / "runs").exists() or list((tmp_path / "runs").iterdir()) == []


def test_ctrl_c_ends_with_130_and_leaves_nothing(tmp_path):
    words = [sys.executable, "-m", "apprenti", "solve", "--size", "4x4", "--check-games", "100000000", "--workers", "2"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while "of memory" not in process.stderr.readline():  # what it needs is said before it begins
            pass
        sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.endswith("apprenti: interrupted.\n")
    assert list((tmp_path / "runs").iterdir()) == []
