"""Every game in PettingZoo and in Gymnasium: their own checkers, masks, seeds, rewards, copies."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from pettingzoo.test import api_test, seed_test

import apprenti.envs  # noqa: F401  (it registers the environments)
from apprenti.agents.base import RandomAgent
from apprenti.core.errors import ApprentiError, BadOption, IllegalMove
from apprenti.core.game import Encodes
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream
from apprenti.envs import any_game
from apprenti.envs.one_side import GameEnv
from tests.contracts.positions import NAMES, SMALL, decisions, load, played, small
from tests.envs.walk import walk

every_game = pytest.mark.parametrize("name", NAMES)


def options(name):
    """A game and the options of small rules."""
    return {"game": load(name), **SMALL.get(name, {})}


def one(name, **more):
    return gymnasium.make("apprenti/Game-v0", **options(name), **more).unwrapped


def play(env, steps, seed=0):
    """Random legal actions in Gymnasium; what was seen on the way."""
    rng, seen = np.random.default_rng(seed), []
    for _ in range(steps):
        seen.append(env.step(rng.choice(np.flatnonzero(env.action_masks()))))
        if seen[-1][2] or seen[-1][3]:
            seen.append(env.reset())
    return seen


# Both -----------------------------------------------------------------------------------------------------------------


@every_game
@pytest.mark.filterwarnings("ignore")  # PettingZoo warns of observations that are no images and of much else
def test_pettingzoos_own_tests_pass(name, capsys):
    api_test(any_game.env(**options(name)), num_cycles=100)
    api_test(any_game.raw_env(**options(name)), num_cycles=100)
    seed_test(lambda: any_game.env(**options(name)), num_cycles=60)


@every_game
def test_gymnasiums_own_check_passes(name, capsys):
    check_env(one(name))
    check_env(one(name, opponent=RandomAgent(), side=load(name).sides[-1]))


@every_game
def test_what_is_seen_and_allowed_is_what_the_state_says(name):
    game, env, rng = load(name), any_game.raw_env(**options(name)), np.random.default_rng(1)
    env.reset(seed=1)
    total = dict.fromkeys(env.agents, 0.0)
    while not env.game.outcome:
        state = env.game.state
        assert state.turn == int(env.agent_selection[-1]) != CHANCE
        for player, agent in enumerate(env.agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert seen["action_mask"].any() == (player == state.turn)
            assert (env.infos[agent]["action_mask"] == seen["action_mask"]).all()
            if not isinstance(game, Encodes):
                text = bytes(seen["observation"]).rstrip(b"\0").decode()
                assert text == game.write_observation(state.observation(player))
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask.sum() == len(state.legal_moves())
        env.step(int(rng.choice(np.flatnonzero(mask))))
        total = {agent: total[agent] + reward for agent, reward in env.rewards.items()}
    outcome, n = env.game.outcome, game.players
    wanted = outcome.scores if game.players == 1 else [(n * score - 1) / (n - 1) for score in outcome.scores]
    assert list(total.values()) == pytest.approx(wanted)
    assert env.infos["player_0"]["outcome"] == outcome.reason.code
    assert all((env.truncations if outcome.truncated else env.terminations).values())


@pytest.mark.parametrize("name", [name for name in NAMES if isinstance(load(name), Encodes)])
def test_a_games_own_numbers_are_of_one_shape_between_0_and_1_and_an_action_is_one_move(name):
    game, shapes = load(name), set()
    for state in decisions(played(name)[0]):
        actions = [game.action_of(state, move) for move in state.legal_moves()]
        assert len(set(actions)) == len(actions)
        assert all(0 <= action < game.actions(small(name)) for action in actions)
        for player in range(game.players):
            planes = game.planes(state.observation(player), player)
            shapes.add((planes.shape, planes.dtype))
            assert planes.min() >= 0
            assert planes.max() <= 1
    assert len(shapes) == 1


@every_game
def test_same_seed_same_games_and_copies_go_on_by_themselves(name):
    first, second = (any_game.raw_env(**options(name)) for _ in "12")
    for env in (first, second):
        env.reset(seed=7)
    assert data_equivalence(walk(first, 30), walk(second, 30))
    for twin in (copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert data_equivalence(walk(copy.deepcopy(first), 30, 1), walk(twin, 30, 1))
    alone, other = one(name), one(name)
    for env in (alone, other):
        env.reset(seed=7)
    assert data_equivalence(play(alone, 30), play(other, 30))
    assert data_equivalence(play(copy.copy(alone), 30, 1), play(pickle.loads(pickle.dumps(alone)), 30, 1))


@every_game
def test_an_illegal_action_loses_or_raises(name, capsys):
    raw, env, strict = any_game.raw_env(**options(name)), one(name), one(name, illegal="raise")
    with pytest.raises(IllegalMove, match="call reset"):
        raw.step(0)
    with pytest.raises(IllegalMove, match="call reset"):
        env.step(0)
    raw.reset(seed=1)
    for wrong in (-1, raw.action_space("player_0").n):
        with pytest.raises(IllegalMove, match="not legal now"):
            raw.step(wrong)
    _, info = env.reset(seed=1)
    wrong = int(np.argmin([*info["action_mask"], 0]))
    _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)
    assert not env.action_masks().any()
    strict.reset(seed=1)
    with pytest.raises(IllegalMove):
        strict.step(wrong)


@every_game
def test_they_are_drawn_as_text(name, capsys):
    env = any_game.raw_env(render_mode="ansi", **options(name))
    env.reset(seed=1)
    assert env.render().strip()
    human = one(name, render_mode="human")
    human.reset(seed=1)
    assert capsys.readouterr().out.strip()


# One side -------------------------------------------------------------------------------------------------------------


class Watcher:
    """Remembers what it is asked."""

    def __init__(self):
        self.asked = []

    def choose(self, observation, legal, rng):
        self.asked.append((observation, legal))
        return legal[0]


@pytest.mark.parametrize("name", [name for name in NAMES if load(name).players > 1])
def test_the_opponent_is_asked_with_what_it_knows_and_sides_are_taken_in_turn(name):
    opponent = Watcher()
    env = one(name, opponent=opponent)
    for game, side in enumerate((*range(load(name).players), 0)):
        _, info = env.reset(seed=3 if game == 0 else None)
        assert info["player"] == env.player == side
        assert env.game.to_act == side
        assert len(opponent.asked) == side  # who has the second side sees the opponent's first move
        env.step(int(np.argmax(info["action_mask"])))
        opponent.asked.clear()
    assert one(name, side=load(name).sides[1]).reset(seed=1)[1]["player"] == 1


def test_too_many_moves_and_wrong_options_are_one_sentence():
    with pytest.raises(BadOption, match="most_moves"):
        any_game.env(game=load("connect-four"), most_moves=3).reset()
    for wrong in ({"game": "chess"}, {"side": "east"}, {"illegal": "ignore"}, {"render_mode": "film"}, {"colour": 1}):
        with pytest.raises(ApprentiError, match=r"[.?]$"):
            GameEnv(**wrong)
    with pytest.raises(ApprentiError):
        any_game.env(game="tictactoe", render_mode="film")


def test_the_rest_of_a_long_text_is_left_out():
    env = any_game.raw_env(game=load("connect-four"), text_length=3)
    env.reset(seed=1)
    assert bytes(env.observe("player_0")["observation"]) == b"..."


def test_the_deals_of_a_game_for_one_come_from_the_seed():
    env = one("2048")
    first = env.reset(seed=5)[0]
    state = load("2048").start(small("2048"), Stream(1))
    chance = Stream.named(5, "environment")
    state = state.deal(chance).deal(chance)
    assert bytes(first).rstrip(b"\0").decode() == state.notation
