"""Criteria of many boards: the compiled numbers are those of the definitions, to the bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import UnknownName
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Rules, criteria
from apprenti.games.tetris.criteria import CRITERIA
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.measures import Measures
from tests.helpers import boards, rules


def bits(board):
    """A board as sixteen columns of bits."""
    full = [sum(board.is_full(row, column) << row for row in range(board.height)) for column in range(board.width)]
    return np.array([full + [(1 << board.height) - 1] * (16 - board.width)], np.int32)


@settings(max_examples=120)
@given(boards())
def test_every_criterion_of_a_board_equals_its_definition(board):
    rules = Rules.preset("simplified", f"{board.width}x{board.height}")
    names = [name for name in CRITERIA if not CRITERIA[name].of_move]
    nothing = criteria.Move(board, criteria.Placement("", 0, 0, ()))  # the board after it is the board before it
    expected = [value for name in names for value in criteria.values(nothing, name)]
    found = Measures(rules, names).of_boards(bits(board))
    assert found[0].tolist() == expected


@settings(max_examples=15)
@given(rules(), st.integers(0, 2**32), st.integers(0, 20))
def test_every_criterion_of_every_placement_equals_its_definition(rules, seed, moves):
    batch, luck = Batch(rules, 2, seed), Stream(seed)
    batch.reset()
    for _ in range(moves):
        batch.step(batch.random_actions(luck))
        batch.renew()
    after, measures = batch.afterstates(), Measures(rules, CRITERIA)
    found = measures.of_afterstates(batch, after)
    assert found.shape == (len(after), measures.size)
    for k in range(seed % 7, len(after), 7):
        state = batch.observe(int(after.game[k]))
        expected = criteria.measure(state.board, batch.placement_of(after.game[k], after.action[k]), CRITERIA)
        assert measures.labels == list(expected)
        assert found[k].tolist() == ([0.0] * measures.size if after.over[k] else list(expected.values()))


def test_criteria_of_moves_are_0_without_a_move_and_unknown_ones_are_named():
    rules = Rules.preset("simplified", "6x6")
    measures = Measures(rules, ["landing_height", "eroded_piece_cells", "lines", "constant"])
    batch = Batch(rules, 2)
    batch.reset()
    assert measures.of_boards(batch.all_columns).tolist() == [[0, 0, 0, 1]] * 2
    with pytest.raises(UnknownName, match="did you mean holes"):
        Measures(rules, ["hole"])
