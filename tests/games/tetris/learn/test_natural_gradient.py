"""Natural policy gradient: a bandit, a step by hand, the softmax, and what is learned."""

import numpy as np
import pytest

from apprenti.games.tetris.learn.natural_gradient import DAMPING, PolicyGradient
from apprenti.games.tetris.learn.rollouts import drawn, probabilities
from tests.learn.tiny import learner


def bandit(theta, rewards, pulls):
    """Pulls of a softmax over two arms as often as they are likely; each is an episode."""
    chances = np.exp(theta) / np.exp(theta).sum()
    gradient = PolicyGradient(pulls, 2, 0.0)
    arms = (np.arange(pulls) >= round(chances[0] * pulls)).astype(int)
    psi = np.eye(2)[arms] - chances
    gradient.add(psi, np.array(rewards)[arms], np.ones(pulls, np.bool_))
    return gradient


@pytest.mark.parametrize("preference", [0.0, 2.0, -3.0])
def test_on_a_bandit_the_natural_gradient_does_not_depend_on_how_likely_the_arms_are(preference):
    """F = pq (1 −1; −1 1) and ∇J = pq Δ (1, −1), so that F⁻¹∇J = Δ/2 (1, −1): the plain gradient dies with pq."""
    gradient = bandit(np.array([preference, 0.0]), [5.0, 1.0], 100_000)
    p = 1 / (1 + np.exp(-preference))
    plain = (gradient.of_rewards - gradient.reward / gradient.moves * gradient.of_moves) / gradient.moves
    assert plain == pytest.approx(4 * p * (1 - p) * np.array([1, -1]), rel=1e-3)
    assert gradient.fisher / gradient.moves == pytest.approx(p * (1 - p) * np.array([[1, -1], [-1, 1]]), rel=1e-3)
    direction, length = gradient.natural()
    damped = 2 / (2 + DAMPING)
    assert direction == pytest.approx(damped * np.array([2.0, -2.0]), rel=1e-3)
    assert length == pytest.approx(direction @ (gradient.fisher / gradient.moves) @ direction)


def test_two_moves_by_hand_what_comes_later_is_owed_to_what_was_done_before_and_an_end_costs_the_mean_of_the_rest():
    gradient = PolicyGradient(1, 1, 0.5)
    gradient.add(np.array([[1.0]]), np.array([0.0]), np.array([False]))  # ψ 1, no line
    gradient.add(np.array([[-2.0]]), np.array([3.0]), np.array([True]))  # ψ −2, three lines, the end
    # traces 1, then 0.5 − 2 = −1.5; the mean is 1.5 a move, an end costs 0.5 · 1.5 / 0.5 = 1.5
    wanted = (0 - 1.5) * 1 + (3 - 1.5) * -1.5 - 1.5 * -1.5
    fisher = (1 + 4) / 2
    direction, _ = gradient.natural()
    assert direction == pytest.approx([wanted / 2 / (fisher * (1 + DAMPING))])
    assert gradient.trace.tolist() == [[0.0]]


def test_the_softmax_is_of_the_living_placements_and_of_all_where_none_lives():
    made = learner("natural-gradient")
    for _ in range(6):
        made.step()
    after = made.batch.afterstates()
    logits = np.random.default_rng(1).normal(size=len(after))
    chances = probabilities(after, logits)
    for i in range(made.batch.size):
        own = slice(after.starts[i], after.starts[i + 1])
        weights = np.exp(logits[own]) * ~after.over[own]
        weights = weights if weights.any() else np.ones(len(weights))
        assert chances[own] == pytest.approx(weights / weights.sum())
    over = after.over.copy()
    after.over[:] = True
    assert probabilities(after, logits)[: after.starts[1]] == pytest.approx(1 / after.starts[1])
    after.over[:] = over


def test_placements_are_drawn_as_often_as_they_are_likely_and_each_game_draws_its_own():
    made = learner("natural-gradient")
    after = made.batch.afterstates()
    chances = probabilities(after, np.random.default_rng(2).normal(size=len(after)))
    luck = (np.arange(20_000) + 0.5) / 20_000
    places = np.array([drawn(after, chances, np.full(4, number)) for number in luck])
    assert np.bincount(places.ravel(), minlength=len(after)) / 20_000 == pytest.approx(chances, abs=2e-4)
    assert (after.game[places] == np.arange(4)).all()


def test_it_learns_to_play():
    made = learner("natural-gradient", iterations=30, parallel_games=50, moves=40, test_games=50)
    first = made.objective.mean(made.vector, 200, 1, "first")["test"]
    means = [made.step()["mean"] for _ in range(30)]
    assert np.mean(means[-5:]) > 3 * max(1.0, first)
