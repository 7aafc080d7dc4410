"""The report's state and actions: the same from the compiled game and from what a player knows, and nothing more."""

import numpy as np
import pytest

from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.board import ACTION_OF, POINTS, SLOTS, START, parse_move, parse_point, turned
from apprenti.games.luzhanqi.fast.arrays import array_of_state
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.layout import BOOK
from apprenti.games.luzhanqi.pieces import TYPES
from apprenti.games.luzhanqi.planes import MOVE_INPUTS, move_inputs
from apprenti.games.luzhanqi.report_state import INPUTS, PAIRS, inputs, of_observation, pairs, rows
from tests.games.luzhanqi.games import SMALL_ARMY, random_game
from tests.games.luzhanqi.test_observation import alternatives, with_layouts

ARMIES = [Rules(), Rules(army=SMALL_ARMY), Rules.preset("training"), Rules.preset("mini")]


def from_array(state):
    """Inputs and pairs by way of the compiled game's array."""
    array, player = array_of_state(state), state.to_move
    board = array[at.BOARD : at.BOARD + POINTS].tolist()
    types = array[at.TYPE + SLOTS * player : at.TYPE + SLOTS * (player + 1)].tolist()
    actions = [ACTION_OF[parse_move(move)] for move in state.legal_moves()]
    return inputs(board, types, player), pairs(board, types, actions, player, state.rules)


@pytest.mark.parametrize("rules", ARMIES)
def test_the_compiled_game_and_the_observation_give_the_same_numbers(rules):
    for seed in range(3):
        for state in list(random_game(rules, seed, 120))[::7]:
            if not state.outcome:
                mine, theirs = of_observation(state.observation(state.to_move), state.legal_moves()), from_array(state)
                assert all((one == other).all() for one, other in zip(mine, theirs, strict=True))


@pytest.mark.parametrize("rules", ARMIES)
def test_every_legal_move_has_a_pair_of_its_own_in_the_row_of_a_piece_of_its_type(rules):
    first = np.cumsum([0, *rules.counts])
    for state in list(random_game(rules, 5, 120))[::5]:
        if state.outcome:
            continue
        player, board = state.to_move, state.record.board
        x, found = of_observation(state.observation(player), state.legal_moves())
        assert x.shape == (INPUTS,) and len(set(found.tolist())) == len(state.legal_moves())
        assert ((found >= 0) & (found < PAIRS)).all()
        for move, pair in zip(state.legal_moves(), found.tolist(), strict=True):
            origin, target = parse_move(move)
            row, point = divmod(pair, POINTS)
            kind = state.types[board[origin]]
            assert first[kind] <= row < first[kind + 1]
            assert point == (target if player == 0 else turned(target))
            assert x[kind * POINTS + (origin if player == 0 else turned(origin))] == 1
        assert x.sum() == len(state.record.alive)


def test_both_players_see_the_same_at_the_beginning_of_the_same_layouts():
    state = State.start(BOOK[0], BOOK[0])
    south, north = (state.observation(player) for player in (0, 1))
    boards = [inputs(seen.record.board, seen.own_types, seen.player) for seen in (south, north)]
    assert (boards[0] == boards[1]).all()
    assert boards[0][TYPES * POINTS : TYPES * POINTS + 30].sum() == 25, "the enemy is in the upper half"


def test_pieces_of_a_type_are_counted_from_the_front():
    state = State.start(BOOK[0], BOOK[1])
    seen = state.observation(0)
    found = rows(seen.record.board, seen.own_types, 0, seen.rules)
    assert sorted(found.values()) == list(range(25))
    assert found[START[0][BOOK[0].index("a")]] == 0, "the marshal"
    captains = [point for point, row in sorted(found.items()) if 10 <= row < 13]
    assert [found[point] for point in captains] == [10, 11, 12]


def test_the_inputs_do_not_change_with_what_is_hidden():
    compared = 0
    for seed in range(4):
        state = list(random_game(Rules(), seed, 40 + 20 * seed))[-1]
        if state.outcome:
            continue
        player = state.to_move
        mine = of_observation(state.observation(player), state.legal_moves())
        for layouts, _ in alternatives(state, player, Stream(seed), 60):
            other = with_layouts(state, layouts)
            theirs = of_observation(other.observation(player), other.legal_moves())
            assert all((one == two).all() for one, two in zip(mine, theirs, strict=True))
            compared += 1
    assert compared > 50


def test_what_is_heard_of_a_move():
    moves = np.array([(parse_point("G2"), parse_point("F2"), 1, 0), (0, 59, 3, 1)])
    south, north = move_inputs(moves, 0), move_inputs(moves, 1)
    assert (
        south.shape == (2, MOVE_INPUTS) and (south.sum(axis=1) == [4, 3]).all() and (north.sum(axis=1) == [3, 4]).all()
    )
    assert np.flatnonzero(south[0]).tolist() == [32, 60 + 27, 121, 124]
    assert np.flatnonzero(north[0]).tolist() == [27, 60 + 32, 121]
    assert np.flatnonzero(north[1]).tolist() == [59, 60 + 0, 123, 124]
