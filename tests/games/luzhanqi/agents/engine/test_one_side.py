"""Following a game from one side: the record kept from what is told is the record of the game."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import BadNotation, BadRules, IllegalMove
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.engine.protocol import OneSide
from apprenti.games.luzhanqi.board import parse_point
from apprenti.games.luzhanqi.layout import BOOK
from apprenti.games.luzhanqi.moves import BOTH_DIED, DIED, MOVED, WON
from apprenti.games.luzhanqi.rules import PRESETS
from tests.games.luzhanqi.games import any_rules, begin, eager_move


def tellable(rules):
    """The same rules, so that results and flags are all there is to tell."""
    flag = "wins" if rules.flag == "carried" else rules.flag
    return replace(rules, show_fights=False, flag=flag, army=Rules().army, board="full")


@settings(max_examples=25)
@given(any_rules(), st.integers(0, 10**6), st.sampled_from([0, 3]))
def test_each_side_knows_what_the_state_would_tell_it_at_every_move(rules, seed, repetition):
    rules = replace(tellable(rules), repetition=repetition)
    rng = Stream(seed)
    state = begin(rules, rng)
    sides = [OneSide.start(state.layouts[player], player, rules) for player in (0, 1)]
    while not state.outcome:
        for player, side in enumerate(sides):
            assert side.observation == state.observation(player)
            assert side.observation.legal_moves() == state.observation(player).legal_moves()
        state = state.play(eager_move(state, rng))
        move = state.record.moves[-1]
        sides = [side.after(*move, state.record.flags[1 - player]) for player, side in enumerate(sides)]


def test_all_presets_of_whole_armies_can_be_told():
    for rules in [rules for rules in PRESETS.values() if rules.army == Rules().army]:
        assert OneSide.start(BOOK[0], 1, rules).observation.to_move == 0


@pytest.mark.parametrize(
    "change", [{"show_fights": True}, {"flag": "carried"}, {"army": "111000111111"}, PRESETS["mini"].to_json()]
)
def test_rules_that_need_more_to_be_told_are_refused(change):
    with pytest.raises(BadRules, match="engines"):
        OneSide.start(BOOK[0], 0, Rules(**change))


def test_a_bad_layout_is_refused():
    with pytest.raises(IllegalMove, match="an army has 1 of a"):
        OneSide.start("a" * 25, 0, Rules())


@pytest.mark.parametrize(
    ("move", "result", "flag", "why"),
    [
        (("H1", "H2"), MOVED, "", "no piece of the player to move stands on H1"),
        (("F2", "G2"), WON, "", "no piece of the player to move stands on F2"),
        (("G2", "H2"), WON, "", "a piece of the same player stands on H2"),
        (("G2", "F2"), MOVED, "", "with result 3, but a piece stands on F2"),
        (("G1", "H1"), DIED, "", "with result 0, but nothing stands on H1"),
        (("G1", "H1"), MOVED, "A1", "a flag is shown when a marshal falls"),
    ],
)
def test_what_cannot_have_happened_is_refused_with_the_reason(move, result, flag, why):
    side = OneSide.start(BOOK[0], 0, Rules())
    with pytest.raises(BadNotation, match=why):
        side.after(*map(parse_point, move), result, parse_point(flag) if flag else -1)


def test_a_marshal_that_falls_shows_its_flag_to_both():
    own = OneSide.start(BOOK[0], 0, Rules())  # the marshal on H2, the flag on L1
    for origin, target, result in (("G2", "F2", DIED), ("F2", "G2", MOVED), ("H2", "G2", BOTH_DIED)):
        own = own.after(parse_point(origin), parse_point(target), result)
    assert own.record.flags == (parse_point("L1"), -1)
    assert own.record.fights[-1].revealed == (True, False)
