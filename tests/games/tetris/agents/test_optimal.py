"""The optimal player: the same in both engines, on its own board only, and with a table that can be trusted."""

from functools import cache

import numpy as np
import pytest

from apprenti.agents.description import build
from apprenti.arena.many import play_many
from apprenti.core.errors import ApprentiError, BadAgent
from apprenti.core.machine import ThreadPool
from apprenti.core.seeds import Stream, seed_of
from apprenti.games.tetris import Rules
from apprenti.games.tetris.agents.optimal import OptimalAgent
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.fast.reachable import explore_walls
from apprenti.games.tetris.fast.wall_table import WallTable
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.learn.exact import ExactConfig, Solver
from tests.helpers import play_tetris, seen


@cache
def optimal(preset="simplified", size="4x4", gamma=1.0, **changes):
    """The optimal player of a small board."""
    rules = Rules.preset(preset, size, **changes)
    solver = Solver(explore_walls(rules, ThreadPool(1)), ExactConfig(gamma=gamma))
    while not solver.done:
        solver.step()
    return OptimalAgent(WallTable(rules, gamma, solver.space.index, solver.values[:-1].astype(np.float32)))


def again(agent, **changed):
    kind, config = agent.describe()
    return build(kind, {**config, **changed.pop("config", {})}, {**agent.arrays(), **changed})


@pytest.mark.parametrize("preset", ["simplified", "overflow"])
@pytest.mark.parametrize("randomiser", ["uniform", "bag", "weighted:S=2,Z=1,I=1", "sequence:IOTSZJL"])
def test_both_engines_play_the_same_moves(preset, randomiser):
    agent = optimal(preset)
    rules = agent.table.rules.changed(randomiser=randomiser, points="classic", max_pieces=60)
    for i in range(4):
        seeds = seed_of(1, "pieces", i), seed_of(1, "player", i)
        readable, compiled = play_tetris(agent, rules, seeds), play(rules, agent.compiled(rules), [seeds], 60)[0]
        assert readable.moves == tuple(f"P:{column}:{rotation}" for _, rotation, column in compiled.moves)
        assert readable.tally.pieces == compiled.tally.pieces
        assert (readable.tally.lines, readable.tally.points) == (compiled.tally.lines, compiled.tally.points)
        assert (readable.tally.clears, readable.died) == (compiled.tally.clears, compiled.died)


def test_a_board_the_kernel_of_criteria_cannot_play_is_played_compiled_too():
    agent = optimal(size="4x3")
    rules = agent.table.rules
    assert GAME.fast(rules, [agent]) is not None
    one, two = (list(play_many(GAME, rules, [agent], 40, workers=workers)) for workers in (1, 2))
    assert [game.measures for game in one] == [game.measures for game in two]


def test_it_is_rebuilt_from_its_description_and_arrays():
    agent = optimal()
    other = again(agent)
    assert other.table.rules == agent.table.rules
    assert np.array_equal(other.table.index, agent.table.index)
    assert np.array_equal(other.table.values, agent.table.values)
    assert len(repr(agent)) < 100


def test_it_takes_the_line_that_ends_the_game_if_that_is_worth_most():
    # With lines removed first a standing bar here makes a line, and what is left of it ends the game:
    # .###
    # .###     every other placement of a bar ends the game and makes none
    # .###
    # .#.#
    agent = optimal("overflow")
    observation, legal = seen([".###", ".###", ".###", ".#.#"], "I", "overflow")
    chosen = agent.choose(observation, legal, Stream(1))
    assert (chosen.rotation, chosen.column) == (1, 0)


def test_a_wall_that_play_cannot_lead_to_counts_nothing_and_is_played():
    agent = optimal()
    observation, legal = seen(["....", "....", "....", "#.#."], "T")  # six cells can be, two cannot
    assert agent.table.value(0b0101) == 0.0
    assert agent.choose(observation, legal, Stream(1)) in legal


def test_the_value_of_a_placement_is_lines_and_what_is_to_come():
    agent = optimal()
    observation, legal = seen(["....", "....", "....", "...."], "I")
    flat = next(placement for placement in legal if placement.rotation == 0)
    assert agent.value(observation, flat) == 1 + agent.table.value(0)


@pytest.mark.parametrize("changes", [{"size": "5x4"}, {"size": "4x5"}, {"pieces": "classic"}, {"entry": "top"}])
def test_other_boards_and_pieces_are_refused(changes):
    rules = optimal().table.rules.changed(**changes)
    with pytest.raises(BadAgent, match="knows the walls of 4x4 with rapid pieces"):
        optimal().check(rules)


def test_what_else_is_different_is_played():
    for changes in ({"randomiser": "bag"}, {"preview": True}, {"max_pieces": 5}, {"overflow_clears": True}):
        optimal().check(optimal().table.rules.changed(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"values": np.zeros(3, np.float32)},
        {"values": np.full(1295, np.nan, np.float32)},
        {"values": np.full(1295, -2.0, np.float32)},
        {"values": np.zeros(1295)},
        {"gaps": np.zeros(1295, np.int64)},
        {"gaps": np.full(1295, 254, np.uint8)},
        {"config": {"gamma": 2.0}},
        {"config": {"gamma": "x"}},
        {"config": {"rules": Rules.preset("simplified", "10x20").to_json()}},
        {"config": {"rules": Rules.preset("strict", "4x4").to_json()}},
        {"config": {"rules": {"size": "4x4"}}},
        {"config": {"more": 1}},
    ],
)
def test_tables_that_are_not_whole_are_refused_with_a_sentence(changes):
    with pytest.raises(ApprentiError):
        again(optimal(), **changes)


def test_a_table_that_is_missing_is_refused():
    kind, config = optimal().describe()
    with pytest.raises(BadAgent, match="'gaps'"):
        build(kind, config)
