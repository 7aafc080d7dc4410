"""Classification-based modified policy iteration: what a choice loses, what a rollout says, and what is learned."""

import numpy as np
import pytest

from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.described import looking
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.splitting import heights_of
from apprenti.games.tetris.learn.cbmpi import Examples
from apprenti.games.tetris.learn.rollouts import merits
from tests.learn.tiny import learner


def examples(criteria, q, counts):
    nothing = np.zeros((0, 0))
    return Examples(np.array(criteria, float), np.array(q, float), np.array(counts), nothing, nothing)


def test_the_loss_is_the_best_q_less_that_of_the_first_best_placement_in_the_mean_over_the_states():
    made = learner("cbmpi", criteria="holes,lines")
    found = examples([[1, 0], [0, 1], [0, 0], [2, 1], [2, 1]], [5, 3, 4, 1, 7], [3, 2])
    #               state 0: Q 5, 3, 4                state 1: Q 1, 7, and no policy can tell the two apart
    losses = made.losses(found, np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0], [0.0, 0.0]]))
    assert losses.tolist() == [(0 + 6) / 2, (2 + 6) / 2, (1 + 6) / 2, (0 + 6) / 2]


def test_the_losses_of_many_policies_are_those_of_each_alone():
    made, rng = learner("cbmpi"), np.random.default_rng(1)
    found = examples(rng.integers(0, 4, (400, 6)), rng.normal(size=400), [5] * 80)
    vectors = rng.normal(size=(37, 6))
    alone = [made.losses(found, vector[None])[0] for vector in vectors]
    values = (found.criteria @ vectors.T).reshape(80, 5, 37)
    q = found.q.reshape(80, 5)
    plain = [np.mean(q.max(axis=1) - q[np.arange(80), values[:, :, v].argmax(axis=1)]) for v in range(37)]
    assert made.losses(found, vectors).tolist() == alone == pytest.approx(plain)


def test_the_classifier_finds_a_policy_that_chooses_as_a_teacher_does():
    made, rng = learner("cbmpi", population=16, generations=80), np.random.default_rng(2)
    criteria, teacher = rng.normal(size=(6000, 6)), np.array([-1.0, 2.0, -0.5, -3.0, 0.1, 1.0])
    found = examples(criteria, criteria @ teacher, [20] * 300)
    at_first = made.losses(found, np.ones((1, 6)))[0]
    policy, loss = made.classifier(found)
    assert loss < 0.01 * at_first
    assert policy @ teacher / np.linalg.norm(teacher) > 0.99


def under_way(made, games, moves):
    """Games after some moves that nobody has thought about."""
    batch = Batch(made.objective.rules, games, 5)
    batch.reset()
    for _ in range(moves):
        after = batch.afterstates()
        batch.step(after.best(np.where(after.over, -99, after.action % 7)))
        batch.renew()
    return batch


def by_hand(made, batch, index, action, seed, moves):
    """The lines of a placement and some moves of the policy, and V after them: one board at a time."""
    one = batch.copies(np.array([index]), np.array([seed], np.uint64))
    for _ in range(moves + 1):
        if not one.over[0]:
            after = one.afterstates()
            values = np.where(after.over, -np.inf, made.moves.of_afterstates(one, after) @ made.policy)
            one.step(after.best(values) if action is None else np.array([action]))
            action = None
    worth = 0.0 if one.dead[0] else (made.walls.of_last_moves(one) @ made.value)[0]
    return one.lines[0] - batch.lines[index] + worth


def test_a_rollout_is_the_placement_then_m_moves_of_the_policy_then_the_value_of_the_wall_and_0_after_the_end():
    made = learner("cbmpi", rollout=3)
    made.policy = np.array([-1.0, 1.0, -1.0, -1.0, -4.0, -1.0])  # whole numbers: equal values are equal to the bit
    made.value = np.random.default_rng(3).integers(-3, 4, made.walls.size).astype(float)
    batch = under_way(made, games=4, moves=12)
    found, after = made.rolled_out((batch, 9)), batch.afterstates()
    living, seeds = np.flatnonzero(~after.over), made_seeds(9, 4)
    tried = zip(after.game[living], after.action[living], strict=True)
    wanted = [by_hand(made, batch, i, a, seeds[1][i], 3) for i, a in tried]
    assert found.q == pytest.approx(wanted)
    assert found.v == pytest.approx([by_hand(made, batch, i, None, seeds[0][i], 2) for i in range(4)])
    assert found.criteria.tolist() == made.moves.of_afterstates(batch, after)[living].tolist()
    assert np.array(wanted).std() > 0 and found.counts.sum() == len(living)


