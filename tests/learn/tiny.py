"""Learners that are done in a moment. They all use the same criteria, so that one kernel is compiled for all tests."""

from apprenti.learn.methods import learner_class

PLAYED = {"criteria": "dellacherie", "rules": "simplified", "size": "10x6"}

TINY = {
    "ga": {**PLAYED, "population_size": 6, "nb_generations": 4, "nb_games": 2, "max_blocks": 60,
           "evaluation_criteria": "lines"},
    "ce": {**PLAYED, "population": 8, "iterations": 4, "elite": 0.25, "games": 2, "test_games": 3},
    "cma": {**PLAYED, "population": 5, "generations": 4, "games": 1, "most_games": 3, "test_games": 2},
    "sarsa": {"games": 100, "games_a_step": 25},
}  # fmt: skip

STEPS = {"ga": "nb_generations", "ce": "iterations", "cma": "generations", "sarsa": "games"}
"""What each method calls the number of its steps, or of the games they are made of."""


def for_steps(method, number):
    """The option that makes a method take so many steps."""
    return {STEPS[method]: number * TINY[method].get("games_a_step", 1)}


def config(method, **changes):
    """Tiny options of a method."""
    return learner_class(method).Config(**{**TINY[method], **changes})


def learner(method, **changes):
    """A tiny learner."""
    return learner_class(method)(config(method, **changes))


def words(method, **changes):
    """The same options on the command line."""
    options = {**TINY[method], **changes}
    return [method, *(word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value)))]


class Rolls:
    """Chance that comes as it was told."""

    def __init__(self, *numbers):
        self.numbers = iter(numbers)

    def random(self):
        return next(self.numbers)


def judged_by(learner, score):
    """Let a function of a vector stand in for the games of a learner; return the list of vectors it will be shown."""
    shown = []

    def fitness(vectors, games, elite, racing, *name, bar=0.0):
        shown.extend(vectors)
        return [float(score(vector)) for vector in vectors]

    learner.objective.fitness = fitness
    learner.objective.mean = lambda vector, games, *name: float(score(vector))
    return shown
