"""The perfect player never gives anything away."""

import pytest
from hypothesis import given

from apprenti.agents.description import build
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.agents.simple import PerfectAgent
from apprenti.games.mnk.fast.exact import TooHard, solver_for
from tests.games.mnk.positions import positions


@given(positions(Rules(3, 3, 3)))
def test_it_keeps_the_value_of_every_position(state):
    if not state.outcome:
        value = solver_for(state.rules).value(state)
        for cell in PerfectAgent().best(state):
            assert -solver_for(state.rules).value(state.play(cell)) == value


def test_it_wins_at_once_where_it_can():
    state = State.parse("XX./OO./... x")
    assert PerfectAgent().best(state) == (2,)
    slow_too = State.parse("XO./.X./O.. x")  # cell 8 wins now; others win later
    assert sum(value == 1 for value in PerfectAgent().values(slow_too).values()) > 1
    assert PerfectAgent().best(slow_too) == (8,)


def test_in_a_lost_position_it_makes_the_other_find_the_win():
    lost = State.parse("XO./.../X.. o")
    values = PerfectAgent().values(lost)
    assert set(values.values()) == {-1.0}
    assert PerfectAgent().best(lost) == (3,)  # the only one that blocks


@given(positions(Rules(3, 3, 3)))
def test_it_chooses_a_legal_move(state):
    legal = state.legal_moves()
    if legal:
        assert PerfectAgent().choose(state, legal, Stream(1)) in legal


def test_it_can_be_built_again_with_its_limit_and_says_when_it_is_reached():
    agent = build("perfect", {"nodes": 50})
    assert build(*agent.describe()) == agent and build("perfect", {}) == PerfectAgent()
    state = State.start(Rules(5, 5, 5))
    with pytest.raises(TooHard, match="not solved within 50 positions"):
        agent.choose(state, state.legal_moves(), Stream(1))


def test_a_board_on_which_it_could_solve_nothing_is_refused_before_the_game():
    PerfectAgent().check(Rules(6, 6, 5))
    with pytest.raises(BadAgent, match="up to 36 cells, not 15x15x5"):
        PerfectAgent().check(Rules(15, 15, 5))


def test_only_boards_that_are_solved_within_a_second_are_called_soon_solved():
    assert all(Rules.parse(size).solved_soon for size in ("3x3x3", "4x5x5", "1x19x7"))
    assert not any(Rules.parse(size).solved_soon for size in ("5x5x4", "5x5x5", "6x6x4", "15x15x5"))
