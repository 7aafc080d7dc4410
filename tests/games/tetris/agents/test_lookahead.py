"""One more piece ahead: with the next piece known, or at the mean over the pieces it may be."""

import pytest

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Rules, legal_placements
from apprenti.games.tetris.agents.linear import LinearAgent, LookaheadAgent, odds
from apprenti.games.tetris.criteria import Move
from apprenti.games.tetris.fast.players import play
from tests.helpers import DELLACHERIE, play_tetris, seen

LUCK = Stream(1)
LINES = {"lines": 1}

# The L upside down clears two lines now and closes the well; an I in the well clears four.
#
#   .....      ...LL
#   ####.      ####L
#   ####.      ####L
#   ####.      ####.
#   ####.      ####.
WELL = ["....."] * 5 + ["####."] * 4


def lines_of_two_pieces(agent, then, **changes):
    """Lines of an L on the board above and then of the best answer with the piece that comes then."""
    observation, legal = seen(WELL, "L", **changes)
    now = Move(observation.board, agent.choose(observation, legal, LUCK))
    answers = legal_placements(observation.rules, now.after, then)
    return now.lines, max(Move(now.after, answer).lines for answer in answers)


def test_one_piece_alone_takes_the_two_lines_that_are_there():
    assert lines_of_two_pieces(LinearAgent(LINES), "I") == (2, 0)


def test_with_the_next_piece_known_it_waits_for_the_four_lines():
    agent = LookaheadAgent(LINES, "next_piece")
    assert lines_of_two_pieces(agent, "I", next_piece="I") == (0, 4)
    assert lines_of_two_pieces(agent, "O", next_piece="O")[0] == 2


@pytest.mark.parametrize(
    ("randomiser", "remaining", "waits"),
    [
        ("sequence:LI", "", True),  # an I comes for certain
        ("sequence:LO", "", False),
        ("bag", "I", True),
        ("bag", "ITSZJO", False),
        ("weighted:I=9,O=1", "", True),  # 0.9 × 4 > 2
        ("weighted:I=1,O=9", "", False),  # 0.1 × 4 < 2
        ("uniform", "", False),  # 4 / 7 < 2
    ],
)
def test_expectimax_waits_for_the_piece_that_is_likely_enough(randomiser, remaining, waits):
    now, _ = lines_of_two_pieces(LookaheadAgent(LINES), "I", randomiser=randomiser, remaining=remaining)
    assert now == (0 if waits else 2)


def shares(**changes):
    """Letter → probability of the next piece."""
    found = dict(odds(seen(WELL, "L", **changes)[0]))
    whole = sum(found.values())
    return {letter: share / whole for letter, share in found.items()}


def test_odds_of_uniform_pieces_are_all_the_same():
    assert shares() == dict.fromkeys("IOTSZJL", pytest.approx(1 / 7))


def test_odds_of_a_bag_are_those_of_what_is_left_in_it():
    assert shares(randomiser="bag", remaining="IS") == {"I": 0.5, "S": 0.5}
    assert shares(randomiser="bag", remaining="") == dict.fromkeys("IOTSZJL", pytest.approx(1 / 7))


def test_odds_of_weighted_pieces_are_their_shares():
    assert shares(randomiser="weighted:S=3,I=1,O=0") == {"S": pytest.approx(0.75), "I": pytest.approx(0.25)}


def test_odds_of_a_sequence_are_certain_and_begin_again_after_its_end():
    pieces = [shares(randomiser="sequence:LIO", dealt=dealt) for dealt in (1, 2, 3, 4)]
    assert pieces == [{"I": 1}, {"O": 1}, {"L": 1}, {"I": 1}]


def test_odds_are_those_of_the_next_piece_also_when_a_preview_has_drawn_it_already():
    assert shares(randomiser="bag", remaining="S", next_piece="I") == {"I": 0.5, "S": 0.5}
    assert shares(randomiser="bag", remaining="", next_piece="I") == {"I": 1}
    assert shares(randomiser="sequence:LIO", dealt=2, next_piece="I") == {"I": 1}


@pytest.mark.parametrize("randomiser", ["bag", "sequence:SZSOIT"])
@pytest.mark.parametrize("preview", [False, True])
def test_expectimax_plays_the_same_in_both_engines_whether_or_not_the_next_piece_is_shown(randomiser, preview):
    rules = Rules.preset("simplified", "6x8", randomiser=randomiser, preview=preview, max_pieces=6)
    agent = LookaheadAgent(DELLACHERIE)
    fast = play(rules, agent.compiled(rules), [(2, 2)], keep_moves=6)[0]
    assert play_tetris(agent, rules, (2, 2)).moves == tuple(f"P:{column}:{turn}" for _, turn, column in fast.moves)


# An O at column 1 leaves no room for another O; at column 0 it does.
#
#   ....      .OO.      OO..
#   ....      .OO.      OO..
#   ##..      ##..      ##..
#   ##..      ##..      ##..
STEP = ["....", "....", "##..", "##.."]
RECKLESS = {"max_height": 1, "holes": 1}


def test_a_move_after_which_the_next_piece_is_fatal_is_avoided_whatever_it_promises():
    observation, legal = seen(STEP, "O", next_piece="O")
    assert LinearAgent(RECKLESS).choose(observation, legal, LUCK).column == 1
    assert LookaheadAgent(RECKLESS, "next_piece").choose(observation, legal, LUCK).column != 1


def test_the_first_placement_is_played_when_all_lose():
    observation, legal = seen(["....", "###.", "##.#", "###."], "O")
    assert LookaheadAgent(LINES).choose(observation, legal, LUCK) == legal[0]


def test_a_player_that_needs_the_next_piece_says_so_when_it_is_hidden():
    observation, legal = seen(WELL, "L")
    with pytest.raises(ApprentiError, match="use rules with a preview"):
        LookaheadAgent(LINES, "next_piece").choose(observation, legal, LUCK)


@pytest.mark.parametrize(("chosen", "look"), [({}, "expectimax"), (LINES, "far"), ({"hole": 1}, "next_piece")])
def test_what_cannot_look_ahead_is_refused(chosen, look):
    with pytest.raises(ApprentiError):
        LookaheadAgent(chosen, look)
