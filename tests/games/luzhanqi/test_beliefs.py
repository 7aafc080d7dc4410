"""Beliefs are exactly the layouts that fit: brute force on small armies, replayed games on whole ones."""

from collections import Counter
from dataclasses import replace
from itertools import islice, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.fast.arrays import replayed, rules_array, types_of
from apprenti.games.luzhanqi.fast.beliefs import Assignments, Beliefs, dice_from
from apprenti.games.luzhanqi.fast.primitives import begun
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.layout import ALLOWED, check
from apprenti.games.luzhanqi.pieces import LETTERS, TYPE_OF, type_set
from apprenti.games.luzhanqi.rules import PRESETS
from tests.games.luzhanqi.games import SMALL_ARMY, any_rules, random_game
from tests.games.luzhanqi.test_state import army, meet, played


def moves_of(state):
    return np.array([move[:2] for move in state.record.moves], dtype=np.int64).reshape(-1, 2)


def replay(state, player, enemy):
    """What would have been seen, had the player's enemy set up like this."""
    layouts = (state.layouts[0], enemy) if player == 0 else (enemy, state.layouts[1])
    rules = rules_array(state.rules)
    return replayed(rules, begun(rules, *map(types_of, layouts)), moves_of(state))


def all_that_fit(state, player):
    """Every layout of the enemy, with pieces on the same points, under which everything is seen the same."""
    true = state.layouts[1 - player]
    wanted = replay(state, player, true)
    full = [slot for slot in range(25) if true[slot] != "."]
    found = []
    for letters in set(permutations([true[slot] for slot in full])):
        if all(ALLOWED[slot] >> TYPE_OF[letter] & 1 for slot, letter in zip(full, letters, strict=True)):
            row = ["."] * 25
            for slot, letter in zip(full, letters, strict=True):
                row[slot] = letter
            seen = replay(state, player, "".join(row))
            if seen is not None and (seen == wanted).all():
                found.append("".join(row))
    return found


def text(row):
    return "".join((LETTERS + ".")[kind] for kind in row)


def hold_against_brute_force(state, draws=0):
    player = state.to_move
    beliefs, fitting = Beliefs.of(state.observation(player)), all_that_fit(state, player)
    assert beliefs.total == len(fitting)
    shares = np.zeros((25, 12))
    for layout in fitting:
        for slot, letter in enumerate(layout):
            if letter != ".":
                shares[slot, TYPE_OF[letter]] += 1 / len(fitting)
    np.testing.assert_allclose(beliefs.marginals(), shares, atol=1e-9)
    seen = Counter(map(text, beliefs.sample(Stream(3), draws or 20)))
    assert set(seen) <= set(fitting)
    return seen, fitting


@given(any_rules(), st.integers(0, 10**6), st.integers(4, 60))
@settings(max_examples=15)
def test_beliefs_are_what_brute_force_finds(rules, seed, moves):
    state = None
    for later in random_game(replace(rules, army="010000102111"), seed, moves):
        state = later if not later.outcome else state
    if state:
        hold_against_brute_force(state)


@pytest.mark.parametrize(("board", "seed"), [("full", 6), ("mini", 6)])
def test_every_layout_that_fits_is_drawn_as_often(board, seed):
    rules = Rules(army=SMALL_ARMY, board=board)
    *_, state = (state for state in random_game(rules, seed, 20) if not state.outcome)
    seen, fitting = hold_against_brute_force(state, draws=20_000)
    assert 20 < len(fitting) < 2000
    expected = 20_000 / len(fitting)
    chi_squared = sum((seen[layout] - expected) ** 2 / expected for layout in fitting)
    freedom = len(fitting) - 1
    assert abs(chi_squared - freedom) < 4 * (2 * freedom) ** 0.5


