"""Luzhanqi for PettingZoo and Gymnasium: what the environments promise, and that they tell what the game tells."""

import copy
import pickle
import warnings
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from pettingzoo.test import api_test, seed_test

from apprenti.core.errors import ApprentiError, BadRules, IllegalMove, UnknownName
from apprenti.core.seeds import Stream, pick
from apprenti.envs import luzhanqi_v0
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.board import ACTION_OF, ACTIONS, MOVES, TURNED_ACTION, parse_move, turned
from apprenti.games.luzhanqi.envs import LuzhanqiEnv
from apprenti.games.luzhanqi.layout import BOOK, check
from apprenti.games.luzhanqi.pieces import LETTERS
from tests.envs.walk import legal_action, walk

FORMS = (
    {},
    {"actions": "two_stage", "setup": "random"},
    {"setup": "placements"},
    {"actions": "two_stage", "setup": "placements", "rules": "training"},
    {"actions": "two_stage", "setup": "placements", "rules": "mini"},
    {"rules": Rules(headquarters="free", flag="carried", army="111000112111"), "setup": "random"},
)
forms = pytest.mark.parametrize("options", FORMS, ids=str)


# PettingZoo -----------------------------------------------------------------------------------------------------------


@forms
def test_pettingzoos_own_tests_pass(options, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a dictionary with a mask is unusual, and nobody may act when a game is over
        api_test(luzhanqi_v0.env(**options), num_cycles=100)
        api_test(luzhanqi_v0.raw_env(**options), num_cycles=100)
    seed_test(lambda: luzhanqi_v0.env(**options), num_cycles=100)


def test_it_has_a_versioned_name_and_1176_actions():
    env = luzhanqi_v0.env()
    assert str(env.unwrapped) == env.metadata["name"] == "luzhanqi_v0"
    assert env.possible_agents == ["player_0", "player_1"]
    assert env.action_space("player_0").n == ACTIONS == 1176
    assert luzhanqi_v0.env(actions="two_stage").action_space("player_1").n == 60
    assert luzhanqi_v0.env(setup="placements").action_space("player_1").n == 1176 + 12
    assert env.observation_space("player_0")["observation"].shape == (54, 12, 5)
    assert luzhanqi_v0.env(actions="two_stage").observation_space("player_0")["observation"].shape == (55, 12, 5)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_seen_and_allowed_is_what_the_readable_game_says_for_either_side(seed):
    rules = (Rules(), Rules.preset("western"), Rules(flag="carried", headquarters="free"))[seed % 3]
    env, rng = luzhanqi_v0.raw_env(rules=rules, setup="random"), np.random.default_rng(seed)
    env.reset(seed=seed)
    state = State.start(*env.game.layouts, rules)
    while not state.outcome:
        player = int(env.agent_selection[-1])
        assert player == state.to_move
        for other in (0, 1):
            seen = env.observe(f"player_{other}")
            assert (seen["observation"] == state.observation(other).planes()).all()
            assert seen["action_mask"].any() == (other == player)
        mask = env.observe(env.agent_selection)["action_mask"]
        assert (mask == env.infos[env.agent_selection]["action_mask"]).all()
        numbers = {ACTION_OF[parse_move(move)] for move in state.legal_moves()}
        assert {TURNED_ACTION[a] if player else a for a in np.flatnonzero(mask).tolist()} == numbers
        action = legal_action(mask, rng)
        origin, target = MOVES[TURNED_ACTION[action] if player else action]
        env.step(action)
        state = next(state.play(m) for m in state.legal_moves() if parse_move(m) == (origin, target))
        assert env.game.state.record == state.record
    winner = state.outcome.winner
    assert env.rewards == {f"player_{p}": 0 if winner is None else 1 if p == winner else -1 for p in (0, 1)}
    assert env.infos["player_0"]["outcome"] == state.outcome.reason.code
    assert all(env.terminations.values())


def test_two_stages_are_one_move():
    env, rng = luzhanqi_v0.raw_env(actions="two_stage"), np.random.default_rng(3)
    env.reset(seed=1)
    state = State.start(*env.game.layouts)
    for _ in range(60):
        player = state.to_move
        origins = {parse_move(move)[0] for move in state.legal_moves()}
        mask = env.observe(env.agent_selection)["action_mask"]
        assert {turned(p) if player else p for p in np.flatnonzero(mask).tolist()} == origins
        assert not env.observe(env.agent_selection)["observation"][54].any()
        origin = legal_action(mask, rng)
        env.step(origin)
        seen = env.observe(env.agent_selection)
        assert env.agent_selection == f"player_{player}"
        assert np.flatnonzero(seen["observation"][54]).tolist() == [origin]
        assert not env.observe(f"player_{1 - player}")["observation"][54].any()  # nobody sees what is picked up
        target = legal_action(seen["action_mask"], rng)
        env.step(target)
        move = (turned(origin), turned(target)) if player else (origin, target)
        state = next(state.play(m) for m in state.legal_moves() if parse_move(m) == move)
        if state.outcome:
            break
        assert (env.observe("player_0")["observation"][:54] == state.observation(0).planes()).all()


def test_placements_set_up_both_armies_and_the_other_one_sees_nothing_of_it():
    env, rng = luzhanqi_v0.raw_env(setup="placements"), np.random.default_rng(4)
    env.reset(seed=1)
    layouts = ["", ""]
    blank = env.observe("player_1")["observation"]
    for number in range(50):
        player = number // 25
        assert env.agent_selection == f"player_{player}"
        action = legal_action(env.infos[env.agent_selection]["action_mask"], rng)
        layouts[player] += LETTERS[action - 1176]
        env.step(action)
        if player == 0:
            assert (env.observe("player_1")["observation"] == blank).all()
    for layout in layouts:
        check(layout, Rules())
    assert env.game.state == State.start(*layouts)
    assert env.agent_selection == "player_0"


def test_a_limit_of_moves_truncates_and_the_rules_terminate():
    env = luzhanqi_v0.raw_env(rules=Rules(max_moves=4))
    env.reset(seed=1)
    walk(env, 4)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert env.rewards == {"player_0": 0, "player_1": 0}


def test_an_illegal_action_raises_in_the_raw_environment_and_loses_in_the_other(capsys):
    raw = luzhanqi_v0.raw_env()
    with pytest.raises(IllegalMove, match="before reset"):
        raw.observe("player_0")
    raw.reset(seed=1)
    for wrong in (int(np.flatnonzero(raw.infos["player_0"]["action_mask"] == 0)[0]), -1, 1176):
        with pytest.raises(IllegalMove, match=f"action {wrong} is not legal now"):
            raw.step(wrong)
    with pytest.raises(IllegalMove, match="None is for agents whose game is over"):
        raw.step(None)
    env = luzhanqi_v0.env()
    env.reset(seed=1)
    mask = env.last()[0]["action_mask"]
    env.step(int(np.flatnonzero(mask == 0)[0]))
    assert env.rewards["player_0"] == -1
    assert all(env.terminations.values())


def test_the_same_seed_is_the_same_series_of_games():
    def layouts(seed):
        env = luzhanqi_v0.raw_env()
        env.reset(seed=seed)
        found = [tuple(env.game.layouts)]
        for _ in range(3):
            env.reset()
            found.append(tuple(env.game.layouts))
        return found

    assert layouts(5) == layouts(5) != layouts(6)
    assert len(set(layouts(5))) > 1
    assert all(layout in BOOK for pair in layouts(5) for layout in pair)


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@forms
def test_copies_and_pickles_go_on_as_the_game_itself_does(options, way):
    kind = luzhanqi_v0.raw_env if way is copy.copy else luzhanqi_v0.env  # PettingZoo's wrappers copy themselves only
    env = kind(**options)
    env.reset(seed=3)
    walk(env, 33)
    other = way(env)
    assert data_equivalence(walk(env, 40, seed=1), walk(other, 40, seed=1))
    assert env.unwrapped.game is not other.unwrapped.game


def test_it_is_drawn_as_text(capsys):
    env = luzhanqi_v0.env(render_mode="ansi")
    env.reset(seed=1)
    assert "9 Marshal" in env.render()
    human = luzhanqi_v0.raw_env(render_mode="human")
    human.reset(seed=1)
    assert "9 Marshal" in capsys.readouterr().out


# Gymnasium ------------------------------------------------------------------------------------------------------------


class Attacker:
    """Always attacks if it can, from a layout of its own; remembers what it saw."""

    def __init__(self):
        self.seen = []

    def arrange(self, rules, rng):
        return BOOK[3]

    def choose(self, observation, legal, rng):
        self.seen.append(observation)
        board = observation.record.board
        return pick(rng, [move for move in legal if board[parse_move(move)[1]] >= 0] or legal)


def make(**options):
    return gymnasium.make("apprenti/Luzhanqi-v0", **options).unwrapped


def play(env, steps, seed=0):
    """Random legal actions; what was seen on the way."""
    rng, seen = np.random.default_rng(seed), []
    for _ in range(steps):
        seen.append(env.step(legal_action(env.action_masks(), rng)))
        if seen[-1][2] or seen[-1][3]:
            seen.append(env.reset())
    return seen


@forms
def test_gymnasiums_own_check_passes(options, capsys):
    check_env(make(**options))


def test_gymnasiums_own_check_passes_with_an_opponent(capsys):
    check_env(make(opponent=Attacker(), side="north"))


@pytest.mark.parametrize("side", [0, 1])
def test_the_opponent_is_asked_with_what_it_knows_and_the_player_sees_its_own_side(side):
    opponent = Attacker()
    env = make(opponent=opponent, side=("south", "north")[side])
    planes, info = env.reset(seed=1)
    rng, moves = np.random.default_rng(0), 0
    assert info["player"] == env.player == side
    assert env.game.layouts[1 - side] == BOOK[3]
    while True:
        state = env.game.state
        assert (planes == state.observation(side).planes()).all()
        assert (info["action_mask"] == env.action_masks()).all()
        assert state.to_move == side
        before = len(opponent.seen)
        planes, reward, terminated, _, info = env.step(legal_action(info["action_mask"], rng))
        moves += 1
        if terminated:
            break
        assert len(opponent.seen) == before + 1
        assert opponent.seen[-1].player == 1 - side
        assert reward == 0
    winner = env.game.outcome.winner
    assert reward == (1 if winner == side else -1)
    assert info["outcome"] == env.game.outcome.reason.code
    assert not env.action_masks().any()
    with pytest.raises(IllegalMove, match="call reset"):
        env.step(0)


class Listener(Attacker):
    """One that notes where its stream was when it set up."""

    def arrange(self, rules, rng):
        self.heard = copy.copy(rng)
        return super().arrange(rules, rng)


def test_the_opponent_does_not_get_the_stream_that_drew_the_players_layout():
    opponent = Listener()
    env = make(opponent=opponent, side="south", setup="random")
    for seed in range(5):
        env.reset(seed=seed)
        stream = Stream.named(seed, "environment")
        assert env.options.layout(stream) == env.game.layouts[0]
        assert opponent.heard != stream and opponent.heard != Stream.named(seed, "environment")


def test_sides_are_taken_in_turn_and_a_seed_begins_again():
    env = make()
    sides = [env.reset(seed=4)[1]["player"], *(env.reset()[1]["player"] for _ in range(3))]
    assert sides == [0, 1, 0, 1]
    assert env.reset(seed=4)[1]["player"] == 0


def test_the_same_seed_and_actions_are_the_same_games():
    one, other, third = make(), make(), make()
    for env, seed in ((one, 4), (other, 4), (third, 5)):
        env.reset(seed=seed)
    first = play(one, 150)
    assert data_equivalence(first, play(other, 150))
    assert not data_equivalence(first, play(third, 150))


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("opponent", [None, Attacker()])
def test_copies_and_pickles_of_one_side_go_on_alike(way, opponent):
    env = make(opponent=opponent, setup="placements")
    env.reset(seed=2)
    play(env, 40)
    other = way(env)
    assert data_equivalence(play(env, 30), play(other, 30))


def test_an_illegal_action_loses_or_raises():
    env = make()
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)
    strict = make(illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalMove):
        strict.step(wrong)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"actions": "three"}, UnknownName),
        ({"setup": "chess"}, UnknownName),
        ({"rules": "chess"}, UnknownName),
        ({"colour": 1}, UnknownName),
        ({"render_mode": "film"}, UnknownName),
        ({"rules": replace(Rules(), repetition=3)}, BadRules),
    ],
)
def test_options_there_are_not_are_refused_with_a_sentence(options, error):
    with pytest.raises(error):
        luzhanqi_v0.env(**options)
    with pytest.raises(ApprentiError):
        LuzhanqiEnv(**options)


@pytest.mark.parametrize("options", [{"side": "east"}, {"illegal": "ignore"}])
def test_options_of_one_side_are_checked_too(options):
    with pytest.raises(UnknownName):
        LuzhanqiEnv(**options)
