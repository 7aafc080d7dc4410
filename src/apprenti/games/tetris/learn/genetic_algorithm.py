"""The genetic algorithm of the Tetris Bot report (chapters 5 and 6), with every option and every name it has there.

An individual is a vector of [0, 1]ⁿ, as floats or as bits. The sign of each weight is given (more lines are good, more
holes are bad), its size is learned.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from apprenti.core.data import SEED, Each, JsonData, Number, Row, SavedState, Varies, Whole
from apprenti.core.errors import BadOption
from apprenti.core.seeds import Chance, Stream, below
from apprenti.games.tetris.criteria import CRITERIA
from apprenti.games.tetris.learn.config import SearchConfig
from apprenti.games.tetris.learn.criteria import Vector
from apprenti.games.tetris.learn.objective import SearchLearner
from apprenti.learn.learner import Metrics, at_least_0, one_of, positive, share

Genome = tuple[float, ...] | tuple[tuple[int, ...], ...]
"""Floats, or bits for each component."""

CHOICES: dict[str, tuple[object, ...]] = {
    "vector_encoding": ("float", "bin"),
    "parents_selection_method": ("tournament", "wheel"),
    "old_generation_policy": ("best", "elitism", "none"),
    "evaluation_criteria": ("scores", "lines"),
    "normalisation": (0, 1, 2),
}


@dataclass(frozen=True, kw_only=True)
class GeneticConfig(SearchConfig):
    """Genetic algorithm, with every option of the Tetris Bot report."""

    criteria: str = "tetrisbot"
    """A set (tetrisbot, dellacherie, bcts, …), or names of criteria with commas."""
    rules: str = "tetrisbot"
    """simplified, overflow, strict or tetrisbot."""
    size: str = "10x22"
    """Columns x rows."""
    population: int = 100
    """N: individuals in a generation."""
    iterations: int = 21
    """Generations: the random one, and those made from it one after the other (nb_generations, 20)."""
    vector_encoding: str = "float"
    """float, or bin for bits."""
    nb_bits: int = 16
    """B: bits of a component, for bin."""
    normalisation: int = 2
    """Divide vectors by their 1- or 2-norm; 0 for not at all."""
    parents_selection_method: str = "tournament"
    """tournament: the two best of some drawn at random; wheel: in proportion to their fitness."""
    percentage_for_tournament: float = 0.10
    """Part of the population that enters a tournament."""
    old_generation_policy: str = "best"
    """best: the best of old and new; elitism: the elite of the old and the best of the new; none: only the new."""
    elitism_percentage: float = 0.10
    """Part of the old generation that elitism keeps."""
    percentage_new_offspring: float = 0.30
    """For best: children made, as a part of the population."""
    proba_mutation: float = 0.05
    """Probability that an individual (float) or a bit (bin) mutates."""
    mutation_rate: float = 0.20
    """Largest shift of a mutation, for float."""
    evaluation_criteria: str = "scores"
    """Fitness is the mean of the scores (points) or of the lines."""
    games: int = 5
    """Games that judge an individual."""
    max_pieces: int = 500
    """Longest game in pieces; 0 for no limit."""
    test_games: int = 30
    """Fresh games with the best individual after each generation, which teach nothing; 0 for none."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "population", "nb_bits")
        at_least_0(self, "test_games")
        share(
            self, "percentage_for_tournament", "elitism_percentage", "percentage_new_offspring", "proba_mutation",
            "mutation_rate",
        )  # fmt: skip
        if self.population < 2:
            raise BadOption("--population must be at least 2: a child has two parents.")
        for name, choices in CHOICES.items():
            one_of(self, name, *choices)


@dataclass(frozen=True)
class Individual:
    """A genome and what it is worth."""

    genome: Genome
    fitness: float
    parents: tuple[int, ...] = field(default=(), compare=False)
    """Ranks in the generation before, 1 for the fittest: of its two parents, or its own if it was there already."""


# Coding ---------------------------------------------------------------------------------------------------------------


def decode(bits: Sequence[int]) -> float:
    """Σ εₖ / 2ᵏ⁺¹: the number in [0, 1) that the bits stand for."""
    return sum(bit * 0.5 ** (k + 1) for k, bit in enumerate(bits))


_decoded = lru_cache(4096)(decode)
"""A population that draws together has the same components over and over."""


def vector_of(genome: Genome) -> tuple[float, ...]:
    """The vector of a genome."""
    return tuple(_decoded(gene) if isinstance(gene, tuple) else gene for gene in genome)


def normalised(vector: Sequence[float], norm: int) -> tuple[float, ...]:
    """The vector divided by its norm; unchanged if that is 0 or no norm is wanted."""
    size = {0: 1.0, 1: sum(map(abs, vector)), 2: math.hypot(*vector)}[norm]
    return tuple(number / size for number in vector) if size > 0 else tuple(vector)


