"""Baselines on many games at once: the same points as the players of the zoo give, from what they know alone."""

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.players import GreedyPlayer, action_numbers, features
from apprenti.games.luzhanqi.agents.search import MonteCarloPlayer, attack_values_by_set, try_moves
from apprenti.games.luzhanqi.board import SLOTS, TURNED_ACTION
from apprenti.games.luzhanqi.fast.arrays import array_of_state, rules_array, worlds_of
from apprenti.games.luzhanqi.fast.beliefs import Beliefs
from apprenti.games.luzhanqi.learn.games import BASELINES, Playouts, baseline, teacher
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MINE, TYPES
from tests.games.luzhanqi.games import random_game
from tests.games.luzhanqi.test_observation import alternatives

RULES = Rules()


def positions(seed=1, count=8):
    states = [state for state in random_game(RULES, seed, 200) if not state.outcome]
    return states[:: max(1, len(states) // count)]


def seen_by(state, actions):
    """The numbers of moves as their player sees them."""
    return np.array([TURNED_ACTION[action] for action in actions]) if state.to_move == 1 else actions


def test_greedy_gives_the_points_of_the_zoos_greedy_player():
    for state in positions():
        seen, legal = state.observation(state.to_move), state.legal_moves()
        points = baseline("greedy").scores(RULES, array_of_state(state)[None])[0]
        assert np.allclose(points[seen_by(state, action_numbers(legal))], GreedyPlayer().scores(seen, legal))
        assert np.isfinite(points).sum() == len(legal)


def test_counted_odds_are_near_the_exact_ones():
    for state in positions(2):
        enemy = [
            (point, piece % SLOTS)
            for point, piece in enumerate(state.record.board)
            if piece // SLOTS == 1 - state.to_move
        ]
        points, slots = np.array(enemy).T
        exact = Beliefs.of(state.observation(state.to_move)).marginals()[slots]
        counted = features(RULES, array_of_state(state)[None]).points[0][
            :, points if state.to_move == 0 else -1 - points
        ]
        assert np.abs(counted[:3].T - exact[:, [FLAG, MINE, BOMB]]).max() < 0.15
        entropy = -(exact * np.log(np.maximum(exact, 1e-300))).sum(axis=1) / np.log(TYPES)
        assert np.abs(counted[3] - entropy).max() < 0.15
        if len(slots) == SLOTS:  # nothing has fallen
            assert np.abs(counted[:3].sum(axis=1) - np.array(RULES.counts)[[FLAG, MINE, BOMB]]).max() < 0.3


def test_points_do_not_depend_on_what_is_hidden():
    compared = 0
    for seed in (3, 4):
        state = positions(seed)[3]
        before = [BASELINES[name].scores(RULES, array_of_state(state)[None]) for name in BASELINES]
        for _, game in alternatives(state, state.to_move, Stream(seed), 25):
            after = [BASELINES[name].scores(RULES, game[None]) for name in BASELINES]
            assert all((one == two).all() for one, two in zip(before, after, strict=True))
            compared += 1
    assert compared > 10


def test_moves_are_legal_and_random_ones_are_any():
    state = positions()[2]
    games, rng = np.repeat(array_of_state(state)[None], 400, axis=0), np.random.Generator(np.random.PCG64(1))
    legal = np.flatnonzero(np.isfinite(baseline("random").scores(RULES, games[:1])[0]))
    assert set(baseline("random").moves(RULES, games, rng).tolist()) == set(legal.tolist())
    assert set(baseline("expected").moves(RULES, games, rng).tolist()) < set(legal.tolist())


def test_baselines_have_names():
    with pytest.raises(ApprentiError, match="god"):
        baseline("god")


def test_playouts_tell_legal_moves_what_comes_of_them_on_average():
    """Over all that may be hidden the targets average to what the Monte-Carlo player computes in sampled worlds."""
    state = positions(5)[4]
    seen, legal = state.observation(state.to_move), state.legal_moves()
    rng, chance = np.random.Generator(np.random.PCG64(1)), Stream(1)
    worlds = worlds_of(seen, Beliefs.of(seen).sample(chance, 3000))
    targets = Playouts(1).targets(RULES, worlds, rng)
    assert (np.isfinite(targets).sum(axis=1) == len(legal)).all()
    like, sums, actions = MonteCarloPlayer(), np.zeros(len(legal)), action_numbers(legal)
    table, dice = attack_values_by_set(RULES), np.array([7], np.uint64)
    try_moves(rules_array(RULES), worlds, actions, table, like.depth, like.march, like.noise, dice, sums)
    expected = (
        sums / len(worlds)
        + like.prejudice * baseline("expected").scores(RULES, worlds).mean(axis=0)[seen_by(state, actions)]
    )
    found, spread = (kind(targets[:, seen_by(state, actions)], axis=0) for kind in (np.mean, np.std))
    assert (np.abs(found - expected) < 5 * spread / np.sqrt(len(worlds) / 2) + 1e-9).all()
    assert (targets != Playouts(1).targets(RULES, worlds, rng)).any(), "the dice go on"


def test_teachers_have_names():
    assert teacher("expected") is BASELINES["expected"]
    with pytest.raises(ApprentiError, match="god"):
        teacher("god")
