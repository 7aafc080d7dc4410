"""Filters, one after the other."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Rules
from apprenti.games.tetris.agents.filtering import DEFAULT, FilteringAgent
from apprenti.games.tetris.agents.linear import ends_game
from apprenti.games.tetris.criteria import Move
from tests.helpers import boards, seen

LUCK = Stream(1)

# Where an O may go:                         holes   highest   lines
#   ......    column 0, on the high step       0        5        0
#   ......    column 1, over the gap           3        5        0
#   ......    column 2, fills row 1            1        2        1
#   ##....    column 3, over the gap           1        4        0
#   ##..##    column 4, on the low step        0        4        0
#   ##.###
PILE = ["......", "......", "......", "##....", "##..##", "##.###"]


@pytest.mark.parametrize(
    ("criteria", "column"),
    [
        (("holes",), 0),  # 0 and 4 pass: the first of them
        (("holes", "max_height"), 4),  # of 0 and 4, the lower
        (("max_height", "holes"), 2),
        (("lines", "holes"), 2),
        (("holes", "lines"), 0),
        (("holes", "lines", "max_height"), 4),  # lines decide nothing, the next filter does
        (("lines", "max_height", "holes"), 2),
        (DEFAULT, 0),
    ],
)
def test_each_filter_decides_among_what_the_ones_before_it_left(criteria, column):
    observation, legal = seen(PILE, "O")
    assert FilteringAgent(criteria).choose(observation, legal, LUCK).column == column


def test_most_lines_are_kept_and_least_of_everything_else():
    #   #####.   an upright I fills four rows, a lying one none
    observation, legal = seen(["......"] * 2 + ["#####."] * 4, "I")
    for criterion in ("lines", "eroded_piece_cells", "sum_heights", "max_height", "bumpiness"):
        placement = FilteringAgent((criterion,)).choose(observation, legal, LUCK)
        assert (placement.rotation, placement.column) == (1, 5)


def slowly_filtered(observation, legal, criteria):
    """Sort by all criteria at once, the first one first; a stable sort keeps the order among equals."""
    moves = [Move(observation.board, p) for p in legal]
    alive = [move for move in moves if not ends_game(observation.rules, move)] or moves[:1]
    keys = {
        "holes": lambda m: m.after.holes,
        "sum_heights": lambda m: m.after.sum_heights,
        "bumpiness": lambda m: m.after.bumpiness,
        "lines": lambda m: -m.lines,
    }
    return min(alive, key=lambda move: [keys[name](move) for name in criteria]).placement


@given(boards(height=8), st.sampled_from("IOTSZJL"), st.permutations(DEFAULT))
def test_filters_in_any_order_are_one_lexicographic_comparison(board, letter, criteria):
    observation, legal = seen(board, letter)
    chosen = FilteringAgent(tuple(criteria)).choose(observation, legal, LUCK)
    assert chosen == slowly_filtered(observation, legal, criteria)


@given(boards(height=5), st.sampled_from("IOTSZJL"))
def test_a_losing_placement_is_played_only_when_all_lose(board, letter):
    observation, legal = seen(board, letter, "strict")
    assume(legal)
    lost = {p: ends_game(observation.rules, Move(observation.board, p)) for p in legal}
    assert not lost[FilteringAgent().choose(observation, legal, LUCK)] or all(lost.values())


def test_in_the_kernel_each_criterion_outweighs_all_that_come_after_it():
    rules = Rules.preset("simplified", "10x20")
    player = FilteringAgent(("lines", "holes", "bumpiness")).compiled(rules)
    assert player is not None
    most = {"lines": 5, "holes": 200, "bumpiness": 200}
    weights = {name: abs(weight) for name, weight in player.evaluator.sums[0]}
    assert weights["holes"] > weights["bumpiness"] * most["bumpiness"]
    assert weights["lines"] > weights["holes"] * most["holes"] + weights["bumpiness"] * most["bumpiness"]
    assert dict(player.evaluator.sums[0])["lines"] > 0 > dict(player.evaluator.sums[0])["holes"]


@pytest.mark.parametrize(
    "criteria",
    [
        ("holes", "landing_height"),  # takes halves
        ("holes", "lines", "holes"),
        ("holes", "sum_heights", "bumpiness", "row_transitions", "column_transitions", "lines"),  # too many bits
    ],
)
def test_what_the_kernel_cannot_weigh_is_left_to_the_readable_engine(criteria):
    assert FilteringAgent(criteria).compiled(Rules.preset("tetrisbot")) is None


@pytest.mark.parametrize("rows", range(4, 31))
def test_the_last_criterion_is_never_rounded_away(rows):
    # holes that touch weigh half a column transition: half of the smallest weight must lie on the kernel's grid
    rules = Rules.preset("simplified", f"10x{rows}")
    player = FilteringAgent(("holes", "max_height", "min_height", "rows_with_holes", "connected_holes")).compiled(rules)
    folded = player and player.evaluator.folded(rules.width, rules.height)[0]
    assert folded is None or folded.terms["column_transitions"] == -0.5


@pytest.mark.parametrize(
    ("criteria", "why"),
    [((), "at least one"), (("hole",), "did you mean holes"), (("column_heights",), "stands for several")],
)
def test_what_cannot_filter_is_refused(criteria, why):
    with pytest.raises(ApprentiError, match=why):
        FilteringAgent(criteria)
