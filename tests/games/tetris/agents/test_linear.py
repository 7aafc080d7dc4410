"""A weighted sum of criteria; the greatest is played."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.linear import LinearAgent, ends_game, evaluation_weights
from apprenti.games.tetris.criteria import Move
from tests.helpers import DELLACHERIE, boards, seen, weights

LUCK = Stream(1)


def at(legal, rotation, column):
    return next(p for p in legal if (p.rotation, p.column) == (rotation, column))


def choice(agent, observation, legal):
    """Rotation and column of what is played."""
    placement = agent.choose(observation, legal, LUCK)
    return placement.rotation, placement.column


# before:     an O at column 1 comes to rest on the pile, nothing is removed:
#   ......      ......   row 4
#   ......      .OO...   row 3
#   ......      .OO...   row 2     heights 2 4 4 0 2 2, bumpiness 8
#   #.#.##      #.#.##   row 1     holes at (1, 1) and (0, 2)
#   ##..##      ##..##   row 0     the middle of the piece lies at 2.5
PILE = ["......", "......", "......", "#.#.##", "##..##"]


@pytest.mark.parametrize(
    ("chosen", "value"),
    [
        ({"holes": -4}, -4 * 2),
        ({"holes": -4, "bumpiness": -0.5, "landing_height": -1}, -4 * 2 - 0.5 * 8 - 2.5),
        ({"sum_heights": -1, "lines": 3}, -14),
        ({"column_heights": [1, 10, 0, 0, 0, -1]}, 1 * 2 + 10 * 4 - 1 * 2),
        ({"height_differences": [1, 1, 10, 1, 1]}, 2 + 0 + 40 + 2 + 0),
        (DELLACHERIE, -2.5 + 0 - 16 - 10 - 4 * 2 - 6),
    ],
)
def test_a_value_is_the_weighted_sum_counted_by_hand(chosen, value):
    observation, legal = seen(PILE, "O")
    assert LinearAgent(chosen).values(observation)[at(legal, 0, 1)] == pytest.approx(value)


def test_the_greatest_value_is_played():
    observation, legal = seen(PILE, "O")
    # an O at column 4 covers nothing; every other one covers the gap at column 3 or the hole at column 1
    assert choice(LinearAgent({"holes": -1}), observation, legal) == (0, 4)
    assert choice(LinearAgent({"holes": 1}), observation, legal) == (0, 2)


@given(boards(height=8), st.sampled_from("IOTSZJL"), st.data())
def test_nothing_legal_is_worth_more_than_what_is_played_and_nothing_before_it_as_much(board, letter, data):
    agent = LinearAgent(data.draw(weights(board.width)))
    observation, legal = seen(board, letter)
    played = agent.choose(observation, legal, LUCK)
    values = agent.values(observation)
    assert all(values[placement] <= values[played] for placement in legal)
    assert all(values[placement] < values[played] for placement in legal[: legal.index(played)])


def test_ties_go_to_the_leftmost_column():
    observation, legal = seen(["......"] * 5, "O")
    assert choice(LinearAgent({"holes": -1}), observation, legal) == (0, 0)


def test_ties_go_to_the_lowest_rotation_before_the_leftmost_column():
    #   ......   no hole: an upright I anywhere, a lying one at column 2 only
    #   #.####
    observation, legal = seen(["......"] * 5 + ["#.####"], "I")
    values = {(p.rotation, p.column): value for p, value in LinearAgent({"holes": -1}).values(observation).items()}
    assert values[1, 0] == values[0, 2] == 0 > values[0, 0] == values[0, 1]
    assert choice(LinearAgent({"holes": -1}), observation, legal) == (0, 2)


def test_a_losing_placement_is_not_played_however_good_it_looks():
    #   ....   an O at column 0 or 1 sticks out of these four rows
    #   ##..
    #   ##..
    #   ##..
    observation, legal = seen(["....", "##..", "##..", "##.."], "O")
    assert choice(LinearAgent({"max_height": 1, "lines": -1}), observation, legal) == (0, 2)


def test_the_first_placement_is_played_when_all_lose():
    #   ....   an O sticks out wherever it lands
    #   ###.
    #   ##.#
    #   ###.
    observation, legal = seen(["....", "###.", "##.#", "###."], "O")
    assert choice(LinearAgent({"column_heights": [0, 0, 1, 1]}), observation, legal) == (0, 0)


@pytest.mark.parametrize("preset", ["simplified", "overflow", "strict", "tetrisbot"])
@given(boards(height=5), st.sampled_from("IOTSZJL"), st.data())
def test_a_losing_placement_is_played_only_when_all_lose(preset, board, letter, data):
    observation, legal = seen(board, letter, preset)
    assume(legal)
    agent = LinearAgent(data.draw(weights(board.width)))
    lost = {p: ends_game(observation.rules, Move(observation.board, p)) for p in legal}
    assert not lost[agent.choose(observation, legal, LUCK)] or all(lost.values())


numbers = st.floats(-100, 100, allow_subnormal=False)


def test_the_quality_of_the_tetris_bot_rewards_lines_and_punishes_the_rest():
    assert evaluation_weights(1, 2, 3, 4) == {"lines": 1, "sum_heights": -2, "holes": -3, "bumpiness": -4}


def test_weights_are_normalised_by_either_norm():
    assert evaluation_weights(1, 2, 3, 4, norm=1) == {
        "lines": 0.1, "sum_heights": -0.2, "holes": -0.3, "bumpiness": -0.4,
    }  # fmt: skip
    assert evaluation_weights(1, 5, 5, 7, norm=2) == {
        "lines": 0.1, "sum_heights": -0.5, "holes": -0.5, "bumpiness": -0.7,
    }  # fmt: skip


@given(numbers, numbers, numbers, numbers)
def test_normalised_weights_have_length_1_and_keep_their_proportions(a, b, c, d):
    assume(max(map(abs, (a, b, c, d))) > 1e-3)
    plain = list(evaluation_weights(a, b, c, d).values())
    for norm in (1, 2):
        scaled = list(evaluation_weights(a, b, c, d, norm).values())
        assert sum(abs(w) ** norm for w in scaled) == pytest.approx(1)
        largest = max(range(4), key=lambda i: abs(plain[i]))
        assert [w * plain[largest] for w in scaled] == pytest.approx([w * scaled[largest] for w in plain])


@pytest.mark.parametrize(
    ("given_", "why"),
    [((0, 0, 0, 0, 1), "all 0"), ((0, 0, 0, 0, 2), "all 0"), ((1, 1, 1, 1, 3), "norm 1 or 2"),
     ((1, 1, 1, 1, -1), "norm 1 or 2"), ((math.nan, 1, 1, 1, 1), "normalised")],
)  # fmt: skip
def test_weights_that_cannot_be_normalised_are_refused(given_, why):
    with pytest.raises(ApprentiError, match=why):
        evaluation_weights(*given_)


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({}, "at least one criterion"),
        ({"hole": -4}, "did you mean holes"),
        ({"holes": math.nan}, "finite"),
        ({"holes": -math.inf}, "finite"),
        ({"holes": 10**400}, "finite"),
        ({"holes": 1.7e308, "lines": 1.7e308}, "finite"),
        ({"holes": True}, "finite"),
        ({"holes": "-4"}, "one weight"),
        ({"holes": [-4]}, "one weight"),
        ({"column_heights": -1}, "a list of weights"),
    ],
)
def test_weights_that_are_none_are_refused(chosen, why):
    with pytest.raises(ApprentiError, match=why):
        LinearAgent(chosen)


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 1e-200])
def test_tiny_weights_play_without_an_error(tiny):
    observation, legal = seen(PILE, "O")
    assert LinearAgent({"holes": -tiny}).choose(observation, legal, LUCK) in legal


def test_a_list_of_the_wrong_length_is_refused_when_the_board_is_known():
    observation, legal = seen(PILE, "O")
    with pytest.raises(ApprentiError, match="takes 6 weights on a board 6 columns wide, and this player has 10"):
        LinearAgent({"column_heights": [-1] * 10}).choose(observation, legal, LUCK)
