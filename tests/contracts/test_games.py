"""What every game must do. A new one in the catalogue, or of a package, passes all of this, or nothing can use it."""

import copy
import json
import math
import pickle
from collections import Counter
from dataclasses import fields, is_dataclass
from itertools import islice, pairwise

import pytest

from apprenti.agents.base import RandomAgent
from apprenti.agents.description import ANY_GAME, build
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.errors import ApprentiError, BadFile, BadNotation, BadRules, Forfeit, IllegalMove
from apprenti.core.game import Determinises
from apprenti.core.plugins import GAMES, Entry
from apprenti.core.protocols import CHANCE, OVER, CommonReason, State, Storable
from apprenti.core.seeds import Stream
from apprenti.lab.agents import find, zoo_of
from apprenti.store.replay import Replay, read_replay, write_replay
from tests.contracts.positions import NAMES, TOYS, begun, decisions, load, played, small, some

SEEDS = (1, 2, 3)
every_game = pytest.mark.parametrize("name", NAMES)
every_seed = pytest.mark.parametrize("seed", SEEDS)


@pytest.fixture(autouse=True)
def toys_are_installed(plug_in):
    """As they would be with their entry points (`tests/lab/test_plugins.py` installs them truly)."""
    plug_in(games={name: Entry(f"{type(game).__module__}:GAME", "a toy") for name, game in TOYS.items()})


# The game and its rules -----------------------------------------------------------------------------------------------


@every_game
def test_it_says_what_it_is(name):
    game = load(name)
    assert game.name == name
    assert game.players == len(game.sides) == len(set(game.sides)) >= 1
    assert all(side.isprintable() for side in (*game.sides, game.family, GAMES[name].about))
    assert is_dataclass(game.Options)


@every_game
def test_its_options_have_defaults_and_every_other_is_one_sentence(name):
    game = load(name)
    assert game.Options()  # all have
    assert game.rules(**{field.name: field.default for field in fields(game.Options)}) == game.rules()
    with pytest.raises(ApprentiError, match=r"nonsense.*[.?]$"):
        game.rules(nonsense=1)


@every_game
def test_its_rules_are_a_value_that_can_be_written_down(name):
    game = load(name)
    for rules in (game.rules(), small(name)):
        assert hash(rules) == hash(pickle.loads(pickle.dumps(rules)))
        assert game.rules(rules) == rules  # nothing changed
        plain = json.loads(json.dumps(game.rules_to_json(rules), allow_nan=False))
        assert game.rules_from_json(plain) == rules
        assert game.describe(rules).isprintable()
        assert game.note(rules) == "" or game.note(rules).isprintable()
        assert isinstance(game.opponent(rules), str)


@every_game
@pytest.mark.parametrize("changes", [{"nonsense": 1}, {"name": 7, "size": 7}, {"size": [1]}, {"size": "-1x0x9"}])
def test_rules_that_are_none_are_refused(name, changes):
    game = load(name)
    with pytest.raises(BadRules):
        game.rules_from_json({**game.rules_to_json(game.rules()), **changes})


@every_game
def test_a_reason_is_found_by_its_code_and_nothing_else_is_one(name):
    game = load(name)
    for reason in (*played(name)[0][-1].outcome.reason.__class__, *CommonReason):
        assert game.reason(reason.code) is reason
    with pytest.raises(BadNotation):
        game.reason("nonsense")


@every_game
def test_who_cannot_go_on_has_lost(name):
    game = load(name)
    for player in range(game.players):
        end = game.forfeited(player)
        assert end.reason is CommonReason.FORFEIT
        assert len(end.scores) == game.players
        assert end.scores[player] == 0
        assert game.players != 2 or end.winner == 1 - player


# The beginning --------------------------------------------------------------------------------------------------------


@every_game
@every_seed
def test_a_game_can_be_begun_again_from_one_line_of_text(name, seed):
    game, state = load(name), begun(name, seed)
    assert state.outcome is None
    assert state == begun(name, seed)
    assert isinstance(state, State)
    opening = game.opening(state)
    assert opening == "" or opening.isprintable()
    assert game.reopen(small(name), opening) == state


# States ---------------------------------------------------------------------------------------------------------------


@every_game
@every_seed
def test_turn_moves_and_outcome_agree_until_a_random_game_has_come_to_its_end(name, seed):
    states, _ = played(name, seed)
    for state in states:
        legal, law = state.legal_moves(), state.chances()
        assert (state.turn == OVER) == (state.outcome is not None) == (state is states[-1])
        assert (state.turn == CHANCE) == bool(law)
        assert (state.turn >= 0) == bool(legal)
        assert state.turn < load(name).players
        assert len(set(legal)) == len(legal)
        assert state.rules == small(name)


