"""Algorithm 1 of the LuJunQi report, step by step, against numbers worked out by hand."""

import numpy as np
import pytest

from apprenti.core.mlp import Mlp
from apprenti.games.luzhanqi.learn.traces import Episode, Model, Rates

X, Y = np.array([1.0, 2.0]), np.array([0.5, -1.0])
BOTH = np.array([0, 1])


def linear_model(**rates):
    """Actor with logits 0, critic 0.1·x₀ + 0.2·x₁ + 0.3; three outputs of the actor, of which two are legal."""
    actor = Mlp([np.zeros((3, 3))])
    critic = Mlp([np.array([[0.1, 0.2, 0.3]])])
    usual = {"learning_rate_actor": 0.1, "learning_rate_critic": 0.01, "gamma": 0.9}
    return Model(actor, critic, Rates(**{**usual, **rates}))


def test_two_steps_are_those_of_the_algorithm_worked_out_by_hand():
    model = linear_model(lam_actor=0.5, lam_critic=0.25)
    episode = Episode(model)
    assert episode.act(X, BOTH, 0.7) == 1
    # v(X) = 0.1 + 0.4 + 0.3 = 0.8, v(Y) = 0.05 − 0.2 + 0.3 = 0.15; δ = −1 + 0.9·0.15 − 0.8
    delta = episode.learn(-1.0, Y)
    assert delta == pytest.approx(-1.665, abs=1e-15)
    w = np.array([0.1, 0.2, 0.3]) + 0.01 * delta * np.array([1.0, 2.0, 1.0])
    assert np.allclose(model.critic.layers[0], w, atol=1e-15)
    # π = ½, ½ on the legal two: ∇ ln π(1) = (−½, ½) ⊗ [x, 1], the third row is not touched
    first = np.outer([-0.5, 0.5, 0.0], [1.0, 2.0, 1.0])
    assert np.allclose(model.actor.layers[0], 0.1 * delta * first, atol=1e-15)

    theta = 0.1 * delta * first
    assert episode.act(Y, np.array([0, 2]), 0.0) == 0
    value = w @ np.array([0.5, -1.0, 1.0])
    last = episode.learn(100.0, None)
    assert last == pytest.approx(100.0 - value, abs=1e-12)
    trace = 0.9 * 0.25 * np.array([1.0, 2.0, 1.0]) + np.array([0.5, -1.0, 1.0])
    assert np.allclose(model.critic.layers[0], w + 0.01 * last * trace, atol=1e-12)
    logits = theta[[0, 2]] @ np.array([0.5, -1.0, 1.0])
    chance = np.exp(logits[0]) / np.exp(logits).sum()
    second = np.outer([1 - chance, 0.0, chance - 1], [0.5, -1.0, 1.0])
    traced = 0.9 * 0.5 * first + 0.9 * second  # I is γ at the second step
    assert np.allclose(model.actor.layers[0], theta + 0.1 * last * traced, atol=1e-12)


def test_traces_and_the_discount_begin_anew_with_every_episode():
    model = linear_model()
    for _ in range(2):
        episode = Episode(model)
        assert not any(trace.any() for trace in (*episode.z_theta, *episode.z_w))
        assert episode.discount == 1.0
        for _ in range(3):
            episode.act(X, BOTH, 0.3)
            episode.learn(-1.0, Y)
        assert episode.discount == pytest.approx(0.9**3)
        assert all(trace.any() for trace in (*episode.z_theta, *episode.z_w))


def test_without_a_decision_there_is_nothing_to_judge():
    model = linear_model()
    assert Episode(model).learn(-1.0, X) == 0.0
    assert not model.actor.layers[0].any()


def test_the_literal_reading_reaches_the_model():
    plain, twice = (linear_model(softmax_twice=choice) for choice in (False, True))
    for model in (plain, twice):
        model.actor.layers[0][:] = [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 3.0]]
    assert plain.policy(X, BOTH)[0] == pytest.approx(np.e / (np.e + 1))
    whole = np.exp([1.0, 0.0, 3.0]) / np.exp([1.0, 0.0, 3.0]).sum()
    assert twice.policy(X, BOTH)[0] == pytest.approx(1 / (1 + np.exp(whole[1] - whole[0])))


def test_a_bandit_is_learned():
    """One state, two actions, one of which pays: after 400 episodes it is nearly always chosen."""
    rng = np.random.Generator(np.random.PCG64(5))
    rates = Rates(learning_rate_actor=0.05, learning_rate_critic=0.05)
    model = Model(Mlp.random((2, 8, 2), rng), Mlp.random((2, 8, 1), rng), rates)
    for _ in range(400):
        episode = Episode(model)
        episode.learn(float(episode.act(X, BOTH, rng.random())), None)
    assert model.policy(X, BOTH)[1] > 0.95
