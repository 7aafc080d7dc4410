"""Exact solutions: against hands, against plain Python, against each other, against the thesis."""

from functools import cache

import numpy as np
import pytest

from apprenti.core.errors import BadRules
from apprenti.core.machine import ThreadPool
from apprenti.games.tetris import Rules
from apprenti.games.tetris.fast import reachable
from apprenti.games.tetris.fast.reachable import explore_walls
from apprenti.games.tetris.fast.wall_table import WallTable
from apprenti.games.tetris.learn import exact
from apprenti.games.tetris.learn.exact import METHODS, ExactConfig, Solver
from apprenti.games.tetris.pieces import PieceSet
from apprenti.games.tetris.walls import afterstates, mirrored, shares
from apprenti.games.tetris.walls import reachable as reachable_walls

SMALL = Rules.preset("simplified", "4x3")
"""254 walls: small enough to be solved in plain Python."""
OPTIMUM_4X5 = 12.506554


def solver_of(rules, method="modified", workers=1, **options):
    return Solver(explore_walls(rules, ThreadPool(workers)), ExactConfig(method, **options), ThreadPool(workers))


def solved(rules, method="modified", **options):
    solver = solver_of(rules, method, **options)
    while not solver.done:
        solver.step()
    return solver


def value(solver, wall):
    """The value of a wall, mirror images looked up as the agent does."""
    table = WallTable(solver.space.rules, 1.0, solver.space.index, solver.values)
    return table.value(wall)


@cache
def plain_moves(rules):
    """wall → piece → (lines, wall after or None) of every placement, by the readable rules."""
    return {
        wall: [
            [(lines, after) for _, lines, after in afterstates(rules, wall, letter)] if share else []
            for letter, share in zip(rules.pieces.letters, shares(rules), strict=True)
        ]
        for wall in reachable_walls(rules)
    }


def plain_backup(rules, values, wall, gamma=1.0):
    """Bellman's equation for one wall in plain Python."""
    worth = (
        max((lines + gamma * (0.0 if after is None else values[after]) for lines, after in moves), default=0.0)
        for moves in plain_moves(rules)[wall]
    )
    return sum(share * best for share, best in zip(shares(rules), worth, strict=True))


@cache
def plain_values(rules, sweeps, gamma=1.0):
    """Value iteration in plain Python: after k sweeps, the expected best lines of k pieces."""
    values = dict.fromkeys(plain_moves(rules), 0.0)
    for _ in range(sweeps):
        values = {wall: plain_backup(rules, values, wall, gamma) for wall in values}
    return values


# By hand --------------------------------------------------------------------------------------------------------------


