"""Walls as numbers: the compiled placements are those of the readable rules, and every wall is found once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.core.errors import BadRules
from apprenti.core.machine import GB, ThreadPool
from apprenti.games.tetris import Rules
from apprenti.games.tetris.fast import reachable as module
from apprenti.games.tetris.fast.reachable import MemoryPlan, explore_walls, plan
from apprenti.games.tetris.kernel.walls import DEAD, drop_names, drop_tables, read_gaps, try_drops, write_gaps
from apprenti.games.tetris.pieces import PieceSet
from apprenti.games.tetris.walls import (
    afterstates,
    board_of,
    canonical,
    is_symmetric,
    mirrored,
    reachable,
    shares,
    why_not,
)
from tests.helpers import boards

PENTOMINOES = PieceSet.parse("P\n##\n##\n#.\n\nI\n#####", "two")
"""One piece that is not its own mirror image, and one that is."""


def space_of(size, preset="simplified", workers=1, **changes):
    return explore_walls(Rules.preset(preset, size, **changes), ThreadPool(workers))


def compiled_afterstates(rules, wall, letter):
    tables = drop_tables(rules, is_symmetric(rules))
    piece = rules.pieces.letters.index(letter)
    found = np.zeros((tables.first[piece + 1] - tables.first[piece], 3), np.int64)
    try_drops(tables, wall, piece, found)
    return drop_names(rules)[tables.first[piece] : tables.first[piece + 1]], found.tolist()


@given(st.data())
def test_a_drop_does_what_place_does(data):
    preset = data.draw(st.sampled_from(["simplified", "overflow"]))
    pieces = data.draw(st.sampled_from(["rapid", "classic", "domino"]))
    high = data.draw(boards(data.draw(st.integers(4, 6)), data.draw(st.integers(4, 6))))
    rules = Rules.preset(preset, f"{high.width}x{high.height}", pieces=pieces)
    letter = data.draw(st.sampled_from(rules.pieces.letters))
    names, found = compiled_afterstates(rules, high.encode(), letter)
    wanted = list(afterstates(rules, high.encode(), letter))
    assert names == tuple((letter, placement.rotation, placement.column) for placement, _, _ in wanted)
    for (lines, wall, image), (_, wanted_lines, wanted_wall) in zip(found, wanted, strict=True):
        assert (lines, wall) == (wanted_lines, DEAD if wanted_wall is None else wanted_wall)
        assert image == (DEAD if wanted_wall is None else mirrored(wanted_wall, rules.width))


def test_a_mirror_image_by_hand():
    rules = Rules.preset("simplified", "4x4")
    wall = board_of(rules, 0b0110_0001)
    # ....      ....
    # ....      ....
    # .##.      .##.
    # #...      ...#
    assert str(wall).splitlines()[2:] == [".##.", "#..."]
    assert str(board_of(rules, mirrored(wall.encode(), 4))).splitlines()[2:] == [".##.", "...#"]
    assert canonical(0b0001, 4) == canonical(0b1000, 4) == 0b1000


@pytest.mark.parametrize(
    ("changes", "symmetric"),
    [
        ({}, True),
        ({"pieces": "classic"}, True),
        ({"pieces": PENTOMINOES}, False),
        ({"randomiser": "weighted:S=2,Z=2,I=1"}, True),
        ({"randomiser": "weighted:S=2,Z=1"}, False),
        ({"randomiser": "weighted:J=1,L=1,O=3"}, True),
    ],
)
def test_a_game_is_its_own_mirror_image_if_its_pieces_are(changes, symmetric):
    assert is_symmetric(Rules.preset("simplified", "6x6", **changes)) is symmetric


def test_shares_are_probabilities():
    assert shares(Rules.preset("simplified")) == (1 / 7,) * 7
    assert shares(Rules.preset("simplified", randomiser="weighted:S=3,Z=1")) == (0, 0, 0, 0.75, 0.25, 0, 0)


# Every reachable wall, once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "preset", "changes"),
    [
        ("4x3", "simplified", {}),
        ("4x3", "overflow", {}),
        ("3x3", "simplified", {"pieces": "domino"}),
        ("5x4", "simplified", {"pieces": PENTOMINOES}),
        ("4x3", "simplified", {"randomiser": "weighted:S=1,O=1"}),
    ],
)
def test_the_same_walls_are_found_as_by_plain_search(size, preset, changes):
    rules = Rules.preset(preset, size, **changes)
    space, walls = explore_walls(rules, ThreadPool(1)), reachable(rules)
    assert space.total == len(walls)
    folded = {canonical(wall, rules.width) for wall in walls} if is_symmetric(rules) else set(walls)
    assert set(space.walls.tolist()) == folded
    assert space.size == len(folded)


@pytest.mark.parametrize(
    ("size", "preset", "up_to_mirror", "total"),
    [
        ("4x4", "simplified", 1295, 2582),
        ("4x5", "simplified", 18723, 37427),
        ("5x4", "simplified", 109360, 218218),
        ("4x6", "simplified", 250940, 501849),
        ("4x5", "overflow", 36264, 72507),
    ],
)
def test_golden_numbers_of_walls(size, preset, up_to_mirror, total):
    space = space_of(size, preset)
    assert (space.size, space.total) == (up_to_mirror, total)


def test_the_number_of_threads_changes_nothing(monkeypatch):
    one = space_of("4x5")
    monkeypatch.setattr(module, "chunks", lambda begin, end, most: [(i, min(i + 500, end)) for i in range(0, end, 500)])
    three = space_of("4x5", workers=3)
    assert one.levels == three.levels
    for name in ("index", "walls", "places"):
        assert np.array_equal(getattr(one, name), getattr(three, name))


def test_walls_are_ordered_by_cells_and_numbered():
    space = space_of("4x4")
    cells = np.bitwise_count(space.walls.astype(np.uint64))
    assert all(len(set(cells[begin:end])) == 1 for begin, end in space.levels)
    assert list(cells) == sorted(cells, reverse=True)
    by_number = np.sort(space.walls)
    assert np.array_equal(by_number[space.places], space.walls)
    assert by_number[0] == 0


def test_without_the_mirror_twice_the_walls_are_kept(monkeypatch):
    folded = space_of("4x4")
    monkeypatch.setattr(module, "is_symmetric", lambda rules: False)
    assert space_of("4x4").size == space_of("4x4").total == folded.total


@given(st.sets(st.integers(0, 4095), min_size=1))
def test_gaps_keep_the_walls(walls):
    index, again = np.zeros(128, np.int64), np.zeros(128, np.int64)
    for wall in walls:
        index[wall >> 5] |= 1 << (wall & 31)
    gaps = np.zeros(write_gaps(index, np.zeros(0, np.uint8)), np.uint8)
    write_gaps(index, gaps)
    assert read_gaps(gaps, again) == len(walls)
    assert np.array_equal(again & 0xFFFFFFFF, index)
    assert again[127] >> 32 == sum(wall < 127 * 32 for wall in walls)
    assert read_gaps(gaps, np.zeros(max(walls) // 32, np.int64)) == -1  # they do not fit


# Memory ---------------------------------------------------------------------------------------------------------------


def test_a_plan_covers_what_is_taken():
    rules = Rules.preset("simplified", "4x6")
    planned = plan(rules, 2, GB)
    space = explore_walls(rules, ThreadPool(1))
    assert planned == MemoryPlan(rules, space.size, False, 2)
    solving = 8 * 2 + 4 * 7  # values, changes and successors
    assert planned.bytes >= space.index.nbytes + space.walls.nbytes + space.places.nbytes + solving * space.size
    assert planned.bytes < 3e7


def test_a_guess_is_rather_too_high_and_says_so():
    planned = plan(Rules.preset("simplified", "4x7"), 2, GB)
    assert planned.is_guess
    assert 1.0 <= planned.walls / 3_544_829 < 1.4
    assert str(planned).startswith("about ")


@pytest.mark.parametrize(
    ("size", "needed"),
    [("10x20", r"3\.46e\+51 GB"), ("6x6", "229 GB"), ("5x7", "224 GB"), ("32x64", r"10\^608 GB"), ("20x2", "GB")],
)
def test_impossible_sizes_are_refused_with_the_memory_they_would_need(size, needed):
    with pytest.raises(BadRules, match=f"{size} would need about .*{needed}.* 24 GB may be taken"):
        plan(Rules.preset("simplified", size), 2, 24 * GB)


def test_boards_too_large_for_a_number_are_refused():
    with pytest.raises(BadRules, match="stick out too far"):
        plan(Rules.preset("overflow", "8x4"), 2, 10**15)
    with pytest.raises(BadRules, match="more than can be numbered"):
        plan(Rules.preset("simplified", "6x6"), 2, 10**15)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Rules.preset("strict", "4x5"), "drop from above"),
        (Rules.preset("simplified", "4x5", randomiser="bag"), "independently"),
        (Rules.preset("simplified", "4x5", preview=True), "hidden"),
    ],
)
def test_games_whose_value_is_not_in_the_wall_are_refused(rules, words):
    assert words in (why_not(rules) or "")
    with pytest.raises(BadRules, match=words):
        plan(rules, 2, GB)
