"""What every game for two must do. A new one in the catalogue passes all of this, or nothing else can use it."""

import copy
import json
import pickle
from itertools import pairwise

import pytest

from apprenti.core.errors import ApprentiError, BadNotation, BadRules, IllegalMove
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.views.view import VIEWS
from tests.contracts.positions import begun, played, some

SEEDS = (1, 2, 3)
every_game = pytest.mark.parametrize("name", GAMES_FOR_TWO)


# The game -------------------------------------------------------------------------------------------------------------


@every_game
def test_it_says_what_it_is(name):
    game = GAMES_FOR_TWO.load(name)
    assert game.name == name
    assert game.family in VIEWS
    assert len(set(game.sides)) == 2
    assert all(isinstance(side, str) and side.isprintable() for side in game.sides)
    assert game.options
    assert "\n" not in game.options + GAMES_FOR_TWO[name].about


@every_game
def test_its_rules_are_a_value_that_can_be_written_down(name):
    game = GAMES_FOR_TWO.load(name)
    rules = game.rules()
    assert hash(rules) == hash(game.rules())
    assert rules == game.rules()
    plain = json.loads(json.dumps(game.rules_to_json(rules), allow_nan=False))
    assert game.rules_from_json(plain) == rules
    assert game.describe(rules).isprintable()  # one line


@every_game
@pytest.mark.parametrize("changes", [{"nonsense": 1}, {"name": 7, "size": 7}, {"size": [1]}, {"size": "-1x0x9"}])
def test_rules_that_are_none_are_refused(name, changes):
    game = GAMES_FOR_TWO.load(name)
    with pytest.raises(BadRules):
        game.rules_from_json({**game.rules_to_json(game.rules()), **changes})


@every_game
def test_unknown_rules_and_sizes_are_one_sentence(name):
    game = GAMES_FOR_TWO.load(name)
    for text, size in (("nonsense", ""), ("", "nonsense"), ("", "0x0x0")):
        with pytest.raises(ApprentiError, match=r"[.?]$"):
            game.rules(text, size)


# The beginning --------------------------------------------------------------------------------------------------------


@every_game
def test_a_game_begins_with_player_0_and_the_chances_given(name):
    state = begun(name)
    assert state.to_move == 0
    assert state.outcome is None
    assert state == begun(name)


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_can_be_begun_again_from_one_line_of_text(name, seed):
    game, state = GAMES_FOR_TWO.load(name), begun(name, seed)
    opening = game.opening(state)
    assert opening.isprintable()
    assert game.reopen(game.rules(), opening) == state
    assert game.opening(game.reopen(game.rules(), opening)) == opening


@every_game
@pytest.mark.parametrize("opening", ["", "nonsense", "/", "☃/☃", "x" * 10_000])
def test_what_is_no_opening_is_refused(name, opening):
    game = GAMES_FOR_TWO.load(name)
    with pytest.raises(ApprentiError):
        game.reopen(game.rules(), opening)


# Positions ------------------------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_game_comes_to_an_end(name, seed):
    states, _ = played(name, seed)
    outcome = states[-1].outcome
    assert outcome is not None
    assert outcome.reason
    assert outcome.winner in (None, 0, 1)
    assert not any(state.outcome for state in states[:-1])


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_there_are_moves_until_the_end_each_once_and_none_afterwards(name, seed):
    states, _ = played(name, seed)
    for state in states[:-1]:
        legal = state.legal_moves()
        assert legal
        assert len(set(legal)) == len(legal)
        assert state.to_move in (0, 1)
    assert not states[-1].legal_moves()


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_a_move_that_is_not_legal_is_refused_at_the_end_too(name, seed):
    states, moves = played(name, seed)
    for state in some(states):
        legal = set(state.legal_moves())
        for move in [move for move in dict.fromkeys(moves) if move not in legal][:20]:
            with pytest.raises(IllegalMove):
                state.play(move)


@every_game
def test_states_are_values_hashable_and_equal_when_they_are(name):
    states, moves = played(name, 1)
    state = begun(name, 1)
    for before, move in zip(states, moves, strict=False):
        assert state == before
        assert hash(state) == hash(before)
        state = state.play(move)
    assert state == states[-1]
    assert all(before != after for before, after in pairwise(states))


@every_game
def test_states_cannot_be_changed_and_a_move_changes_none(name):
    states, _ = played(name, 1)
    for state in some(states):
        before = pickle.dumps(state)
        for move in state.legal_moves()[:5]:
            state.play(move)
        assert pickle.loads(before) == state
        for field in ("rules", "anything"):
            with pytest.raises(AttributeError):
                setattr(state, field, None)


@every_game
def test_states_copy_and_pickle_truly(name):
    states, _ = played(name, 1)
    for state in some(states):
        for twin in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert twin == state
            assert hash(twin) == hash(state)
            assert (twin.to_move, twin.outcome) == (state.to_move, state.outcome)
            assert tuple(twin.legal_moves()) == tuple(state.legal_moves())


@every_game
def test_what_a_player_knows_depends_on_the_position_alone(name):
    states, _ = played(name, 1)
    for state in some(states):
        twin = pickle.loads(pickle.dumps(state))
        for player in (0, 1):
            seen = state.observation(player)
            assert seen == state.observation(player) == twin.observation(player)
            assert pickle.loads(pickle.dumps(seen)) == seen


# Moves ----------------------------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_every_legal_move_is_written_without_spaces_and_read_again(name, seed):
    game = GAMES_FOR_TWO.load(name)
    states, _ = played(name, seed)
    for state in some(states):
        for move in state.legal_moves():
            text = game.write_move(move)
            assert text
            assert text == "".join(text.split())
            assert game.read_move(state, text) == move
            assert game.read_move(state, f"  {text.lower()}\n") == move  # as people type


@every_game
@pytest.mark.parametrize(
    "text", ["", " ", "nonsense", "☃", "-1", "1" * 50, "\0", "hint", "undo", "resign", "quit", "q"]
)
def test_what_is_no_move_is_refused_and_the_words_of_the_table_are_none(name, text):
    with pytest.raises(BadNotation):
        GAMES_FOR_TWO.load(name).read_move(begun(name), text)
