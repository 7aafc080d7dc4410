"""Learners that are done in a moment. They all use the same criteria, so that one kernel is compiled for all tests."""

import numpy as np

from apprenti.learn.methods import learner_class

PLAYED = {"criteria": "dellacherie", "rules": "simplified", "size": "10x6"}

VALUED = "max_height,holes,bumpiness,mean_height,column_heights,height_differences,lines,constant"
"""For learners of a value function, another kernel: one for all of them too."""

FEW = {"rules": "training", "army": "100000002001"}
"""Luzhanqi with a marshal, two engineers and the flag each."""

TINY = {
    "tabular": {"iterations": 4, "episodes": 10, "test_games": 2},
    "ga": {**PLAYED, "population": 6, "iterations": 4, "games": 2, "max_pieces": 60,
           "evaluation_criteria": "lines", "test_games": 2},
    "ce": {**PLAYED, "population": 8, "iterations": 4, "elite": 0.25, "games": 2, "test_games": 3},
    "cma": {**PLAYED, "population": 5, "iterations": 4, "games": 1, "max_games": 3, "test_games": 2},
    "sarsa": {"iterations": 4, "episodes": 25},
    "n-tuple": {"size": "5x5x4", "length": 5, "iterations": 4, "episodes": 25, "test_games": 2},
    "lambda-pi": {**PLAYED, "criteria": VALUED, "iterations": 4, "episodes": 12, "lam": 0.5},
    "lspi": {**PLAYED, "criteria": VALUED, "iterations": 4, "test_games": 6, "samples": 150},
    "avi": {**PLAYED, "criteria": VALUED, "iterations": 4, "episodes": 12},
    "cbmpi": {**PLAYED, "iterations": 4, "states": 100, "rollout": 2, "population": 4, "generations": 2,
              "test_games": 2},
    "natural-gradient": {**PLAYED, "iterations": 4, "parallel_games": 4, "moves": 10, "test_games": 2},
    "linear-program": {**PLAYED, "criteria": VALUED, "iterations": 4, "parallel_games": 10, "moves": 5,
                       "test_games": 2},
    "relational": {**PLAYED, "iterations": 4, "parallel_games": 4, "moves": 10, "max_examples": 12, "test_games": 2},
    "q-learning": {"size": "4x4", "iterations": 4, "episodes": 20, "max_pieces": 20, "test_games": 2},
    "dqn": {"size": "6x8", "windows": "3x3,row", "hidden": 4, "head": 3, "parallel_games": 4, "moves": 2,
            "replay_start": 12, "replay_buffer": 40, "batch_size": 8, "target_period": 3, "iterations": 4,
            "test_games": 1, "test_pieces": 10},
    "actor-critic": {**FEW, "hidden": (4,), "iterations": 4, "episodes": 1, "test_games": 1},
    "ppo": {**FEW, "iterations": 4, "parallel_games": 4, "moves": 6, "channels": 4, "layers": 1, "batch_size": 8,
            "pool_every": 1, "imitation_iterations": 2, "opponent_share": 0.25, "test_every": 30, "test_games": 2},
    "best-response": {**FEW, "against": "", "initial_weights": "", "seconds": 0.0, "iterations": 4, "layouts": 5,
                      "parallel_games": 4, "moves": 6, "channels": 4, "layers": 1, "batch_size": 8, "tests": 2,
                      "test_games": 2},
}  # fmt: skip

TETRIS = [method for method in TINY if learner_class(method).game == "tetris"]
"""The methods that learn Tetris."""


def config(method, **changes):
    """Tiny options of a method."""
    return learner_class(method).Config(**{**TINY[method], **changes})


def learner(method, **changes):
    """A tiny learner."""
    return learner_class(method)(config(method, **changes))


def words(method, **changes):
    """The same options on the command line."""
    found = [method]
    for name, value in {**TINY[method], **changes}.items():
        found += [f"--{name.replace('_', '-')}", *map(str, value if isinstance(value, tuple) else (value,))]
    return found


class Rolls:
    """Chance that comes as it was told."""

    def __init__(self, *numbers):
        self.numbers = iter(numbers)

    def random(self):
        return next(self.numbers)

    def randoms(self, count):
        return np.array([self.random() for _ in range(count)])


def judged_by(learner, score):
    """Let a function of a vector stand in for the games of a learner; return the list of vectors it will be shown."""
    shown = []

    def fitness(vectors, games, elite, racing, *name, bar=0.0):
        shown.extend(vectors)
        return [float(score(vector)) for vector in vectors]

    learner.objective.fitness = fitness
    learner.objective.mean = lambda vector, games, *name, called="test": {called: float(score(vector))}
    return shown
