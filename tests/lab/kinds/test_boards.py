"""SARSA on several boards: its games are counted from its own side."""

from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules, State
from apprenti.lab.kinds.boards import Results, results


class First:
    """Takes the first free cell."""

    def choose(self, observation, legal, rng: Stream):
        return legal[0]


def test_results_are_counted_from_the_side_of_the_agent():
    start = State.start(Rules(2, 2, 2))  # who begins wins
    assert results(First(), First(), start, 0, 3, seed=1) == Results(3, 0, 0)
    assert results(First(), First(), start, 1, 2, seed=1) == Results(0, 0, 2)
    assert results(First(), First(), State.start(Rules(1, 2, 2)), 0, 2, seed=1) == Results(0, 2, 0)
    assert Results(1, 2, 1).share == 0.5
