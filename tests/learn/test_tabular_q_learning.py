"""Q-learning with a table of texts, for any game: by hand, against the exact values, and against random players."""

import pytest

from apprenti.agents.base import QValuesAgent, RandomAgent
from apprenti.agents.description import build
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.errors import ApprentiError, BadAgent
from apprenti.core.plugins import GAMES, Entry
from apprenti.core.protocols import CHANCE, OVER
from apprenti.core.seeds import Stream
from apprenti.learn.tabular_q_learning import Decision, TabularConfig, TabularQLearning
from tests.learn.savings import State

SMALL = {
    "tetris": ("size=4x6", "pieces=domino", "max_pieces=30"),
    "mnk": ("size=3x4x3",),
    "luzhanqi": ("rules=mini",),
    "2048": ("size=2",),
}
ADDED = {"savings": "tests.learn.savings:GAME", "connect-four": "connect_four:GAME", "2048": "game_2048:GAME"}


@pytest.fixture
def added(plug_in):
    """Games that were added a moment ago."""
    plug_in(games={name: Entry(where, "a toy") for name, where in ADDED.items()})


def learner(**options):
    return TabularQLearning(TabularConfig(**{"test_games": 0, **options}))


def learned(**options):
    made = learner(**options)
    while not made.done:
        made.step()
    return made


# The update -----------------------------------------------------------------------------------------------------------


def test_a_player_learns_from_its_last_decision_first():
    made = learner(gamma=0.5, learning_rate=0.5, learning_rate_end=0.5, initial_value=0.0)
    first, second = {"a": 0.0, "b": 0.0}, {"c": 0.0, "d": 0.4}
    made.learn([Decision(first, "a", 0.0), Decision(second, "c", 2.0)], 3.0, cut=False)
    assert second == {"c": 0.5, "d": 0.4}  # 0 + ½ · (3 − 2 + nothing after the end)
    assert first == {"a": pytest.approx(0.5 * (2.0 + 0.5 * 0.5)), "b": 0.0}  # ½ · (2 paid + ½ · the best of c and d)


def test_a_game_that_was_cut_would_have_gone_on():
    made = learner(gamma=0.5, learning_rate=0.5, learning_rate_end=0.5)
    first, second = {"a": 0.0}, {"c": 0.0, "d": 0.4}
    made.learn([Decision(first, "a", 0.0), Decision(second, "c", 2.0)], 2.0, cut=True)
    assert (first, second) == ({"a": pytest.approx(0.5 * 2.2)}, {"c": 0.0, "d": 0.4})


def test_where_several_meet_only_the_end_pays_and_each_its_own():
    made = learner(game="mnk", game_options=("size=1x1x1",), learning_rate=0.5, learning_rate_end=0.5)
    made.play_one()
    assert list(made.table.values()) == [{"0": 0.75}]  # X has won: ½ + ½ · (1 − ½)
    assert made.paid(made.played.start(made.rules, made.luck).play(0), 1) == -1.0


# What is learned ------------------------------------------------------------------------------------------------------


def worth(state):
    """All that is still to come from a state under the best play, by the law of chance."""
    if state.turn == OVER:
        return state.score
    if state.turn == CHANCE:
        return sum(probability * worth(state.play(move)) for move, probability in state.chances())
    return max(worth(state.play(move)) for move in state.legal_moves())


def test_a_game_of_two_states_and_chance_is_learned_exactly(added):
    made = learned(
        game="savings", iterations=1, episodes=6000, gamma=1.0, epsilon=1.0, epsilon_end=1.0,
        learning_rate_end=0.005, learning_rate_decay=0.001, initial_value=0.0,
    )  # fmt: skip
    assert len(made.table) == 5  # poor with 3, 2 and 1 rounds left, rich with 2 and 1
    for text, values in made.table.items():
        where, left = text.split()
        state = State(where, int(left))
        exact = {move: worth(state.play(move)) for move in state.legal_moves()}
        assert values == pytest.approx(exact, abs=0.12)
        assert max(values, key=values.get) == max(exact, key=exact.get)
    assert made.agent().values(State()) == made.table["poor 3"]


