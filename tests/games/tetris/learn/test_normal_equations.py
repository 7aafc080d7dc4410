"""Recorded games: the walls that the kernel meets, and what it adds up, against plain Python."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Board, Rules
from apprenti.games.tetris.criteria import CRITERIA
from apprenti.games.tetris.fast.tables import plan_of
from apprenti.games.tetris.learn.normal_equations import Player, Recorder, scaled
from apprenti.games.tetris.state import State, deal
from apprenti.games.tetris.weights import Layout
from tests.games.tetris.learn.plain_normal_equations import Rested, best, criteria_of, dot, game
from tests.helpers import EVERYTHING, boards
from tests.learn.tiny import VALUED

NAMES = tuple(VALUED.split(","))
PLAN = plan_of(NAMES)
"""One compilation for all the tests here, and for the tiny learners."""

STANDING = ("max_height", "holes", "bumpiness", "mean_height", "constant")
ENDS = ("avoided", "nothing", "criteria")
PRESETS = ("simplified", "overflow", "strict", "tetrisbot")


def some_weights(rng, names, width, pull=-1.0):
    """Weights that let games last a little, some of them of the other sign: V is now above 0 and now below."""
    sizes = {"column_heights": width, "height_differences": width - 1}
    numbers = {name: rng.normal(pull, 1.0, sizes.get(name, 1)).tolist() for name in names}
    found = {name: part if name in sizes else part[0] for name, part in numbers.items()}
    return {**found, **({"constant": float(rng.normal(10, 10))} if "constant" in names else {})}


# The criteria of a wall -----------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.data())
def test_every_criterion_of_a_standing_wall_equals_its_definition_also_when_it_is_too_high(data):
    board = data.draw(boards(height=data.draw(st.integers(5, 20))))
    above = data.draw(st.lists(st.integers(0, 2**board.width - 2), max_size=4))
    rows = ["".join("#" if cells >> c & 1 else "." for c in range(board.width)) for cells in above]
    wall = Board(board.rows + tuple(rows), len(rows))
    rules = Rules.preset("simplified", f"{board.width}x{board.height}")
    measured = Recorder(rules, CRITERIA, EVERYTHING).criteria_of(wall)
    assert measured == pytest.approx(criteria_of(Rested(wall, None, wall, 0), CRITERIA), abs=1e-9)


# Games ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("preset", PRESETS)
def test_walls_lines_and_ends_are_those_of_the_readable_rules(preset, end):
    rng = np.random.default_rng(7)
    ended = 0
    for seed in range(6):
        rules = Rules.preset(preset, ("6x6", "5x7", "10x5")[seed % 3])
        weights = some_weights(rng, NAMES, rules.width)
        found = Recorder(rules, NAMES, PLAN).differences(weights, [(seed, 0)], 0.5, end=end, max_pieces=30, keep=40)
        slow = list(game(rules, weights, NAMES, seed, end, pieces=30))
        assert len(found.walls[0]) == len(slow)
        for wall, (phi, state, _, move) in zip(found.walls[0], slow, strict=True):
            assert wall.criteria == pytest.approx(phi, abs=1e-9)
            assert wall.lines == (move.lines if move else 0)
            assert wall.dead == (state.outcome is not None)
        ended += found.deaths
        assert found.deaths == (slow[-1][2].outcome is not None)
    assert ended > 0


def test_an_end_worth_nothing_is_welcome_when_every_living_wall_is_worth_less():
    rules = Rules.preset("simplified", "6x6")
    names = ("max_height", "constant")
    recorder = Recorder(rules, names, PLAN)
    sad = {"max_height": 0.0, "constant": -5.0}
    lives = {end: sum(recorder.differences(sad, [(s, 0) for s in range(20)], 0.5, end=end).pieces) for end in ENDS}
    assert lives["nothing"] < lives["avoided"]
    assert lives["criteria"] == lives["avoided"]  # a dead wall is as sad as any other here, and the living come first


# What they add up to --------------------------------------------------------------------------------------------------


def backward(rows, weights, names, lam, gamma, historic):
    """Equations 2.9 to 2.11 (or 2.14 and 2.15) as they stand: the criteria and the target of every wall.

    Where pieces appear at the top a game can end with no room for one: then there is no dead wall, and the step to the
    end starts from the last living one.
    """
    vector = Layout(tuple(names), 0).vector(weights)
    values = [dot(vector, phi) for phi, *_ in rows]
    last_phi, state, ready, _ = rows[-1]
    over = values[-1] if historic else 0.0
    sum_, found = 0.0, []
    if state.outcome:
        values[-1] = over
        found = [(last_phi, over)]
    elif ready.outcome:
        sum_ = gamma * over - values[-1]
        found = [(last_phi, values[-1] + sum_)]
    for k in range(len(rows) - 2, -1, -1):
        difference = rows[k][3].lines + gamma * values[k + 1] - values[k]
        sum_ = difference + gamma * lam * sum_
        found.append((rows[k][0], values[k] + sum_))
    return np.array([phi for phi, _ in found]), np.array([target for _, target in found])


@pytest.mark.parametrize("historic", [False, True])
@pytest.mark.parametrize(
    ("preset", "lam", "gamma"),
    [("simplified", 0.0, 1.0), ("simplified", 0.4, 0.9), ("simplified", 1.0, 1.0), ("strict", 0.6, 0.9),
     ("overflow", 0.6, 1.0)],
)  # fmt: skip
def test_the_sums_are_those_of_the_equations_of_the_thesis(preset, lam, gamma, historic):
    rng = np.random.default_rng(3)
    rules = Rules.preset(preset, "6x6")
    for seed in range(4):
        weights = some_weights(rng, STANDING, 6)
        end = "criteria" if historic else "nothing"
        found = Recorder(rules, STANDING, PLAN).differences(
            weights, [(seed, 0)], lam, gamma, historic=historic, end=end, max_pieces=25 if seed == 3 else 0
        )
        rows = list(game(rules, scaled(weights, gamma), STANDING, seed, end, pieces=25 if seed == 3 else 10**9))
        phi, target = backward(rows, weights, STANDING, lam, gamma, historic)
        assert found.matrix == pytest.approx(phi.T @ phi, rel=1e-9)
        assert found.vector == pytest.approx(phi.T @ target, rel=1e-9, abs=1e-6)


def with_piece(state, letter):
    """The state with this piece dealt."""
    one = replace(state.rules, randomiser=replace(state.rules.randomiser, kind="sequence", sequence=letter))
    fresh = State(one, state.board, tally=state.tally)
    return replace(deal(fresh, None), rules=state.rules)


@pytest.mark.parametrize("end", ["avoided", "nothing"])
def test_a_backup_is_the_mean_over_the_pieces_of_the_best_that_can_be_had(end):
    rules, gamma = Rules.preset("simplified", "6x5"), 0.9
    weights = some_weights(np.random.default_rng(5), STANDING, 6)
    found = Recorder(rules, STANDING, PLAN).backups(weights, [(2, 0)], gamma, end=end)
    matrix, vector = np.zeros((5, 5)), np.zeros(5)
    for phi, state, _, move in game(rules, scaled(weights, gamma), STANDING, 2, end):
        matrix += np.outer(phi, phi)
        if move:
            pieces = [with_piece(state, letter) for letter in rules.pieces.letters]
            backup = np.mean([best(ready, scaled(weights, gamma), STANDING, end, 1.0)[0] for ready in pieces])
            vector += backup * np.array(phi)
    assert found.matrix == pytest.approx(matrix, rel=1e-9)
    assert found.vector == pytest.approx(vector, rel=1e-9, abs=1e-6)


def test_the_pairs_are_the_first_players_moves_and_the_present_players_answers():
    names = ("max_height", "holes", "max_height_change", "holes_change", "lines", "constant")
    rules, gamma, rng = Rules.preset("simplified", "6x5"), 0.9, np.random.default_rng(9)
    first, present = some_weights(rng, names, 6), some_weights(rng, names, 6)
    found = Recorder(rules, names, PLAN).pairs(present, Player(first), [(4, 0)], gamma, end="nothing", max_pieces=15)
    matrix, vector = np.zeros((6, 6)), np.zeros(6)
    rows = list(game(rules, first, names, 4, "avoided", reward=0.0, pieces=15))
    for (_, _, _, move), (phi, after, _, _) in pairwise(rows):
        ahead = np.zeros(6)
        if not after.outcome:
            for letter in rules.pieces.letters:
                _, answer, _ = best(with_piece(after, letter), present, names, "nothing", 0.0)
                ahead += np.array(criteria_of(answer, names)) / 7
        matrix += np.outer(phi, np.array(phi) - gamma * ahead)
        vector += move.lines * np.array(phi)
    assert found.matrix == pytest.approx(matrix, rel=1e-9, abs=1e-9)
    assert found.vector == pytest.approx(vector, rel=1e-9)
    assert found.squares == pytest.approx(sum(np.array(row[0]) ** 2 for row in rows[1:]))


def test_games_add_up_however_they_are_grouped():
    weights = some_weights(np.random.default_rng(1), STANDING, 6)
    recorder = Recorder(Rules.preset("simplified", "6x8"), STANDING, PLAN)
    seeds = [(seed, 0) for seed in range(9)]
    together = recorder.differences(weights, seeds, 0.7)
    apart = [recorder.differences(weights, [seed], 0.7) for seed in seeds]
    sum_ = apart[0]
    for one in apart[1:]:
        sum_ = sum_.plus(one)
    assert (together.lines, together.pieces, together.deaths) == (sum_.lines, sum_.pieces, sum_.deaths)
    assert together.vector == pytest.approx(sum_.vector, rel=1e-12)


# What cannot be -------------------------------------------------------------------------------------------------------


def test_boards_too_high_for_a_piece_that_sticks_out_are_refused():
    with pytest.raises(ApprentiError, match="up to 26 rows"):
        Recorder(Rules.preset("simplified", "10x27"), STANDING)


def test_means_over_the_next_piece_need_pieces_that_do_not_depend_on_those_before():
    rules = Rules.preset("tetrisbot", "10x6")
    with pytest.raises(ApprentiError, match="dealt uniform or weighted, not bag"):
        Recorder(rules, STANDING, PLAN).odds()
    odds = Recorder(Rules.preset("simplified", "10x6", randomiser="weighted:S=1,Z=3"), STANDING, PLAN).odds()
    assert sorted(odds) == pytest.approx([0, 0, 0, 0, 0, 0.25, 0.75])
