"""SARSA on several boards: its games are counted from its own side."""

from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules
from apprenti.lab.kinds.mnk.boards import Results, results


class First:
    """Takes the first free cell."""

    def choose(self, observation, legal, rng: Stream):
        return legal[0]


def test_results_are_counted_from_the_side_of_the_agent():
    who_begins_wins, nobody_wins = Rules(2, 2, 2), Rules(1, 2, 2)
    assert results(First(), First(), who_begins_wins, 3, seed=1) == (Results(3, 0, 0), Results(0, 0, 3))
    assert results(First(), First(), nobody_wins, 2, seed=1) == (Results(0, 2, 0), Results(0, 2, 0))
    assert Results(1, 2, 1).share == 0.5
