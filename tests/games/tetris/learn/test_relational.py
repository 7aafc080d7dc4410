"""Relational reinforcement learning: kernel regression by hand, bounded memory, and what is learned."""

import numpy as np
import pytest

from apprenti.games.tetris.agents.network import gaussians
from apprenti.games.tetris.learn.relational import KernelRegression
from tests.learn.tiny import learner


def regression(first, room=50, independence=1e-6, noise=0.1):
    return KernelRegression(np.array(first, float), room, independence, noise)


def test_two_examples_by_hand():
    """K = (1 k; k 1) with k = exp(−½·4): the heights are (K + σ²)⁻¹ y."""
    process = regression([0.0], noise=0.5)
    process.learn(np.array([[0.0], [2.0]]), np.array([1.0, -3.0]))
    k = np.exp(-2.0)
    determinant = 1.5 * 1.5 - k * k
    heights = np.array([1.5 * 1.0 + k * 3.0, -1.5 * 3.0 - k * 1.0]) / determinant
    assert process.heights == pytest.approx(heights)
    assert process.values(np.array([[1.0]])) == pytest.approx([np.exp(-0.5) * heights.sum()])


def test_with_all_examples_in_the_basis_it_is_a_gaussian_process_whether_they_come_at_once_or_in_parts():
    rng = np.random.default_rng(1)
    rows, targets, fresh = rng.normal(size=(12, 3)) * 3, rng.normal(size=12), rng.normal(size=(5, 3))
    exact = gaussians(fresh, rows) @ np.linalg.solve(gaussians(rows, rows) + 0.1 * np.eye(12), targets)
    for parts in (1, 3):
        process = regression(rows[0])
        for part in np.split(np.arange(12), parts):
            process.learn(rows[part], targets[part])
        assert process.size == 12
        assert process.values(fresh) == pytest.approx(exact, abs=1e-6)


def test_the_same_example_many_times_is_remembered_once_and_its_targets_are_averaged():
    process = regression([0.0], noise=1e-6)
    process.learn(np.zeros((4, 1)), np.array([1.0, 2.0, 3.0, 6.0]))
    assert process.size == 1
    assert process.values(np.zeros((1, 1))) == pytest.approx([3.0], abs=1e-5)


def test_a_smooth_function_is_learned_within_bounded_memory():
    rng = np.random.default_rng(2)
    process = regression([0.0, 0.0], room=40, independence=1e-4, noise=1e-3)
    for _ in range(20):
        rows = rng.uniform(-2, 2, size=(100, 2))
        process.learn(rows, np.sin(rows[:, 0]) * rows[:, 1])
    fresh = rng.uniform(-1.8, 1.8, size=(200, 2))
    assert process.size <= 40
    assert np.abs(process.values(fresh) - np.sin(fresh[:, 0]) * fresh[:, 1]).max() < 0.05


def test_what_is_forgotten_counts_no_longer():
    process = regression([0.0], noise=1e-6)
    process.learn(np.zeros((1, 1)), np.array([5.0]))
    process.learn(np.zeros((1, 1)), np.array([1.0]), forgetting=0.0)
    assert process.values(np.zeros((1, 1))) == pytest.approx([1.0], abs=1e-5)


def test_the_target_of_a_wall_is_the_best_of_lines_and_discounted_value_and_0_where_every_placement_ends_the_game():
    made = learner("relational")
    made.step()
    after = made.batch.afterstates()
    values = made.process.values(made.measures.of_afterstates(made.batch, after) / made.widths)
    wanted = [
        max((after.lines[k] + 0.9 * values[k] for k in range(*after.starts[i : i + 2]) if not after.over[k]), default=0)
        for i in range(made.batch.size)
    ]
    walls, targets = made.move()
    assert targets == pytest.approx(wanted)
    assert walls.shape == (4, made.measures.size)


def test_the_agent_plays_what_the_learner_holds_for_best():
    made = learner("relational")
    for _ in range(3):
        made.step()
    after = made.batch.afterstates()
    values = made.process.values(made.measures.of_afterstates(made.batch, after) / made.widths)
    wanted = after.best(np.where(after.over, -np.inf, after.lines + 0.9 * values))
    assert made.agent().compiled(made.rules).actions(made.batch).tolist() == wanted.tolist()


def test_it_learns_to_play():
    made = learner("relational", iterations=25, parallel_games=30, moves=30, max_examples=100, test_games=30)
    means = [made.step()["mean"] for _ in range(25)]
    assert made.process.size <= 100
    assert np.mean(means[-5:]) > 3 * max(1.0, means[0])
