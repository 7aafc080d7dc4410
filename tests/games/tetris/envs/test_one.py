"""The Gymnasium environments: what they promise, by both engines."""

import copy
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.utils.env_match import check_environments_match

import apprenti.envs  # noqa: F401
from apprenti.core.errors import ApprentiError, BadOption, IllegalMove, UnknownName
from apprenti.core.seeds import Stream
from apprenti.games.tetris import PieceSet, Rules, criteria, deal, legal_placements, start
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.fast.keys import KEYS

PLACEMENTS, BY_KEYS = "apprenti/Tetris-v0", "apprenti/TetrisKeys-v0"
BOTH = (PLACEMENTS, BY_KEYS)
COMBINATIONS = (
    {},
    {"size": "6x8", "randomiser": "bag", "preview": True, "illegal": "ignore"},
    {"size": "4x6", "pieces": "domino", "reward": "square", "max_pieces": 9, "illegal": "ignore"},
    {"rules": "strict", "size": "7x9", "pieces": "classic", "observation": "dellacherie", "illegal": "ignore"},
    {"rules": "overflow", "size": "5x5", "criteria": ("holes", "holes_change", "lines")},
    {"rules": "tetrisbot", "size": "6x7", "reward": "points", "piece_bonus": 0.1, "observation": ["column_heights"]},
    {"rules": "tetrisbot", "size": "8x5", "criteria": "rv", "illegal": "ignore", "max_pieces": 20},
)


def make(name, **options):
    return gymnasium.make(name, **options).unwrapped


def legal_action(info, rng):
    return int(rng.choice(np.flatnonzero(info["action_mask"])))


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
@pytest.mark.parametrize("name", BOTH)
def test_gymnasiums_own_check_passes(name, options):
    check_env(make(name, **options), skip_render_check=bool(options))


@pytest.mark.parametrize("options", COMBINATIONS[1:], ids=str)
@pytest.mark.parametrize("name", BOTH)
def test_the_engines_match(name, options):
    if name == PLACEMENTS:
        options = {**options, "afterstates": True}
    compiled, readable = make(name, **options), make(name, engine="readable", **options)
    check_environments_match(compiled, readable, num_steps=60, seed=7)


@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
@pytest.mark.parametrize("name", BOTH)
def test_the_engines_look_the_same(name, render_mode):
    options = {"size": "6x8", "illegal": "ignore", "render_mode": render_mode}
    check_environments_match(make(name, **options), make(name, engine="readable", **options), num_steps=40)


def board_of(observation, rules):
    rows = ["".join(".#"[cell] for cell in row) for row in observation["board"][: rules.height]]
    return Board(tuple(rows) + ("." * rules.width,) * rules.hidden, rules.hidden)


@pytest.mark.parametrize("engine", ["compiled", "readable"])
@pytest.mark.parametrize("rules", ["simplified", "strict", "tetrisbot"])
def test_masks_are_the_placements_the_rules_allow(rules, engine):
    env, rng = make(PLACEMENTS, rules=rules, size="7x7", engine=engine), np.random.default_rng(1)
    observation, info = env.reset(seed=2)
    for _ in range(60):
        board, letter = board_of(observation, env.rules), env.rules.pieces.letters[observation["piece"]]
        expected = {p.rotation * 7 + p.column for p in legal_placements(env.rules, board, letter)}
        assert set(np.flatnonzero(info["action_mask"]).tolist()) == expected
        assert info["action_mask"].dtype == np.int8 and env.action_masks().dtype == np.bool_
        assert (env.action_masks() == info["action_mask"]).all()
        observation, _, terminated, _, info = env.step(legal_action(info, rng))
        if terminated:
            assert not info["action_mask"].any() and not env.action_masks().any()
            observation, info = env.reset()


@pytest.mark.parametrize("name", BOTH)
def test_the_rules_terminate_and_limits_truncate(name):
    rng = np.random.default_rng(3)
    env, reasons = make(name, size="5x9", max_pieces=6), set()
    for game in range(40):
        _, info = env.reset(seed=game)
        terminated = truncated = False
        while not (terminated or truncated):
            assert "outcome" not in info
            _, _, terminated, truncated, info = env.step(legal_action(info, rng))
        assert terminated != truncated
        assert truncated == (info["outcome"] == "last_piece")
        assert not truncated or info["pieces"] == 6
        reasons.add(info["outcome"])
        with pytest.raises(IllegalMove, match="call reset"):
            env.step(0)
    assert len(reasons) > 1
    limited = gymnasium.make(name, size="5x20", max_episode_steps=3)
    limited.reset(seed=1)
    ends = [limited.step(2)[2:4] for _ in range(3)]  # D, and for every piece column 2
    assert ends == [(False, False), (False, False), (False, True)]


