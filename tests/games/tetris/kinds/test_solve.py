"""Players evaluated exactly: what was played beside it."""

from apprenti.games.tetris.kinds.solve import played
from apprenti.lab.agents import find
from apprenti.lab.kinds.scores import agent_alone
from apprenti.lab.results import Effort

EXACT = 0.2146
"""Lines of the random player on 4x4 (docs/exact-solutions.md)."""


def test_the_interval_of_a_player_that_hardly_ever_scores_holds_its_exact_value():
    # Most games have no line: by an exponential law 21 of these 40 intervals held it.
    agent, rules = agent_alone(find, "random", "tetris", {"rules": "simplified", "size": "4x4"}, "here")
    intervals = [played(agent, rules, Effort(500, seed, 1))[1:] for seed in range(1, 41)]
    assert sum(low <= EXACT <= high for low, high in intervals) >= 36
