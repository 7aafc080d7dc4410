"""Pieces: cells, corners, rotations, sets."""

import pytest

from apprenti.core.errors import ApprentiError, BadNotation
from apprenti.games.tetris.pieces import CLASSIC, DOMINO, RAPID, PieceSet, piece_set

PENTOMINOES = """
// two of the twelve
X
.#.
###
.#.

C
##
#.
##
"""


def test_rapid_pieces_have_only_distinct_rotations():
    assert {p.letter: len(p.rotations) for p in RAPID.pieces} == {
        "I": 2,
        "O": 1,
        "T": 4,
        "S": 2,
        "Z": 2,
        "J": 4,
        "L": 4,
    }


def test_classic_pieces_have_four_rotations_but_o_has_one():
    assert {p.letter: len(p.rotations) for p in CLASSIC.pieces} == dict.fromkeys("ITSZJL", 4) | {"O": 1}


def test_j_is_drawn_as_in_the_report():
    # #..
    # ###
    j = RAPID["J"]
    assert j.matrix() == ("#..", "###", "...")
    first = j.rotations[0]
    assert first.cells == ((0, 0), (0, 1), (0, 2), (1, 0))
    assert first.corners == (0, 0, 1, 2)
    assert first.lowest == (0, 0, 0) and first.highest == (1, 0, 0)


def test_lowest_cells_follow_the_shape():
    # ##
    # #.
    # #.   J turned clockwise
    assert RAPID["J"].rotations[1].lowest == (0, 2)


@pytest.mark.parametrize("pieces", [RAPID, CLASSIC, DOMINO])
def test_turns_undo_each_other(pieces):
    for piece in pieces.pieces:
        for r in range(len(piece.rotations)):
            assert piece.anticlockwise(piece.clockwise(r)) == r


def test_classic_i_turns_about_the_centre_of_its_matrix():
    assert [CLASSIC["I"].matrix(r) for r in range(4)] == [
        ("....", "####", "....", "...."),
        ("..#.", "..#.", "..#.", "..#."),
        ("....", "....", "####", "...."),
        (".#..", ".#..", ".#..", ".#.."),
    ]


@pytest.mark.parametrize("pieces", [RAPID, DOMINO, PieceSet.parse(PENTOMINOES)])
def test_a_set_survives_being_written_and_read(pieces):
    assert PieceSet.parse(pieces.text(), pieces.name) == pieces


def test_shapes_are_read_from_text():
    pieces = PieceSet.parse(PENTOMINOES)
    assert pieces.letters == "XC"
    assert len(pieces["X"].rotations) == 1 and len(pieces["C"].rotations) == 4


@pytest.mark.parametrize(
    "text",
    ["", "T", "TT\n##", "T\n..", "T\n##\n#", "T\n#x", "T\n######", "T\n##\n\nT\n#.", "7\n##"],
)
def test_malformed_shapes_are_refused(text):
    with pytest.raises(ApprentiError):
        PieceSet.parse(text)


def test_unknown_names_are_refused_with_what_there_is():
    with pytest.raises(ApprentiError, match="rapid, classic, domino"):
        piece_set("tetris")
    with pytest.raises(ApprentiError, match="there is no piece called 'X'"):
        RAPID["X"]
    with pytest.raises(BadNotation):
        PieceSet.parse("T\n#\n##")
