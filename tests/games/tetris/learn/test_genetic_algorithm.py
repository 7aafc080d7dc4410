"""The Tetris Bot's genetic algorithm: the report's worked examples, and what each option promises."""

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.arena.statistics import chi2_quantile
from apprenti.core.seeds import Stream
from apprenti.games.tetris.learn.genetic_algorithm import (
    Individual,
    combined,
    crossed_bits,
    decode,
    mutated_bits,
    mutated_floats,
    normalised,
    shifted,
    tournament,
    vector_of,
    wheel,
)
from tests.learn.tiny import Rolls, judged_by, learner

ENCODINGS, SELECTIONS, POLICIES = ("float", "bin"), ("tournament", "wheel"), ("best", "elitism", "none")


def population(*fitness):
    """Individuals whose genome is their number."""
    return [Individual((float(i),), value) for i, value in enumerate(fitness)]


# Coding ---------------------------------------------------------------------------------------------------------------


def test_the_reports_bits_are_decoded_as_in_the_report():
    assert decode([0, 1, 0, 0, 1, 1, 0, 0]) == 0.296875


@given(st.lists(st.integers(0, 1), min_size=1, max_size=20))
def test_bits_stand_for_a_number_from_0_to_below_1(bits):
    assert decode(bits) == int("".join(map(str, bits)), 2) / 2 ** len(bits) < 1


def test_a_genome_of_bits_is_the_vector_of_its_components():
    assert vector_of(((1, 0), (0, 1), (1, 1))) == (0.5, 0.25, 0.75)
    assert vector_of((0.1, 0.2)) == (0.1, 0.2)


@pytest.mark.parametrize(("norm", "vector"), [(0, (3, 4)), (1, (3 / 7, 4 / 7)), (2, (0.6, 0.8))])
def test_vectors_are_divided_by_the_norm_that_was_asked_for(norm, vector):
    assert normalised((3, 4), norm) == vector
    assert normalised((0, 0), norm) == (0, 0)


# Parents --------------------------------------------------------------------------------------------------------------


def chi2(observed, expected):
    """How far draws are from what was expected."""
    return sum((observed[i] - number) ** 2 / number for i, number in enumerate(expected) if number)


def drawn_by_the_wheel(individuals, draws):
    rng = Stream(1)
    return Counter(int(wheel(individuals, rng).genome[0]) for _ in range(draws))


def test_the_wheel_draws_in_proportion_to_fitness():
    found = drawn_by_the_wheel(population(10, 0, 20, 30, 40), 5000)
    assert found[1] == 0
    assert chi2(found, [500, 0, 1000, 1500, 2000]) < chi2_quantile(0.999, 3)


def test_the_wheel_draws_evenly_when_nobody_is_worth_anything():
    assert chi2(drawn_by_the_wheel(population(0, 0, 0, 0), 4000), [1000] * 4) < chi2_quantile(0.999, 3)


def test_the_wheel_stops_at_the_first_whose_sum_reaches_the_number_drawn():
    individuals = population(1, 2, 1)
    for drawn, expected in [(0.25, 0), (0.2501, 1), (0.75, 1), (0.7501, 2), (0.9999, 2)]:
        assert wheel(individuals, Rolls(drawn)) is individuals[expected]


def test_a_tournament_is_won_by_the_two_best_of_those_drawn():
    individuals = population(90, 80, 10, 30, 70, 20)
    # half of six: 0.5 draws number 3, then number 2 of [0, 1, 2, 4, 5], then 0.99 the last of [0, 1, 4, 5]
    assert tournament(individuals, 0.5, Rolls(0.5, 0.5, 0.99)) == (individuals[3], individuals[5])


@given(st.lists(st.integers(0, 9), min_size=2, max_size=30), st.floats(0, 1), st.integers(0, 2**32))
def test_a_tournament_has_two_different_winners_in_their_order(fitness, part, seed):
    individuals = population(*fitness)
    first, second = tournament(individuals, part, Stream(seed))
    assert first is not second
    assert first.fitness >= second.fitness
    count = max(2, round(part * len(fitness)))
    assert sum(individual.fitness > second.fitness for individual in individuals) <= len(fitness) - count + 1


def test_a_tournament_of_all_is_won_by_the_best_of_all():
    assert [winner.fitness for winner in tournament(population(3, 9, 1, 7), 1.0, Stream(5))] == [9, 7]


# Children -------------------------------------------------------------------------------------------------------------

BITS = 8
bit_genomes = st.lists(st.tuples(*[st.integers(0, 1)] * BITS), min_size=4, max_size=4).map(tuple)


