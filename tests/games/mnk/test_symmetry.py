"""Symmetries are a group, and a position and its image are the same game."""

from hypothesis import given

from apprenti.games.mnk import Rules, State, canonical, symmetries
from apprenti.games.mnk.state import orbit, seen_by
from tests.games.mnk.positions import all_rules, positions


def test_eight_on_square_boards_four_on_others_and_fewer_on_a_line():
    assert [len(symmetries(Rules(*size))) for size in ((3, 3, 3), (4, 4, 3), (3, 4, 3), (1, 5, 3), (1, 1, 1))] == [
        8, 8, 4, 2, 1,
    ]  # fmt: skip


def test_the_eight_views_of_a_corner_and_an_edge():
    seen = {state.notation for state in orbit(State.parse("XO./.../... x"))}
    assert seen == {
        "XO./.../... x", ".OX/.../... x", ".../.../XO. x", ".../.../.OX x",
        "X../O../... x", "..X/..O/... x", ".../O../X.. x", ".../..O/..X x",
    }  # fmt: skip


@given(all_rules(7))
def test_symmetries_are_a_group(rules):
    group = set(symmetries(rules))
    assert symmetries(rules)[0] == tuple(range(rules.cells))
    assert all(tuple(one[cell] for cell in other) in group for one in group for other in group)


@given(positions())
def test_the_whole_orbit_has_one_canonical_form(state):
    assert {canonical(seen) for seen in orbit(state)} == {canonical(state)}
    assert canonical(state) in orbit(state)


@given(positions())
def test_an_image_is_the_same_game(state):
    for symmetry in symmetries(state.rules):
        image = seen_by(state, symmetry)
        assert (image.outcome, image.to_move) == (state.outcome, state.to_move)
        moves = {symmetry[cell]: cell for cell in image.legal_moves()}  # the cell there that is this cell here
        assert set(moves) == set(state.legal_moves())
        for cell, there in moves.items():
            assert seen_by(state.play(cell), symmetry) == image.play(there)
