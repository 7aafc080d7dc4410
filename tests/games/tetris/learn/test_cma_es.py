"""CMA-ES: the same run from the same seed, exact restoring, and whether it learns to play."""

import numpy as np
import pytest

from apprenti.agents.description import build
from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.fast.players import play
from tests.learn.tiny import judged_by, learner


def stepped(made, steps):
    """What a learner says of some steps."""
    return [made.step() for _ in range(steps)]


def gaussian(made):
    """The Gaussian: its mean, how far it reaches, and what it draws next."""
    return made.gaussian.mean.tolist(), made.mean_and_deviation(), [vector.tolist() for vector in made.ask()]


def test_the_same_seed_is_the_same_run_and_another_seed_another_run():
    first, again, other = learner("cma"), learner("cma"), learner("cma", seed=2)
    rows = stepped(first, 4)
    assert rows == stepped(again, 4)
    assert gaussian(first) == gaussian(again)
    assert rows != stepped(other, 4)


def test_telling_all_scores_again_restores_the_gaussian_to_the_bit_and_plays_no_game():
    made, restored = learner("cma", iterations=12), learner("cma", iterations=12)
    stepped(made, 6)
    restored.objective.fitness = restored.objective.mean = None
    restored.restore(made.state())
    assert gaussian(restored) == gaussian(made)
    assert restored.steps == (6, 12)


def test_candidates_shown_are_those_that_play_next():
    made, other = learner("cma"), learner("cma")
    shown = made.candidates()
    played = judged_by(made, lambda vector: vector[0])
    made.step()
    assert [vector.tolist() for vector in played] == [vector.tolist() for vector in shown]
    judged_by(other, lambda vector: vector[0])
    other.step()
    assert gaussian(other) == gaussian(made)  # to look changes nothing


def test_the_deviation_is_that_of_what_is_drawn():
    made = learner("cma", sigma=0.25)
    mean, deviation = made.mean_and_deviation()
    assert mean == [0.0] * len(mean)
    assert deviation == pytest.approx([0.25] * len(mean), rel=0.1)


def test_a_state_is_a_snapshot():
    made = learner("cma")
    made.step()
    state = made.state()
    made.step()
    assert len(state["told"]) == 1


def test_candidates_play_with_weights_of_length_1():
    made = learner("cma")
    shown = judged_by(made, lambda vector: vector[0])
    stepped(made, 3)
    assert [np.linalg.norm(vector) for vector in shown] == pytest.approx([1.0] * 15)
    assert np.linalg.norm(list(made.agent().weights.values())) == pytest.approx(1.0)


def test_all_candidates_of_a_generation_meet_the_same_pieces_and_each_generation_others():
    made = learner("cma", racing=False, workers=1)
    met = []
    play = made.objective.scores_of
    made.objective.scores_of = lambda weights, seeds, pool: met.append(tuple(seeds)) or play(weights, seeds, pool)
    made.objective.mean = lambda *_: {}
    stepped(made, 2)
    assert len(met) == 2
    assert not set(met[0]) & set(met[1])


def test_one_more_game_in_each_generation_until_there_are_most():
    made = learner("cma", games=2, max_games=4, racing=False, test_games=0)
    played = [row["games"] for row in stepped(made, 4)]
    assert np.diff([0, *played]).tolist() == [5 * 2, 5 * 3, 5 * 4, 5 * 4]


def test_the_population_grows_with_the_weights_when_none_is_given():
    assert learner("cma", population=0).population == 4 + int(3 * np.log(6))
    assert learner("cma", population=0, criteria="thesis").population == 4 + int(3 * np.log(27))


def test_the_smallest_population_works_without_a_warning():
    stepped(learner("cma", population=4), 3)


@pytest.mark.parametrize("seed", [-5, 2**40])
def test_any_whole_number_is_a_seed(seed):
    assert learner("cma", seed=seed).step()["generation"] == 1


def test_one_weight_has_no_direction_to_learn():
    with pytest.raises(ApprentiError, match="at least two weights"):
        learner("cma", criteria="holes")


def test_it_finds_a_direction():
    target = np.array([3.0, -2.0, 0.0, 5.0, 1.0, -4.0]) / np.sqrt(55)
    made = learner("cma", population=0, iterations=80)
    judged_by(made, lambda vector: vector @ target)
    stepped(made, 80)
    assert made.vector @ target > 0.999


