"""Where a player disagrees with the optimal one."""

import pytest

from apprenti.games.tetris import Rules
from apprenti.games.tetris.lab.disagreements import disagreements
from apprenti.games.tetris.lab.solve import Problem, solve
from apprenti.games.tetris.walls import mirrored
from apprenti.lab.agents import find
from apprenti.lab.evaluate import evaluate
from apprenti.lab.results import Effort

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
    assert all(one.regret > 0 for one in found.found)
    costs = [one.regret * one.times for one in found.found]
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
    found = disagreements(find("dellacherie").agent, solution.agent(), 300).found
    rows = ["....    ....    ....", "....    .Z..    ....", "....    ZZ..    ZZ..", "....    Z...    .ZZ."]
    assert "\n".join(rows) in {one.drawn(RULES) for one in found}
    moves = [(one.wall, frozenset(one.theirs.placement.cells)) for one in found]
    images = [(mirrored(wall, 4), frozenset((row, 3 - column) for row, column in cells)) for wall, cells in moves]
    assert not [move for move, own in zip(moves, images, strict=True) if move != own and move in images]
