"""The tree search of every game: what it is worth, what it may know, and that it can be repeated."""

import math
import pickle
from itertools import islice

import connect_four
import game_2048
import pytest

import apprenti
from apprenti.agents.description import build
from apprenti.agents.mcts import MctsAgent
from apprenti.core.errors import BadAgent
from apprenti.core.game import Determinises, Game
from apprenti.core.protocols import Valued
from apprenti.core.seeds import Stream, pick

TICTACTOE, LUZHANQI = apprenti.game("tictactoe"), apprenti.game("luzhanqi")


def position(*cells):
    """A position of tic-tac-toe."""
    state = TICTACTOE.start(TICTACTOE.rules(), Stream(1))
    for cell in cells:
        state = state.play(cell)
    return state


def chosen(text, game, state, seed=1):
    """What a search plays."""
    agent = apprenti.agent(text, game=game)
    return agent.choose(state.observation(state.turn), state.legal_moves(), Stream(seed))


def in_a_game(rules, seed, moves=12):
    """A position of luzhanqi after some random moves."""
    rng = Stream(seed)
    state = LUZHANQI.start(rules, rng)
    while len(state.record.moves) < moves:
        state = state.play(pick(rng, state.legal_moves()))
    return state


# What it is worth -----------------------------------------------------------------------------------------------------


def test_it_wins_where_it_can_and_parries_where_it_must():
    assert chosen("mcts:200", "tictactoe", position(0, 3, 1, 4)) == 2  # XX. and OO.: a win is better than a parry
    assert chosen("mcts:400", "tictactoe", position(0, 4, 1)) == 2


def test_tictactoe_not_lost_to_the_perfect_player_and_nearly_always_won_against_chance():
    # 400 playouts lose about one game in ten, 1000 one in sixty: the right answer to a corner is seen late
    assert apprenti.match("mcts:2000", "perfect", game="tictactoe", games=6, workers=1).counts[2] == 0
    assert apprenti.match("mcts:400", "random", game="tictactoe", games=30, workers=1).share > 0.9


def test_connect_four_won_against_chance():
    assert apprenti.match("mcts:50", "random", game=connect_four.GAME, games=20, workers=1).share > 0.9


def test_2048_far_above_chance():
    means = [
        apprenti.evaluate(name, game=game_2048.GAME, games=6, size=3, workers=1).mean for name in ("random", "mcts:20")
    ]
    assert means[1] > 2.5 * means[0]


def test_luzhanqi_whole_games_of_legal_moves():
    found = apprenti.match("mcts:5", "random", game="luzhanqi", rules="mini", games=2, workers=1)
    assert sum(found.counts) == 2


# What it may know -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(1, 5))
def test_it_chooses_by_what_it_knows_whatever_the_enemy_really_has(seed):
    rules = LUZHANQI.rules(rules="mini")
    state = in_a_game(rules, seed, moves=10 + seed)
    seen, agent = state.observation(state.turn), apprenti.agent("mcts:8", game="luzhanqi")
    found = {state, *islice(LUZHANQI.worlds(seen, Stream(seed)), 5)}
    assert len(found) > 2
    chosen = {agent.choose(s.observation(s.turn), s.legal_moves(), Stream(9)) for s in found}
    assert len(chosen) == 1
    assert chosen <= set(state.legal_moves())


def test_while_armies_are_set_up_it_places_its_pieces():
    from apprenti.games.luzhanqi.state import State

    state, rng, agent = State.setup("mini"), Stream(1), MctsAgent(3, length=60, game=LUZHANQI)
    for _ in range(28):
        state = state.play(agent.choose(state.observation(state.turn), state.legal_moves(), rng))
    assert [len(layout) for layout in state.layouts] == [25, 3]


def test_the_pieces_to_come_in_tetris_are_drawn_and_never_read():
    game = apprenti.game("tetris")
    state = game.start(game.rules(size="6x8", randomiser="bag"), Stream(1)).deal(Stream(5))
    world = next(game.worlds(state.observation(0), Stream(1)))
    assert world == state
    assert chosen("mcts:30", "tetris", state) in state.legal_moves()


def test_a_game_that_hides_something_and_draws_no_worlds_is_refused():
    class Secretive(Game):
        name = "secretive"

    assert not isinstance(Secretive(), Determinises)
    with pytest.raises(BadAgent, match="secretive hides something"):
        MctsAgent(game=Secretive()).choose("nothing", [1, 2], Stream(1))
    with pytest.raises(BadAgent, match="has to know its game"):
        MctsAgent().choose(position(), [1, 2], Stream(1))


# That it can be repeated ----------------------------------------------------------------------------------------------


def test_same_chance_same_move_other_chance_perhaps_another():
    state = position()
    moves = [chosen("mcts:30", "tictactoe", state, seed) for seed in range(6)]
    assert moves == [chosen("mcts:30", "tictactoe", state, seed) for seed in range(6)]
    assert len(set(moves)) > 1


def test_it_says_what_each_move_is_worth_also_of_those_it_did_not_try():
    agent = apprenti.agent("mcts:300", game="tictactoe")
    assert isinstance(agent, Valued)
    values = agent.values(position(0, 3, 1, 4))
    assert max(values, key=values.get) == 2
    assert values[2] == 1.0
    few = apprenti.agent("mcts:2", game="tictactoe").values(position())
    assert set(few) == set(range(9))
    assert all(math.isfinite(value) for value in few.values())
    assert apprenti.agent("mcts:5", game="tictactoe").values(position(0, 3, 1, 4, 2)) == {}


def test_it_travels_and_is_built_again():
    agent = apprenti.agent("mcts:40,0.5", game="tictactoe")
    assert agent.describe() == ("mcts", {"playouts": 40, "c": 0.5, "length": 200})
    again = build(*agent.describe()).for_game(TICTACTOE)
    assert again == pickle.loads(pickle.dumps(agent)) == agent


@pytest.mark.parametrize(
    "text", ["mcts:", "mcts:x", "mcts:0", "mcts:-1", "mcts:1.5", "mcts:9,x", "mcts:9,-1", "mcts:9,nan"]
)
def test_what_is_no_search_is_one_sentence(text):
    with pytest.raises(BadAgent, match=r"\.$"):
        apprenti.agent(text, game="tictactoe")


def test_without_a_game_it_asks_for_one():
    with pytest.raises(BadAgent, match="mcts:5 does not say what it plays"):
        apprenti.agent("mcts:5")
