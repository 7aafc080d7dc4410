"""A table that learns from a game: the report's update of its own moves, and nothing else."""

import pytest

from apprenti.games.mnk import State
from apprenti.games.mnk.codes import keys_of
from apprenti.games.mnk.learn.sarsa import learned
from apprenti.lab.agents import load_agent


def entries(agent):
    return dict(zip(agent.keys.tolist(), agent.table.tolist(), strict=True))


@pytest.mark.parametrize(("score", "reward"), [(1.0, 1.0), (0.5, 0.0), (0.0, -1.0)])
def test_only_the_agents_own_moves_are_updated_and_the_one_that_played_stays(score, reward):
    agent = load_agent("sarsa-tictactoe")
    before = entries(agent)
    decisions = [(State.parse("X../.../... o"), 4), (State.parse("XX./.O./... o"), 2)]
    first, last = (int(keys_of(state, [cell], agent.form, agent.symmetric)[0]) for state, cell in decisions)
    after = learned(agent, decisions, score)
    wanted_last = before[last] + 0.2 * (reward - before[last])
    wanted_first = before[first] + 0.2 * (0.9 * wanted_last - before[first])
    assert entries(after) == pytest.approx({**before, first: wanted_first, last: wanted_last})
    assert entries(agent) == before


def test_what_was_never_met_is_added():
    agent = load_agent("sarsa-tictactoe")
    (agent.keys, agent.table) = agent.keys[:0], agent.table[:0]
    assert len(learned(agent, [(State.parse("X../.../... o"), 4)], 1.0).keys) == 1
