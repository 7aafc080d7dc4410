"""What every agent of the zoo must do. A new one passes all of this, or it is not shipped."""

import json
import math
import pickle
import re
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apprenti.agents.base import RandomAgent
from apprenti.agents.description import build
from apprenti.arena.game import choices, play_game, seeds_of_game
from apprenti.core.protocols import (
    Arranges,
    Compiles,
    Explains,
    HasArrays,
    PlaysSome,
    PressesKeys,
    Steerable,
    Storable,
    Valued,
)
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi.layout import check as check_layout
from apprenti.games.mnk.agents.threats import ThreatAgent
from apprenti.games.tetris import Observation, State
from apprenti.games.tetris.agents.linear import LinearAgent, LookaheadAgent
from apprenti.games.tetris.agents.network import NetworkPlayer
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.placement import entry
from apprenti.games.tetris.rules import PRESETS, parse_size
from apprenti.lab.agents import find, zoo
from apprenti.store.agentfile import arrays_path, read_agent
from tests.contracts.positions import decisions, played, some
from tests.helpers import boards

FILES = {name: read_agent(path) for name, path in zoo().items()}
TETRIS = [name for name, file in FILES.items() if file.game == "tetris"]
LARGEST = 1_000_000
ALIASES = {"random-moves": "random", "evaluation": "linear"}
"""Kinds in files that agents describe by another name."""
FIRST_MOVES = {"tetris": {"max_pieces": 20}, "luzhanqi": {"max_moves": 60}}
"""The beginning of a game is enough to see that another process plays the same; no search is quick."""
QUICK = {LookaheadAgent: "6x12", ThreatAgent: "7x7x4"}
load = cache(find)
every_agent = pytest.mark.parametrize("name", FILES)
every_tetris_agent = pytest.mark.parametrize("name", TETRIS)


def those(capability):
    """The agents that can do something."""
    return pytest.mark.parametrize("name", [name for name in FILES if isinstance(load(name).agent, capability)])


def rules_of(name):
    """The agent's own rules, on a board that is quickly searched where the player looks far ahead."""
    found = load(name)
    sizes = [size for kind, size in QUICK.items() if isinstance(found.agent, kind)]
    return found.game.rules(found.rules, size=sizes[0]) if sizes else found.rules


def questions(name, number=6):
    """Observations and legal moves that an agent may be asked about."""
    found = load(name)
    games = [played(found.game.name, seed, rules_of(name))[0] for seed in (1, 2)]
    states = [state for states in games for state in some(decisions(states), number)]
    return [(state.observation(state.turn), choices(found.agent, state)) for state in states]


def all_of(agent):
    """What an agent is made of."""
    arrays = agent.arrays() if isinstance(agent, HasArrays) else {}
    return repr(agent), {key: array.tobytes() for key, array in arrays.items()}


# Its file -------------------------------------------------------------------------------------------------------------


def test_the_published_players_and_the_usual_opponents_are_there():
    wanted = {
        "random", "random-moves", "filtering", "tetrisbot", "dellacherie", "dellacherie-ce", "bcts", "bdu", "thesis-27",
        "thesis-27-printed", "dt-10", "dt-20", "rv-ce", "xtris", "fahey", "boehm", "bertsekas-ioffe-start",
    }  # fmt: skip
    assert wanted <= set(TETRIS)
    assert {"mnk-random", "sarsa-tictactoe", "mnk-perfect"} <= set(FILES)


@every_agent
def test_its_file_is_named_after_it_and_says_what_it_is_and_where_it_comes_from(name):
    file = FILES[name]
    assert file.name == zoo()[name].stem == name
    assert re.fullmatch(r"[a-z0-9-]+", name)
    assert len(file.title) > 5
    assert re.search(r"\b(19|20)\d\d\b", file.source)  # a publication has a year


@every_agent
def test_its_files_are_small_and_plain(name):
    text = zoo()[name].read_text(encoding="utf-8")
    assert len(text) < 10_000
    json.loads(text, parse_constant=lambda constant: pytest.fail(f"{constant} is no JSON"))
    data = json.loads(text)
    assert bool(data.get("arrays")) == bool(FILES[name].arrays)
    assert not data.get("arrays") or arrays_path(zoo()[name], data).stat().st_size < LARGEST


@every_agent
def test_its_scores_can_be_listed_and_reproduced(name):
    file = FILES[name]
    for score in (*file.published, *file.measured):
        low, high = score.get("ci95", (score["mean"], score["mean"]))
        assert 0 <= low <= score["mean"] <= high
        if name in TETRIS:
            assert score["unit"] in ("lines", "points")
            assert score["rules"] in PRESETS
            assert parse_size(score["size"])
        else:  # a share of the points against somebody who is there
            assert high <= 1
            assert find(score["against"], load(name).game)


@every_agent
def test_it_plays_under_the_rules_it_was_made_for(name):
    found = load(name)
    assert found.game.family == FILES[name].game
    found.check(found.game, found.rules)


# What it does ---------------------------------------------------------------------------------------------------------


