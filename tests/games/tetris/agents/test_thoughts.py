"""What players of Tetris say of a position is what they play by."""

import math

import pytest

from apprenti.core.protocols import Contributes, Valued
from apprenti.core.seeds import Stream
from apprenti.games.tetris.game import GAME
from apprenti.lab.agents import find
from apprenti.views.thoughts import Thoughts, ValuedMove, brief, thoughts_of, whole

SUMS = ("dellacherie", "bcts", "thesis-27", "tetrisbot", "evaluation:0.5,0.5,0.6,0.2", "linear:holes=-4,max_height=-1")
PLAYERS = (*SUMS, "filtering", "expectimax:dellacherie", "preview:dellacherie", "boehm")


def decisions(name, count=6):
    """An agent, and positions of a game of its own on a low board."""
    found = find(name)
    rules, rng = found.rules.changed("10x8"), Stream(3)
    state = GAME.start(rules, rng).deal(rng)
    for _ in range(count):
        yield found.agent, state
        state = state.play(found.agent.choose(state.observation(), state.legal_moves(), rng))
        if state.outcome:
            return
        state = state.deal(rng)


@pytest.mark.parametrize("name", PLAYERS)
def test_the_placement_that_is_played_is_worth_most(name):
    for agent, state in decisions(name):
        values = agent.values(state.observation())
        assert isinstance(agent, Valued)
        assert tuple(values) == state.legal_moves()
        assert values[agent.choose(state.observation(), state.legal_moves(), Stream(1))] == max(values.values())


@pytest.mark.parametrize("name", SUMS)
def test_what_the_criteria_contribute_adds_up_to_the_value(name):
    for agent, state in decisions(name):
        assert isinstance(agent, Contributes)
        values, parts = agent.values(state.observation()), agent.contributions(state.observation())
        assert parts.keys() == values.keys()
        for move, terms in parts.items():
            assert sum(terms.values()) == pytest.approx(values[move], rel=1e-5, abs=1e-5)
            assert set(terms) <= {*agent.weights, "end of the game", "the same for all"}


def test_a_weight_times_the_criterion_is_what_it_contributes():
    # ....      the O on the left makes no hole, one line stays:  -4 holes, +1 line
    # ##..
    agent, rules = find("linear:holes=-4,lines=1").agent, find("dellacherie").rules.changed("4x4")
    state = GAME.read_state(rules, "##.. O")
    parts = {str(move): terms for move, terms in agent.contributions(state.observation()).items()}
    assert parts["P:2:0"] == {"holes": 0.0, "lines": 1.0}
    assert parts["P:1:0"] == {"holes": -4.0, "lines": 0.0}


def test_changes_against_the_board_before_leave_what_is_the_same_for_all_out():
    agent, rules = find("linear:holes_change=-4,lines=1").agent, find("dellacherie").rules.changed("4x4")
    state = GAME.read_state(rules, "#.##/..## O")
    rest = {terms["the same for all"] for terms in agent.contributions(state.observation()).values() if len(terms) > 1}
    assert rest == {-4.0}  # one hole was there before


def test_a_placement_that_ends_the_game_is_worth_less_than_anything():
    agent, rules = find("dellacherie").agent, find("dellacherie").rules.changed("4x4")
    thoughts = thoughts_of(agent, GAME.read_state(rules, "#.../#.../#.../#... I").observation())
    ends = [one for one in thoughts.moves if one.value == -math.inf]
    assert ends
    assert ends[-1] == thoughts.moves[-1]
    assert all(one.to_json("")["value"] is None for one in ends)
    assert "the end" in whole(thoughts)


def test_values_of_the_other_moves_lose_their_decimals_only_where_they_are_large():
    values = [1, 1, 1, 1, 0.27, -0.03, -12.4]
    thoughts = Thoughts(tuple(ValuedMove(f"a{number}", value) for number, value in enumerate(values)))
    assert brief(thoughts).splitlines()[-1] == "a4 0.27  a5 -0.03  a6 -12"


def test_all_moves_are_told_and_the_best_few_beside_a_board():
    agent, rules = find("bcts").agent, find("bcts").rules.changed("10x8")
    thoughts = thoughts_of(agent, GAME.read_state(rules, "####....../###....... T").observation())
    assert len(thoughts.moves) == 34
    assert len(whole(thoughts).splitlines()) == 35
    assert "row transitions" in whole(thoughts).splitlines()[0]
    lines = brief(thoughts).splitlines()
    assert len(lines) == 1 + 8 + 1 + 2
    assert max(map(len, lines)) <= 56  # with a board of ten columns and its frame that is a terminal's 80
