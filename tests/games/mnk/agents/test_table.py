"""Tables: keys that agree with symmetries, choices that follow values, and refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.agents.base import RandomAgent
from apprenti.agents.description import build
from apprenti.core.errors import ApprentiError, BadAgent, BadRules
from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules, State, symmetries
from apprenti.games.mnk.agents.learned import TableAgent
from apprenti.games.mnk.codes import keys_of
from apprenti.games.mnk.state import seen_by
from tests.games.mnk.positions import positions, reachable

FORMS = pytest.mark.parametrize("form", ["state", "action"])


def table_of(values, form="state", symmetric=True, size="3x3x3", **options):
    """An agent that knows these values of (position, cell)."""
    found = {}
    for (text, cell), value in values.items():
        state = State.parse(text, k=Rules.parse(size).k)
        found[int(keys_of(state, [cell], form, symmetric)[0])] = value
    keys = sorted(found)
    arrays = {"keys": np.array(keys, np.uint64), "values": np.array([found[key] for key in keys])}
    return build("table", {"size": size, "form": form, "symmetric": symmetric, **options}, arrays)


def test_a_key_is_the_board_in_base_3():
    state = State.parse("X.O/.../... x")
    assert keys_of(state, [1, 8], symmetric=False).tolist() == [1 + 3 + 2 * 9, 1 + 2 * 9 + 3**8]
    assert keys_of(state, [1, 8], "action", symmetric=False).tolist() == [19 * 9 + 1, 19 * 9 + 8]


def test_one_key_for_each_position_and_for_each_up_to_symmetry():
    moves = [(state, cell) for state in reachable(Rules()) for cell in state.legal_moves()]
    for symmetric, states in ((False, 5477), (True, 764)):  # nobody moves to the empty board
        assert len({int(keys_of(state, [cell], "state", symmetric)[0]) for state, cell in moves}) == states
    assert len({int(keys_of(state, [cell], "action", False)[0]) for state, cell in moves}) == len(moves) == 16167


@FORMS
@given(state=positions(longest=5))
def test_symmetric_moves_have_the_same_key_and_others_have_not(form, state):
    cells = state.legal_moves()
    if not cells:
        return
    keys = dict(zip(cells, keys_of(state, cells, form), strict=True))
    for symmetry in symmetries(state.rules):
        there = seen_by(state, symmetry)
        images = dict(zip(there.legal_moves(), keys_of(there, there.legal_moves(), form), strict=True))
        assert all(images[place] == keys[cell] for place, cell in enumerate(symmetry) if cell in keys)
    after = [min(seen_by(state.play(cell), g).cells for g in symmetries(state.rules)) for cell in cells]
    if form == "state":
        assert len(set(keys.values())) == len(set(after))


@FORMS
def test_it_plays_the_best_move_it_knows_and_values_what_it_does_not_know(form):
    agent = table_of({("XX./OO./... x", 2): 1.0, ("XX./OO./... x", 5): 0.4}, form, symmetric=False, unknown=0.1)
    state = State.parse("XX./OO./... x")
    assert agent.values(state) == {2: 1.0, 5: 0.4, 6: 0.1, 7: 0.1, 8: 0.1}
    assert agent.choose(state, state.legal_moves(), Stream(1)) == 2
    assert agent.choose(state, (5, 6), Stream(1)) == 5


def test_of_equal_moves_each_is_played():
    agent = table_of({(".../.../... x", 4): 0.0})
    state = State.start(Rules())
    rng = Stream(3)
    assert {agent.choose(state, state.legal_moves(), rng) for _ in range(200)} == set(range(9))


@FORMS
def test_what_it_knows_of_one_view_it_knows_of_all(form):
    agent = table_of({("X../.../... o", 4): 0.7}, form)
    for text in ("X../.../... o", "..X/.../... o", ".../.../X.. o", ".../.../..X o"):
        assert agent.best(State.parse(text)) == (4,)


def test_another_board_is_refused_with_a_sentence():
    agent = table_of({}, size="3x4x3")
    for rules in (Rules(3, 3, 3), Rules(4, 3, 3), Rules(3, 4, 4)):
        state = State.start(rules)
        with pytest.raises(BadAgent, match=rf"has learned 3x4x3 and cannot play {rules.size}\."):
            agent.choose(state, state.legal_moves(), Stream(1))


@pytest.mark.parametrize(
    ("config", "arrays"),
    [
        ({"size": "7x7x4"}, {}),
        ({"size": "3x3"}, {}),
        ({"size": 3}, {}),
        ({"form": "values"}, {}),
        ({"unknown": float("nan")}, {}),
        ({"colour": "red"}, {}),
        ({}, {"keys": np.array([1, 2], np.uint64), "values": np.array([1.0])}),
        ({}, {"keys": np.array([2, 1], np.uint64), "values": np.array([1.0, 2.0])}),
        ({}, {"keys": np.array([1, 2], np.uint64), "values": np.array([1.0, np.inf])}),
        ({}, {"keys": np.array([[1]], np.uint64), "values": np.array([[1.0]])}),
    ],
)
def test_what_is_no_table_is_refused(config, arrays):
    with pytest.raises(ApprentiError):
        build("table", config, arrays)


def test_boards_that_do_not_fit_into_a_key_are_refused():
    with pytest.raises(BadRules, match="up to 36 cells, and 19x19x5 has 361"):
        TableAgent("19x19x5")
    assert len(TableAgent("6x6x4").values(State.start(Rules(6, 6, 4)))) == 36


@given(positions(longest=4), st.integers(0, 9))
def test_random_moves_are_legal(state, seed):
    legal = state.legal_moves()
    if legal:
        assert build("random-moves", {}).choose(state, legal, Stream(seed)) in legal


def test_random_moves_are_all_played():
    rng = Stream(1)
    state = State.parse("XX./OO./... x")
    assert {RandomAgent().choose(state, state.legal_moves(), rng) for _ in range(100)} == {2, 5, 6, 7, 8}


def test_it_can_be_built_again_and_is_the_same():
    agent = table_of({("X../.../... o", 4): 0.7}, "action", unknown=0.5)
    kind, options = agent.describe()
    twin = build(kind, options, agent.arrays())
    assert twin == agent and twin != table_of({}, "action", unknown=0.5)