@given(bit_genomes, bit_genomes, st.integers(0, 2**32))
def test_each_component_is_cut_once_and_the_children_are_complementary(mother, father, seed):
    first, second = crossed_bits(mother, father, Stream(seed))
    for a, b, one, other in zip(mother, father, first, second, strict=True):
        assert any((one, other) == (a[:k] + b[k:], b[:k] + a[k:]) for k in range(1, BITS + 1))


def test_each_component_has_a_cut_of_its_own_from_1_to_the_number_of_bits():
    ones, zeros = ((1,) * BITS,) * 4, ((0,) * BITS,) * 4
    rng = Stream(3)
    children = [crossed_bits(ones, zeros, rng)[0] for _ in range(60)]
    assert {sum(gene) for child in children for gene in child} == set(range(1, BITS + 1))
    assert any(len({sum(gene) for gene in child}) > 1 for child in children)


def test_a_child_of_floats_points_where_the_reports_weighted_sum_does_and_stays_in_the_unit_box():
    mother, father = Individual((0.2, 1.0, 0.4), 300.0), Individual((0.6, 0.0, 1.0), 100.0)
    child = combined(mother, father)
    assert child == pytest.approx((0.3, 0.75, 0.55))
    report = [300 * a + 100 * b for a, b in zip(mother.genome, father.genome, strict=True)]
    assert normalised(child, 2) == pytest.approx(normalised(report, 2))


def test_worthless_parents_have_a_child_half_way():
    assert combined(Individual((0.2, 1.0), 0.0), Individual((0.6, 0.0), 0.0)) == pytest.approx((0.4, 0.5))


# Mutation -------------------------------------------------------------------------------------------------------------


def test_the_reports_bits_mutate_as_in_the_report():
    rolls = Rolls(0.72, 0.33, 0.06, 0.51, 0.08, 0.18, 0.58, 0.06)
    assert mutated_bits(((0, 0, 1, 0, 1, 1, 0, 0),), 0.1, rolls) == ((0, 0, 0, 0, 0, 1, 0, 1),)


REPORT = (0.12, 0.753, 0.179, 0.548)
MUTATED = (0.12, 0.543, 0.179, 0.338)


def test_the_reports_floats_mutate_as_in_the_report():
    assert shifted(REPORT, -0.21) == pytest.approx(MUTATED)
    assert mutated_floats(REPORT, 0.1, 0.3, Rolls(0.0999, 0.15)) == pytest.approx(MUTATED)  # (2 · 0.15 − 1) · 0.3


def test_floats_mutate_with_the_given_probability_only():
    assert mutated_floats(REPORT, 0.1, 0.3, Rolls(0.1)) == REPORT


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6).map(tuple), st.floats(0, 1), st.integers(0, 2**32))
def test_no_mutation_leaves_the_unit_box_or_goes_further_than_its_rate(vector, rate, seed):
    mutated = mutated_floats(vector, 1.0, rate, Stream(seed))
    assert all(0 <= number <= 1 for number in mutated)
    assert all(abs(a - b) <= rate + 1e-12 for a, b in zip(vector, mutated, strict=True))


# Generations ----------------------------------------------------------------------------------------------------------


def breeder(score=lambda vector: 100 - abs(vector).sum(), **options):
    """A genetic algorithm that plays no game, and the vectors it judges."""
    made = learner("ga", iterations=50, population=20, proba_mutation=0.3, **options)
    return made, judged_by(made, score)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_best_never_loses_the_best_and_makes_the_part_of_children_that_was_asked_for(encoding):
    made, shown = breeder(vector_encoding=encoding, old_generation_policy="best", percentage_new_offspring=0.35)
    before = made.step()
    for _ in range(10):
        best, worst = made.population[0], made.population[-1]
        del shown[:]
        after = made.step()
        assert len(shown) == 7  # ⌊20 · 0.35⌋, an odd number: of the last couple of bits only one child
        assert len(made.population) == 20
        assert best in made.population
        assert after["best"] >= before["best"]
        assert after["worst"] >= worst.fitness
        before = after


def test_elitism_keeps_the_elite():
    made, shown = breeder(old_generation_policy="elitism", elitism_percentage=0.2)
    made.step()
    for _ in range(5):
        elite = made.population[:4]
        del shown[:]
        made.step()
        assert len(shown) == 16
        assert len(made.population) == 20
        assert all(individual in made.population for individual in elite)


@pytest.mark.parametrize(("policy", "kept"), [("elitism", 4), ("none", 0)])
def test_of_bits_2n_minus_m_individuals_are_judged_and_the_n_best_live(policy, kept):
    made, shown = breeder(vector_encoding="bin", old_generation_policy=policy, elitism_percentage=0.2)
    made.step()
    for _ in range(5):
        elite = [individual.fitness for individual in made.population[:kept]]
        del shown[:]
        made.step()
        assert len(elite) + len(shown) == 2 * 20 - kept
        everybody = elite + [float(100 - abs(vector).sum()) for vector in shown]
        assert [individual.fitness for individual in made.population] == sorted(everybody, reverse=True)[:20]


