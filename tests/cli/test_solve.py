"""`apprenti solve --game NAME`: any small game for one."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_a_world_is_solved_stored_and_played(run):
    code, out, _ = run("solve", "--game", "gridworld", "--name", "walker")
    assert code == 0 and "from the start: 0.705" in out and "apprenti watch walker" in out
    data = json.loads(run("evaluate", "walker", "--games", "20", "--workers", "1", "--json")[1])
    assert data["agent"] == "walker" and data["game"] == "gridworld"
    code, _, err = run("solve", "--game", "gridworld", "--name", "bcts")
    assert code == 2 and "an agent of the zoo" in err


def test_everything_is_in_the_plain_data(run):
    data = json.loads(run("solve", "--game", "mdp", "--world", "river", "--gamma", "0.9", "--json")[1])
    assert data["states"] == 6 and data["converged"]
    assert data["q"]["place-a"]["left"] == pytest.approx(0.005 + 0.9 * data["values"]["place-a"])


def test_the_residual_is_written_while_it_goes_on(run):
    for words in (["--game", "gridworld", "--gamma", "0.9"], ["--size", "4x4", "--no-store", "--check-games", "0"]):
        assert run("solve", *words, "--so-far", "curve.json")[0] == 0
        curve = json.loads(Path("curve.json").read_text())["curve"]
        assert [row["iteration"] for row in curve] == list(range(1, len(curve) + 1))
        assert curve[-1]["residual"] <= 1e-6 < curve[0]["residual"]
    assert run("solve", "--game", "gridworld", "--so-far", "curve.json/curve.json")[0] == 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--game", "tictactoe"], "a game for 2"),
        (["--game", "gridworld", "--world", "S.X"], "a world is rows of"),
        (["--game", "nowhere"], "there is no game called 'nowhere'"),
        (["--game", "gridworld", "--iterations", "0"], "--iterations is at least 1"),
    ],
)
def test_what_cannot_be_solved_is_one_sentence(run, words, why):
    code, out, err = run("solve", *words)
    assert (code, out) == (2, "") and why in err and err.count("\n") == 1
