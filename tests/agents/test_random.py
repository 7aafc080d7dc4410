"""Random agents: every legal move, each as likely."""

import numpy as np
import pytest

from apprenti.agents.base import RandomAgent
from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.tetris.state import COMMANDS
from tests.helpers import seen

EMPTY = [".........."] * 6


def drawn(agent, observation, legal, draws):
    """How often each move was drawn."""
    luck = Stream.named(1, "draws")
    chosen = [legal.index(agent.choose(observation, legal, luck)) for _ in range(draws)]
    return np.bincount(chosen, minlength=len(legal))


@pytest.mark.parametrize("letter", "IOTSZJL")
def test_every_legal_placement_is_possible_and_as_likely_as_the_others(letter):
    from scipy.stats import chisquare

    observation, legal = seen(EMPTY, letter)
    assert chisquare(drawn(RandomAgent(), observation, legal, 100 * len(legal))).pvalue > 0.001


def test_every_key_is_possible():
    observation, _ = seen(EMPTY, "T", preset="tetrisbot")
    assert min(drawn(RandomAgent("commands"), observation, COMMANDS, 600)) > 60


def test_the_same_luck_draws_the_same_moves():
    observation, legal = seen(EMPTY, "J")
    moves = [[RandomAgent().choose(observation, legal, luck) for _ in range(20)] for luck in (Stream(7), Stream(7))]
    assert moves[0] == moves[1]


@pytest.mark.parametrize("acts", ["", "keys", 5, None])
def test_an_agent_gives_placements_or_commands_and_nothing_else(acts):
    with pytest.raises(ApprentiError, match="placements, commands"):
        RandomAgent(acts)
