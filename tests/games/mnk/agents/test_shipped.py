"""The shipped players: never beaten at tic-tac-toe, over all games; on large boards better than the baselines."""

import numpy as np
import pytest

from apprenti.arena.many import play_many
from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.fast.exact import best_moves, meets, never_loses, share_optimal
from apprenti.games.mnk.game import MNK
from apprenti.games.mnk.learn.sarsa import Sarsa, SarsaConfig
from apprenti.lab.agents import find, load_agent, zoo

SHIPPED = pytest.mark.parametrize("name", ["sarsa-tictactoe", "mnk-perfect"])


@SHIPPED
def test_no_opponent_beats_it_in_any_game_as_x_or_as_o(name):
    tree, best = best_moves(Rules(), load_agent(name).best)
    assert never_loses(tree, best)
    assert share_optimal(tree, best) == 1.0
    assert [side.draw for side in meets(tree, best, "perfect")] == pytest.approx([1.0, 1.0])


@SHIPPED
def test_it_chooses_and_says_what_each_free_cell_is_worth(name):
    agent = load_agent(name)
    state = State.parse("X.O/.X./..O x", k=3)
    assert agent.choose(state, state.legal_moves(), Stream(1)) == 5
    values = agent.values(state)
    assert tuple(values) == state.legal_moves()
    assert max(values, key=values.get) == 5


def test_the_shipped_table_is_what_the_defaults_make():
    made = Sarsa(SarsaConfig(iterations=1, episodes=400_000))
    made.step()
    shipped = load_agent("sarsa-tictactoe")
    assert shipped.describe() == made.agent().describe()
    np.testing.assert_array_equal(shipped.keys, made.agent().keys)
    np.testing.assert_allclose(shipped.table, made.agent().table, atol=1e-9)


@SHIPPED
def test_its_files_are_small(name):
    assert sum(path.stat().st_size for path in zoo()[name].parent.glob(f"{name}.*")) < 30_000


@pytest.mark.parametrize("size", ["6x7x4", "7x7x4"])
@pytest.mark.parametrize(("other", "floor"), [("random", 0.95), ("one-ply", 0.7)])
def test_a_learned_player_of_a_large_board_beats_the_baselines(size, other, floor):
    known, opponent = find(f"learned-{size}", MNK), find(other, MNK)
    games = list(play_many(MNK, known.rules, (known.agent, opponent.agent), 40, root=5))
    assert known.rules.size == size
    assert sum(game.points for game in games) >= floor * 40
