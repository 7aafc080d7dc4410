"""The worst dealer gives what is hardest to place, and nothing else decides."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import BadRules
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Board, Rules
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.dealer import WEIGHTS, best_answer, evaluation, hardest
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.state import State
from tests.helpers import boards

WORST = Rules.preset("simplified", "6x8", randomiser="worst")


def after(rules, *rows):
    """A state that waits for a piece."""
    return State(rules, Board.parse(rows, rules.hidden))


@settings(max_examples=30)
@given(board=boards(6, 8))
def test_the_piece_that_is_dealt_has_the_worst_best_placement(board):
    ease = {letter: best_answer(WORST, board, letter, evaluation) for letter in WORST.pieces.letters}
    assert ease[hardest(WORST, board)] == min(ease.values())


@settings(max_examples=30)
@given(board=boards(6, 8), seed=st.integers(0, 9))
def test_the_law_of_the_deal_is_one_piece_and_the_deal_follows_it(board, seed):
    state = State(WORST, board)
    ((letter, share),) = state.chances()
    assert (letter, share) == (hardest(WORST, board), 1.0)
    dealt = state.deal(Stream(seed))
    assert dealt == state.play(letter)


def test_of_equally_hard_pieces_the_first_is_dealt():
    full = after(WORST, *["#.####"] * 8)
    # only an upright I would not end the game, and it would fill the well
    ease = {letter: best_answer(WORST, full.board, letter, evaluation) for letter in WORST.pieces.letters}
    dead = [letter for letter, value in ease.items() if value == -math.inf]
    assert "I" not in dead and len(dead) > 1
    assert full.chances() == ((dead[0], 1.0),)


def test_its_weights_are_dellacheries_and_its_value_is_that_of_the_linear_player():
    state = State(WORST, Board.parse(["......"] * 6 + ["##...#", "###.##"]), "T")
    agent = LinearAgent(dict(WEIGHTS))
    assert max(agent.values(state.observation()).values()) == best_answer(WORST, state.board, "T", evaluation)


def test_where_the_next_piece_is_shown_it_is_chosen_by_the_board_as_it_is():
    rules = Rules.preset("tetrisbot", "10x8", randomiser="worst")
    state = GAME.start(rules, Stream(1)).deal(Stream(1))
    piece = hardest(rules, Board.empty(10, 8, 2))
    assert (state.piece, state.next_piece) == (piece, piece)


def test_every_game_ends_soon():
    from apprenti.lab.agents import find

    agent, state = find("dellacherie").agent, GAME.start(WORST, Stream(1))
    while not state.outcome and state.tally.pieces < 300:
        state = state.deal(Stream(1)) if state.turn == CHANCE else state.play(
            agent.choose(state.observation(), state.legal_moves(), Stream(1))
        )  # fmt: skip
    assert state.outcome and not state.outcome.truncated


def test_it_is_written_read_and_left_to_the_readable_rules():
    assert Rules.from_json(WORST.to_json()) == WORST
    assert GAME.fast(WORST, [LinearAgent(dict(WEIGHTS))]) is None
    with pytest.raises(BadRules, match="uniform, bag, worst"):
        Rules.preset("simplified", randomiser="worst:T")
