"""The solver against brute force, against the literature, and against itself turned and mirrored."""

from functools import cache

import pytest
from hypothesis import given, settings

from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.fast.exact import Solver, TooHard, solver_for
from apprenti.games.mnk.state import orbit
from tests.games.mnk.positions import positions, reachable


@cache
def by_brute_force(state):
    """The value for the player to move, by trying everything."""
    if state.outcome:
        return 0 if state.outcome.winner is None else -1
    return max(-by_brute_force(state.play(cell)) for cell in state.legal_moves())


def test_every_position_of_tic_tac_toe_has_the_value_of_brute_force():
    solver = Solver(Rules())
    for state in reachable(Rules()):
        assert solver.value(state) == by_brute_force(state), state.notation


@pytest.mark.parametrize("size", ["2x4x2", "3x3x2", "2x4x3", "1x8x3", "3x3x1"])
def test_and_every_position_of_other_small_boards(size):
    rules = Rules.parse(size)
    solver = Solver(rules)
    for state in reachable(rules):
        assert solver.value(state) == by_brute_force(state), state.notation


@settings(max_examples=300)
@given(positions(longest=5))
def test_the_value_of_late_positions_on_any_board_is_that_of_brute_force(state):
    if state.cells.count(".") <= 7:
        assert solver_for(state.rules).value(state) == by_brute_force(state), state.notation


@pytest.mark.parametrize(
    ("size", "value"),
    [("3x3x3", 0), ("3x4x3", 1), ("4x3x3", 1), ("4x4x3", 1), ("4x4x4", 0), ("3x5x4", 0), ("4x5x4", 0), ("5x5x3", 1),
     ("5x5x4", 0), ("1x6x3", 0), ("2x6x3", 0)],
)  # fmt: skip
def test_the_values_known_from_the_literature(size, value):
    rules = Rules.parse(size)
    assert solver_for(rules).value(State.start(rules)) == value


def test_the_value_of_each_move():
    solver = Solver(Rules())
    assert solver.values(State.parse("XX./OO./... x")) == {2: 1, 5: 0, 6: -1, 7: -1, 8: -1}
    assert set(solver.values(State.start(Rules())).values()) == {0}
    corner = solver.values(State.parse("X../.../... o"))
    assert [cell for cell, value in corner.items() if value == 0] == [4]


@given(positions(Rules(3, 4, 3)))
def test_a_position_and_its_images_have_the_same_value_even_for_solvers_that_never_met(state):
    assert len({Solver(seen.rules).value(seen) for seen in orbit(state)}) == 1


def test_what_is_too_hard_is_refused_with_a_sentence():
    rules = Rules(5, 5, 5)
    with pytest.raises(TooHard, match="was not solved within 1,000 positions: choose a smaller board"):
        Solver(rules).value(State.start(rules), nodes=1000)
    with pytest.raises(TooHard, match="up to 36 cells can be solved, and 15x15x5 has 225"):
        Solver(Rules(15, 15, 5))


def test_going_on_after_a_limit_comes_to_an_end():
    solver, start = Solver(Rules(4, 4, 4)), State.start(Rules(4, 4, 4))
    for _ in range(1000):
        try:
            assert solver.value(start, nodes=2000) == 0
            break
        except TooHard:
            continue
    else:
        pytest.fail("the table does not keep what was found")
