"""Which of several placements that are worth the same is played."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import UnknownName
from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.base import TIES, priority
from apprenti.games.tetris.agents.filtering import FilteringAgent
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.placement import entry
from tests.helpers import WIDE, play_tetris, seen
from tests.helpers import rules as some_rules

NOTHING = {"constant": 1.0}
"""Every placement is worth the same."""


def test_dellacherie_goes_as_far_from_where_the_piece_appears_as_it_can():
    #   ..........    an O appears at column 4: to column 0 it is 4 columns, to column 8 too, and left wins
    observation, legal = seen([".........."] * 6, "O")
    found = {placement.column: priority(observation, placement) for placement in legal}
    assert found == {0: 410, 1: 310, 2: 210, 3: 110, 4: 0, 5: 100, 6: 200, 7: 300, 8: 400}
    assert LinearAgent(NOTHING, "dellacherie").choose(observation, legal, Stream(1)).column == 0


def test_of_equally_far_placements_the_lower_rotation_wins():
    # a T appears in columns 3 to 5; its turns fill their matrix from column 3 or 4 on
    observation, legal = seen([".........."] * 6, "T")
    piece = observation.rules.pieces["T"]
    shifts = {p: p.column - entry(observation.rules, piece).turned(piece, p.rotation).column for p in legal}
    assert len({priority(observation, p) for p in legal}) == len(legal)
    best = max(legal, key=lambda p: (abs(shifts[p]), shifts[p] < 0, -p.rotation))
    assert LinearAgent(NOTHING, "dellacherie").choose(observation, legal, Stream(1)) == best


@pytest.mark.parametrize("agent", [LinearAgent({"holes": -1}, "random"), FilteringAgent(("holes",), "random")])
def test_ties_at_random_give_every_equal_placement_its_share(agent):
    #   ......   no hole: an upright I anywhere, a lying one at column 2 only
    #   #.####
    observation, legal = seen(["......"] * 5 + ["#.####"], "I")
    rng, best = Stream(3), [p for p in legal if p.rotation or p.column == 2]
    drawn = [agent.choose(observation, legal, rng) for _ in range(700)]
    assert len(best) == 7 and set(drawn) == set(best)
    assert all(60 < drawn.count(p) < 140 for p in best)


@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=15)
@given(some_rules(WIDE), st.integers(0, 2**32))
def test_both_engines_break_ties_of_filters_alike(ties, rules, seed):
    agent, rules = FilteringAgent(("holes", "lines"), ties), rules.changed(max_pieces=25)
    played = play_tetris(agent, rules, (seed, seed + 1))
    (result,) = play(rules, agent.compiled(rules), [(seed, seed + 1)], keep_moves=25)
    assert [f"P:{column}:{rotation}" for _, rotation, column in result.moves] == list(played.moves)


def test_an_unknown_tie_rule_is_refused():
    for make in (lambda: LinearAgent(NOTHING, "last"), lambda: FilteringAgent(ties="last")):
        with pytest.raises(UnknownName, match="way to break ties"):
            make()