@every_game
@every_seed
def test_an_outcome_says_why_and_what_everybody_got(name, seed):
    game, end = load(name), played(name, seed)[0][-1]
    outcome, scores = end.outcome, end.outcome.scores
    assert outcome.reason.words.isprintable()
    assert len(scores) == game.players
    if game.players == 1:
        assert scores[0] == game.measures(end)[game.unit(end.rules)]
        assert outcome.winner is None
        return
    assert sum(scores) == pytest.approx(1)
    assert min(scores) >= 0
    assert outcome.winner is None or scores[outcome.winner] == max(scores) > min(scores)


@every_game
def test_states_are_values_hashable_and_equal_when_they_are(name):
    (states, moves), chance = played(name), Stream.named(1, "chance")
    state, left = begun(name), list(moves)
    for before in states[:-1]:
        assert state == before
        assert hash(state) == hash(before)
        state = state.deal(chance) if state.turn == CHANCE else state.play(left.pop(0))
    assert state == states[-1]
    assert all(before != after for before, after in pairwise(states))


@every_game
def test_states_cannot_be_changed_and_a_move_changes_none(name):
    for state in some(played(name)[0]):
        before = pickle.dumps(state)
        for move in state.legal_moves()[:5]:
            state.play(move)
        if state.turn == CHANCE:
            state.deal(Stream(1))
        assert pickle.loads(before) == state
        for field in ("rules", "anything"):
            with pytest.raises(AttributeError):
                setattr(state, field, None)


@every_game
def test_states_copy_and_pickle_truly(name):
    for state in some(played(name)[0]):
        for twin in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert twin == state
            assert hash(twin) == hash(state)
            assert (twin.turn, twin.outcome) == (state.turn, state.outcome)
            assert tuple(twin.legal_moves()) == tuple(state.legal_moves())


@every_game
@every_seed
def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(name, seed):
    states, moves = played(name, seed)
    for state in some(states):
        before, legal = pickle.dumps(state), set(state.legal_moves())
        for move in [move for move in dict.fromkeys(moves) if move not in legal][:20]:
            with pytest.raises(IllegalMove):
                state.play(move)
        assert pickle.loads(before) == state
        if state.turn != CHANCE:
            with pytest.raises(IllegalMove):
                state.deal(Stream(1))


# Chance ---------------------------------------------------------------------------------------------------------------


def turns_of_chance(name):
    """A few of them; none in most games."""
    return some([state for state in played(name)[0] if state.turn == CHANCE] or played(name)[0][:1], 3)


@every_game
def test_the_law_of_a_deal_is_one_and_each_of_it_can_be_played(name):
    for state in turns_of_chance(name):
        law = state.chances()
        assert not law or sum(share for _, share in law) == pytest.approx(1)
        assert all(share > 0 for _, share in law)
        assert len({state.play(move) for move, _ in law}) == len(law)


@every_game
def test_deals_are_as_frequent_as_their_law_says(name):
    for state in turns_of_chance(name):
        law, deals, rng = state.chances(), 2000, Stream.named(1, name)
        found = Counter(state.deal(rng) for _ in range(deals)) if law else Counter()
        for move, share in law:
            spread = 5 * math.sqrt(deals * share * (1 - share))
            assert abs(found.pop(state.play(move), 0) - deals * share) <= spread
        assert not found  # nothing else comes


# What a player knows --------------------------------------------------------------------------------------------------


@every_game
def test_what_a_player_knows_depends_on_the_position_alone(name):
    game = load(name)
    for state in some(played(name)[0]):
        twin = pickle.loads(pickle.dumps(state))
        for player in range(game.players):
            seen = state.observation(player)
            assert seen == twin.observation(player)
            assert hash(seen) == hash(twin.observation(player))
            assert pickle.loads(pickle.dumps(seen)) == seen
            assert game.write_observation(seen) == game.write_observation(twin.observation(player))


@every_game
@every_seed
def test_nothing_that_is_hidden_changes_what_a_player_knows_or_may_do(name, seed):
    game, hidden = load(name), 0
    for state in some(decisions(played(name, seed)[0]), 6):
        for player in range(game.players):
            seen = state.observation(player)
            if not isinstance(game, Determinises):
                assert isinstance(seen, State)  # nothing is hidden
                continue
            for world in islice(game.worlds(seen, Stream(seed)), 4):
                hidden += world != state
                assert world.observation(player) == seen
                assert game.write_observation(world.observation(player)) == game.write_observation(seen)
                assert (world.turn, world.outcome) == (state.turn, state.outcome)
                assert state.turn != player or tuple(world.legal_moves()) == tuple(state.legal_moves())
    assert bool(hidden) == (name == "luzhanqi")


