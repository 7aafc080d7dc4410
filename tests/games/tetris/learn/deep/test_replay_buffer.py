"""The replay buffer draws fairly, or by priority; the n-step buffer adds up what followed a move."""

import numpy as np
import pytest
from scipy.stats import chisquare

from apprenti.games.tetris.learn.deep.replay_buffer import NStepBuffer, ReplayBuffer


def numbered(*numbers):
    """Transitions that are only a number."""
    return {"number": np.array(numbers)}


def test_the_oldest_make_room_for_the_newest():
    buffer = ReplayBuffer(4)
    buffer.add(numbered(0, 1, 2))
    assert buffer.size == 3
    buffer.add(numbered(3, 4, 5))
    assert buffer.size == 4
    assert sorted(buffer.items["number"].tolist()) == [2, 3, 4, 5]


def test_a_uniform_buffer_draws_each_as_often():
    buffer = ReplayBuffer(50)
    buffer.add(numbered(*range(40)))
    places, weights = buffer.sample(np.random.Generator(np.random.PCG64(7)), 40_000)
    counts = np.bincount(places, minlength=40)
    assert len(counts) == 40  # nothing is drawn that is not there yet
    assert chisquare(counts).pvalue > 0.001
    assert (weights == 1).all()


def test_a_prioritised_buffer_draws_by_error_and_weighs_the_other_way():
    buffer = ReplayBuffer(4, alpha=1.0, beta=1.0)
    buffer.add(numbered(0, 1, 2, 3))
    buffer.set_priorities(np.arange(4), np.array([0.999, -1.999, 2.999, 3.999]))  # plus 0.001: 1, 2, 3, 4
    places, weights = buffer.sample(np.random.Generator(np.random.PCG64(7)), 40_000)
    assert chisquare(np.bincount(places), [4000, 8000, 12000, 16000]).pvalue > 0.001
    for place, weight in ((0, 1.0), (1, 1 / 2), (3, 1 / 4)):  # 1/p, the largest of them made 1
        assert weights[places == place][0] == pytest.approx(weight)


def test_what_is_new_has_the_greatest_priority():
    buffer = ReplayBuffer(4, alpha=1.0)
    buffer.add(numbered(0, 1))
    buffer.set_priorities(np.array([0]), np.array([9.999]))
    buffer.add(numbered(2))
    assert buffer.priorities[:3].tolist() == pytest.approx([10.0, 1.0, 10.0])


def test_a_replay_buffer_goes_on_as_if_nothing_had_happened():
    buffer, other = ReplayBuffer(5, 0.6, 0.4), ReplayBuffer(5, 0.6, 0.4)
    for n in range(7):
        buffer.add(numbered(n))
    buffer.set_priorities(np.array([1, 3]), np.array([2.0, 0.1]))
    other.restore(buffer.state())
    for one in (buffer, other):
        one.add(numbered(7, 8))
    drawn = [one.sample(np.random.Generator(np.random.PCG64(1)), 20) for one in (buffer, other)]
    assert np.array_equal(drawn[0][0], drawn[1][0])
    assert np.array_equal(drawn[0][1], drawn[1][1])
    assert np.array_equal(buffer.items["number"], other.items["number"])


def walk(steps, rewards, ended_at=None, gamma=0.5):
    """One game of which each move begins with its number; what is complete before each, and what the end leaves."""
    buffer, complete, left = NStepBuffer(steps, 1, gamma), [], []
    for time, reward in enumerate(rewards):
        buffer.begin({"start": np.array([time])}, np.array([True]))
        items, _ = buffer.pop_complete()
        complete += list(zip(items["start"].tolist(), items["gain"].tolist(), items["scale"].tolist(), strict=True))
        buffer.reward(np.array([reward]))
        items, _ = buffer.pop_ended(np.array([time == ended_at]))
        left += list(zip(items["start"].tolist(), items["gain"].tolist(), strict=True))
    return complete, left


def test_one_step_is_complete_at_once_with_nothing_gained():
    assert walk(1, [5.0, 7.0]) == ([(0, 0.0, 1.0), (1, 0.0, 1.0)], [])


def test_three_steps_add_up_two_rewards_by_hand():
    # before move 2: 1 + 0.5·2 = 2, and the network counts a quarter; before move 3: 2 + 0.5·4 = 4
    assert walk(3, [1.0, 2.0, 4.0, 8.0])[0] == [(0, 2.0, 0.25), (1, 4.0, 0.25)]


def test_the_end_leaves_what_was_gained_and_nothing_of_the_game_before_is_complete_later():
    complete, left = walk(3, [1.0, 2.0, 4.0, 8.0], ended_at=1)
    assert sorted(left) == [(0, 2.0), (1, 2.0)]
    assert complete == []  # moves 2 and 3 are not old enough yet


def test_an_n_step_buffer_goes_on_as_if_nothing_had_happened():
    one, other = NStepBuffer(3, 2, 0.9), NStepBuffer(3, 2, 0.9)
    for time in range(4):
        one.begin({"start": np.array([time, -time])}, np.array([True, time != 1]))
        one.pop_complete()
        one.reward(np.array([1.0, 2.0]))
    other.restore(one.state())
    for buffer in (one, other):
        buffer.begin({"start": np.array([4, -4])}, np.array([True, True]))
    mine, theirs = one.pop_complete(), other.pop_complete()
    assert all(np.array_equal(mine[0][name], theirs[0][name]) for name in mine[0])
    assert np.array_equal(mine[1], theirs[1])
