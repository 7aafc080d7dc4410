"""Regimes: the height of the pile before the move says whose weights count."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.agents.description import build
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.agents.regimes import RegimesAgent, read_regimes
from apprenti.games.tetris.fast.players import placement_values
from apprenti.games.tetris.fast.splitting import TetrisProcess
from apprenti.games.tetris.rules import Rules
from tests.games.tetris.test_kernel import same_game
from tests.helpers import DELLACHERIE, NARROW, WIDE, rules, seen

CAREFUL, LAZY = DELLACHERIE, {"lines": 1.0, "landing_height": 0.5, "holes": 1.0}
FLAT, TALL = ["....."] * 6, ["....."] * 2 + ["#...."] * 4


def test_a_low_pile_is_played_by_one_and_a_high_pile_by_the_other():
    agent = RegimesAgent((4,), (LinearAgent(CAREFUL), LinearAgent(LAZY)))
    for board, expected in ((FLAT, CAREFUL), (TALL, LAZY)):
        observation, legal = seen(board, "T")
        assert agent.choose(observation, legal, Stream(1)) == LinearAgent(expected).choose(
            observation, legal, Stream(1)
        )
        assert agent.values(observation) == LinearAgent(expected).values(observation)


@settings(max_examples=25)
@given(rules(NARROW), st.integers(0, 2**32))
def test_engines_agree_on_regimes(rules, seed):
    agent = RegimesAgent((2, 4), (LinearAgent(LAZY), LinearAgent(CAREFUL), LinearAgent(LAZY)))
    same_game(agent, agent.compiled(rules), rules, seed)


@settings(max_examples=4)
@given(rules(WIDE), st.integers(0, 2**32))
def test_engines_agree_on_regimes_that_look_ahead(rules, seed):
    agent = read_regimes([2], [LAZY, {"holes": -4, "landing_height": -1}]).looking("expectimax")
    same_game(agent, agent.compiled(rules), rules, seed, pieces=3)


def test_the_kernel_values_placements_by_the_regime():
    agent = RegimesAgent((4,), (LinearAgent(CAREFUL), LinearAgent(LAZY)))
    observation, _ = seen(TALL, "T")
    fast = placement_values(observation.rules, agent.compiled(observation.rules), observation.board, "T")
    slow = agent.values(observation)
    differences = {round(fast[p.rotation, p.column] - value, 6) for p, value in slow.items() if value > -1e9}
    assert len(differences) == 1  # a constant that moves no choice


def test_the_same_weights_in_every_regime_are_split_like_one_player():
    rules = Rules.preset("simplified", "10x10")
    same, one = read_regimes([3, 5], [DELLACHERIE] * 3), LinearAgent(DELLACHERIE)
    found = [TetrisProcess(rules, agent.compiled(rules)).leave(7, 120, 20, 100, 10**6) for agent in (same, one)]
    assert found[0].measures == found[1].measures


def test_it_is_built_again_from_its_description():
    for agent in (read_regimes([4], [CAREFUL, LAZY]), read_regimes([4], [CAREFUL, LAZY], look="expectimax")):
        assert build(*agent.describe()) == agent


@pytest.mark.parametrize(
    ("heights", "weights"),
    [([4], [CAREFUL]), ([4, 4], [CAREFUL] * 3), ([0], [CAREFUL] * 2), (["4"], [CAREFUL] * 2), ([4], [CAREFUL, {}])],
)
def test_descriptions_that_make_no_sense_are_refused(heights, weights):
    with pytest.raises(BadAgent):
        read_regimes(heights, weights)