@every_game
@every_seed
def test_the_text_of_what_a_player_knows_tells_it_from_everything_else(name, seed):
    game, texts = load(name), {}
    openings = [
        game.start(small(name), [Stream(seed), Stream(other)]) for other in range(8)
    ]  # the own side is the same
    for state in (*openings, *decisions(played(name, seed)[0])):
        for player in range(game.players):
            seen = state.observation(player)
            text = game.write_observation(seen)
            assert text.isprintable()
            assert texts.setdefault((player, text), seen) == seen


# Text -----------------------------------------------------------------------------------------------------------------


@every_game
@every_seed
def test_every_position_is_written_on_one_line_and_read_again(name, seed):
    game = load(name)
    for state in some(played(name, seed)[0], 30):
        text = game.write_state(state)
        assert text.isprintable()
        assert game.read_state(small(name), text) == state


@every_game
@pytest.mark.parametrize("text", ["nonsense", "☃/☃", "x" * 10_000, "0 0 0"])
def test_what_is_no_position_is_refused(name, text):
    for read in (load(name).read_state, load(name).reopen):
        with pytest.raises(ApprentiError):
            read(small(name), text)


@every_game
@every_seed
def test_every_legal_move_is_written_without_spaces_and_read_again(name, seed):
    game = load(name)
    for state in some(played(name, seed)[0]):
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
        load(name).read_move(decisions(played(name)[0])[0], text)


# In the arena ---------------------------------------------------------------------------------------------------------


def recorded(name, seed=1):
    """A game of the arena between random players."""
    game = load(name)
    return play_game(game, small(name), [RandomAgent()] * game.players, seeds_of_game(seed, 0, game.players))


@every_game
def test_same_seed_same_game_and_another_seed_another_one(name):
    first, again, other = (recorded(name, seed).moves for seed in (1, 1, 2))
    assert first == again != other


@every_game
def test_a_record_becomes_a_replay_that_is_played_again_and_verified(name, tmp_path):
    game, record = load(name), recorded(name)
    assert record.length == len(record.moves)
    replay = Replay.of(game, small(name), ("random",) * game.players, record)
    write_replay(tmp_path / "game.json", replay)
    found = read_replay(tmp_path / "game.json")
    *_, end = found.states()
    assert (end.outcome, game.measures(end)) == (record.outcome, record.measures)
    lie = Replay.of(game, small(name), ("random",) * game.players, recorded(name, 2))
    with pytest.raises(BadFile):
        list(Replay(**{**vars(lie), "moves": lie.moves[:-1]}).states())


@every_game
def test_who_forfeits_loses_and_the_game_is_over(name):
    class Leaver:
        def choose(self, observation, legal, rng):
            raise Forfeit("has gone")

    game = load(name)
    played = play_game(game, small(name), [Leaver()] * game.players, seeds_of_game(1, 0, game.players))
    assert played.outcome == game.forfeited(0)


@every_game
def test_the_compiled_game_is_the_readable_one(name):
    game = load(name)
    rules = small(name) if game.players > 1 else game.rules(small(name), **LIMIT.get(name, {}))
    for agent in islice(fast_agents(game, rules, FAST.get(name, ())), 2):
        agents = [agent] * game.players
        for index in range(4):
            seeds = seeds_of_game(5, index, game.players)
            record = game.fast(rules, agents).play([seeds], 10_000)[0]
            readable = play_game(game, rules, agents, seeds)
            assert record.measures == readable.measures
            assert record.moves in ((), readable.moves)
            assert record.length == readable.length
            assert (record.outcome.winner, record.outcome.truncated) == (
                readable.outcome.winner, readable.outcome.truncated,
            )  # fmt: skip


LIMIT = {"tetris": {"max_pieces": 15}}
FAST = {"tetris": ("dellacherie", "tetrisbot")}
"""Players who are compiled for other tests as well."""


def fast_agents(game, rules, names):
    """Shipped agents that have a compiled form under these rules, of these names or of any."""
    for name in names or zoo_of(game):
        found = find(name, game)
        try:
            found.check(game, rules)
        except ApprentiError:
            continue
        if game.fast(rules, [found.agent] * game.players) is not None:
            yield found.agent


@every_game
@pytest.mark.parametrize("kind", ANY_GAME)
def test_the_agents_of_every_game_play_it(name, kind):
    game = load(name)
    agent = find("mcts:6" if kind == "mcts" else kind, game).agent
    for state in some(decisions(played(name)[0]), 4):
        seen, legal = state.observation(state.turn), state.legal_moves()
        move = agent.choose(seen, legal, Stream(3))
        assert move in legal
        assert agent.choose(seen, legal, Stream(3)) == move
        assert agent.choose(seen, legal[-1:], Stream(3)) == legal[-1]
    assert isinstance(agent, Storable)
    assert build(*agent.describe()).describe() == agent.describe()