def made_seeds(seed, number):
    """The pieces after each state, for the policy and for the placements."""
    return Stream(seed).words(2 * number).reshape(2, -1)


def test_the_states_are_spread_over_the_heights_of_the_pile():
    made = learner("cbmpi", states=1120, initial_weights=(-1.0, 1.0, -1.0, -1.0, -4.0, -1.0))
    states = made.states()
    counts = np.bincount(heights_of(states.columns).max(axis=1), minlength=7)
    assert counts[2:].tolist() == [160] * 5  # 16 parts, 7 heights, 10 states each; a low pile is rare
    assert not states.over.any()
    assert len(np.unique(states.columns, axis=0)) > 600


def test_states_of_another_player_are_its_own():
    sampler = (
        "landing_height=-1,eroded_piece_cells=1,row_transitions=-1,column_transitions=-1,holes=-4,cumulative_wells=-1"
    )
    other = learner("cbmpi", sampler=sampler).states()
    own = learner("cbmpi")
    own.policy = np.array([-1.0, 1.0, -1.0, -1.0, -4.0, -1.0])
    assert other.columns.tolist() == own.states().columns.tolist() != learner("cbmpi").states().columns.tolist()


def test_it_learns_to_play_in_three_steps():
    made = learner("cbmpi", states=3000, rollout=5, population=16, generations=40, test_games=100)
    means = [made.step()["mean"] for _ in range(3)]
    assert max(means) > 40  # Dellacherie's weights make 52 there, weights of 0 none


def test_the_agent_is_the_mean_of_the_policies_the_newest_counted_most_or_the_newest():
    for average in (True, False):
        made, mean = learner("cbmpi", average=average), np.zeros(6)
        for k in (1, 2, 3):
            made.step()
            mean = mean + k * made.policy
        wanted = mean / np.linalg.norm(mean) if average else made.policy
        assert made.layout.vector(made.agent().weights) == wanted.tolist()


def test_expectimax_as_a_teacher_says_what_the_player_one_piece_further_thinks():
    made = learner("cbmpi", teacher="expectimax")
    made.policy = np.array([-1.0, 1.0, -1.0, -1.0, -4.0, -1.0])
    batch = under_way(made, games=6, moves=8)
    found = made.taught((batch, 0))
    expert = looking(made.objective.agent(made.policy), "expectimax")
    for state, q in enumerate(np.split(found.q, np.cumsum(found.counts)[:-1])):
        observation = batch.observe(state).observation(0)
        values = [value for value in expert.values(observation).values() if value > -np.inf]
        ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
        assert len(values) == len(q)
        assert (np.diff(q[np.argsort(ranks)]) > -1e-9).all()


def test_merits_are_parts_of_the_way_from_the_worst_to_the_best_and_a_fatal_piece_costs_more():
    found = merits(np.array([1.0, 3.0, 2.0, 5.0, 5.0]), np.array([0.0, 0.0, 0.0, 0.0, 1 / 7]), np.array([3, 2]))
    assert found[:4].tolist() == [0.0, 1.0, 0.5, 0.0]
    assert found[4] == pytest.approx(-10 / 7)
    assert not len(merits(np.zeros(0), np.zeros(0), np.zeros(0, np.int64)))  # where nobody lives on


def test_with_expectimax_as_a_teacher_it_stops_and_goes_on_to_the_bit():
    made, restored = learner("cbmpi", teacher="expectimax"), learner("cbmpi", teacher="expectimax")
    made.step()
    restored.restore(made.state())
    made.step()
    restored.step()
    assert made.state() == restored.state()
    assert not made.value.any()
