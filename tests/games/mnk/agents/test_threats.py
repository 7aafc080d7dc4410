"""The threat search: forced wins and forced answers on positions made by hand, and whom it beats."""

import subprocess
import sys

import pytest

from apprenti.agents.base import RandomAgent
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.agents.simple import OnePlyAgent, PerfectAgent
from apprenti.games.mnk.agents.threats import ThreatAgent
from apprenti.games.mnk.game import MNK

SMALL = ThreatAgent(depth=4, width=8, nodes=3000)


def named(rows, k):
    """The name of the cell that is played on a board drawn as rows, for any chance."""
    to_move = "xo"[sum(row.count("X") - row.count("O") for row in rows)]
    state = State.parse("/".join(rows) + " " + to_move, k=k)
    return {state.rules.name_of(SMALL.choose(state, state.legal_moves(), Stream(seed))) for seed in range(4)}


def test_a_row_is_completed_rather_than_another_blocked():
    rows = [".......", ".XXX...", ".......", ".OOO...", ".......", ".......", "......."]
    assert named(rows, 4) <= {"a2", "e2"}


def test_a_row_of_the_others_is_blocked():
    rows = [".......", "..X....", "XOOO...", "..X....", ".......", ".......", "......."]
    assert named(rows, 4) == {"e3"}


def test_two_open_ends_win():
    rows = [".......", "X......", "..OO...", "......X", "...X...", ".......", "......."]
    assert named(rows, 4) <= {"b3", "e3"}


def test_two_in_a_row_that_would_become_three_with_open_ends_are_stopped():
    rows = [".......", ".......", "..XX...", ".......", "...O...", ".......", "......."]
    assert named(rows, 4) <= {"b3", "e3"} | {"a3", "f3"}


def test_a_run_of_fours_is_found_that_no_search_of_one_move_sees():
    # f3 makes a four that g3 has to answer; then f6 makes two at once, in its row and in its column
    rows = ["O......OO", ".........", ".OXXX....", ".....X...", ".....X...", ".OXXX...."]
    rows += [".........", ".........", "O......OO"]
    state = State.parse("/".join(rows) + " x", k=5)
    values = ThreatAgent(depth=0).values(state)
    assert max(values.values()) == 1.0
    assert max(ThreatAgent(depth=0, fours=0).values(state).values()) < 1.0


def test_it_never_loses_tic_tac_toe_to_the_perfect_player():
    for number in range(6):
        players = (ThreatAgent(), PerfectAgent()) if number % 2 else (PerfectAgent(), ThreatAgent())
        assert play_game(MNK, Rules(), players, seeds_of_game(1, number, 2)).outcome.winner is None


@pytest.mark.parametrize("other", [RandomAgent(), OnePlyAgent()], ids=["random", "one-ply"])
def test_it_beats_the_baselines_on_7x7x4(other):
    points = 0.0
    for number in range(6):
        side = number % 2
        players = (SMALL, other) if side == 0 else (other, SMALL)
        points += play_game(MNK, Rules(7, 7, 4), players, seeds_of_game(7, number, 2)).outcome.scores[side]
    assert points >= 5


def test_the_compiled_search_can_be_read_back_from_the_disk():
    # compiled code that calls itself could not: each process loads what the one before it has stored
    code = (
        "from apprenti.games.mnk.agents.threats import ThreatAgent; from apprenti.games.mnk import Rules, State;"
        "print(sorted(ThreatAgent(nodes=500).values(State.start(Rules(3, 3, 3))).items()))"
    )
    said = {subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in range(2)}
    assert len(said) == 1


@pytest.mark.parametrize("options", [{"depth": -1}, {"width": 0}, {"nodes": 0}, {"fours": 61}, {"noise": 1.5}])
def test_impossible_options_are_refused(options):
    with pytest.raises(BadAgent, match=next(iter(options))):
        ThreatAgent(**options)


def test_it_says_what_each_free_cell_is_worth():
    state = State.parse("X.O/.X./..O x", k=3)
    values = SMALL.values(state)
    assert tuple(values) == state.legal_moves()
    assert max(values, key=values.get) == 5
    assert values[5] == 0.0  # it holds the draw
    assert values[1] == -1.0
