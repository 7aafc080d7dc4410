"""SARSA goes on: a table learns from a game it has played, against a person for instance."""

from collections.abc import Sequence

import numpy as np

from apprenti.games.mnk.agents.table import TableAgent
from apprenti.games.mnk.codes import keys_of
from apprenti.games.mnk.learn.sarsa import SarsaConfig
from apprenti.games.mnk.state import State

_USUAL = SarsaConfig()


def learned(agent: TableAgent, decisions: Sequence[tuple[State, int]], score: float) -> TableAgent:
    """The agent after the report's update of its own moves, the last first; only these entries of its table differ."""
    table = dict(zip(agent.keys.tolist(), agent.table.tolist(), strict=True))
    wanted = _reward(decisions, score)
    for state, move in reversed(decisions):
        key = int(keys_of(state, [move], agent.form, agent.symmetric)[0])
        value = table.get(key, agent.unknown)
        table[key] = value + _USUAL.learning_rate * (wanted - value)
        wanted = _USUAL.gamma * table[key]
    keys = sorted(table)
    arrays = {"keys": np.array(keys, np.uint64), "values": np.array([table[key] for key in keys])}
    return TableAgent(agent.rules.size, agent.form, agent.symmetric, agent.unknown, arrays)


def _reward(decisions: Sequence[tuple[State, int]], score: float) -> float:
    """What the end of the game is worth, as when the table was learned."""
    began = bool(decisions) and decisions[0][0].to_move == 0
    draw = _USUAL.draw_reward_first if began else _USUAL.draw_reward_second
    return {1.0: _USUAL.win_reward, 0.0: _USUAL.loss_reward}.get(score, draw)
