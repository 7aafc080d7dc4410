"""The one-ply player: wins if it can, blocks if it must, else any cell."""

import pytest

from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.agents.simple import OnePlyAgent


@pytest.mark.parametrize(
    ("position", "cells"),
    [
        ("XX./OO./... x", {2}),  # wins and does not block
        ("XX./.O./... o", {2}),  # blocks
        ("X.X/.O./..O x", {1}),
        ("XXO/.../O.. x", {4}),
        (".X./X.O/..O x", {2}),
        ("X../.../... o", set()),
    ],
)
def test_it_wins_or_blocks_where_something_is_at_stake(position, cells):
    state = State.parse(position)
    assert OnePlyAgent().best(state) == cells
    chosen = {OnePlyAgent().choose(state, state.legal_moves(), Stream(seed)) for seed in range(60)}
    assert chosen == (cells or set(state.legal_moves()))


def test_where_a_single_mark_is_a_row_any_cell_wins():
    assert OnePlyAgent().best(State.start(Rules(2, 2, 1))) == {0, 1, 2, 3}