def test_without_a_policy_nobody_is_kept():
    made, shown = breeder(old_generation_policy="none")
    made.step()
    old = list(made.population)
    del shown[:]
    made.step()
    assert len(shown) == len(made.population) == 20
    assert not any(individual is other for individual in made.population for other in old)


def test_an_elite_of_everybody_makes_no_children_and_plays_no_game():
    made = learner("ga", old_generation_policy="elitism", elitism_percentage=1.0, test_games=0)
    made.step()
    old, games = list(made.population), made.objective.games_played
    made.step()
    assert made.population == old
    assert made.objective.games_played == games


def test_a_child_knows_the_ranks_of_its_parents_and_who_lives_on_its_own():
    made, _ = breeder(lambda vector: abs(vector[0]), mutation_rate=0.0, vector_encoding="float")
    made.step()
    assert not any(made.parents())  # the first generation is drawn
    for _ in range(3):
        before = list(made.population)
        made.step()
        assert {len(ranks) for ranks in made.parents()} == {1, 2}
        for individual in made.population:
            parents = [before[rank - 1] for rank in individual.parents]
            bred = combined(*parents) if len(parents) == 2 else parents[0].genome
            assert individual.genome == pytest.approx(normalised(bred, made.config.normalisation))


def test_the_best_is_tried_on_games_that_taught_it_nothing():
    made = learner("ga", test_games=5)
    row = made.step()
    games = made.objective.mean(made.vector, 5, made.config.seed, "ga", 1, "test")
    assert {name: row[name] for name in games} == games
    assert games["test_low"] <= games["test"] <= games["test_high"]
    learned = learner("ga", test_games=0)
    assert (learned.step()["best"], learned.population) == (row["best"], made.population)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("policy", POLICIES)
def test_it_climbs_a_hill(encoding, policy):
    made, _ = breeder(lambda vector: 1 / (0.01 + abs(abs(vector[0]) - abs(vector).max())), vector_encoding=encoding,
                      old_generation_policy=policy)  # fmt: skip
    rows = [made.step() for _ in range(20)]
    assert rows[-1]["mean"] > 2 * rows[0]["mean"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("norm", "length"), [(1, lambda v: sum(map(abs, v))), (2, lambda v: math.hypot(*v))])
def test_players_of_normalised_vectors_have_norm_1_in_every_generation(encoding, norm, length):
    made, shown = breeder(vector_encoding=encoding, normalisation=norm)
    for _ in range(3):
        made.step()
    lengths = [length(vector) for vector in shown if any(vector)]
    assert lengths == pytest.approx([1.0] * len(lengths))


def test_the_sign_of_a_weight_is_given_and_its_size_is_learned():
    made, _ = breeder(criteria="tetrisbot", normalisation=0)
    made.step()
    weights = made.agent().weights
    assert list(weights) == ["lines", "sum_heights", "holes", "bumpiness"]
    assert [math.copysign(1, weight) for weight in weights.values()] == [1, -1, -1, -1]
    assert [abs(weight) for weight in weights.values()] == list(made.population[0].genome)


def test_fitness_counts_lines_or_points_of_games_of_at_most_max_pieces():
    lines = learner("ga", evaluation_criteria="lines", max_pieces=25)
    points = learner("ga", evaluation_criteria="scores", max_pieces=25, rules="tetrisbot", size="10x22")
    assert (lines.objective.unit, points.objective.unit) == ("lines", "points")
    assert lines.objective.rules.max_pieces == points.objective.rules.max_pieces == 25
    assert lines.step()["best"] <= 25 * 4 / 10
    assert points.step()["best"] >= 40


@pytest.mark.parametrize(("encoding", "selection", "policy"), list(itertools.product(ENCODINGS, SELECTIONS, POLICIES)))
def test_every_combination_of_options_makes_generations_of_whole_individuals(encoding, selection, policy):
    made = learner("ga", vector_encoding=encoding, parents_selection_method=selection, old_generation_policy=policy,
                   nb_bits=5, proba_mutation=0.5)  # fmt: skip
    while not made.done:
        row = made.step()
        assert len(made.population) == made.config.population
        assert row["best"] >= row["mean"] >= row["worst"] >= 0
        for individual in made.population:
            assert all(0 <= number <= 1 for number in vector_of(individual.genome))
            assert encoding == "float" or {len(gene) for gene in individual.genome} == {5}
    assert made.steps == (4, 4)
