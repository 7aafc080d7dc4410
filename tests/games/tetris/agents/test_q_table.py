"""Players with a table: states as numbers by hand, and the same games readable and compiled."""

from dataclasses import replace

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Board, Rules
from apprenti.games.tetris.agents.q_table import QTableAgent, actions_of, code
from apprenti.games.tetris.placement import Position
from tests.helpers import play_tetris, seen
from tests.learn.tiny import learner

RULES = Rules.preset("tetrisbot", "4x4", pieces="domino")


def observed(rows, position, rules="tetrisbot", **changes):
    observation, _ = seen(rows, "D", rules, pieces="domino", **changes)
    return replace(observation, position=position)


BOARD = ["....", "....", "#...", "##.#"]


def test_the_grid_is_a_number_with_the_piece_in_it():
    # bits row · 4 + column: 0, 1, 3 below, 4 above; the domino flat in row 2, columns 1 and 2: bits 9 and 10
    low, high = code(observed(BOARD, Position(0, 2, 1)), "grid", "keys", 2)
    assert (low, high) == (0b0110_0001_1011, 0)


def test_apart_the_same_cells_are_two_states():
    resting = code(observed(["....", "....", "##..", "...."], Position(0, 5, 1)), "apart", "keys", 2)
    falling = code(observed(["....", "....", "....", "...."], Position(0, 1, 0)), "apart", "keys", 2)
    assert resting != falling
    assert resting[0] == 0b0011_0000


def test_differences_are_clipped_and_forget_the_height():
    # heights 2 1 0 1: differences −1 −1 1, with 2 added: 1 1 3, in base 5: 25 + 5 + 3
    low = code(observed(BOARD, Position(0, 5, 1)), "differences", "placements", 2)
    assert low == (33, 0)
    # heights 4 0 0 0: −4 counts as −2
    assert code(observed(["#..."] * 4, Position(0, 5, 1)), "differences", "placements", 2)[0] == 0 * 25 + 2 * 5 + 2


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"state": "apart"},
        {"state": "differences", "max_difference": 1},
        {"rules": "simplified", "form": "placements", "pieces": "small", "size": "5x5"},
        {"rules": "strict", "form": "placements", "state": "differences", "pieces": "rapid", "size": "5x6"},
        {"size": "10x8", "pieces": "rapid"},  # more than 64 cells: the second word
    ],
)
def test_a_table_plays_the_same_game_readable_and_compiled(options):
    made = learner("q-learning", iterations=1, episodes=300, **options)
    made.step()
    agent, rules = made.agent(), made.rules.changed(max_pieces=40)
    for seed in range(4):
        slow, (fast,) = play_tetris(agent, rules, (seed, 7)), agent.compiled(rules).play(rules, [(seed, 7)])
        assert (replace(slow.tally, last_points=0), slow.died) == (fast.tally, fast.died)


def test_an_unknown_state_is_played_at_random():
    table = {"states": np.zeros((1, 2), np.uint64), "values": np.ones((1, 6), np.float32)}
    agent, keys = QTableAgent(table=table), ("L", "R", "D", "N", "H", "T")
    observation = observed(BOARD, Position(0, 2, 1))
    rng = Stream(3)
    drawn = [agent.choose(observation, keys, rng) for _ in range(600)]
    assert set(drawn) == set(keys)
    assert min(drawn.count(key) for key in keys) > 60


def test_of_equal_actions_each_is_played_and_no_other():
    observation = observed(BOARD, Position(0, 2, 1))
    state = np.array([code(observation, "grid", "keys", 2)], np.uint64)
    values = np.array([[0, 5, 1, 5, 2, 0]], np.float32)  # L R D H T N
    agent, rng = QTableAgent(table={"states": state, "values": values}), Stream(3)
    assert {agent.choose(observation, ("L", "R", "D", "N", "H", "T"), rng) for _ in range(50)} == {"R", "H"}


def test_there_is_an_action_for_every_key_or_every_rotation_and_column():
    assert actions_of(RULES, "keys") == 6
    assert actions_of(Rules.preset("simplified", "6x6"), "placements") == 24


def test_a_table_made_for_other_pieces_is_refused():
    made = learner("q-learning", rules="simplified", form="placements")
    made.step()
    with pytest.raises(ApprentiError, match="another number of actions"):
        made.agent().compiled(Rules.preset("simplified", "5x5"))


def test_the_empty_board_is_the_number_of_the_piece_alone():
    observation = observed(["...."] * 4, Position(0, 5, 1))
    assert code(observation, "grid", "keys", 2) == (1 << 21 | 1 << 22, 0)
    assert Board.empty(4, 4, 2).encode() == 0