def test_a_search_begins_where_it_is_told():
    first = (0.0, 0.0, 0.0, -2.0, 0.0, 0.0)
    assert learner("cma", initial_weights=first).vector.tolist() == [0, 0, 0, -1, 0, 0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_learns_from_nothing_to_make_a_hundred_lines_on_10x10(seed):
    made = learner("cma", size="10x10", population=0, iterations=10, games=2, max_games=4, max_pieces=1000, seed=seed)
    while not made.done:
        made.step()
    assert made.objective.mean(made.vector, 100, seed, "fresh")["test"] > 100


def test_regimes_have_weights_of_their_own_and_resume_to_the_bit():
    options = {"regimes": (2, 4), "iterations": 3, "finalists": 2, "final_games": 2, "test_games": 0}
    made, restored = learner("cma", **options), learner("cma", **options)
    stepped(made, 2)
    restored.restore(made.state())
    assert stepped(restored, 1) == stepped(made, 1)
    agent = restored.agent()
    assert agent == made.agent()
    assert agent.heights == (2, 4)
    assert len({tuple(weights.values()) for weights in agent.weights}) == 3


def test_candidates_with_regimes_are_judged_by_the_games_of_their_agents():
    made = learner("cma", regimes=(3,))
    vector, objective = made.candidates()[0], made.objective
    expected = play(objective.rules, objective.agent(vector).compiled(objective.rules), [(seed_of(5, 0), 0)])
    assert objective.mean(vector, 1, 5)["test"] == expected[0].tally.lines


@pytest.mark.parametrize("regimes", [(), (3,)])
def test_candidates_that_look_ahead_are_judged_by_the_games_of_their_agents(regimes):
    made = learner("cma", look="expectimax", regimes=regimes, max_pieces=50)
    vector, objective = made.candidates()[0], made.objective
    agent = objective.agent(vector)
    expected = play(objective.rules, agent.compiled(objective.rules), [(seed_of(5, 0), 0)])
    assert agent.look == made.agent().look == "expectimax"
    assert build(*made.agent().describe()) == made.agent()
    assert objective.mean(vector, 1, 5)["test"] == expected[0].tally.lines


def test_another_way_to_look_is_refused():
    with pytest.raises(ApprentiError, match="--look"):
        learner("cma", look="far")


@pytest.mark.parametrize("heights", [(0,), (4, 4), (5, 3)])
def test_heights_of_regimes_that_do_not_rise_are_refused(heights):
    with pytest.raises(ApprentiError, match="--regimes"):
        learner("cma", regimes=heights)


def test_a_network_on_criteria_resumes_to_the_bit():
    options = {"units": 3, "iterations": 3, "finalists": 2, "final_games": 2, "test_games": 0}
    made, restored = learner("cma", **options), learner("cma", **options)
    stepped(made, 2)
    restored.restore(made.state())
    assert stepped(restored, 1) == stepped(made, 1)
    agent = restored.agent()
    assert agent == made.agent() == build(*agent.describe())
    assert list(agent.signs) == [1, -1, 1]


def test_candidates_with_units_are_judged_by_the_games_of_their_agents():
    made = learner("cma", units=2, max_pieces=200)
    vector, objective = made.candidates()[0], made.objective
    expected = play(objective.rules, objective.agent(vector).compiled(objective.rules), [(seed_of(5, 0), 0)])
    assert objective.mean(vector, 1, 5)["test"] == expected[0].tally.lines
    prepared = objective.agent(vector).compiled(objective.rules).prepared(objective.rules)[1]
    assert objective.prepared([vector])[0].tolist() == prepared.tolist()


def test_a_network_begins_as_the_weighted_sum_it_was_given():
    weights = (-1.0, 1.0, -1.0, -1.0, -4.0, -1.0)
    begun = learner("cma", units=2, initial_weights=weights).agent()
    plain, *units = (list(one.values()) for one in begun.weights)
    assert np.array(plain) == pytest.approx(np.array(weights) / np.linalg.norm(weights))
    assert not np.any(units) and not any(begun.biases)


def test_units_drawn_by_chance_bend_in_usual_games():
    """About half of them count at a usual placement, whatever their sign: not all of them, nor none."""
    made = learner("cma", units=8, sigma=1.0, initial_weights=(-1.0, 1.0, -1.0, -1.0, -4.0, -1.0))
    usual = made.objective.usual
    agents = made.candidate_agents()
    units = [unit for agent in agents for unit in zip(agent.weights[1:], agent.biases, strict=True)]
    above = [bias + np.array(list(weights.values())) @ usual.means > 0 for weights, bias in units]
    assert 0.25 < np.mean(above) < 0.75


@pytest.mark.parametrize("options", [{"units": -1}, {"units": 17}, {"units": 2, "regimes": (3,)}])
def test_networks_that_cannot_be_are_refused(options):
    with pytest.raises(ApprentiError, match="--units"):
        learner("cma", **options)


def test_a_network_that_looks_ahead_is_refused():
    with pytest.raises(ApprentiError, match="--units"):
        learner("cma", units=2, look="expectimax")
