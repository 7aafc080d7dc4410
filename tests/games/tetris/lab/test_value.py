"""The value of a player beside the optimum, what is kept of it, and where the two disagree."""

import pytest

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Rules
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.lab.solve import Problem, solve
from apprenti.games.tetris.lab.value import disagreements, value_and_keep, value_of
from apprenti.games.tetris.walls import afterstates, mirrored
from apprenti.lab.agents import find
from apprenti.lab.evaluate import evaluate
from apprenti.lab.results import Effort

PROBLEM = Problem(Rules.preset("simplified", "4x4"), workers=1)


def test_the_losses_of_its_moves_are_what_a_player_lacks():
    for name in ("dellacherie", "epsilon-greedy:0.2,bcts"):
        found = value_of(find(name, GAME), PROBLEM)
        assert found.optimum == pytest.approx(7.066943, abs=1e-5)
        assert found.lost == pytest.approx(found.optimum - found.value, abs=1e-5)
        assert found.value < found.improved <= found.optimum + 1e-9


def test_the_kept_agent_is_the_player_improved_once_and_says_its_values(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found, name = value_and_keep(find("dellacherie"), PROBLEM)
    assert name == "improved-dellacherie-4x4"
    known = find(name)
    assert known.agent.table.value(0) == pytest.approx(found.value, rel=1e-6)
    table, walls = known.agent.table, [wall for p in "SJLT" for _, _, wall in afterstates(PROBLEM.rules, 0, p) if wall]
    assert any(table.value(wall) != table.value(mirrored(wall, 4)) for wall in walls)  # it prefers the left
    summary = evaluate(known, PROBLEM.rules, Effort(4000, 1, 1)).summary("lines")
    assert summary.mean == pytest.approx(found.improved, abs=4 * summary.deviation / 4000**0.5)


def test_players_of_ten_columns_are_refused():
    with pytest.raises(ApprentiError):
        value_of(find("bdu"), PROBLEM)


RULES = Rules.preset("simplified", "4x4")


@pytest.fixture(scope="module")
def solution():
    return solve(Problem(RULES, check_games=0, curve_games=0, workers=1))


def test_the_regrets_of_all_moves_are_what_is_lacking_of_the_optimum(solution):
    # The performance difference: exact in expectation, here over 1000 games
    known, games = find("dellacherie"), 1000
    found = disagreements(known.agent, solution.agent(), games)
    summary = evaluate(known, RULES, Effort(games, workers=1)).summary("lines")
    lacking = solution.solver.value_of_empty_board - summary.mean
    assert found.regret == pytest.approx(lacking, abs=4 * summary.deviation / games**0.5)
    assert 0.5 < found.regret < 4
    assert all(one.regret > 0 for one in found.by_cost)
    costs = [one.regret * one.times for one in found.by_cost]
    assert costs == sorted(costs, reverse=True)


def test_the_optimal_player_has_nothing_to_regret(solution):
    found = disagreements(solution.agent(), solution.agent(), 200)
    assert found.regret < 1e-5
    assert found.moves > 1000


def test_a_move_and_its_mirror_image_are_one_disagreement(solution):
    # Standing at the left, Dellacherie's Z covers a hole; lying it would not.
    #     ....    ....    ....
    #     ....    .Z..    ....
    #     ....    ZZ..    ZZ..
    #     ....    Z...    .ZZ.
    found = disagreements(find("dellacherie").agent, solution.agent(), 300).by_cost
    rows = ["....    ....    ....", "....    .Z..    ....", "....    ZZ..    ZZ..", "....    Z...    .ZZ."]
    assert "\n".join(rows) in {one.drawn(RULES) for one in found}
    moves = [(one.wall, frozenset(one.theirs.placement.cells)) for one in found]
    images = [(mirrored(wall, 4), frozenset((row, 3 - column) for row, column in cells)) for wall, cells in moves]
    assert not [move for move, own in zip(moves, images, strict=True) if move != own and move in images]