# an O fills columns 0 and 1 of a board of four, another the rest: two lines at once
@pytest.mark.parametrize(
    ("options", "rewards"),
    [
        ({"reward": "lines"}, [0, 2]),
        ({"reward": "square"}, [0, 4]),
        ({"reward": "points", "rules": "tetrisbot"}, [0, 100]),
        ({"reward": "points", "rules": "simplified"}, [0, 2]),
        ({"reward": "lines", "piece_bonus": 0.25}, [0.25, 2.25]),
    ],
)
@pytest.mark.parametrize("engine", ["compiled", "readable"])
def test_rewards_by_hand(options, rewards, engine):
    env = make(PLACEMENTS, size="4x6", randomiser="sequence:O", engine=engine, **options)
    env.reset(seed=1)
    assert [env.step(column)[1] for column in (0, 2)] == rewards
    env = make(
        BY_KEYS, **{"rules": "tetrisbot", "size": "4x6", "randomiser": "sequence:O", "engine": engine, **options}
    )
    env.reset(seed=1)
    steps = [env.step(KEYS.index(key)) for key in "LDRD"]  # O appears in columns 1 and 2
    assert [step[1] for step in steps] == [0, rewards[0], 0, rewards[1]]
    assert steps[-1][4]["lines"] == 2 and not steps[-1][0]["board"].any()


@pytest.mark.parametrize("engine", ["compiled", "readable"])
def test_an_illegal_action_terminates_is_ignored_or_raises(engine):
    options = {"size": "4x6", "randomiser": "sequence:I", "engine": engine}  # flat, I fits in column 0 alone
    env = make(PLACEMENTS, penalty=3.5, **options)
    env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(1)
    assert (reward, terminated, truncated) == (-3.5, True, False)
    assert info["illegal_action"] and "illegal" in info["outcome"]
    assert observation["piece"] == 7 and not info["action_mask"].any()
    with pytest.raises(IllegalMove, match="call reset"):
        env.step(0)
    assert env.reset()[0]["piece"] == 0

    env = make(PLACEMENTS, illegal="ignore", **options)
    before, _ = env.reset(seed=1)
    after, reward, terminated, truncated, info = env.step(1)
    assert data_equivalence(before, after) and (reward, terminated, truncated) == (0.0, False, False)
    assert info["illegal_action"] and info["pieces"] == 0
    assert "illegal_action" not in env.step(0)[4]

    env = make(PLACEMENTS, illegal="raise", **options)
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match=r"action 1 \(rotation 0, column 1\) is not legal for piece I"):
        env.step(1)
    for wrong in (-1, 16, 10**6):
        with pytest.raises(IllegalMove, match=f"from 0 to 15, not {wrong}"):
            env.step(wrong)
    assert env.step(0)[4]["lines"] == 1  # nothing was lost


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("engine", ["compiled", "readable"])
@pytest.mark.parametrize("name", BOTH)
def test_a_copy_goes_on_with_the_same_game_by_itself(name, engine, copied):
    rng = np.random.default_rng(5)
    env = make(name, size="6x9", randomiser="bag", engine=engine, observation="dt", render_mode="ansi")
    _, info = env.reset(seed=4)
    for _ in range(4):
        info = env.step(legal_action(info, rng))[4]
    twin = copied(env)
    picture, played = env.render(), []
    for _ in range(40):
        action = legal_action(info, rng)
        played.append((action, twin.step(action)))
        info = played[-1][1][4]
        if played[-1][1][2]:
            info = twin.reset()[1]
    assert env.render() == picture
    for action, expected in played:  # also the games after this one: the stream was copied
        found = env.step(action)
        assert data_equivalence(found, expected)
        if found[2]:
            env.reset()


def test_a_seed_is_a_stream_of_games():
    def first_pieces(env, games, seed=None):
        pieces = []
        for game in range(games):
            observation, _ = env.reset(seed=seed if game == 0 else None)
            pieces.append((observation["piece"], observation["next_piece"]))
        return pieces

    env = make(PLACEMENTS, preview=True)
    first = first_pieces(env, 30, seed=9)
    assert first == first_pieces(make(PLACEMENTS, preview=True), 30, seed=9)
    assert len(set(first)) > 10
    assert first != first_pieces(env, 30, seed=10)
    assert first_pieces(make(PLACEMENTS, preview=True), 30) != first_pieces(make(PLACEMENTS, preview=True), 30)
    stream = Stream.named(9, "environment")
    for seen in first:
        state = deal(start(Rules.preset("simplified", preview=True)), Stream(stream.bits()))
        assert seen == tuple("IOTSZJL".index(piece) for piece in (state.piece, state.next_piece))


