"""Two engines, one truth: the compiled kernel against the readable rules."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.agents.description import build
from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Board, PieceSet, Rules, criteria, legal_placements
from apprenti.games.tetris.agents.filtering import FilteringAgent
from apprenti.games.tetris.agents.linear import LinearAgent, LookaheadAgent
from apprenti.games.tetris.criteria import CRITERIA, Move, is_group, size_of
from apprenti.games.tetris.fast.players import CompiledPlayer, placement_values, play, why_not
from apprenti.games.tetris.weights import fold
from tests.helpers import DELLACHERIE, EVERYTHING, NARROW, SEVERAL, SOME, WIDE, boards, play_tetris, rules, weights

PENTOMINOES = PieceSet.parse("X\n.#.\n###\n.#.\n\nC\n##\n#.\n##\n\nI\n#####\n\nV\n#..\n#..\n###", "pentominoes")


def same_game(agent, player, rules, seed, pieces=40):
    """Both engines play the same moves and come to the same tally."""
    rules = rules.changed(max_pieces=pieces)
    slow = play_tetris(agent, rules, (seed, seed + 1))
    fast = play(rules, player, [(seed, seed + 1)], keep_moves=pieces)[0]
    assert tuple(f"P:{column}:{rotation}" for _, rotation, column in fast.moves) == slow.moves
    assert (fast.tally.lines, fast.tally.points, fast.tally.pieces) == (
        slow.tally.lines, slow.tally.points, slow.tally.pieces,
    )  # fmt: skip
    assert fast.tally.clears == slow.tally.clears
    assert fast.died == slow.died


@settings(max_examples=40)
@given(st.data(), rules(), st.integers(0, 2**32))
def test_engines_play_the_same_games(data, rules, seed):
    chosen = data.draw(weights(rules.width, SEVERAL))
    player = CompiledPlayer.of(chosen, plan=SOME)
    same_game(LinearAgent(chosen), player, rules, seed, pieces=25)


@pytest.mark.parametrize("preset", ["simplified", "overflow", "strict", "tetrisbot"])
@pytest.mark.parametrize("size", ["10x6", "7x8"])
def test_engines_agree_over_long_games_of_a_good_player(preset, size):
    rules = Rules.preset(preset, size)
    same_game(LinearAgent(DELLACHERIE), CompiledPlayer.of(DELLACHERIE), rules, seed=11, pieces=150)


@settings(max_examples=10)
@given(rules(NARROW, preview=True), st.integers(0, 2**32))
def test_engines_agree_with_the_next_piece_known(rules, seed):
    agent = LookaheadAgent(DELLACHERIE, "next_piece")
    same_game(agent, agent.compiled(rules), rules, seed, pieces=5)


@settings(max_examples=4)
@given(rules(WIDE), st.integers(0, 2**32))
def test_engines_agree_on_expectimax(rules, seed):
    """On wide boards; `test_lookahead` has narrow ones."""
    agent = LookaheadAgent({"holes": -4, "landing_height": -1}, "expectimax")
    same_game(agent, agent.compiled(rules), rules, seed, pieces=2)


@settings(max_examples=30)
@given(rules(WIDE), st.integers(0, 2**32))
def test_engines_draw_the_same_ties(rules, seed):
    agent = LinearAgent({"holes": -1, "lines": 1}, ties="random")
    same_game(agent, agent.compiled(rules), rules, seed)


@settings(max_examples=30)
@given(rules(), st.integers(0, 2**32))
def test_engines_filter_alike(rules, seed):
    agent = FilteringAgent()
    player = agent.compiled(rules)
    assert player is not None
    same_game(agent, replace(player, plan=SOME), rules, seed)


@pytest.mark.parametrize("preset", ["simplified", "tetrisbot"])
@pytest.mark.parametrize("pieces", [PENTOMINOES, PieceSet.parse("D\n##"), PieceSet.parse("A\n#\n\nB\n##\n#.")])
def test_engines_agree_on_other_pieces(preset, pieces):
    rules = Rules.preset(preset, size="8x10", pieces=pieces)
    player = CompiledPlayer.of(DELLACHERIE, plan=SOME)
    same_game(LinearAgent(DELLACHERIE), player, rules, seed=3, pieces=60)


def readable_values(rules, board, letter, name, part):
    """(rotation, column) → the number of a criterion, minus infinity where the game ends."""
    found = {}
    for placement in legal_placements(rules, board, letter):
        move = Move(board, placement)
        over = placement.top > rules.rows or move.after.highest > rules.height
        found[placement.rotation, placement.column] = -math.inf if over else criteria.values(move, name)[part]
    return found


def up_to_a_constant(values):
    """Values less their smallest finite one."""
    finite = [value for value in values.values() if math.isfinite(value)]
    return {key: value - min(finite, default=0.0) for key, value in values.items()}


@pytest.mark.parametrize("name", CRITERIA)
@settings(max_examples=40)
@given(st.data())
def test_each_criterion_equals_its_definition_on_random_boards(name, data):
    board = data.draw(boards())
    letter = data.draw(st.sampled_from("IOTSZJL"))
    rules = Rules.preset("simplified", size=f"{board.width}x{board.height}")
    part = data.draw(st.integers(0, size_of(name, board.width) - 1))
    weight = [float(i == part) for i in range(size_of(name, board.width))] if is_group(name) else 1.0
    player = CompiledPlayer.of({name: weight}, plan=EVERYTHING)
    fast = up_to_a_constant(placement_values(rules, player, board, letter))
    slow = up_to_a_constant(readable_values(rules, board, letter, name, part))
    assert fast == pytest.approx(slow, abs=1e-6)


def test_results_do_not_depend_on_how_games_are_split():
    rules, player = Rules.preset("simplified", "10x8"), CompiledPlayer.of(DELLACHERIE)
    seeds = [(i, i) for i in range(40)]
    together = [game.tally for game in play(rules, player, seeds)]
    assert together == [play(rules, player, [seed])[0].tally for seed in seeds]


def test_dellacherie_scores_what_mdptetris_measured():
    # 2449 ± 4 % on 10x10 (mdptetris); ours is between 2200 and 2500 over 2000 games with overwhelming probability
    games = play(Rules.preset("simplified", "10x10"), CompiledPlayer.of(DELLACHERIE), [(i, 0) for i in range(2000)])
    mean = np.mean([game.tally.lines for game in games])
    assert 2350 * (1 - 0.07) < mean < 2449 * 1.07


def test_a_stopped_game_counts_as_cut():
    from apprenti.games.tetris.fast.players import stop_signal

    stop = stop_signal()
    stop[0] = 1
    game = play(Rules.preset("simplified"), CompiledPlayer.of(DELLACHERIE), [(1, 1)], stop=stop)[0]
    assert game.tally.pieces == 0 and not game.died


@pytest.mark.parametrize("size", ["3x20", "17x20", "10x31", "10x3"])
def test_sizes_beyond_the_kernel_are_named(size):
    assert "compiled engine" in (why_not(Rules.preset("simplified", size, pieces="domino")) or "")


def test_an_overflow_beyond_the_registers_is_named():
    assert why_not(Rules.preset("overflow", "10x28")) is not None
    assert why_not(Rules.preset("overflow", "10x27")) is None


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from([*CRITERIA, "nonsense"]), st.one_of(
    st.floats(allow_nan=True, allow_infinity=True), st.lists(st.floats(), max_size=12), st.none(), st.text(max_size=3),
), max_size=4))  # fmt: skip
def test_fuzzed_weights_are_folded_or_refused_with_a_sentence(chosen):
    try:
        folded = fold(build("linear", {"weights": chosen}).weights, 10, 20)
    except ApprentiError as error:
        assert str(error).endswith((".", "?", ")"))
    else:
        numbers = [*folded.terms.values(), *folded.columns, *folded.pairs, *folded.table]
        assert all(math.isfinite(number) for number in numbers)


def test_sums_are_exact_in_any_order():
    folded = fold({"holes": -0.1, "bumpiness": -0.3, "sum_heights": -0.7, "lines": 0.9}, 10, 20)
    terms = [weight * count for weight, count in zip(folded.terms.values(), (17, 33, 141, 2), strict=True)]
    assert sum(terms) == sum(reversed(terms)) == math.fsum(terms)


def test_an_empty_board_has_the_value_of_symmetric_drops_tied():
    weights = {"holes": -0.1, "bumpiness": -0.3, "sum_heights": -0.7}
    player = CompiledPlayer.of(weights, plan=EVERYTHING)
    values = placement_values(Rules.preset("simplified"), player, Board.empty(10, 20, 0), "O")
    assert values[0, 0] == values[0, 8] and values[0, 3] == values[0, 5]


@pytest.mark.parametrize("name", ["cumulative_wells", "cumulative_wells_fast", "column_transitions", "row_transitions"])
def test_many_deep_wells_are_counted_to_the_last(name):
    # every other column is a well of 22 cells: together more bits than a byte can count
    rules = Rules.preset("simplified", "9x27", pieces=PENTOMINOES)
    board = Board.parse(["........."] * 5 + ["#.#.#.#.#"] * 22)
    player = CompiledPlayer.of({name: 1.0}, plan=EVERYTHING)
    fast = up_to_a_constant(placement_values(rules, player, board, "I"))
    assert fast == pytest.approx(up_to_a_constant(readable_values(rules, board, "I", name, 0)), abs=1e-6)