def test_what_a_failed_attack_on_the_flag_tells_of_the_mines():
    """Rule `mines`: the engineer clears one of two mines, a bomb takes what might be the other, an attack fails.

    If what withstood the attack is the flag, a mine was left, so the bomb took no mine.
    """
    south = army(G0="a", G4="i", H4="k", K0="j", K1="j", L1="l")
    north = army(G1="a", K0="i", I1="k", L0="j", L4="j", L1="l")
    state = meet(south, north, flag="mines")
    state = played(state, "G4B0", "D3E3", "B0A0", "E3D3", "H4B4", "D3E3")
    assert state.last_result == "moved"
    state = played(state, "G0B0", "E3D3", "B0B3", "D3E3", "B3A3", "E3D3")
    beliefs = Beliefs.of(state.observation(0))
    assert beliefs.assignments.total > beliefs.total > 0
    hold_against_brute_force(state)


@pytest.mark.parametrize("name", PRESETS)
def test_sampled_layouts_of_whole_armies_replay_the_whole_game(name):
    rules = Rules.preset(name)
    for seed in range(3):
        for state in list(random_game(rules, seed, 160))[20::45]:
            player = state.to_move
            if state.outcome:
                continue
            beliefs = Beliefs.of(state.observation(player))
            rows = beliefs.sample(Stream(seed), 40)
            wanted = replay(state, player, state.layouts[1 - player])
            for row in rows:
                seen = replay(state, player, check(text(row), rules))
                assert seen is not None
                assert (seen == wanted).all()
            marginals = beliefs.marginals()
            np.testing.assert_allclose(marginals.sum(axis=1), [letter != "." for letter in state.layouts[1 - player]])
            np.testing.assert_allclose(marginals.sum(axis=0), rules.counts)
            sets = [sum(1 << kind for kind in range(12) if share[kind] > 0) for share in marginals]
            assert tuple(sets) == state.observation(player).possible


def test_at_the_beginning_beliefs_are_the_uniform_layouts():
    beliefs = Beliefs.of(State.start("diahcbgkkfiecfigjhedjljhg", "bicgcakdgifgeekjfhjjihhld").observation(0))
    assert beliefs.total == 709_596_419_051_520_000
    shares = beliefs.marginals()
    assert shares[21, 11] == pytest.approx(1 / 2)
    assert shares[23, 9] == pytest.approx(1 / 6)
    assert shares[21, 10] == pytest.approx(1 / 24)
    assert shares[15, 9] == pytest.approx(1 / 3)
    assert shares[24, 10] == pytest.approx(1 / 12)
    assert shares[7, 10] == pytest.approx(1 / 8)
    assert shares[0, 0] == pytest.approx(1 / 19)
    sampled = beliefs.sample(Stream(1), 4000)
    np.testing.assert_allclose((sampled[:, :, None] == np.arange(12)).mean(axis=0), shares, atol=0.04)


def test_the_same_chance_gives_the_same_samples():
    beliefs = Beliefs.of(State.start("diahcbgkkfiecfigjhedjljhg", "bicgcakdgifgeekjfhjjihhld").observation(1))
    assert (beliefs.sample(Stream(5), 9) == beliefs.sample(Stream(5), 9)).all()
    assert (beliefs.sample(Stream(5), 9) != beliefs.sample(Stream(6), 9)).any()


def test_what_cannot_be_is_counted_as_nothing():
    assert Assignments((type_set("a"), type_set("a")), (1, 1, *[0] * 10)).total == 0
    assert Assignments((type_set("a"), type_set("ab")), (1, 1, *[0] * 10)).total == 1
    assert Assignments((), (0,) * 12).draw(dice_from(Stream(1)), 2).shape == (2, 0)
    with pytest.raises(ApprentiError, match="nothing to believe"):
        Beliefs.of(State.setup().observation(0))


def test_no_world_is_imagined_in_which_the_enemy_could_not_have_gone_on():
    # micro: two generals, a mine and the flag; with its generals in headquarters south could not move
    rules = Rules.preset("micro")
    state = State.parse("...............g...g.l.j./...............g...j.g.l. K4H4 B4H4", rules)
    assert state.turn == 0 and state.legal_moves()
    worlds = list(islice(GAME.worlds(state.observation(1), Stream(1)), 200))
    assert all(world.legal_moves() for world in worlds)
    assert any(world.layouts != state.layouts for world in worlds)