def test_tic_tac_toe_is_hardly_ever_lost_against_a_random_player():
    """About ten seconds."""
    made, lost, games = learned(iterations=1, episodes=30_000), 0, 1000
    agent = made.agent()
    for number in range(games):
        side = number % 2
        agents = [agent if seat == side else RandomAgent() for seat in (0, 1)]
        record = play_game(made.played, made.rules, agents, seeds_of_game(7, number, 2))
        lost += record.outcome.scores[side] == 0
    assert lost < 0.02 * games


def test_a_player_of_tetris_learns_to_remove_lines():
    options = {"game": "tetris", "game_options": SMALL["tetris"], "iterations": 2, "episodes": 150}
    before, after = learner(**options), learned(**options)
    assert after.test(20)["test"] > 2 * before.test(20)["test"]


# Every game -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [*GAMES, *ADDED])
def test_it_learns_every_game_there_is_and_its_player_makes_legal_moves(game, added):
    made = learned(game=game, game_options=SMALL.get(game, ()), iterations=1, episodes=2, max_moves=60)
    assert made.table and made.game == game
    agent = made.agent()
    kind, options = agent.describe()
    assert build(kind, options, agent.arrays()) == agent
    state, luck = made.played.start(made.rules, Stream(1)), Stream(2)
    for _ in range(20):
        if state.turn == OVER:
            break
        if state.turn == CHANCE:
            state = state.deal(luck)
            continue
        seen, legal = state.observation(state.turn), state.legal_moves()
        if made.played.players > 1:
            assert set(agent.values(seen)) <= set(legal)
        state = state.play(agent.choose(seen, legal, luck))


def test_a_run_with_chance_goes_on_to_the_bit(added):
    whole, again = (
        learner(game="savings", iterations=4, episodes=20),
        learner(game="savings", iterations=4, episodes=20),
    )
    for _ in range(2):
        whole.step()
    again.restore(whole.state())
    assert [whole.step() for _ in range(2)] == [again.step() for _ in range(2)]
    assert whole.table == again.table and whole.agent() == again.agent()


# The player -----------------------------------------------------------------------------------------------------------


def test_a_player_knows_its_board_and_plays_no_other():
    made = learned(game="mnk", game_options=("size=2x2x2",), iterations=1, episodes=3)
    with pytest.raises(BadAgent, match=r"has learned mnk 2x2x2: .* and cannot play tictactoe"):
        made.agent().check(GAMES.load("mnk").rules(size="3x3x3"))
    made.agent().check(made.rules)


def test_tables_that_are_none_are_refused():
    arrays = learned(iterations=1, episodes=3).agent().arrays()
    rules = GAMES.load("tictactoe").rules_to_json(GAMES.load("tictactoe").rules())
    for broken in ({"values": arrays["values"][:-1]}, {"values": arrays["values"] * float("nan")},
                   {"texts": arrays["texts"] | 128}, {"texts": arrays["texts"].astype(float)}):  # fmt: skip
        with pytest.raises(BadAgent, match="table of values"):
            QValuesAgent("tictactoe", rules, {**arrays, **broken})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"game": "chess"}, "no game called 'chess'"),
        ({"game_options": ("width=3",)}, "--game-options"),
        ({"game_options": ("size",)}, "--game-options"),
        ({"game_options": ("size=5x5x5",)}, "tictactoe is 3x3x3"),
        ({"game": "tetris", "game_options": ("max_pieces=many",)}, "max_pieces is a number"),
        ({"episodes": 0}, "--episodes"),
        ({"epsilon": 2.0}, "--epsilon"),
        ({"learning_rate_decay": -1.0}, "--learning-rate-decay"),
    ],
)
def test_impossible_options_are_named(options, said):
    with pytest.raises(ApprentiError, match=said):
        TabularConfig(**options)
