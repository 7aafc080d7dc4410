"""A network on criteria: a weighted sum, and units that bend it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.agents.description import build
from apprenti.core.errors import BadAgent
from apprenti.games.tetris.agents.described import looking
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.agents.relu import ReluAgent, Unit, read_relu
from apprenti.games.tetris.fast.players import placement_values, play
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import MOST_UNITS
from tests.games.tetris.test_kernel import same_game
from tests.helpers import DELLACHERIE, NARROW, rules, seen

HOLES, HIGH = {"holes": 1.0, "mean_hole_depth": 0.3}, {"max_height": 1.0, "eroded_piece_cells": 0.7, "pit_depth": -0.2}
NETWORK = ReluAgent(DELLACHERIE, (Unit(HOLES, -1.5, -1), Unit(HIGH, -2.0, 1), Unit({"landing_height": -1.0}, 2.5, 1)))
TALL = ["....."] * 2 + ["#...."] * 3 + ["#.###"]


def test_a_unit_counts_only_above_its_threshold():
    """The value by hand: the sum, less the holes beyond one."""
    agent = ReluAgent({"landing_height": -1.0}, (Unit({"holes": 2.0}, -2.0, -1),))
    observation, _ = seen(TALL, "I")
    plain = LinearAgent({"landing_height": -1.0}).values(observation)
    holes = LinearAgent({"holes": 1.0}).values(observation)
    assert {0, 10} <= set(holes.values())  # both sides of the threshold
    for placement, value in agent.values(observation).items():
        if value > -1e9:
            assert value == plain[placement] - 2 * max(0.0, holes[placement] - 1)


@settings(max_examples=25)
@given(rules(NARROW), st.integers(0, 2**32))
def test_engines_agree_on_units(rules, seed):
    same_game(NETWORK, NETWORK.compiled(rules), rules, seed)


def test_the_kernel_values_placements_as_the_readable_engine_does():
    observation, _ = seen(TALL, "T")
    fast = placement_values(observation.rules, NETWORK.compiled(observation.rules), observation.board, "T")
    slow = NETWORK.values(observation)
    assert len({fast[p.rotation, p.column] - value for p, value in slow.items() if value > -1e9}) == 1


def test_units_that_cancel_are_as_if_there_were_none():
    rules = Rules.preset("simplified", "10x8")
    both = ReluAgent(DELLACHERIE, (Unit(HOLES, 3.0, 1), Unit(HOLES, 3.0, -1)))
    seeds = [(i, i) for i in range(20)]
    assert play(rules, both.compiled(rules), seeds) == play(rules, LinearAgent(DELLACHERIE).compiled(rules), seeds)


def test_all_weights_lie_on_one_grid_so_that_what_is_added_is_exact():
    rules = Rules.preset("simplified", "10x8")
    player = ReluAgent({"holes": 1e-7}, (Unit({"holes": 1e3}, 0.1, 1),)).compiled(rules)
    _, weights = player.prepared(rules)
    units = set(np.array(weights).reshape(2, -1)[:, 31].tolist())
    assert units == {2.0**-20}


def test_it_is_built_again_from_its_description():
    assert build(*NETWORK.describe()) == NETWORK


def test_it_cannot_look_ahead_and_says_so():
    with pytest.raises(BadAgent, match="only a player with weights can look ahead"):
        looking(NETWORK, "expectimax")


@pytest.mark.parametrize(
    ("weights", "biases", "signs"),
    [
        ([DELLACHERIE], [], []),
        ([DELLACHERIE, HOLES], [], [1]),
        ([DELLACHERIE, HOLES], [0.0], [2]),
        ([DELLACHERIE, HOLES], [float("nan")], [1]),
        ([DELLACHERIE, {"holes_change": 1.0}], [0.0], [1]),
        ([DELLACHERIE, *[HOLES] * (MOST_UNITS + 1)], [0.0] * (MOST_UNITS + 1), [1] * (MOST_UNITS + 1)),
    ],
)
def test_descriptions_that_make_no_sense_are_refused(weights, biases, signs):
    with pytest.raises(BadAgent):
        build("relu", {"weights": weights, "biases": biases, "signs": signs})


def test_a_board_that_its_groups_do_not_fit_is_refused():
    agent = read_relu([DELLACHERIE, {"column_heights": [1.0] * 9}], [0.0], [1])
    with pytest.raises(BadAgent, match="takes 10 weights"):
        agent.check(Rules.preset("simplified", "10x8"))
