"""Approximate value iteration: Bellman's equation, by least squares."""

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import PieceSet, Rules
from apprenti.games.tetris.learn.approximate_value_iteration import (
    ApproximateValueIteration,
    ApproximateValueIterationConfig,
)
from apprenti.games.tetris.learn.lambda_policy_iteration import LambdaPolicyIteration, LambdaPolicyIterationConfig
from apprenti.games.tetris.learn.least_squares import solve
from apprenti.games.tetris.learn.normal_equations import Recorder
from tests.games.tetris.learn.test_lambda_policy_iteration import PLAN, UP


def test_it_begins_with_the_two_criteria_of_tsitsiklis_and_van_roy():
    weights = ApproximateValueIteration(ApproximateValueIterationConfig()).weights()
    assert weights == {"max_height": -10.0, "holes": -1.0, "constant": 0.0}


def test_with_one_kind_of_piece_it_is_policy_iteration_with_lambda_0():
    # nothing is left to chance, so the piece that was dealt is the mean over all
    rules = Rules.preset("simplified", "4x6", pieces=PieceSet.parse("T\n###\n.#."))
    recorder = Recorder(rules, tuple(UP), PLAN)
    backups = recorder.backups(UP, [(1, 0)], 0.95)
    steps = recorder.differences(UP, [(1, 0)], 0.0, 0.95)
    assert backups.matrix.tolist() == steps.matrix.tolist()
    assert backups.vector == pytest.approx(steps.vector)


def test_in_the_mean_over_many_games_it_is_policy_iteration_with_lambda_0():
    given = {"criteria": "max_height,holes,constant", "size": "10x6", "episodes": 1500, "seed": 5, "workers": 1,
             "initial_weights": (-1.0, -1.0, 30.0)}  # fmt: skip
    found = []
    for cls, config in (
        (ApproximateValueIteration, ApproximateValueIterationConfig(**given)),
        (LambdaPolicyIteration, LambdaPolicyIterationConfig(**given, lam=0.0)),
    ):
        made = cls(config)
        made.recorder = Recorder(made.objective.rules, made.layout.names, PLAN)
        sums = made.sums()
        found.append(solve(sums.matrix, sums.vector, sums.squares))
    walls = np.array([[h, holes, 1.0] for h in range(7) for holes in range(4)])
    assert walls @ found[0] == pytest.approx(walls @ found[1], abs=0.6)
    assert np.ptp(walls @ found[0]) > 5


def test_pieces_that_depend_on_those_before_are_refused():
    with pytest.raises(ApprentiError, match="dealt uniform or weighted"):
        ApproximateValueIteration(ApproximateValueIterationConfig(rules="tetrisbot"))
