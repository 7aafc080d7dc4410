"""Exact values: those of books, those of Tetris' own solver, those that games and learners come to."""

import pytest

import apprenti
from apprenti.agents.base import QValuesAgent
from apprenti.core.errors import BadOption
from apprenti.lab.solve import solve_game
from apprenti.learn.tabular_q_learning import TabularConfig, TabularQLearning
from apprenti.learn.value_iteration import ValueConfig, explore

BOOK = {  # Russell & Norvig, Artificial Intelligence (2010), figure 17.3
    "a1": 0.812, "b1": 0.868, "c1": 0.918,
    "a2": 0.762, "c2": 0.660,
    "a3": 0.705, "b3": 0.655, "c3": 0.611, "d3": 0.388,
}  # fmt: skip


def test_the_world_of_the_book_has_the_values_of_the_book():
    solution = apprenti.solve(game="gridworld")
    assert solution.values == pytest.approx(BOOK, abs=5e-4)
    assert solution.policy["c3"] == "left"  # the long way round: the pit is near
    assert solution.value == pytest.approx(solution.values["a3"])
    assert solution.converged


def test_the_best_way_along_the_cliff_has_thirteen_steps_and_the_lake_is_crossed_14_times_in_17():
    assert apprenti.solve(game="gridworld", world="cliff").value == pytest.approx(-13)
    assert apprenti.solve(game="gridworld", world="lake").value == pytest.approx(14 / 17, abs=1e-6)


def test_bellmans_equations_of_the_robot_hold():
    q = apprenti.solve(game="mdp", gamma=0.9).q
    high, low = max(q["high"].values()), max(q["low"].values())
    assert q["high"]["search"] == pytest.approx(2 + 0.9 * (0.8 * high + 0.2 * low))
    assert q["low"]["recharge"] == pytest.approx(0.9 * high)


def test_the_values_of_a_policy_are_the_means_of_its_games():
    best = apprenti.solve(game="gridworld")
    by_lot = best.of_policy()
    low, high = apprenti.evaluate("random", game="gridworld", games=300, seed=7, workers=1).interval
    assert low < by_lot.value < high
    half = best.of_policy(
        lambda place: {best.policy[place]: 0.5, "up": 0.5} if best.policy[place] != "up" else {"up": 1}
    )
    assert by_lot.value < half.value < best.value
    assert best.of_policy(lambda place: {best.policy[place]: 1}).value == pytest.approx(best.value)
    for place, row in by_lot.q.items():
        assert by_lot.values[place] == pytest.approx(sum(row.values()) / len(row))


def test_it_agrees_with_the_solver_of_tetris():
    game = apprenti.game("tetris")
    found = solve_game(game, game.rules(size="3x3", pieces="domino"), ValueConfig(gamma=0.9))
    own = apprenti.solve("3x3", gamma=0.9, pieces="domino")
    assert found.value == pytest.approx(own.value, abs=1e-5)


def test_q_learning_comes_to_the_exact_values():
    options = {"game_options": ("world=S..G", "slip=0"), "gamma": 0.9, "initial_value": 0.0, "learning_rate_end": 0.2}
    config = TabularConfig(game="gridworld", episodes=200, test_games=0, **options)
    learner = TabularQLearning(config)
    learner.step()
    exact = apprenti.solve(game="gridworld", gamma=0.9, world="S..G", slip=0.0)
    assert max(learner.table["a1"], key=learner.table["a1"].get) == exact.policy["a1"] == "right"
    assert max(learner.table["c1"].values()) == pytest.approx(exact.values["c1"], abs=0.02)


def test_its_agent_plays_what_it_is_worth():
    solution = apprenti.solve(game="gridworld")
    assert isinstance(solution.agent(), QValuesAgent)
    low, high = apprenti.evaluate(solution.agent(), game="gridworld", games=200, workers=1).interval
    assert low < solution.value < high


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (lambda: apprenti.solve(game="tictactoe"), "a game for 2"),
        (lambda: apprenti.solve(game="gridworld", gamma=1.5), "--gamma is from 0 to 1"),
        (lambda: explore(apprenti.game("gridworld"), apprenti.game("gridworld").rules(), most=3), "more than 3 states"),
        (lambda: apprenti.solve(game="gridworld").of_policy(lambda place: {"up": 0.5}), "add up to 1"),
    ],
)
def test_what_cannot_be_solved_is_one_sentence(act, why):
    with pytest.raises(BadOption, match=why):
        act()
