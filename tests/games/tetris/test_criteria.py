"""Every criterion on boards small enough to count by hand."""

import re
from pathlib import Path

import pytest

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Board, criteria, placements

DOCS = Path(__file__).parents[3] / "docs"

# before:     an O at column 1 comes to rest on the pile, nothing is removed:
#   ......      ......   row 4
#   ......      .OO...   row 3
#   ......      .OO...   row 2
#   #.#.##      #.#.##   row 1     holes at (1, 1) and (0, 2); well cells: (2, 0) and (3, 0) beside the wall,
#   ##..##      ##..##   row 0     (1, 3) with the empty (0, 3) below it, and the covered (1, 1)
BOARD = Board.parse(["......", "......", "......", "#.#.##", "##..##"])
BY_HAND = {
    "landing_height": 2.5,
    "eroded_piece_cells": 0,
    "lines": 0,
    "drop": 4 - 2.5,
    "row_transitions": 2 + 4 + 4 + 4 + 2,
    "column_transitions": 1 + 3 + 3 + 1 + 1 + 1,
    "column_frontier": 1 + 3 + 2 + 0 + 1 + 1,
    "frontier": 16 + 8,
    "holes": 2,
    "connected_holes": 2,
    "hole_depth": 2 + 3,
    "rows_with_holes": 2,
    "hard_holes": 2 + 3,
    "mean_hole_depth": (2 + 3) / 2,
    "cumulative_wells": (1 + 2) + 2 + 1,
    "cumulative_wells_fast": (1 + 2) + (1 + 2) + 1,
    "cumulative_open_wells": (1 + 2) + 2,
    "well_depth_sum": 2 + 2,
    "well_cells": 2 + 2 + 1,
    "max_well_depth": 2,
    "well_count": 3,
    "pit_depth": 2 + 2,
    "pits": 1 + 1 + 0,
    "max_height": 4,
    "min_height": 0,
    "sum_heights": 2 + 4 + 4 + 0 + 2 + 2,
    "mean_height": 14 / 6,
    "max_minus_mean": 4 - 14 / 6,
    "mean_minus_min": 14 / 6,
    "altitude_difference": 4,
    "bumpiness": 2 + 0 + 4 + 2 + 0,
    "pattern_diversity": 2,  # 2, 0, −4, 2, 0
    "fitting_pieces": 3,  # O, L and J
    "occupied_cells": 4 + 4 + 4,
    "weighted_cells": 4 * 1 + 4 * 2 + 2 * 3 + 2 * 4,
    "constant": 1,
    "max_height_change": 2,
    "holes_change": 1,
    "bumpiness_change": 8 - (1 + 1 + 2 + 2),
    "mean_height_change": (14 - 9) / 6,
}


def placed(board, letter, rotation, column):
    return next(p for p in placements(board, letter) if (p.rotation, p.column) == (rotation, column))


def test_every_single_criterion_is_counted_by_hand():
    assert set(BY_HAND) == {name for name in criteria.CRITERIA if not criteria.is_group(name)}


@pytest.mark.parametrize("name", sorted(BY_HAND))
def test_criterion_equals_the_count_by_hand(name):
    measured = criteria.measure(BOARD, placed(BOARD, "O", 0, 1), [name])
    assert measured == {name: pytest.approx(BY_HAND[name])}


def test_criteria_of_a_move_that_removes_lines():
    # an upright I fills column 3 of
    #   ......
    #   ###.##      both lines go, two cells of the I stay:   ...#..
    #   ###.##                                                ...#..
    board = Board.parse(["......", "......", "......", "###.##", "###.##"])
    move = placed(board, "I", 1, 3)
    assert criteria.measure(board, move, ["lines", "eroded_piece_cells", "landing_height", "max_height", "holes"]) == {
        "lines": 2,
        "eroded_piece_cells": 4,
        "landing_height": 1.5,
        "max_height": 2,
        "holes": 0,
    }


def test_the_two_definitions_of_wells_differ_under_an_overhang():
    #   #.#    (2, 1) is a well cell; the cells under it are empty but not well cells: (1, 0) and (0, 0) are holes
    #   ..#
    #   ..#
    board = Board.parse(["....", "....", "#.##", "..##", "..##"])
    move = placed(board, "O", 0, 2)
    measured = criteria.measure(board, move, ["cumulative_wells", "cumulative_wells_fast", "well_cells"])
    assert measured == {"cumulative_wells": 3, "cumulative_wells_fast": 6, "well_cells": 3}


def test_groups_give_a_number_for_each_part():
    measured = criteria.measure(BOARD, placed(BOARD, "O", 0, 1), ["column_heights", "height_differences"])
    assert [measured[f"column_heights[{i}]"] for i in range(1, 7)] == [2, 4, 4, 0, 2, 2]
    assert [measured[f"height_differences[{i}]"] for i in range(1, 6)] == [2, 0, 4, 2, 0]


def test_height_rbf_is_one_at_its_centre():
    board = Board.parse(["....."] * 8)
    rbf = criteria.height_rbf_at(2.0, board.height)
    assert rbf[1] == 1.0 and rbf[0] == rbf[2] < 1


def test_unknown_criteria_are_refused():
    with pytest.raises(ApprentiError, match="did you mean holes"):
        criteria.measure(BOARD, placed(BOARD, "O", 0, 1), ["hole"])


def test_the_documentation_lists_every_criterion_with_its_sentence():
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", (DOCS / "tetris.md").read_text(encoding="utf-8"), re.MULTILINE)
    said = {name: text for name, text in rows if name in criteria.CRITERIA}
    assert said == {name: criterion.text for name, criterion in criteria.CRITERIA.items()}
    assert all(text.endswith(".") for text in said.values())


def test_a_criterion_is_the_combination_that_its_entry_says():
    move = criteria.Move(BOARD, placed(BOARD, "O", 0, 1))
    before = criteria.Move(BOARD, criteria.Placement("", 0, 0, ()))
    for name, criterion in criteria.CRITERIA.items():
        if criterion.terms is not None:
            shares = criterion.shares(BOARD.width)
            expected = sum(s * criteria.values(move, t)[0] for t, s in shares)
            if criterion.is_change:
                expected -= sum(s * criteria.values(before, t)[0] for t, s in shares)
            else:
                expected += criterion.plus(BOARD.width, BOARD.height)
            assert criteria.values(move, name) == (pytest.approx(expected),)


def test_no_criterion_exceeds_its_range():
    cells = BOARD.width * BOARD.height
    bounded = {name: c.most(cells) for name, c in criteria.CRITERIA.items() if c.most}
    assert all(0 <= BY_HAND[name] <= most for name, most in bounded.items())


def test_named_sets_have_known_criteria_each_once():
    for names in criteria.SETS.values():
        assert len({criteria.find(name).name for name in names}) == len(names)
