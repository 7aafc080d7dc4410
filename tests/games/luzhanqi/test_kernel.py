"""The compiled game is the readable one, move by move, with all that players deduce."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, move_name, parse_move
from apprenti.games.luzhanqi.fast.arrays import REASONS, Batch, array_of_state, rules_array, types_of, worlds_of
from apprenti.games.luzhanqi.fast.primitives import MOST_MOVES, apply, at, begun, legal_moves, perft, playout
from apprenti.games.luzhanqi.layout import book, check, uniform_layout
from apprenti.games.luzhanqi.moves import RESULTS
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS
from apprenti.games.luzhanqi.rules import PRESETS
from tests.games.luzhanqi.games import PERFT, any_rules, begin, random_game

ROOM = np.empty(MOST_MOVES, dtype=np.int16)


def legal_names(rules, game):
    return [move_name(*MOVES[action]) for action in ROOM[: legal_moves(rules, game, ROOM)]]


def hold_together(rules, seed, moves=10_000):
    """Play the same game in both engines and compare everything after every move."""
    numbers, game = rules_array(rules), None
    for state in random_game(rules, seed, moves):
        if game is None:
            game = begun(numbers, *map(types_of, state.layouts))
        else:
            move = state.record.moves[-1]
            assert apply(numbers, game, move.origin, move.target) == move.result
            assert RESULTS[game[at.RESULT]] == state.last_result
        assert (game == array_of_state(state)).all(), (state.notation, rules)
        assert sorted(legal_names(numbers, game)) == sorted(state.legal_moves())
    return state


@given(any_rules(), st.integers(0, 10**6))
@settings(max_examples=60)
def test_both_engines_play_the_same_game_under_any_rules(rules, seed):
    hold_together(rules, seed, 200)


@pytest.mark.parametrize("name", PRESETS)
def test_both_engines_play_whole_games_under_every_preset(name):
    for seed in range(8):
        state = hold_together(Rules.preset(name), seed)
        assert state.outcome
        assert len(state.record.moves) <= 1550


def test_moves_come_in_the_order_of_the_readable_game():
    for state in random_game(Rules(), 3, 40):
        assert tuple(legal_names(rules_array(Rules()), array_of_state(state))) == state.legal_moves()


@pytest.mark.parametrize(("name", "layouts", "counts"), PERFT)
def test_perft(name, layouts, counts):
    rules = rules_array(Rules.preset(name))
    game = begun(rules, *map(types_of, layouts))
    assert [perft(rules, game, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", PRESETS)
def test_thousands_of_random_games_end_within_the_bound(name):
    rules = Rules.preset(name)
    numbers, dice = rules_array(rules), np.array([11], dtype=np.uint64)
    rng, moves, quiet = Stream(2), 0, 0
    layouts = [types_of(uniform_layout(rules, rng)) for _ in range(200)]
    bound, outside = rules.max_moves or 50 * rules.quiet_limit, sorted(rules.blocked)
    games = 10_000 if name == "ccgc" else 2_000
    for number in range(games):
        game = begun(numbers, layouts[number % 200], layouts[(7 * number + 1 + number // 200) % 200])
        made = playout(numbers, game, dice, 100_000)
        assert made == game[at.MOVES] <= bound
        assert game[at.OUTCOME] in REASONS
        standing = game[at.BOARD : at.BOARD + 60] >= 0
        assert (game[at.POINT : at.POINT + at.PIECES] >= 0).sum() == standing.sum()
        assert not standing[outside].any()
        moves += made
        quiet += game[at.OUTCOME] == at.QUIET_END
    if name == "ccgc":  # uniform random play; an independent program counted 203 moves a game, 77 % ended by the clock
        assert 170 < moves / games < 215
        assert 0.7 < quiet / games < 0.9


def test_a_playout_stops_where_it_is_told():
    state = begin(Rules(), Stream(1))
    numbers, game = rules_array(Rules()), array_of_state(state)
    assert playout(numbers, game, np.array([1], dtype=np.uint64), 7) == 7
    assert game[at.MOVES] == 7
    assert game[at.OUTCOME] == at.GOING_ON


def choose(legal, rng):
    return np.array([rng.choice(np.flatnonzero(row)) for row in legal])


@pytest.mark.parametrize("name", ["training", "mini"])
def test_a_batch_plays_the_readable_game(name):
    """One of its games, replayed: planes, legal moves and results as the player to move sees them."""
    rules = Rules.preset(name)
    pool = book(rules) or tuple(uniform_layout(rules, Stream(seed)) for seed in range(9))
    batch, rng = Batch(rules, games=3, seed=4, layouts=pool), np.random.default_rng(1)
    for number in range(3):
        layouts = tuple(
            "".join((LETTERS + EMPTY)[kind] for kind in batch.games[number, at.TYPE + 25 * side :][:25])
            for side in (0, 1)
        )
        assert set(layouts) <= set(pool)
    state, ended = State.start(*layouts, rules), 0
    for _ in range(400):
        planes, legal = batch.planes(), batch.legal()
        assert (batch.to_move[2] == 1) == (state.to_move == 1)
        assert planes[2].tobytes() == state.observation(state.to_move).planes().tobytes()
        turn = (lambda p: 59 - p) if state.to_move else (lambda p: p)
        wanted = {ACTION_OF[turn(a), turn(b)] for a, b in map(parse_move, state.legal_moves())}
        assert set(np.flatnonzero(legal[2])) == wanted
        actions = choose(legal, rng)
        origin, target = MOVES[actions[2]]
        mover = state.to_move
        state = state.play(move_name(turn(origin), turn(target)))
        step = batch.step(actions)
        assert step.mover[2] == mover
        if state.outcome:
            assert REASONS[step.ended[2]] == state.outcome.reason
            winner = state.outcome.winner
            assert step.winner[2] == (-1 if winner is None else winner)
            assert step.reward()[2] == (0 if winner is None else 1 if winner == mover else -1)
            ended += 1
            break
        assert not step.ended[2]
    assert ended
    assert batch.games[2, at.MOVES] == 0  # it has begun again


@pytest.mark.parametrize("name", PRESETS)
def test_games_of_a_batch_depend_on_the_seed_and_their_number_alone(name):
    rules = Rules.preset(name)
    few, many = Batch(rules, 2, seed=9), Batch(rules, 5, seed=9)
    assert (few.games == many.games[:2]).all()
    assert (few.games[0] != few.games[1]).any()
    for game in many.games:
        for side in (0, 1):
            check("".join((LETTERS + EMPTY)[kind] for kind in game[at.TYPE + 25 * side :][:25]), rules)


def test_random_layouts_of_a_batch_are_uniform():
    types = Batch(Rules(), 3000, seed=1).games[:, at.TYPE : at.TYPE + 50].reshape(-1, 25)
    for slot, kind, share in [(21, 11, 1 / 2), (21, 9, 1 / 6), (23, 10, 1 / 24), (15, 9, 1 / 3), (24, 10, 1 / 12),
                              (8, 10, 1 / 8), (0, 0, 1 / 19), (4, 6, 3 / 19), (0, 10, 0)]:  # fmt: skip
        assert abs((types[:, slot] == kind).mean() - share) <= 4.5 * (share * (1 - share) / len(types)) ** 0.5


def test_a_batch_refuses_what_it_cannot_do():
    batch = Batch(Rules(), 2)
    for actions in ([0], [0, 0, 0], [-1, 0], [5000, 0], np.argmin(batch.legal(), axis=1)):
        with pytest.raises(ApprentiError):
            batch.step(np.array(actions))
    with pytest.raises(ApprentiError, match="repetitions"):
        Batch(Rules(repetition=3), 1)


@given(any_rules(), st.integers(0, 10**6))
@settings(max_examples=25)
def test_the_true_layout_makes_the_true_world(rules, seed):
    for state in list(random_game(rules, seed, 150))[::20]:
        for player in (0, 1):
            world = worlds_of(state.observation(player), types_of(state.layouts[1 - player])[None])[0]
            assert (world == array_of_state(state)).all()
