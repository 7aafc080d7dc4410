"""All positions of small boards: the same as the readable rules reach, with the values of brute force."""

import pytest

from apprenti.core.errors import BadRules
from apprenti.games.mnk import Rules, State, canonical
from apprenti.games.mnk.agents.simple import PerfectAgent
from apprenti.games.mnk.codes import keys_of
from apprenti.games.mnk.fast.exact import (
    GOES_ON,
    Chances,
    best_moves,
    meets,
    never_loses,
    share_optimal,
    solver_for,
    state_of,
    tree_of,
)
from tests.games.mnk.positions import reachable

SMALL = pytest.mark.parametrize("size", ["3x3x3", "2x4x2", "2x4x3", "1x6x3", "3x3x2"])


def states_of(tree):
    return [state_of(tree.rules, int(code)) for code in tree.codes]


@SMALL
def test_a_tree_has_the_positions_the_readable_rules_reach(size):
    rules = Rules.parse(size)
    assert set(states_of(tree_of(rules, symmetric=False))) == reachable(rules)
    tree = tree_of(rules)
    assert len(tree) == len({canonical(state) for state in reachable(rules)})
    assert tree.images.sum() == len(reachable(rules))


def test_the_golden_counts():
    assert len(tree_of(Rules())) == 765
    assert len(tree_of(Rules(), symmetric=False)) == tree_of(Rules()).images.sum() == 5478


@SMALL
@pytest.mark.parametrize("symmetric", [True, False])
def test_its_moves_results_and_keys_are_those_of_the_readable_rules(size, symmetric):
    tree = tree_of(Rules.parse(size), symmetric)
    states = states_of(tree)
    for number, state in enumerate(states):
        ended = state.outcome
        assert tree.result[number] == (GOES_ON if not ended else 0 if ended.winner is None else -1)
        moves = {cell: after for cell, after in enumerate(tree.after[number]) if after >= 0}
        assert tuple(moves) == state.legal_moves()
        for cell, after in moves.items():
            reached = state.play(cell)
            assert canonical(states[after]) == canonical(reached) if symmetric else states[after] == reached
        for form in ("state", "action") if moves else ():
            keys = tree.keys_in(form)[number, list(moves)]
            assert keys.tolist() == keys_of(state, list(moves), form, symmetric).tolist()


@SMALL
def test_its_values_are_those_of_the_solver(size):
    tree = tree_of(Rules.parse(size))
    solver = solver_for(tree.rules)
    assert all(solver.value(state) == value for state, value in zip(states_of(tree), tree.value, strict=True))


def test_the_values_of_a_larger_board_agree_with_the_solver_everywhere():
    tree = tree_of(Rules(3, 4, 3))
    solver = solver_for(tree.rules)
    for number in range(0, len(tree), 17):
        assert solver.value(state_of(tree.rules, int(tree.codes[number]))) == tree.value[number]


def test_too_many_positions_are_refused_with_a_sentence():
    with pytest.raises(BadRules, match="4x4x3 has more than 1,000 positions"):
        tree_of(Rules(4, 4, 3), True, 1000)


# What becomes of a player ---------------------------------------------------------------------------------------------


def by_hand(state, best, side, opponent):
    """Win and loss of a player by following every game."""
    if state.outcome:
        winner = state.outcome.winner
        return (float(winner == side), float(winner == 1 - side))
    moves = state.legal_moves()
    if state.to_move == side:
        moves = best(state)
    elif opponent == "perfect":
        values = solver_for(state.rules).values(state)
        moves = [cell for cell in moves if values[cell] == max(values.values())]
    found = [by_hand(state.play(cell), best, side, opponent) for cell in moves]
    if state.to_move != side and opponent == "worst":
        return max(found, key=lambda pair: (pair[1], -pair[0]))
    return tuple(sum(column) / len(found) for column in zip(*found, strict=True))


def first_two(state):
    """A player who takes one of the first two free cells."""
    return state.legal_moves()[:2]


def test_random_against_random_is_as_everybody_counts_it():
    tree, best = best_moves(Rules(), State.legal_moves)
    as_x, as_o = meets(tree, best, "random")
    assert (as_x.win, as_x.draw, as_x.loss) == pytest.approx((737 / 1260, 8 / 63, 121 / 420))
    assert (as_o.win, as_o.draw, as_o.loss) == pytest.approx((121 / 420, 8 / 63, 737 / 1260))


@pytest.mark.parametrize("opponent", ["random", "perfect", "worst"])
def test_the_chances_of_a_player_are_those_of_all_its_games(opponent):
    rules = Rules(2, 4, 3)
    tree, best = best_moves(rules, first_two)
    for side, found in enumerate(meets(tree, best, opponent)):
        win, loss = by_hand(State.start(rules), first_two, side, opponent)
        assert found == Chances(pytest.approx(win), pytest.approx(1 - win - loss), pytest.approx(loss))


def test_the_perfect_player_is_optimal_everywhere_and_nobody_beats_it():
    tree, best = best_moves(Rules(), PerfectAgent().best)
    assert never_loses(tree, best)
    assert share_optimal(tree, best) == 1.0
    assert [side.draw for side in meets(tree, best, "perfect")] == pytest.approx([1.0, 1.0])


def test_a_careless_player_can_be_beaten_and_it_is_said_how_often():
    tree, best = best_moves(Rules(), State.legal_moves)
    assert not never_loses(tree, best)
    assert 0.5 < share_optimal(tree, best) < 0.6
    assert meets(tree, best, "worst")[1].loss > meets(tree, best, "random")[1].loss