@every_agent
def test_it_chooses_legal_moves_the_same_ones_again_and_learns_nothing_by_it(name):
    agent = load(name).agent
    before = all_of(agent)
    for number, (seen, legal) in enumerate(questions(name)):
        chosen = agent.choose(seen, legal, Stream(number))
        assert chosen in legal
        assert agent.choose(seen, legal, Stream(number)) == chosen
    assert all_of(agent) == before


@every_agent
def test_it_takes_the_only_move_there_is(name):
    for seen, legal in questions(name, 3):
        assert load(name).agent.choose(seen, legal[-1:], Stream(1)) == legal[-1]


@every_agent
def test_it_plays_on_every_side_and_travels_to_other_processes(name):
    found = load(name)
    game, rules = found.game, rules_of(name)
    rules = game.rules(rules, **FIRST_MOVES.get(game.family, {}))
    for side in range(game.players):
        agents, seeds = [RandomAgent()] * game.players, seeds_of_game(4, side, game.players)
        agents[side] = found.agent
        record = play_game(game, rules, agents, seeds)
        if name in TETRIS and "random" not in name:
            assert record.outcome.truncated  # nobody who looks at the board loses within 20 pieces
        agents[side] = pickle.loads(pickle.dumps(found.agent))
        assert play_game(game, rules, agents, seeds).moves == record.moves


# What it can do beyond that: each a protocol, and each kept -----------------------------------------------------------


@those(PlaysSome)
def test_who_plays_some_games_plays_its_own(name):
    assert load(name).game.family in load(name).agent.plays


@those(Storable)
def test_who_describes_itself_can_be_built_again(name):
    agent = load(name).agent
    kind, options = agent.describe()
    arrays = agent.arrays() if isinstance(agent, HasArrays) else None
    again = build(kind, json.loads(json.dumps(options)), arrays)
    assert kind == ALIASES.get(FILES[name].kind, FILES[name].kind)
    for number, (seen, legal) in enumerate(questions(name)):
        assert again.choose(seen, legal, Stream(number)) == agent.choose(seen, legal, Stream(number))


@those(HasArrays)
def test_who_has_arrays_says_so_in_its_file(name):
    assert isinstance(load(name).agent, Storable)
    assert load(name).agent.arrays().keys() == FILES[name].arrays.keys()


@those(PressesKeys)
def test_who_presses_keys_does_so_where_there_are_any(name):
    agent, state = load(name).agent, decisions(played(load(name).game.name, 1, rules_of(name))[0])[0]
    keys = agent.presses_keys and isinstance(state, Steerable)
    assert choices(agent, state) == (state.legal_keys() if keys else state.legal_moves())


@those(Arranges)
def test_who_sets_up_an_army_does_it_by_the_rules_and_by_its_chance_alone(name):
    found = load(name)
    for rules in (found.rules, found.game.rules(rules="mini")):
        layouts = [found.agent.arrange(rules, Stream(seed)) for seed in (1, 1, 2, 3)]
        assert all(check_layout(layout, rules) for layout in layouts)
        assert layouts[0] == layouts[1]


@those(Valued)
def test_who_knows_values_has_a_number_for_each_legal_move(name):
    for seen, legal in questions(name):
        values = load(name).agent.values(seen)
        assert set(values) == set(legal)
        assert not any(math.isnan(value) or value == math.inf for value in values.values())


@those(Compiles)
def test_who_is_compiled_is_so_under_its_own_rules(name):
    found = load(name)
    player = found.agent.compiled(found.rules)
    assert found.game.fast(found.rules, [found.agent]) is not None
    if getattr(found.agent, "inputs", "") == "board":
        assert isinstance(player, NetworkPlayer)
        return
    assert isinstance(player, CompiledPlayer)
    player.prepared(found.rules)  # the kernel takes these weights
    if isinstance(found.agent, LinearAgent | LookaheadAgent):
        assert dict(player.evaluator.sums[0]).keys() == found.agent.weights.keys()
        assert player.evaluator.look == getattr(found.agent, "look", "")


def test_every_tetris_player_with_criteria_is_compiled():
    assert {name for name in TETRIS if not isinstance(load(name).agent, Compiles)} == {"random", "random-moves"}


@those(Explains)
def test_who_explains_itself_says_something(name):
    for seen, _ in questions(name, 3):
        assert load(name).agent.explain(seen).strip()


# Tetris ---------------------------------------------------------------------------------------------------------------


@every_tetris_agent
@settings(max_examples=8)
@given(data=st.data())
def test_it_chooses_a_legal_move_on_any_board(name, data):
    agent, rules = load(name).agent, rules_of(name)
    high = data.draw(boards(rules.width, rules.height, rules.hidden))
    letter, next_piece = (data.draw(st.sampled_from(rules.pieces.letters)) for _ in "12")
    position = entry(rules, rules.pieces[letter])
    assume(rules.entry == "above" or high.is_free(position.cells(rules.pieces[letter])))
    state = State(rules, high, letter, next_piece if rules.preview else None, "", 1, position=position)
    seen, legal = state.observation(), choices(agent, state)
    assert isinstance(seen, Observation)
    assert agent.choose(seen, legal, Stream(data.draw(st.integers(0, 100)))) in legal
