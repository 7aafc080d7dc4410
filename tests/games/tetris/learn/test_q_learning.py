"""Q-learning with a table: the update by hand, a table that grows, wrong options, and dominoes without end."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from apprenti.agents.base import RandomAgent
from apprenti.arena.many import play_many
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.learn.q_learning import compiled
from tests.learn.tiny import config, learner


def learned_back(gains, following, values, alpha=0.5, gamma=0.5):
    """The table after an episode in which state 0 led to 1, that to 2, …; `following` is the state after the last."""
    table = np.array(values, np.float32)
    steps = len(gains)
    transitions = np.array([[i, 0, i + 1 if i < steps - 1 else following] for i in range(steps)])
    counts = np.zeros(compiled.COUNTS, np.int64)
    counts[compiled.LEFT] = steps
    compiled.learn_back(
        table, np.zeros(len(table), np.int64), transitions, np.array(gains, float), counts, alpha, gamma
    )
    assert counts[compiled.LEFT] == 0
    return table[:, 0].tolist()


def test_one_update_by_hand():
    # 0.5 · 2 + 0.5 · (4 + 0.5 · max(6, 1)) = 4.5
    assert learned_back([4.0], 1, [[2.0, 0.0], [6.0, 1.0]])[0] == 4.5


def test_at_the_end_the_target_is_the_reward_alone():
    assert learned_back([4.0], -1, [[2.0, 0.0], [6.0, 1.0]])[0] == 3.0  # 0.5 · 2 + 0.5 · 4


def test_an_episode_is_learned_from_backwards_so_that_its_first_move_knows_its_last():
    # the last: 0.5 · 8 = 4; before it 0.5 · (0 + 0.5 · 4) = 1; the first 0.5 · 0.5 · 1 = 0.25
    assert learned_back([0.0, 0.0, 8.0], -1, np.zeros((3, 2))) == [0.25, 1.0, 4.0]


def test_a_table_grows_and_keeps_what_it_knows():
    made = learner("q-learning", iterations=2, episodes=200)
    made.make_room(64)
    made.step()
    known, values = made.size, made.values[: made.size].copy()
    assert len(made.states) > 64  # it has grown
    assert len(np.unique(made.states[:known], axis=0)) == known  # each state once
    made.make_room(4 * len(made.states))
    assert np.array_equal(made.values[:known], values)


def test_growing_changes_nothing_of_what_is_learned():
    small, large = learner("q-learning"), learner("q-learning")
    small.make_room(16)
    large.make_room(1 << 15)
    for made in (small, large):
        while not made.done:
            made.step()
    assert small.agent() == large.agent()


def test_chance_falls_exponentially_by_episode():
    options = config("q-learning", epsilon=1.0, epsilon_end=0.2, epsilon_decay=0.01)
    assert [options.epsilon_at(0), options.epsilon_at(100)] == pytest.approx([1.0, 0.2 + 0.8 / np.e])


def test_cells_that_were_met_are_counted():
    made = learner("q-learning")
    made.step()
    cells = made.known()
    assert cells.shape == (6, 4)  # 4x4 and two hidden rows
    assert cells[0].sum() > 0
    assert cells[-2].sum() > 0 == cells[-1].sum()  # pieces appear in the top row, and are asked for one row below


def test_differences_that_were_met_are_counted_pair_by_pair():
    made = learner("q-learning", state="differences", max_difference=2)
    made.step()
    known = made.known()
    assert known.shape == (5, 3)  # −2 … 2, for three pairs of four columns
    assert set(known.sum(axis=0)) == {made.visits.sum()}  # every state has one difference for each pair


def test_with_moves_as_its_clock_chance_falls_with_every_move():
    options = {"epsilon_decay": 0.01, "iterations": 1, "episodes": 20, "test_games": 0}
    by_episodes, by_moves = (learner("q-learning", clock=clock, **options).step() for clock in ("episodes", "moves"))
    assert by_episodes["epsilon"] == pytest.approx(np.exp(-0.01 * 20))
    assert by_moves["epsilon"] == pytest.approx(np.exp(-0.01 * by_moves["moves"]))
    assert by_moves["moves"] != by_episodes["moves"]  # it acts by it too


def test_a_falling_rate_learns_less_and_less():
    # α = 0 from the second episode on: nothing is learned after the first
    options = {"learning_rate_decay": 1e9, "learning_rate_end": 0.0, "learning_rate": 0.5, "iterations": 2}
    made = learner("q-learning", **options, episodes=1, test_games=0, backward=False)
    made.step()
    values = made.values[: made.size].copy()
    made.step()
    assert np.array_equal(made.values[: len(values)], values)


def trained(**options):
    made = learner("q-learning", **options)
    while not made.done:
        made.step()
    return made


def test_dominoes_on_8x8_are_played_without_end():
    made = trained(size="8x8", iterations=1, episodes=50_000, max_pieces=200, epsilon_decay=0.0001)
    games = list(play_many(GAME, made.rules.changed(max_pieces=10_000), [made.agent()], 20, 5))
    assert all(game.outcome.truncated and game.length == 10_000 for game in games)


def test_it_beats_random_play_on_6x8():
    made = trained(size="6x8", iterations=1, episodes=20_000, max_pieces=200, epsilon_decay=0.0003)
    rules = made.rules.changed(max_pieces=200)
    learned = [game.measures["lines"] for game in play_many(GAME, rules, [made.agent()], 30, 11)]
    random = [game.measures["lines"] for game in play_many(GAME, rules, [RandomAgent("commands")], 30, 11)]
    assert mannwhitneyu(learned, random, alternative="greater").pvalue < 0.001


def test_tetrominoes_on_4x5_come_near_the_exact_optimum():
    # the optimum is 12.6 lines a game (thesis, 4x5, simplified)
    made = trained(
        rules="simplified", size="4x5", pieces="rapid", form="placements", state="apart", reward="lines",
        gamma=1.0, learning_rate=0.3, epsilon_decay=0.00003, iterations=1, episodes=300_000, max_pieces=0,
    )  # fmt: skip
    lines = [game.measures["lines"] for game in play_many(GAME, made.rules, [made.agent()], 2000, 5)]
    assert 8.0 < np.mean(lines) < 13.2
