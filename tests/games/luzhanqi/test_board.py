"""The board is the one of the rules: its links, its railway, its symmetries, its moves."""

from collections import Counter

import pytest

from apprenti.core.errors import BadNotation
from apprenti.games.luzhanqi import board
from apprenti.games.luzhanqi.board import (
    ACTION_OF,
    ACTIONS,
    CAMPS,
    EDGES,
    HEADQUARTERS,
    MOVES,
    NEIGHBOURS,
    POINTS,
    RAIL,
    RAIL_EDGES,
    RAYS,
    START,
    mirrored,
    turned,
)
from apprenti.games.luzhanqi.moves import NO_PIECE, ways


def point(name):
    return board.parse_point(name)


def test_the_counts_of_the_rules():
    assert len(EDGES) == 133
    assert len(RAIL_EDGES) == 35
    assert len(RAIL) == 32
    assert len(CAMPS) == 10
    assert len(HEADQUARTERS) == 4
    assert Counter(map(len, NEIGHBOURS)) == {2: 4, 3: 18, 4: 20, 5: 4, 6: 4, 8: 10}
    assert sum(abs(first - second) == 1 for first, second in EDGES) == 48
    assert sum(abs(first - second) == 5 for first, second in EDGES) == 53
    assert sum(abs(first - second) in (4, 6) for first, second in EDGES) == 32


@pytest.mark.parametrize("symmetry", [turned, mirrored])
def test_the_board_is_symmetric(symmetry):
    def image(edges):
        return {tuple(sorted((symmetry(first), symmetry(second)))) for first, second in edges}

    assert image(EDGES) == EDGES
    assert image(RAIL_EDGES) == RAIL_EDGES
    assert {symmetry(p) for p in CAMPS} == CAMPS
    assert {symmetry(p) for p in HEADQUARTERS} == HEADQUARTERS
    assert {(symmetry(origin), symmetry(target)) for origin, target in MOVES} == set(MOVES)


def test_the_mountains_separate_and_the_bridges_link():
    for column, linked in enumerate([True, False, True, False, True]):
        north, south = point(f"F{column}"), point(f"G{column}")
        assert (south in NEIGHBOURS[north]) == linked
        assert ((north, south) in RAIL_EDGES) == linked


def test_every_camp_is_linked_to_its_eight_neighbours_and_no_other_diagonals_exist():
    for camp in CAMPS:
        assert len(NEIGHBOURS[camp]) == 8
    for first, second in EDGES:
        if abs(first - second) in (4, 6):
            assert first in CAMPS or second in CAMPS


def test_the_railway_is_one_component():
    empty = [NO_PIECE] * POINTS
    assert set(ways(empty, point("B0"))) | {point("B0")} == RAIL


def test_an_engineer_has_32_destinations_from_f1_on_an_empty_board():
    empty = [NO_PIECE] * POINTS
    assert len({*NEIGHBOURS[point("F1")], *ways(empty, point("F1"))}) == 32


def test_moves_have_numbers():
    assert ACTIONS == 1176
    assert len(set(MOVES)) == len(MOVES) == 1188
    origins = Counter(origin for origin, _ in MOVES[:ACTIONS])
    assert len(origins) == 56
    assert max(origins.values()) == 35
    assert not HEADQUARTERS & origins.keys()
    ordinary = {(p, q) for p, _ in MOVES[:ACTIONS] for q in {*NEIGHBOURS[p], *(q for ray in RAYS[p] for q in ray)}}
    assert len(ordinary) == 446
    for number, move in enumerate(MOVES):
        assert ACTION_OF[move] == number
        assert board.TURNED_ACTION[board.TURNED_ACTION[number]] == number
        assert (board.TURNED_ACTION[number] < ACTIONS) == (number < ACTIONS)


def test_slots_run_from_the_front_left_to_right_as_the_owner_sees_it():
    rows = [[board.point_name(p) for p in START[0][a:b]] for a, b in ((0, 5), (5, 8), (8, 12), (12, 15), (15, 20))]
    assert rows == [
        ["G0", "G1", "G2", "G3", "G4"],
        ["H0", "H2", "H4"],
        ["I0", "I1", "I3", "I4"],
        ["J0", "J2", "J4"],
        ["K0", "K1", "K2", "K3", "K4"],
    ]
    assert board.point_name(START[1][0]) == "F4"
    assert board.point_name(START[1][24]) == "A0"
    assert not CAMPS & {*START[0], *START[1]}


def test_points_and_moves_have_names():
    assert board.parse_move("G2F2") == (32, 27)
    assert board.parse_move("l4a0") == (59, 0)
    for move in MOVES:
        assert board.parse_move(board.move_name(*move)) == move


@pytest.mark.parametrize("text", ["", "G2", "G2F", "G2F5", "M0A0", "G2F22", "2GF2", "é2F2"])
def test_other_text_is_no_move(text):
    with pytest.raises(BadNotation, match="like G2"):
        board.parse_move(text)
