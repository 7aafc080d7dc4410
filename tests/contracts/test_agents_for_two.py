"""What every agent of the zoo that plays a game for two must do. A new one passes all of this, or it is not shipped."""

import json
import math
import pickle
import re

import pytest
from apprenti.arena.duel import play_duel, seeds_of_duel
from apprenti.lab.duels import check_players

from apprenti import load_agent
from apprenti.agents.build import build
from apprenti.agents.random import RandomMoves
from apprenti.core.seeds import Stream
from apprenti.lab.agents import KnownForTwo, find_any, find_for_two, zoo
from apprenti.store.agentfile import BESIDE, read_agent
from tests.contracts.positions import played, some

NAMES = sorted(name for name, path in zoo().items() if read_agent(path).game != "tetris")
LARGEST = 1_000_000
every_agent = pytest.mark.parametrize("name", NAMES)


def questions(name, number=6):
    """Observations and legal moves that an agent may be asked about."""
    known = find_any(name)
    states = [state for seed in (1, 2) for state in some(played(known.game.name, seed, known.rules)[0][:-1], number)]
    return [(state.observation(state.to_move), state.legal_moves()) for state in states]


def all_of(agent):
    """What an agent is made of."""
    arrays = agent.arrays() if hasattr(agent, "arrays") else {}
    return agent.describe(), {key: array.tobytes() for key, array in arrays.items()}


def test_the_usual_opponents_are_there():
    assert {"mnk-random", "sarsa-tictactoe", "mnk-perfect"} <= set(NAMES)


@every_agent
def test_its_file_is_named_after_it_and_says_what_it_is_and_where_it_comes_from(name):
    file = read_agent(zoo()[name])
    assert file.name == zoo()[name].stem == name
    assert re.fullmatch(r"[a-z0-9-]+", name)
    assert len(file.title) > 5
    assert re.search(r"\b(19|20)\d\d\b", file.source)


@every_agent
def test_its_files_are_small_and_plain(name):
    text = zoo()[name].read_text(encoding="utf-8")
    assert len(text) < 10_000
    json.loads(text, parse_constant=lambda constant: pytest.fail(f"{constant} is no JSON"))
    beside = zoo()[name].with_suffix(BESIDE)
    assert beside.exists() == bool(read_agent(zoo()[name]).arrays)
    assert not beside.exists() or beside.stat().st_size < LARGEST


@every_agent
def test_its_scores_are_shares_of_points_against_somebody_who_is_there(name):
    file = read_agent(zoo()[name])
    for score in (*file.published, *file.measured):
        low, high = score["ci95"]
        assert 0 <= low <= score["mean"] <= high <= 1
        assert find_for_two(score["against"], find_any(name).game)


@every_agent
def test_it_plays_under_the_rules_it_was_made_for(name):
    known = find_any(name)
    assert isinstance(known, KnownForTwo)
    assert known.game.family == read_agent(zoo()[name]).game
    check_players(known.game, known.rules, [known])


@every_agent
def test_it_can_be_built_again_from_what_it_says_of_itself(name):
    file, agent = read_agent(zoo()[name]), load_agent(name)
    kind, options = agent.describe()
    again = build(kind, json.loads(json.dumps(options)), agent.arrays() if hasattr(agent, "arrays") else None)
    assert kind == file.kind
    for number, (seen, legal) in enumerate(questions(name)):
        assert again.choose(seen, legal, Stream(number)) == agent.choose(seen, legal, Stream(number))


@every_agent
def test_it_chooses_legal_moves_the_same_ones_again_and_learns_nothing_by_it(name):
    agent, fresh = load_agent(name), load_agent(name)
    for number, (seen, legal) in enumerate(questions(name)):
        chosen = agent.choose(seen, legal, Stream(number))
        assert chosen in legal
        assert agent.choose(seen, legal, Stream(number)) == chosen
    assert all_of(agent) == all_of(fresh)


@every_agent
def test_it_takes_the_only_move_there_is(name):
    agent = load_agent(name)
    for seen, legal in questions(name, 3):
        assert agent.choose(seen, legal[-1:], Stream(1)) == legal[-1]


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(load_agent(name), "values")])
def test_its_values_are_finite_numbers_one_for_each_legal_move(name):
    agent = load_agent(name)
    for seen, legal in questions(name):
        values = agent.values(seen)
        assert set(values) == set(legal)
        assert all(math.isfinite(value) for value in values.values())


@every_agent
@pytest.mark.parametrize("side", [0, 1])
def test_it_plays_to_the_end_on_both_sides_and_travels_to_other_processes(name, side):
    known = find_any(name)
    players = [RandomMoves(), RandomMoves()]
    players[side] = known.agent
    duel = play_duel(known.game, known.rules, players, seeds_of_duel(4, side))
    assert duel.reason
    players[side] = pickle.loads(pickle.dumps(known.agent))
    assert play_duel(known.game, known.rules, players, seeds_of_duel(4, side)).moves == duel.moves
