"""The perceptron's gradients are those that small changes of its weights show, in both readings of the softmax."""

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError
from apprenti.core.mlp import Mlp, draw, log_gradient, restricted, softmax

STEP = 1e-6


def numerical(network, function):
    """The gradient of a function of the network's weights, by central differences."""
    found = []
    for layer in network.layers:
        slope = np.zeros_like(layer)
        for place in np.ndindex(layer.shape):
            kept = layer[place]
            layer[place] = kept + STEP
            above = function()
            layer[place] = kept - STEP
            slope[place] = (above - function()) / (2 * STEP)
            layer[place] = kept
        found.append(slope)
    return found


@pytest.mark.parametrize("scheme", ["he", "xavier"])
@pytest.mark.parametrize("twice", [False, True])
def test_the_gradient_of_the_log_policy_is_the_numerical_one_through_the_restriction(twice, scheme):
    rng = np.random.Generator(np.random.PCG64(7))
    network = Mlp.random((5, 4, 3, 6), rng, scheme)
    for layer in network.layers:
        layer[:, -1] = rng.standard_normal(len(layer)) / 2
    x, legal = rng.standard_normal(5), np.array([0, 2, 5])
    for chosen in range(3):
        values = network.forward(x)
        exact = network.gradient(values, log_gradient(values[-1], legal, chosen, twice))
        told = numerical(network, lambda c=chosen: np.log(restricted(network.forward(x)[-1], legal, twice)[c]))
        for mine, theirs in zip(exact, told, strict=True):
            assert np.allclose(mine, theirs, atol=1e-8)
        assert any(np.abs(slope).max() > 1e-3 for slope in told)


def test_the_gradient_of_a_value_is_the_numerical_one():
    rng = np.random.Generator(np.random.PCG64(8))
    network, x = Mlp.random((4, 5, 1), rng), rng.standard_normal(4)
    exact = network.gradient(network.forward(x), np.ones(1))
    for mine, theirs in zip(exact, numerical(network, lambda: network.forward(x)[-1][0]), strict=True):
        assert np.allclose(mine, theirs, atol=1e-8)


def test_the_two_readings_of_the_restricted_softmax():
    logits, legal = np.array([1.0, 9.0, 2.0, 0.0]), np.array([0, 2])
    e = np.exp
    assert np.allclose(restricted(logits, legal), [e(1) / (e(1) + e(2)), e(2) / (e(1) + e(2))])
    whole = softmax(logits)
    assert np.allclose(restricted(logits, legal, twice=True), softmax(whole[[0, 2]]))
    worst, best = restricted(np.array([-50.0, 50.0]), np.array([0, 1]), twice=True)
    assert best / worst == pytest.approx(np.e), "read literally, no move can be more than e times as likely as another"


def test_initialisations_have_the_variances_of_their_inventors():
    rng = np.random.Generator(np.random.PCG64(1))
    for scheme, variance in (("he", 2 / 300), ("xavier", 2 / 500)):
        layer = Mlp.random((300, 200), rng, scheme).layers[0]
        assert layer.shape == (200, 301)
        assert layer[:, :-1].var() == pytest.approx(variance, rel=0.03)
        assert not layer[:, -1].any()


def test_a_network_comes_back_from_its_arrays_also_with_more_than_ten_layers():
    rng = np.random.Generator(np.random.PCG64(1))
    network = Mlp.random([3] * 13, rng)
    x = rng.standard_normal(3)
    assert (Mlp.from_arrays(network.arrays("a"), "a").forward(x)[-1] == network.forward(x)[-1]).all()


@pytest.mark.parametrize(
    "arrays",
    [
        {},
        {"a/1": np.zeros((2, 2))},
        {"a/0": np.zeros(3)},
        {"a/0": np.zeros((2, 3)), "a/1": np.zeros((1, 2))},
        {"a/0": np.full((2, 3), np.nan)},
    ],
)
def test_arrays_that_hold_no_network_are_refused(arrays):
    with pytest.raises(ApprentiError, match="network called a"):
        Mlp.from_arrays(arrays, "a")


def test_drawing_follows_the_chances():
    chances = np.array([0.2, 0.0, 0.5, 0.3])
    assert [draw(chances, luck) for luck in (0.0, 0.19, 0.21, 0.69, 0.71, 0.999999, 1.0)] == [0, 0, 2, 2, 3, 3, 3]
