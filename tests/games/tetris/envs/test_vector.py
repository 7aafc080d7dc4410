"""Many games in one environment: the numbers of as many single ones."""

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

import apprenti.envs  # noqa: F401
from apprenti.core.errors import BadOption, IllegalMove

PLACEMENTS, BY_KEYS = "apprenti/Tetris-v0", "apprenti/TetrisKeys-v0"
COMBINATIONS = (
    {"size": "6x8"},
    {"size": "4x6", "pieces": "domino", "max_pieces": 12, "illegal": "ignore", "reward": "square", "piece_bonus": 0.5},
    {"size": "5x6", "rules": "strict", "observation": "bcts", "criteria": "holes_change,lines", "randomiser": "bag"},
    {"size": "6x6", "rules": "tetrisbot", "reward": "points", "penalty": 2.5},
)


def native(name, games, **options):
    return gymnasium.make_vec(name, num_envs=games, vectorization_mode="vector_entry_point", **options)


def single_ones(name, games, **options):
    same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
    return gymnasium.make_vec(name, games, vectorization_mode="sync", vector_kwargs=same_step, **options)


def mostly_legal(masks, rng, wrong=0.1):
    """Legal actions, and now and then any."""
    return np.array(
        [rng.integers(len(mask)) if rng.random() < wrong else rng.choice(np.flatnonzero(mask)) for mask in masks]
    )


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
@pytest.mark.parametrize("name", [PLACEMENTS, BY_KEYS])
def test_it_gives_what_single_environments_give(name, options):
    if name == PLACEMENTS:
        options = {**options, "afterstates": True}
    many, ones, rng = native(name, 5, threads=2, **options), single_ones(name, 5, **options), np.random.default_rng(1)
    assert many.single_observation_space == ones.single_observation_space
    assert many.observation_space == ones.observation_space and many.action_space == ones.action_space
    found, expected = many.reset(seed=3), ones.reset(seed=3)
    assert data_equivalence(found, expected)
    ended = 0
    for _ in range(120):
        actions = mostly_legal(found[-1]["action_mask"], rng)
        found, expected = many.step(actions), ones.step(actions)
        for part, other in zip(found, expected, strict=True):
            assert data_equivalence(part, other)
        assert many.observation_space.contains(found[0])
        ended += int((found[2] | found[3]).sum())
        assert ("final_obs" in found[4]) == bool((found[2] | found[3]).any())
    assert ended > 5


def test_same_step_autoreset_is_declared_and_masks_have_a_row_a_game():
    many = native(PLACEMENTS, 7, size="5x5")
    assert many.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    _, infos = many.reset(seed=1)
    assert infos["action_mask"].shape == (7, 20) and infos["action_mask"].dtype == np.int8
    assert (many.unwrapped.action_masks() == infos["action_mask"]).all()
    assert infos["_action_mask"].all()


def test_seeds_one_or_many_and_games_that_go_on():
    many = native(PLACEMENTS, 3, preview=True)
    by_number, _ = many.reset(seed=5)
    by_list, _ = many.reset(seed=[5, 6, 7])
    assert data_equivalence(by_number, by_list)
    others, _ = many.reset()  # the next games of the same streams
    partly, _ = many.reset(seed=[None, 6, None])
    assert (partly["piece"][1], partly["next_piece"][1]) == (by_list["piece"][1], by_list["next_piece"][1])
    again = native(PLACEMENTS, 3, preview=True)
    again.reset(seed=5)
    assert data_equivalence(again.reset()[0], others)
    with pytest.raises(BadOption, match="3 games need as many seeds, not 2"):
        many.reset(seed=[1, 2])


def test_what_was_given_stays_as_it_was():
    many, rng = native(PLACEMENTS, 4, size="5x6"), np.random.default_rng(2)
    given = [many.reset(seed=1)]
    kept = [pickle.loads(pickle.dumps(given[0]))]
    for _ in range(30):
        given.append(many.step(mostly_legal(given[-1][-1]["action_mask"], rng)))
        kept.append(pickle.loads(pickle.dumps(given[-1])))
    assert data_equivalence(given, kept)


def test_a_pickled_environment_goes_on():
    many, rng = native(BY_KEYS, 4, size="5x6").unwrapped, np.random.default_rng(2)
    many.reset(seed=1)
    for _ in range(20):
        many.step(rng.integers(6, size=4))
    twin = pickle.loads(pickle.dumps(many))
    for _ in range(60):
        actions = rng.integers(6, size=4)
        assert data_equivalence(many.step(actions), twin.step(actions))


def test_wrong_actions_and_options_are_named():
    many = native(PLACEMENTS, 2, size="4x6", randomiser="sequence:I", illegal="raise")
    with pytest.raises(IllegalMove, match="have not begun"):
        many.step([0, 0])
    many.reset(seed=1)
    with pytest.raises(IllegalMove, match="action 2 of game 1"):
        many.step([0, 2])
    with pytest.raises(IllegalMove, match="from 0 to 15, not 16"):
        many.step([0, 16])
    assert many.step([0, 0])[4]["lines"].tolist() == [1, 1]  # nothing had been played
    with pytest.raises(BadOption, match="needs as many actions"):
        many.step([0])
    with pytest.raises(BadOption, match="compiled engine"):
        native(PLACEMENTS, 2, engine="readable")
    with pytest.raises(BadOption, match="not rendered"):
        native(PLACEMENTS, 2, render_mode="ansi")
    with pytest.raises(BadOption, match="at least one game"):
        native(PLACEMENTS, 0)


def test_without_copies_the_same_arrays_are_written_again_and_show_the_same_games():
    fresh, same = (
        gymnasium.make_vec("apprenti/TetrisKeys-v0", num_envs=3, vectorization_mode="vector_entry_point", copy=copy)
        for copy in (True, False)
    )
    first, _ = fresh.reset(seed=4)
    again, _ = same.reset(seed=4)
    for step in range(150):
        actions = np.array([(step * 5 + i) % 6 for i in range(3)])
        expected, found = fresh.step(actions), same.step(actions)
        assert all(np.array_equal(expected[0][key], found[0][key]) for key in expected[0])
        assert found[0]["board"] is again["board"]
        assert expected[0]["board"] is not first["board"]
