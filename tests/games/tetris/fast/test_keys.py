"""Games side by side, key by key: the same as `press` of the readable engine."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import IllegalMove
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Rules, deal, press, start
from apprenti.games.tetris.fast.batch import ENDS
from apprenti.games.tetris.fast.keys import KEYS, KeyBatch
from tests.helpers import rules


def cells_seen(batch, state):
    """The cells at rest and those of the piece in play, as the batch shows them."""
    rows = [*state.board.rows, *["." * state.rules.width] * 9][: batch.rows]
    rest = np.array([[cell != "." and row < state.rules.height for cell in cells] for row, cells in enumerate(rows)])
    falling = np.zeros_like(rest)
    for cell in state.position.cells(state.shape) if state.piece else ():
        falling[cell] = True
    return rest, falling


@settings(max_examples=30)
@given(rules(), st.booleans(), st.integers(0, 2**32))
def test_both_engines_press_the_same_keys_to_the_same_effect(rules, preview, seed):
    rules = rules.changed(preview=preview, max_pieces=15)
    batch, chance, luck = KeyBatch(rules, 2), Stream(seed), Stream(seed + 1)
    batch.reset([seed, seed])
    state = deal(start(rules), chance)
    for _ in range(100):
        rest, falling = cells_seen(batch, state)
        assert (batch.falling()[1] == falling).all()
        assert (batch.boards()[1] == rest).all()
        tally = state.tally
        assert (batch.lines[1], batch.points[1], batch.pieces[1]) == (tally.lines, tally.points, tally.pieces)
        assert ENDS[batch.outcome[1]] == (state.outcome and state.outcome.reason)
        assert batch.masks()[1].tolist() == [int(key in state.legal_keys()) for key in KEYS]
        if state.outcome:
            break
        assert batch.observe(1).position == state.position
        action = batch.random_actions(luck)[1]
        before = state.tally
        state = press(state, KEYS[action])
        rested = state.piece is None
        if state.turn == CHANCE:
            state = deal(state, chance)
        if luck.random() < 0.5:
            assert batch.press([action, action]).tolist() == [rested, rested]
        else:
            assert batch.step([action, action]).tolist() == [state.tally.lines - before.lines] * 2


def test_a_domino_slides_under_a_ledge():
    batch = KeyBatch(Rules.preset("tetrisbot", "4x6", pieces="domino", preview=False), 1)
    batch.reset()
    for key in "HD" + "D":  # one upright in column 1, one across columns 1 and 2 on top of it
        batch.step([KEYS.index(key)])
    assert batch.boards()[0][:3].tolist() == [[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0]]
    for key in "HRRNN":  # down column 3 to the floor
        assert not batch.press([KEYS.index(key)])[0]
    assert batch.positions[0].tolist() == [1, 0, 3]
    assert batch.press([KEYS.index("L")])[0]
    assert batch.boards()[0][:3].tolist() == [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 1, 0]]


def test_a_wrong_key_is_named():
    batch = KeyBatch(Rules.preset("tetrisbot", "6x6"), 2)
    batch.reset()
    for wrong in (-1, 6):
        with pytest.raises(IllegalMove, match=f"0 to 5 for L R D H T N, not {wrong}"):
            batch.step([0, wrong])