# Parents --------------------------------------------------------------------------------------------------------------


def wheel(population: Sequence[Individual], rng: Chance) -> Individual:
    """One individual, in proportion to its fitness."""
    whole = sum(individual.fitness for individual in population)
    if whole <= 0:
        return population[below(rng, len(population))]
    drawn, reached = rng.random() * whole, 0.0
    for individual in population:
        reached += individual.fitness
        if reached >= drawn:
            return individual
    return population[-1]


def tournament(population: Sequence[Individual], share_: float, rng: Chance) -> tuple[Individual, Individual]:
    """The two best of some drawn at random."""
    count = max(2, round(share_ * len(population)))
    left = list(range(len(population)))
    drawn = [left.pop(below(rng, len(left))) for _ in range(min(count, len(left)))]
    best = sorted((-population[i].fitness, i) for i in drawn)
    return population[best[0][1]], population[best[1][1]]


# Children -------------------------------------------------------------------------------------------------------------


def cut(a: tuple[int, ...], b: tuple[int, ...], k: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two components cross over after their first k bits."""
    return a[:k] + b[k:], b[:k] + a[k:]


def crossed_bits(mother: Genome, father: Genome, rng: Chance) -> tuple[Genome, Genome]:
    """Two children, with one cut for each component."""
    pairs = [cut(tuple(a), tuple(b), 1 + below(rng, len(a))) for a, b in zip(mother, father, strict=True)]  # type: ignore[arg-type]
    return tuple(first for first, _ in pairs), tuple(second for _, second in pairs)


def combined(mother: Individual, father: Individual) -> tuple[float, ...]:
    """One child: the sum of its parents, weighted by their fitness.

    The report's sum f(p)·p + f(q)·q is divided by f(p) + f(q): the direction is the same, the child stays in [0, 1].
    """
    p, q = mother.fitness, father.fitness
    if p + q <= 0:
        p = q = 1.0
    pairs = zip(vector_of(mother.genome), vector_of(father.genome), strict=True)
    return tuple((p * a + q * b) / (p + q) for a, b in pairs)


# Mutation -------------------------------------------------------------------------------------------------------------


def mutated_bits(genome: Genome, probability: float, rng: Stream) -> Genome:
    """Each bit is turned over with a probability."""
    bits = np.array(genome, np.int64)
    turned = (rng.randoms(bits.size) < probability).reshape(bits.shape)
    return tuple(map(tuple, np.where(turned, 1 - bits, bits).tolist()))


def shifted(vector: Sequence[float], delta: float) -> tuple[float, ...]:
    """Each component shifted by δ, but unchanged where it would leave [0, 1]."""
    return tuple(number + delta if 0 <= number + delta <= 1 else number for number in vector)


def mutated_floats(vector: tuple[float, ...], probability: float, rate: float, rng: Chance) -> tuple[float, ...]:
    """With a probability, the vector is shifted by a δ drawn from [−rate, rate]."""
    if rng.random() >= probability:
        return vector
    return shifted(vector, (2 * rng.random() - 1) * rate)


# The learner ----------------------------------------------------------------------------------------------------------


class GeneticAlgorithm(SearchLearner[GeneticConfig]):
    """The learner."""

    Config = GeneticConfig

    def __init__(self, config: GeneticConfig) -> None:
        super().__init__(config, "points" if config.evaluation_criteria == "scores" else "lines")
        self.signs = [CRITERIA[name].sign for name in self._names()]
        self.rng = Stream.named(config.seed, "genetic algorithm")
        self.population: list[Individual] = []

    def _names(self) -> list[str]:
        return [label.partition("[")[0] for label in self.objective.layout.labels()]

    def weights(self, genome: Genome) -> list[float]:
        """A genome as signed weights."""
        vector = normalised(vector_of(genome), self.config.normalisation)
        return [sign * number for sign, number in zip(self.signs, vector, strict=True)]

    def _judged(self, born: list[Individual], survivors: int, bar: float = -math.inf) -> list[Individual]:
        """Play; with racing, not on with those that cannot be among the survivors or reach the bar."""
        vectors = [np.array(self.weights(individual.genome)) for individual in born]
        name = (self.config.seed, "ga", self.iteration)
        racing = self.config.racing and (survivors < len(born) or bar > -math.inf)
        scores = self.objective.fitness(vectors, self.config.games, max(1, survivors), racing, *name, bar=bar)
        return [replace(individual, fitness=score) for individual, score in zip(born, scores, strict=True)]

    def _random_genome(self) -> Genome:
        size, rng = self.objective.layout.size, self.rng
        if self.config.vector_encoding == "bin":
            return tuple(tuple(below(rng, 2) for _ in range(self.config.nb_bits)) for _ in range(size))
        return normalised([rng.random() for _ in range(size)], self.config.normalisation)

    def _parents(self) -> tuple[Individual, Individual]:
        if self.config.parents_selection_method == "wheel":
            return wheel(self.population, self.rng), wheel(self.population, self.rng)
        return tournament(self.population, self.config.percentage_for_tournament, self.rng)

    def _children(self) -> list[Individual]:
        """Children of two parents, who still have to be judged."""
        mother, father = self._parents()
        parents = (*mother.parents, *father.parents)
        return [Individual(genome, 0.0, parents) for genome in self._genomes(mother, father)]

    def _genomes(self, mother: Individual, father: Individual) -> list[Genome]:
        """Two children of two parents for bits, one for floats; mutated, and normalised if asked for."""
        config = self.config
        if config.vector_encoding == "bin":
            first, second = crossed_bits(mother.genome, father.genome, self.rng)
            both = mutated_bits((*first, *second), config.proba_mutation, self.rng)
            return [both[: len(first)], both[len(first) :]]
        child = normalised(combined(mother, father), config.normalisation)
        child = mutated_floats(child, config.proba_mutation, config.mutation_rate, self.rng)
        return [normalised(child, config.normalisation)]

    def _next_generation(self) -> list[Individual]:
        config, size = self.config, self.config.population
        ranked = enumerate(best_first(self.population), 1)
        old = self.population = [replace(individual, parents=(rank,)) for rank, individual in ranked]
        if config.old_generation_policy == "best":
            wanted = max(1, math.floor(size * config.percentage_new_offspring))
            couples = -(-wanted // 2) if config.vector_encoding == "bin" else wanted
            children = [child for _ in range(couples) for child in self._children()][:wanted]
            return best_first(old + self._judged(children, wanted, bar=old[-1].fitness))[:size]
        kept = round(size * config.elitism_percentage) if config.old_generation_policy == "elitism" else 0
        children = [child for _ in range(size - kept) for child in self._children()]
        return best_first(old[:kept] + self._judged(children, size - kept))[:size]

    def step(self) -> Metrics:
        if not self.population:
            drawn = [Individual(self._random_genome(), 0.0) for _ in range(self.config.population)]
            self.population = best_first(self._judged(drawn, len(drawn)))
        else:
            self.population = self._next_generation()
        self.iteration += 1
        self.finish()
        fitness, score = [individual.fitness for individual in self.population], self.objective.score
        metrics = {
            "generation": self.iteration,
            "best": score(fitness[0]),
            "mean": score(float(np.mean(fitness))),
            "worst": score(fitness[-1]),
            "games": self.objective.games_played,
        }
        if games := self.config.test_games:
            metrics |= self.objective.mean(self.vector, games, self.config.seed, "ga", self.iteration, "test")
        return metrics

    @property
    def vector(self) -> Vector:
        genome = self.population[0].genome if self.population else (1.0,) * self.objective.layout.size
        return np.array(self.weights(genome))

    def candidates(self) -> list[Vector]:
        return [np.array(self.weights(individual.genome)) for individual in self.population]

    def parents(self) -> list[list[int]]:
        """For every individual the ranks of its parents in the generation before."""
        return [list(individual.parents) for individual in self.population]

    def state(self) -> SavedState:
        return {
            "generation": self.iteration,
            "population": [[individual.genome, individual.fitness] for individual in self.population],
            **({"parents": self.parents()} if self.population else {}),
            "games_played": self.objective.games_played,
            "rng": self.rng.state,
            **self.final_state(),
        }

    def varies(self) -> Varies:
        bits = Each(Whole(0, 1), self.config.nb_bits)
        genome = Each(bits if self.config.vector_encoding == "bin" else Number(), self.objective.layout.size)
        family = {"population": Each(Row((genome, Number()))), "parents": Each(Each(Whole(1)))}
        return {**super().varies(), **family, "rng": SEED}

    def restore(self, state: JsonData) -> None:
        self.iteration = state["generation"]
        parents = state.get("parents", [()] * len(state["population"]))  # older runs do not know them
        self.population = [
            Individual(tuple(tuple(gene) if isinstance(gene, list) else gene for gene in genome), fitness, tuple(ranks))
            for (genome, fitness), ranks in zip(state["population"], parents, strict=True)
        ]
        self.objective.games_played = state["games_played"]
        self.rng = Stream(state["rng"])
        self.restore_final(state)


def best_first(population: list[Individual]) -> list[Individual]:
    """The fittest first; of equals the older one."""
    return sorted(population, key=lambda individual: -individual.fitness)
