"""TD(λ) with n-tuples: what the tables share, what a position is worth, and that it learns."""

import numpy as np
import pytest
from hypothesis import given

from apprenti.agents.base import RandomAgent
from apprenti.core.errors import BadAgent, BadOption
from apprenti.games.mnk import Rules, State, symmetries
from apprenti.games.mnk.agents.learned import NTupleAgent, windows_of
from apprenti.games.mnk.learn.n_tuple import NTuple, NTupleConfig
from tests.games.mnk.positions import positions

BOARD = Rules(4, 4, 3)


@pytest.fixture(scope="module")
def tables():
    """Any tables."""
    weights = np.random.default_rng(1).normal(size=windows_of(BOARD, 4).entries).astype(np.float32)
    return NTupleAgent("4x4x3", 4, {"weights": weights})


@given(positions(BOARD))
def test_a_position_is_worth_the_sum_over_its_windows(tables, state):
    own = "XO"[state.to_move]
    for cell, value in tables.values(state).items():
        digits = [0 if mark == "." else 1 if mark == own else 2 for mark in state.play(cell).cells]
        total = 0.0
        for first, cells in zip(tables.windows.first, tables.windows.cells, strict=True):
            total += float(tables.weights[first + sum(digits[c] * 3**n for n, c in enumerate(cells) if c >= 0)])
        assert value == pytest.approx(np.tanh(total))


@pytest.mark.parametrize("rules", [BOARD, Rules(3, 5, 3)], ids=lambda rules: rules.size)
def test_windows_that_a_symmetry_makes_of_each_other_share_a_table(rules):
    windows = windows_of(rules, 4)
    found = zip(windows.first, windows.cells.tolist(), strict=True)
    tables = {frozenset(cells) - {-1}: first for first, cells in found}
    for cells, first in tables.items():
        for g in symmetries(rules):
            assert tables[frozenset(g[cell] for cell in cells)] == first


def test_it_learns_to_beat_the_random_player():
    made = NTuple(NTupleConfig(size="4x4x3", length=4, iterations=2, episodes=1500, test_games=60))
    before = made.against(RandomAgent())
    while not made.done:
        made.step()
    assert made.against(RandomAgent()) > max(0.85, before)


def test_other_boards_and_lengths_are_refused(tables):
    with pytest.raises(BadAgent, match="has learned 4x4x3"):
        tables.check(Rules())
    for length in (2, 10):
        with pytest.raises(BadOption, match="--length"):
            NTupleConfig(size="4x4x3", length=length)


def test_an_untrained_player_plays():
    made = NTuple(NTupleConfig(size="3x3x3", length=3))
    assert set(made.agent().values(State.start(Rules())).values()) == {0.0}
