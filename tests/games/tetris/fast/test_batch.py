"""Games side by side: the same games as the readable engine's, piece for piece and move for move."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import BadOption, BadRules, IllegalMove
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Board, PieceSet, Rules, deal, place, start
from apprenti.games.tetris.criteria import Move
from apprenti.games.tetris.fast.batch import ENDS, Batch
from tests.helpers import boards, rules

PENTOMINOES = PieceSet.parse("X\n.#.\n###\n.#.\n\nC\n##\n#.\n##\n\nI\n#####\n\nV\n#..\n#..\n###", "pentominoes")
HEAP = Rules.preset("simplified", "6x6")


def cells(board, height):
    """A board of the readable engine as the batch shows it: without what is above the board."""
    return np.array([[cell != "." for cell in row] for row in board.rows[:height]], np.uint8)


def legal_actions(state):
    return [p.rotation * state.rules.width + p.column for p in state.legal]


def same_moment(batch, index, state):
    """Both engines say the same of one game."""
    letters = state.rules.pieces.letters
    assert (batch.boards()[index] == cells(state.board, state.rules.height)).all()
    assert batch.piece[index] == (letters.index(state.piece) if state.piece else -1)
    assert batch.next_piece[index] == (letters.index(state.next_piece) if state.next_piece else -1)
    assert np.flatnonzero(batch.masks()[index]).tolist() == legal_actions(state)
    tally = state.tally
    assert (batch.lines[index], batch.points[index], batch.pieces[index]) == (tally.lines, tally.points, tally.pieces)
    assert ENDS[batch.outcome[index]] == (state.outcome and state.outcome.reason)


def next_state(state, action, rng):
    chosen = next(p for p in state.legal if p.rotation * state.rules.width + p.column == action)
    state = place(state, chosen)
    return deal(state, rng) if state.turn == CHANCE else state


@settings(max_examples=60)
@given(rules(), st.booleans(), st.integers(0, 2**32))
def test_both_engines_play_the_same_games_step_by_step(rules, preview, seed):
    rules = rules.changed(preview=preview, max_pieces=30)
    batch, chance, luck = Batch(rules, 2), Stream(seed), Stream(seed + 1)
    batch.reset([seed, seed])
    state = deal(start(rules), chance)
    same_moment(batch, 1, state)
    while not state.outcome:
        actions = batch.random_actions(luck)
        actions[0] = actions[1]
        before = state.tally.lines
        state = next_state(state, actions[1], chance)
        assert batch.step(actions).tolist() == [state.tally.lines - before] * 2
        same_moment(batch, 1, state)


@pytest.mark.parametrize("pieces", [PENTOMINOES, PieceSet.parse("D\n##"), PieceSet.parse("A\n#\n\nB\n##\n#.")])
@pytest.mark.parametrize("preset", ["simplified", "tetrisbot"])
def test_other_pieces_play_alike(preset, pieces):
    rules = Rules.preset(preset, "8x9", pieces=pieces)
    batch, chance, luck = Batch(rules, 1), Stream(4), Stream(5)
    batch.reset([4])
    state = deal(start(rules), chance)
    while not state.outcome:
        action = batch.random_actions(luck)
        state = next_state(state, action[0], chance)
        batch.step(action)
        same_moment(batch, 0, state)


def test_a_piece_that_would_turn_out_of_the_board_at_the_top_may_not():
    # classic I lies in the second row of its matrix; upright it would reach above the top row
    changes = {"gravity_first": False, "overflow_clears": True, "randomiser": "sequence:I"}
    rules = Rules.preset("strict", "6x8", pieces="classic", **changes)
    batch = Batch(rules, 1)
    batch.reset()
    assert np.flatnonzero(batch.masks()[0]).tolist() == [0, 1, 2]
    assert legal_actions(batch.observe(0)) == [0, 1, 2]


@settings(max_examples=40)
@given(rules(), st.integers(0, 2**32), st.integers(0, 25))
def test_afterstates_are_the_boards_after_every_legal_placement(rules, seed, moves):
    batch, luck = Batch(rules, 3, seed), Stream(seed)
    batch.reset()
    for _ in range(moves):
        batch.step(batch.random_actions(luck))
        batch.renew()
    after = batch.afterstates()
    boards = after.boards()
    assert after.starts[-1] == len(after) == batch.masks().sum()
    for index in range(3):
        state = batch.observe(index)
        mine = range(after.starts[index], after.starts[index + 1])
        assert after.action[list(mine)].tolist() == legal_actions(state)
        for k, placement in zip(mine, state.legal, strict=True):
            then = place(state, placement)
            assert after.game[k] == index
            assert after.over[k] == (then.outcome is not None)
            assert after.lines[k] == then.tally.lines - state.tally.lines
            assert (boards[k] == cells(then.board, rules.height)).all()
            if not after.over[k]:
                assert after.move[k, 1] == Move(state.board, placement).cells_removed
                assert after.move[k, 2] == placement.row + placement.top - 1


def test_the_best_placement_of_each_game_is_the_first_of_its_best():
    batch = Batch(HEAP.changed(max_pieces=1), 4, seed=2)
    batch.reset()
    after = batch.afterstates()
    values = np.array([Stream(k).random() // 0.25 for k in range(len(after))])
    for index, action in enumerate(after.best(values)):
        mine = [(values[k], -after.action[k]) for k in range(len(after)) if after.game[k] == index]
        assert action == -max(mine)[1]
    batch.step(after.best(values))
    nothing = batch.afterstates()
    assert len(nothing) == 0 and nothing.best(np.zeros(0)).tolist() == [-1] * 4


@settings(max_examples=100)
@given(st.data(), rules())
def test_masks_equal_the_placements_of_the_rules_on_random_boards(data, rules):
    board = data.draw(boards(rules.width, rules.height, rules.hidden))
    letter = data.draw(st.sampled_from(rules.pieces.letters))
    batch = Batch(rules, 2)
    batch.reset([1, 2])
    batch.set_up(1, board, letter)
    state = deal(replace(start(rules), board=board, next_piece=letter), Stream(0))
    assert batch.over[1] == (state.outcome is not None)
    assert np.flatnonzero(batch.masks()[1]).tolist() == legal_actions(state)
    after = batch.afterstates()
    for k, placement in zip(range(after.starts[1], after.starts[2]), state.legal, strict=True):
        then = place(state, placement)
        assert (after.boards()[k] == cells(then.board, rules.height)).all() and after.lines[k] == then.tally.lines


def test_games_begin_anew_with_the_next_seed_of_their_own_stream():
    rules = HEAP.changed(preview=True)
    batch, luck = Batch(rules, 5, seed=7, name="test"), Stream(1)
    batch.reset()
    streams = [Stream.named(7, "test", index) for index in range(5)]
    chances = [Stream(stream.bits()) for stream in streams]
    states = [deal(start(rules), chance) for chance in chances]
    begun = 0
    for _ in range(120):
        actions = batch.random_actions(luck)
        batch.step(actions)
        states = [next_state(s, a, c) for s, a, c in zip(states, actions, chances, strict=True)]
        for index in range(5):
            same_moment(batch, index, states[index])
        for index in batch.renew():
            begun += 1
            chances[index] = Stream(streams[index].bits())
            states[index] = deal(start(rules), chances[index])
            same_moment(batch, index, states[index])
    assert begun > 20


def test_games_do_not_depend_on_their_neighbours_or_on_threads():
    rules = Rules.preset("tetrisbot", "7x8")
    alone, shared = Batch(rules, 31, seed=3), Batch(rules, 31, seed=3, threads=3)
    alone.reset(), shared.reset()
    for step in range(40):
        actions = alone.random_actions(Stream(step))
        assert (alone.step(actions) == shared.step(actions)).all()
        assert (alone.afterstates().columns == shared.afterstates().columns).all()
        alone.renew(), shared.renew()
    for name, array in alone.state().items():
        assert (array == shared.state()[name]).all()


def test_a_restored_batch_goes_on_as_the_first_would_have():
    rules = Rules.preset("tetrisbot", "6x7")
    first, second = Batch(rules, 6, seed=1), Batch(rules, 6, seed=99)
    first.reset()
    for step in range(60):
        if step == 25:
            kept = first.state()
        first.step(first.random_actions(Stream(step)))
        first.renew()
    second.restore(kept)
    for step in range(25, 60):
        second.step(second.random_actions(Stream(step)))
        second.renew()
    for name, array in first.state().items():
        assert (array == second.state()[name]).all()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_of_a_batch_goes_on_by_itself(copied):
    first = Batch(HEAP, 3, seed=5)
    first.reset()
    second = copied(first)
    for step in range(20):
        before = first.state()
        second.step(second.random_actions(Stream(step)))
        second.renew()
        assert all((before[name] == array).all() for name, array in first.state().items())
        first.step(first.random_actions(Stream(step)))
        first.renew()
        assert all((second.state()[name] == array).all() for name, array in first.state().items())


def test_random_actions_are_legal_and_equally_likely():
    # piece I on 4 columns: one place flat, four upright
    batch = Batch(Rules.preset("simplified", "4x8", randomiser="sequence:I"), 5000)
    batch.reset()
    actions = batch.random_actions(Stream(3))
    counts = np.bincount(actions, minlength=batch.actions)
    assert (counts > 0).tolist() == batch.masks()[0].astype(bool).tolist()
    assert ((counts[counts > 0] - 1000) ** 2 / 1000).sum() < 18.5  # χ² with 4 degrees of freedom, p = 0.001


def test_a_placement_is_its_action_and_back():
    batch = Batch(Rules.preset("strict", "8x10"), 2, seed=3)
    batch.reset()
    for placement in batch.observe(1).legal:
        assert batch.placement_of(1, batch.action_of(placement)) == placement
    assert batch.observe(0).board == Board.empty(8, 10, 0)


def test_a_batch_says_what_is_wrong():
    batch = Batch(HEAP.changed(randomiser="sequence:I", max_pieces=1), 2)
    with pytest.raises(IllegalMove, match="game 0 is over or has not begun"):
        batch.step([0, 0])
    batch.reset()
    with pytest.raises(IllegalMove, match=r"action 3 of game 1 \(rotation 0, column 3\) is not legal for piece I"):
        batch.step([0, 3])
    for wrong in (-1, 10**12):
        with pytest.raises(IllegalMove):
            batch.step([0, wrong])
    assert batch.pieces.tolist() == [0, 0]  # nothing was played
    with pytest.raises(BadOption, match="needs as many actions"):
        batch.step([0])
    with pytest.raises(BadOption, match="needs as many seeds"):
        batch.reset([1])
    with pytest.raises(BadOption, match="must be 6x6"):
        batch.set_up(0, Board.empty(6, 7, 0), "I")
    with pytest.raises(BadRules, match="compiled engine"):
        Batch(Rules.preset("simplified", "17x20"), 1)
    with pytest.raises(BadOption, match="at least one game"):
        Batch(HEAP, 0)
