"""Noisy cross-entropy: one step by hand, the three noises, and whether it learns to play."""

import itertools

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError
from tests.learn.tiny import config, judged_by, learner

TARGET = np.array([3.0, -2.0, 0.0, 5.0, 1.0, -4.0])


def near_the_target(vector):
    """A hill with its top at the target."""
    return -((vector - TARGET) ** 2).sum()


class Draws:
    """A generator that draws what it was told."""

    def __init__(self, *rows):
        self.rows = np.array(rows, float)

    def standard_normal(self, shape):
        assert shape == self.rows.shape
        return self.rows


def by_hand(scores, draws, **changes):
    """One step of a learner with two weights, four samples and an elite of two, and what it said."""
    made = learner("ce", criteria="holes,lines", population=4, elite=0.5, mean=1.0, variance=100.0, **changes)
    told = iter(scores)
    judged_by(made, lambda vector: next(told, 0.0))
    made.rng = Draws(*draws)
    return made, made.step()


def test_one_step_is_the_mean_and_the_variance_of_the_elite_and_the_noise():
    # vectors 1 + 10 · draw: (1, 1), (11, 21), (−9, 11), (31, −19); the elite is the second and the fourth
    made, row = by_hand([1, 9, 3, 7], [(0, 0), (1, 2), (-1, 1), (3, -2)], noise="constant", noise_level=4.0)
    assert made.mean.tolist() == [21, 1]
    assert made.variance.tolist() == [104, 404]  # (11 − 21)² and (21 − 1)², and 4
    assert (row["best"], row["mean"], row["elite"]) == (9, 5, 8)


def test_of_equal_samples_the_earlier_are_kept():
    made, _ = by_hand([5, 5, 5, 5], [(0, 0), (1, 2), (-1, 1), (3, -2)])
    assert made.mean.tolist() == [6, 11]


@pytest.mark.parametrize(
    ("noise", "level", "values"),
    [
        ("none", 4.0, {0: 0.0, 7: 0.0, 100: 0.0}),
        ("constant", 4.0, {0: 4.0, 7: 4.0, 100: 4.0}),
        ("linear", 5.0, {0: 5.0, 10: 4.0, 49: 0.1, 50: 0.0, 51: 0.0, 100: 0.0}),
    ],
)
def test_the_noise_by_iteration(noise, level, values):
    options = config("ce", noise=noise, noise_level=level, noise_slope=0.1)
    assert {t: options.noise_at(t) for t in values} == pytest.approx(values)


@pytest.mark.parametrize("noise", ["none", "constant", "linear"])
def test_the_noise_of_the_iteration_is_what_is_added(noise):
    changes = {"noise": noise, "noise_level": 2.0, "noise_slope": 0.5, "variance": 1.0}
    noisy, plain = learner("ce", **changes), learner("ce", **{**changes, "noise": "none"})
    for made in (noisy, plain):
        judged_by(made, near_the_target)
    for t in range(6):
        plain.mean, plain.variance = noisy.mean, noisy.variance
        noisy.step()
        plain.step()
        assert noisy.variance - plain.variance == pytest.approx([noisy.config.noise_at(t)] * 6)


def climbed(**changes):
    """The variances on the way up a hill without games, and where it ended."""
    made = learner("ce", population=100, elite=0.1, **changes)
    judged_by(made, near_the_target)
    variances = [made.variance.mean()]
    for _ in range(40):
        made.step()
        variances.append(made.variance.mean())
    return variances, made.mean


def test_without_noise_the_variance_shrinks_to_nothing_on_the_top_of_a_hill():
    variances, top = climbed(noise="none")
    assert all(after < before / 10 for before, after in itertools.pairwise(variances[::10]))
    assert top == pytest.approx(TARGET, abs=0.05)


def test_with_constant_noise_the_variance_never_closes():
    variances, top = climbed(noise="constant", noise_level=4.0)
    assert min(variances) > 4.0
    assert top == pytest.approx(TARGET, abs=2.0)


def test_a_search_begins_where_it_is_told():
    assert learner("ce").mean.tolist() == [0] * 6
    assert learner("ce", mean=-2.0).mean.tolist() == [-2] * 6
    assert learner("ce", initial_weights=tuple(TARGET)).mean.tolist() == TARGET.tolist()


@pytest.mark.parametrize("first", [(1.0,), (1.0,) * 7, (1.0,) * 5 + (float("nan"),), (1.0,) * 5 + (float("inf"),)])
def test_a_beginning_of_another_length_or_without_numbers_is_refused(first):
    with pytest.raises(ApprentiError, match="--initial-weights takes 6 finite weights"):
        learner("ce", initial_weights=first)


@pytest.mark.parametrize("seed", [-1, 0, 2**70])
def test_any_whole_number_is_a_seed(seed):
    assert learner("ce", seed=seed).step()["generation"] == 1


def test_the_mean_vector_is_tested_on_fresh_games_after_each_iteration():
    made = learner("ce", population=8, games=2, test_games=30, racing=False)
    asked = []
    made.objective.mean = lambda vector, games, *name: asked.append((vector.tolist(), games, name)) or {"test": 17.0}
    rows = [made.step() for _ in range(3)]
    assert [row["test"] for row in rows] == [17.0] * 3
    assert asked[-1][:2] == (made.mean.tolist(), 30)
    assert len({name for _, _, name in asked}) == 3
    assert rows[-1]["games"] == 3 * 8 * 2


def test_no_test_games_no_test():
    assert "test" not in learner("ce", test_games=0).step()


def test_the_agent_is_the_mean_vector_with_length_1():
    made = learner("ce")
    made.step()
    weights = list(made.agent().weights.values())
    assert np.linalg.norm(weights) == pytest.approx(1.0)
    assert weights == pytest.approx((made.mean / np.linalg.norm(made.mean)).tolist())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_learns_from_nothing_to_make_a_hundred_lines_on_10x10(seed):
    made = learner("ce", size="10x10", population=30, iterations=8, elite=0.2, games=1, max_pieces=1000, seed=seed)
    assert made.objective.mean(np.zeros(6), 30, seed)["test"] < 1
    while not made.done:
        made.step()
    assert made.objective.mean(made.mean, 100, seed, "fresh")["test"] > 100
