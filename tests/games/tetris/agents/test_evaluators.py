"""Evaluators of several sums: regimes, told apart by the height of the pile, and units that bend a sum."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.agents.description import build
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.described import looking
from apprenti.games.tetris.agents.linear import LinearAgent, RegimesAgent, ReluAgent
from apprenti.games.tetris.fast.players import placement_values, play
from apprenti.games.tetris.fast.splitting import TetrisProcess
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import MOST_UNITS
from tests.games.tetris.test_kernel import same_game
from tests.helpers import DELLACHERIE, NARROW, WIDE, rules, seen

CAREFUL, LAZY = DELLACHERIE, {"lines": 1.0, "landing_height": 0.5, "holes": 1.0}
FLAT, TALL = ["....."] * 6, ["....."] * 2 + ["#...."] * 4
HOLED = ["....."] * 2 + ["#...."] * 3 + ["#.###"]
REGIMES = RegimesAgent((2, 4), (LAZY, CAREFUL, LAZY))
LOOKING = RegimesAgent([2], [LAZY, {"holes": -4, "landing_height": -1}], "expectimax")
HOLES, HIGH = {"holes": 1.0, "mean_hole_depth": 0.3}, {"max_height": 1.0, "eroded_piece_cells": 0.7, "pit_depth": -0.2}
NETWORK = ReluAgent((DELLACHERIE, HOLES, HIGH, {"landing_height": -1.0}), (-1.5, -2.0, 2.5), (-1, 1, 1))


def test_a_low_pile_is_played_by_one_and_a_high_pile_by_the_other():
    agent = RegimesAgent((4,), (CAREFUL, LAZY))
    for board, expected in ((FLAT, CAREFUL), (TALL, LAZY)):
        observation, legal = seen(board, "T")
        assert agent.choose(observation, legal, Stream(1)) == LinearAgent(expected).choose(
            observation, legal, Stream(1)
        )
        assert agent.values(observation) == LinearAgent(expected).values(observation)


def test_a_unit_counts_only_above_its_threshold():
    """The value by hand: the sum, less the holes beyond one."""
    agent = ReluAgent(({"landing_height": -1.0}, {"holes": 2.0}), (-2.0,), (-1,))
    observation, _ = seen(HOLED, "I")
    plain = LinearAgent({"landing_height": -1.0}).values(observation)
    holes = LinearAgent({"holes": 1.0}).values(observation)
    assert {0, 10} <= set(holes.values())  # both sides of the threshold
    for placement, value in agent.values(observation).items():
        if value > -1e9:
            assert value == plain[placement] - 2 * max(0.0, holes[placement] - 1)


@pytest.mark.parametrize("agent", [REGIMES, NETWORK], ids=["regimes", "units"])
@settings(max_examples=25)
@given(rules(NARROW), st.integers(0, 2**32))
def test_engines_agree(agent, rules, seed):
    same_game(agent, agent.compiled(rules), rules, seed)


@settings(max_examples=4)
@given(rules(WIDE), st.integers(0, 2**32))
def test_engines_agree_on_regimes_that_look_ahead(rules, seed):
    same_game(LOOKING, LOOKING.compiled(rules), rules, seed, pieces=3)


@pytest.mark.parametrize("agent", [REGIMES, NETWORK], ids=["regimes", "units"])
def test_the_kernel_values_placements_as_the_readable_engine_does(agent):
    observation, _ = seen(HOLED, "T")
    fast = placement_values(observation.rules, agent.compiled(observation.rules), observation.board, "T")
    slow = agent.values(observation)
    differences = {round(fast[p.rotation, p.column] - value, 6) for p, value in slow.items() if value > -1e9}
    assert len(differences) == 1  # a constant that moves no choice


def test_the_same_weights_in_every_regime_are_split_like_one_player():
    rules = Rules.preset("simplified", "10x10")
    same, one = RegimesAgent([3, 5], [DELLACHERIE] * 3), LinearAgent(DELLACHERIE)
    found = [TetrisProcess(rules, agent.compiled(rules)).leave(7, 120, 20, 100, 10**6) for agent in (same, one)]
    assert found[0].measures == found[1].measures


def test_units_that_cancel_are_as_if_there_were_none():
    rules = Rules.preset("simplified", "10x8")
    both = ReluAgent((DELLACHERIE, HOLES, HOLES), (3.0, 3.0), (1, -1))
    seeds = [(i, i) for i in range(20)]
    assert play(rules, both.compiled(rules), seeds) == play(rules, LinearAgent(DELLACHERIE).compiled(rules), seeds)


def test_all_weights_lie_on_one_grid_so_that_what_is_added_is_exact():
    rules = Rules.preset("simplified", "10x8")
    player = ReluAgent(({"holes": 1e-7}, {"holes": 1e3}), (0.1,), (1,)).compiled(rules)
    _, weights = player.prepared(rules)
    units = set(np.array(weights).reshape(2, -1)[:, 31].tolist())
    assert units == {2.0**-20}


@pytest.mark.parametrize("agent", [REGIMES, LOOKING, NETWORK], ids=["regimes", "looking", "units"])
def test_it_is_built_again_from_its_description(agent):
    assert build(*agent.describe()) == agent


def test_regimes_can_look_ahead_and_units_say_that_they_cannot():
    assert looking(REGIMES, "expectimax") == RegimesAgent(REGIMES.heights, REGIMES.weights, "expectimax")
    with pytest.raises(BadAgent, match="this player looks ahead as it is"):
        looking(LOOKING, "expectimax")
    with pytest.raises(BadAgent, match="only a player with weights can look ahead"):
        looking(NETWORK, "expectimax")


@pytest.mark.parametrize(
    ("heights", "weights"),
    [([4], [CAREFUL]), ([4, 4], [CAREFUL] * 3), ([0], [CAREFUL] * 2), (["4"], [CAREFUL] * 2), ([4], [CAREFUL, {}])],
)
def test_regimes_that_make_no_sense_are_refused(heights, weights):
    with pytest.raises(BadAgent):
        RegimesAgent(heights, weights)


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
def test_units_that_make_no_sense_are_refused(weights, biases, signs):
    with pytest.raises(BadAgent):
        build("relu", {"weights": weights, "biases": biases, "signs": signs})


def test_a_board_that_its_groups_do_not_fit_is_refused():
    agent = ReluAgent([DELLACHERIE, {"column_heights": [1.0] * 9}], [0.0], [1])
    with pytest.raises(BadAgent, match="takes 10 weights"):
        agent.check(Rules.preset("simplified", "10x8"))
