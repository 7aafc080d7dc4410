"""Solving a board: what is found, what is kept, and what is left behind when it is interrupted."""

import json

import pytest
from scipy.stats import t

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Rules
from apprenti.games.tetris.lab import solve as module
from apprenti.games.tetris.lab.solve import BoardSolution, Problem, SolverEvents, solve, solve_and_keep
from apprenti.games.tetris.learn.exact import ExactConfig
from apprenti.lab.agents import find
from apprenti.lab.evaluate import Effort, evaluate

SMALL = Rules.preset("simplified", "4x4")
QUICK = {"check_games": 0, "curve_games": 0, "workers": 1}


@pytest.mark.parametrize("rules", [SMALL, Rules.preset("overflow", "4x4")], ids=lambda rules: rules.name)
def test_played_games_agree_with_the_value(rules):
    solution = solve(Problem(rules, check_games=20_000, curve_games=0))
    summary = solution.check.summary("lines")
    assert solution.agrees
    half = (solution.played[1] - solution.played[0]) / 2
    assert half == pytest.approx(t.ppf(0.975, 19_999) * summary.deviation / 20_000**0.5)
    assert summary.mean == pytest.approx(solution.solver.value_of_empty_board, abs=3 * summary.deviation / 20_000**0.5)
    assert summary.games == 20_000


def test_the_curve_of_the_greedy_policy_rises_to_the_optimum():
    rows = []
    solution = solve(
        Problem(SMALL, ExactConfig("value"), check_games=0, curve_games=4_000), SolverEvents(stepped=rows.append)
    )
    assert rows == solution.curve
    assert [row["iteration"] for row in rows] == list(range(1, solution.solver.iteration + 1))
    measured = {row["iteration"]: row["greedy_score"] for row in rows if "greedy_score" in row}
    assert list(measured)[:10] == list(range(1, 11))
    assert list(measured)[-1] == solution.solver.iteration
    optimum = solution.solver.value_of_empty_board
    assert measured[1] < 0.95 * optimum < measured[10]
    assert measured[solution.solver.iteration] == pytest.approx(optimum, rel=0.05)
    assert rows[-1]["residual"] <= 1e-6 < rows[-2]["residual"]


def test_memory_is_said_before_anything_is_explored():
    said = []
    solve(
        Problem(SMALL, **QUICK),
        SolverEvents(planned=lambda plan: said.append(plan), explored=lambda space: said.append(space.size)),
    )
    assert said[0].walls == said[1] == 1295
    assert said[0].bytes < 10**6


def test_the_agent_is_found_evaluated_and_says_what_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    solution = solve_and_keep(Problem(SMALL, check_games=2_000, curve_games=0))
    known = find("optimal-4x4")
    assert known.rules == SMALL
    assert known.file.measured[0]["games"] == 2_000
    assert "residual" in known.file.source
    evaluation = evaluate(known, known.rules, Effort(500, workers=1))
    assert evaluation.engine == "compiled"
    assert evaluation.summary("lines").total == sum(record.measures["lines"] for record in solution.check.records[:500])
    kept = json.loads((tmp_path / "runs/optimal-4x4/solution.json").read_text())
    assert kept == json.loads(json.dumps(solution.to_json()))


def test_a_board_is_solved_again_over_the_old_one(tmp_path):
    for gamma in (0.9, 1.0):
        solve_and_keep(Problem(SMALL, ExactConfig(gamma=gamma), **QUICK), "mine", tmp_path)
    assert find(str(tmp_path / "mine")).agent.table.gamma == 1.0


def test_discounted_values_are_not_compared_with_lines():
    assert solve(Problem(SMALL, ExactConfig(gamma=0.9), check_games=100, curve_games=0)).check is None


def test_interrupted_the_agent_of_before_is_left(tmp_path, monkeypatch):
    solve_and_keep(Problem(SMALL, **QUICK), "mine", tmp_path)
    before = {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir()}

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(module.Solver, "step", interrupt)
    with pytest.raises(KeyboardInterrupt):
        solve_and_keep(Problem(SMALL, **QUICK), "mine", tmp_path)
    assert {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir()} == before


def test_different_games_have_different_names():
    rules = [
        SMALL, Rules.preset("overflow", "4x4"), SMALL.changed(pieces="classic"),
        SMALL.changed(randomiser="weighted:S=1,Z=1"), SMALL.changed("4x5"),
    ]  # fmt: skip
    names = [Problem(one).name for one in rules]
    assert names[0] == "optimal-4x4"
    assert len(set(names)) == len(names)


def test_names_of_others_are_refused(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}")
    for name in ("dellacherie", "run", "no/name"):
        with pytest.raises(ApprentiError):
            solve_and_keep(Problem(SMALL, **QUICK), name, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_solution_knows_whether_it_is_one():
    solution: BoardSolution = solve(Problem(SMALL, ExactConfig("value", iterations=2), **QUICK))
    assert not solution.converged
    assert solution.agrees is None
    assert solution.to_json()["check"] is None