def test_dominoes_on_two_columns_by_hand():
    # Laid flat, every domino is a line: V = 1 + γ V
    solver = solved(Rules.preset("simplified", "2x3", pieces="domino"), gamma=0.5)
    assert solver.value_of_empty_board == pytest.approx(2.0, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_corners_on_two_by_two_by_hand(method):
    # A corner fills a row and leaves one cell:   a = 1 + γ b
    # The next one fills the other three:         b = 2 + γ a      with γ = 1/2: a = 8/3, b = 10/3
    corners = Rules.preset("simplified", "2x2", pieces=PieceSet.parse("V\n##\n#.", "corners"))
    solver = solved(corners, method, gamma=0.5)
    assert solver.space.total == 3
    assert solver.value_of_empty_board == pytest.approx(8 / 3, abs=1e-5)
    assert value(solver, 0b01) == value(solver, 0b10) == pytest.approx(10 / 3, abs=1e-5)


def test_one_square_after_another_by_hand():
    # Five columns, two rows, squares only: two fit beside each other, the third sticks out. No line, ever.
    squares = Rules.preset("simplified", "5x2", randomiser="weighted:O=1")
    assert solved(squares).value_of_empty_board == 0.0
    # On four columns the second square makes two lines, for ever.
    with pytest.raises(BadRules, match="for ever"):
        solved(Rules.preset("simplified", "4x2", randomiser="weighted:O=1"))


def test_a_piece_that_sticks_out_by_hand():
    # Two columns, two rows, and a piece two wide and three high: it sticks out by a row. Removed first, its three lines
    # leave an empty board, so V = 3 + γ V; otherwise the first piece is the last.
    tall = PieceSet.parse("U\n##\n##\n##", "tall")
    assert solved(Rules.preset("simplified", "2x2", pieces=tall), gamma=0.5).value_of_empty_board == 0.0
    assert solved(Rules.preset("overflow", "2x2", pieces=tall), gamma=0.5).value_of_empty_board == pytest.approx(6.0)


def test_the_last_line_counts_where_lines_are_removed_first_by_hand():
    # #.   On two columns and two rows this piece fills one row, and the three cells that are left are too high:
    # #.   it counts a line and ends the game. Otherwise it sticks out, and counts nothing.
    # #.
    # ##
    long = PieceSet.parse("L\n#.\n#.\n#.\n##", "long")
    assert solved(Rules.preset("overflow", "2x2", pieces=long)).value_of_empty_board == 1.0
    assert solved(Rules.preset("simplified", "2x2", pieces=long)).value_of_empty_board == 0.0


# Against plain Python -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", [1, 2, 5])
def test_sweeps_of_value_iteration_are_the_best_lines_of_as_many_pieces(pieces):
    wanted, solver = plain_values(SMALL, pieces), solver_of(SMALL, "value")
    for _ in range(pieces):
        solver.step()
    for wall, worth in wanted.items():
        assert value(solver, wall) == pytest.approx(worth, abs=1e-12)


@pytest.mark.parametrize(("method", "lambda_"), [("modified", 0.9), ("policy", 0.9), ("value", 0.9), ("lambda", 0.5)])
def test_every_method_finds_the_values_of_plain_python(method, lambda_):
    wanted, solver = plain_values(SMALL, 100), solved(SMALL, method, lambda_=lambda_, residual=1e-10)
    for wall, worth in wanted.items():
        assert value(solver, wall) == pytest.approx(worth, abs=1e-8)


@pytest.mark.parametrize(
    "rules",
    [
        Rules.preset("overflow", "4x3"),
        Rules.preset("simplified", "4x3", randomiser="weighted:S=1,Z=3,I=1"),
        Rules.preset("simplified", "3x3", pieces=PieceSet.parse("V\n##\n#.\n\nI\n###", "trominoes")),
    ],
    ids=lambda rules: f"{rules.name} {rules.randomiser} {rules.pieces.name}",
)
def test_other_rules_pieces_and_shares(rules):
    gamma = 0.9
    wanted, solver = plain_values(rules, 150, gamma), solved(rules, gamma=gamma, residual=1e-10)
    for wall, worth in wanted.items():
        assert value(solver, wall) == pytest.approx(worth, abs=1e-5)


def test_bellmans_equation_holds_in_the_end():
    solver = solved(SMALL, residual=1e-9)
    values = {wall: value(solver, wall) for wall in plain_moves(SMALL)}
    assert solver.residual <= 1e-9
    assert max(abs(plain_backup(SMALL, values, wall) - worth) for wall, worth in values.items()) <= 1.01e-9


def test_no_other_first_move_does_better_than_the_greedy_policy():
    solver = solved(SMALL, "policy", residual=1e-10)
    best = solver.value_of_policy(1e-12)
    assert best == pytest.approx(solver.value_of_empty_board, abs=1e-9)
    # Every one-step change at every wall, then the policy again: never more than the policy's own value.
    pieces = len(SMALL.pieces.pieces)
    for j in range(0, solver.space.size, 7):
        wall = int(solver.space.walls[j])
        for piece, moves in enumerate(plain_moves(SMALL)[wall]):
            successor = int(solver.successors[j * pieces + piece])
            kept = (successor >> 29) + solver.values[successor & ((1 << 29) - 1)]
            assert max(lines + (value(solver, after) if after is not None else 0.0) for lines, after in moves) == (
                pytest.approx(kept, abs=1e-9)
            )


def test_a_changed_policy_is_worth_less():
    solver = solved(SMALL, residual=1e-10)
    best, dead = solver.value_of_policy(1e-12), len(solver.values) - 1
    for piece in range(7):  # on the empty board, the last of the walls, throw the piece away
        kept = solver.successors[-7 + piece]
        solver.successors[-7 + piece] = dead
        assert solver.value_of_policy(1e-12) < best - 1e-3
        solver.successors[-7 + piece] = kept


# Against each other ---------------------------------------------------------------------------------------------------


def test_lambda_0_is_value_iteration_to_the_bit():
    one, other = solver_of(SMALL, "value"), solver_of(SMALL, "lambda", lambda_=0.0)
    for _ in range(8):
        one.step(), other.step()
        assert np.array_equal(one.values, other.values)
        assert one.residual == other.residual


def test_lambda_1_is_policy_iteration():
    one, other = solver_of(SMALL, "policy"), solver_of(SMALL, "lambda", lambda_=1.0)
    for _ in range(5):
        one.step(), other.step()
        np.testing.assert_allclose(one.values, other.values, atol=1e-8)
        assert np.array_equal(one.successors, other.successors)


@pytest.mark.parametrize("lambda_", [0.0, 0.4, 0.9, 1.0])
def test_an_update_solves_its_linear_equations(lambda_):
    # V + (I − λγP)⁻¹ (T V − V), equation 2.7, with a matrix
    gamma = 0.95
    solver = solver_of(SMALL, "lambda", lambda_=lambda_, gamma=gamma, residual=1e-9)
    for _ in range(2):
        solver.step()
    size, places = solver.space.size, solver.space.places
    matrix, reward = np.zeros((size, size)), np.zeros(size)
    for j, place in enumerate(places):
        for successor in map(int, solver.successors[7 * j : 7 * j + 7]):
            reward[place] += (successor >> 29) / 7
            if (successor & ((1 << 29) - 1)) < size:
                matrix[place, successor & ((1 << 29) - 1)] += 1 / 7
    before = solver.values[:-1].copy()
    backed_up = reward + gamma * matrix @ before
    wanted = before + np.linalg.solve(np.eye(size) - lambda_ * gamma * matrix, backed_up - before)
    solver.step()
    np.testing.assert_allclose(solver.values[:-1], wanted, atol=1e-8)
    assert solver.values[-1] == 0.0


def test_the_number_of_threads_changes_nothing(monkeypatch):
    monkeypatch.setattr(exact, "CHUNK", 1000)
    rules = Rules.preset("simplified", "4x5")
    one, three = solved(rules), solved(rules, workers=3)
    assert np.array_equal(one.values, three.values)
    assert (one.iteration, one.sweeps, one.residual) == (three.iteration, three.sweeps, three.residual)


def test_mirror_images_are_worth_the_same_when_both_are_kept(monkeypatch):
    folded = solved(SMALL, residual=1e-10)
    monkeypatch.setattr(reachable, "is_symmetric", lambda rules: False)
    whole = solved(SMALL, residual=1e-10)
    worth = {int(wall): whole.values[place] for wall, place in zip(whole.space.walls, whole.space.places, strict=True)}
    assert len(worth) == folded.space.total
    for wall, found in worth.items():
        assert found == pytest.approx(worth[mirrored(wall, 4)], abs=1e-9)
        assert found == pytest.approx(value(folded, wall), abs=1e-9)


# Against the thesis ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "lambda_"), [("modified", 0.9), ("policy", 0.9), ("value", 0.9), ("lambda", 0.3), ("lambda", 0.7)]
)
def test_the_optimum_of_4x5(method, lambda_):
    # 12.6 in the thesis, the mean of 50 000 games: ± 0.1
    solver = solved(Rules.preset("simplified", "4x5"), method, lambda_=lambda_)
    assert solver.value_of_empty_board == pytest.approx(OPTIMUM_4X5, abs=2e-5)


def test_the_optimum_of_4x5_with_overflow_clears():
    assert solved(Rules.preset("overflow", "4x5")).value_of_empty_board == pytest.approx(16.96327, abs=2e-5)


def test_nine_tenths_of_the_optimum_after_three_iterations_on_4x5():
    # The third iteration of the thesis plays the greedy policy of the values of the second.
    solver = solver_of(Rules.preset("simplified", "4x5"), "value")
    scores = []
    for _ in range(3):
        solver.step()
        scores.append(solver.value_of_policy(1e-6) / OPTIMUM_4X5)
    assert scores == pytest.approx([0.858, 0.951, 0.962], abs=1e-3)


# What cannot be -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_game_without_end_is_refused(method):
    with pytest.raises(BadRules, match="give --gamma below 1"):
        solved(Rules.preset("simplified", "2x3", pieces="domino"), method)


def test_it_stops_after_the_last_iteration():
    solver = solved(SMALL, "value", iterations=3)
    assert solver.iteration == 3
    assert solver.residual > 0.1