def test_criteria_and_afterstates_tell_what_a_step_will_bring():
    names = ("landing_height", "eroded_piece_cells", "holes", "holes_change", "mean_height_change", "column_heights")
    env, rng = make(PLACEMENTS, size="5x8", criteria=names, afterstates=True), np.random.default_rng(2)
    observation, info = env.reset(seed=1)
    assert info["criteria"].tolist() == [0.0] * 10
    for _ in range(80):
        action, told = legal_action(info, rng), info["afterstates"]
        board, letter = board_of(observation, env.rules), env.rules.pieces.letters[observation["piece"]]
        chosen = next(
            p for p in legal_placements(env.rules, board, letter) if (p.rotation, p.column) == divmod(action, 5)
        )
        observation, reward, terminated, _, info = env.step(action)
        assert (told["board"][action] == observation["board"]).all()
        assert told["lines"][action] == reward
        assert bool(told["over"][action]) == terminated
        if not terminated:
            assert told["criteria"][action].tolist() == info["criteria"].tolist()
            expected = criteria.measure(board, chosen, names)
            assert info["criteria"] == pytest.approx(np.array(list(expected.values()), np.float32))
        else:
            assert not info["criteria"].any() and not told["criteria"][action].any()
            observation, info = env.reset()


def test_the_end_of_a_game_is_seen_with_the_piece_that_ended_it():
    env = make(PLACEMENTS, size="4x4", randomiser="sequence:O")
    env.reset(seed=1)
    env.step(0), env.step(0)
    observation, _, terminated, _, info = env.step(0)
    assert terminated and info["outcome"] == "sticks_out"
    assert observation["piece"] == 7  # no piece is in play
    assert observation["board"].tolist() == [[1, 1, 0, 0]] * 4


def test_other_pieces_and_rules_of_your_own():
    pieces = PieceSet.parse("A\n#\n\nB\n##\n#.")
    env = make(PLACEMENTS, rules=Rules.preset("strict", "6x6"), pieces=pieces, preview=True)
    assert env.observation_space["piece"].n == 3 and env.action_space.n == 4 * 6
    tall = make(PLACEMENTS, size="10x40", engine="readable")
    assert tall.reset(seed=1)[0]["board"].shape == (40, 10)


def test_pictures(capsys):
    env = make(PLACEMENTS, size="6x6", render_mode="rgb_array")
    env.reset(seed=1)
    sizes, rng = set(), np.random.default_rng(1)
    info = env.reset(seed=1)[1]
    for _ in range(60):
        _, _, terminated, _, info = env.step(legal_action(info, rng))
        sizes.add((env.render().shape, env.render().dtype.name))
        if terminated:
            info = env.reset()[1]
    assert sizes == {((10 * 16, 6 * 16, 3), "uint8")}
    shown = make(BY_KEYS, size="6x6", render_mode="human")
    shown.reset(seed=1)
    shown.step(0)
    assert capsys.readouterr().out.count("pieces 0") == 2
    with pytest.raises(IllegalMove, match=r"before reset\(\)"):
        make(PLACEMENTS, render_mode="ansi").render()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rules": "strickt"}, "did you mean strict?"),
        ({"reward": "linez"}, "did you mean lines?"),
        ({"illegal": "crash"}, "did you mean raise?"),
        ({"engine": "gpu"}, "there is compiled, readable."),
        ({"observation": "bord"}, "did you mean board?"),
        ({"observation": []}, "observation needs at least one criterion."),
        ({"criteria": "holes,holes"}, "criteria names a criterion twice."),
        ({"criteria": "wells"}, "no criterion or set of criteria called 'wells'"),
        ({"size": "10"}, "a size is columns x rows, like 10x20"),
        ({"size": "10x40"}, "use engine='readable' for other boards."),
        ({"randomiser": "fair"}, "pieces are dealt by uniform, bag"),
        ({"pieces": "heptomino"}, "no set of pieces called"),
        ({"max_pieces": -1}, "the number of pieces is from 0"),
        ({"piece_bonus": float("nan")}, "piece_bonus is a finite number, not nan."),
        ({"penalty": "big"}, "penalty is a finite number, not 'big'."),
        ({"preview": "yes"}, "preview cannot be 'yes'"),
        ({"reword": "lines"}, "did you mean reward?"),
        ({"render_mode": "3d"}, "there is human, ansi, rgb_array."),
    ],
)
@pytest.mark.filterwarnings("ignore:.*render_mode.*")
def test_wrong_options_are_named_in_one_sentence(options, sentence):
    with pytest.raises((BadOption, UnknownName, ApprentiError)) as caught:
        make(PLACEMENTS, **options)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_afterstates_are_for_placements():
    with pytest.raises(BadOption, match="placements only"):
        make(BY_KEYS, afterstates=True)


def test_gymnasium_finds_the_environments_by_module_name():
    code = "import gymnasium; print(gymnasium.make('apprenti.envs:apprenti/Tetris-v0').action_space)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Discrete(40)"


def test_without_gymnasium_one_sentence_says_what_to_install():
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "try:\n    import apprenti.envs\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'apprenti[envs]'" in done.stdout and done.stdout.count("\n") == 1
