"""Deep Q-learning: targets by hand, the target network's period, wrong options, and whether it learns."""

import itertools
import sys

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from apprenti.agents.base import RandomAgent
from apprenti.arena.many import play_many
from apprenti.core.errors import MissingExtra
from apprenti.games.tetris import Board
from apprenti.games.tetris.fast.players import GameResult
from apprenti.games.tetris.fast.tables import columns_of
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.learn.deep import dqn
from apprenti.games.tetris.state import Tally
from apprenti.learn.methods import config_class
from tests.learn.tiny import TINY, config, learner

torch = pytest.importorskip("torch")

KEYS = {"form": "keys", "rules": "tetrisbot", "pieces": "domino", "size": "6x8"}
PLACEMENTS = {"form": "placements", "size": "6x8"}


class Says:
    """A network that says what it was told of the number of full cells, or of each action."""

    def __init__(self, of_cells=None, of_actions=None):
        self.of_cells, self.of_actions = of_cells, of_actions

    def outputs(self, seen, after=None, threads=1):
        if self.of_actions is not None:
            return np.tile(np.array(self.of_actions, float), (len(seen), 1))
        cells = [sum(int(c).bit_count() for c in row[: after.width]) for row in after.columns.tolist()]
        return np.array([self.of_cells(n) for n in cells], float)


def boards(*rows_of_each):
    """Boards as the replay buffer has them."""
    return np.concatenate([columns_of(Board.parse(rows)) for rows in rows_of_each])[:, :6]


def sample(board, piece, gain=0.0, scale=1.0, ended=False):
    return {"board": board, "piece": np.array([piece], np.int8), "gain": np.array([gain]), "scale": np.array([scale]),
            "ended": np.array([ended])}  # fmt: skip


# Targets --------------------------------------------------------------------------------------------------------------

ALMOST = [".." + "...."] * 7 + ["####.."]  # a domino at the right removes the line


def afterstates(**changes):
    return learner("dqn", size="6x8", pieces="domino", gamma=0.5, gamma_end=0.5, **changes).games


def test_the_target_of_an_afterstate_is_what_the_best_placement_gains_and_leads_to():
    games = afterstates(reward="lines", loss="squared", expected=False)
    says = Says(lambda cells: -cells)  # 4 cells: removing the line leaves 0 of them, anything else 6
    assert games.targets(sample(boards(ALMOST), 0), says, says).tolist() == [1.0]
    tempted = Says(lambda cells: cells)  # 0.5 · 6 is more than the line
    assert games.targets(sample(boards(ALMOST), 0), tempted, tempted).tolist() == [3.0]


def test_with_double_targets_one_network_chooses_and_the_other_values():
    games = afterstates(reward="lines", loss="squared", expected=False)
    chooser, valuer = Says(lambda cells: cells), Says(lambda cells: -cells)
    assert games.targets(sample(boards(ALMOST), 0), chooser, valuer).tolist() == [-3.0]


def test_a_return_over_several_moves_adds_what_was_gained_before():
    games = afterstates(reward="lines", loss="squared", expected=False)
    says = Says(lambda cells: 0.0)
    assert games.targets(sample(boards(ALMOST), 0, gain=2.0, scale=0.25), says, says).tolist() == [2.25]
    assert games.targets(sample(boards(ALMOST), 0, gain=2.0, ended=True), says, says).tolist() == [2.0]


def test_where_every_placement_ends_the_game_the_target_is_what_the_end_is_worth():
    dead = ["#.#.#.", ".#.#.#"] * 4  # a domino sticks out wherever it is put
    for reward, loss, worth in (("survival", "logistic", -1.0), ("lines", "squared", 0.0)):
        games = afterstates(reward=reward, loss=loss, expected=False)
        says = Says(lambda cells: 100.0)
        assert games.targets(sample(boards(dead), 0), says, says).tolist() == [worth]


def test_survival_is_a_chance_and_its_target_lies_between_minus_1_and_0():
    games = afterstates()
    even = Says(lambda cells: 0.0)  # the logit of 1/2
    assert games.targets(sample(boards(ALMOST), 0), even, even).tolist() == [-0.25]  # γ · (1/2 − 1)


def test_an_expected_target_is_the_mean_over_the_pieces():
    one_by_one = learner("dqn", size="6x8", gamma=0.5, gamma_end=0.5, reward="lines", loss="squared", expected=False)
    at_once = learner("dqn", size="6x8", gamma=0.5, gamma_end=0.5, reward="lines", loss="squared")
    says, board = Says(lambda cells: -0.1 * cells), boards(ALMOST)
    each = [one_by_one.games.targets(sample(board, piece), says, says)[0] for piece in range(7)]
    assert len(set(each)) > 1
    assert at_once.games.targets(sample(board, 0), says, says)[0] == pytest.approx(np.mean(each))


@pytest.mark.parametrize("changes", [KEYS, PLACEMENTS])
def test_the_target_of_an_action_is_its_reward_and_the_best_legal_action_after_it(changes):
    made = learner("dqn", **{**TINY["dqn"], **changes, "gamma": 0.5, "gamma_end": 0.5, "reward": "lines"})
    actions = made.games.batch.actions
    legal = np.packbits(np.arange(actions)[None] < 3, axis=1)
    blind = {"next_seen": np.zeros((1, made.games.inputs // 8 + 1), np.uint8), "next_legal": legal,
             "gain": np.array([1.0]), "scale": np.array([0.5])}  # fmt: skip
    says = Says(of_actions=[1.0, 4.0, 2.0] + [9.0] * (actions - 3))  # what is not legal does not count
    on, over = {**blind, "ended": np.array([False])}, {**blind, "ended": np.array([True])}
    assert made.games.targets(on, says, says).tolist() == [3.0]
    assert made.games.targets(over, says, says).tolist() == [1.0]
    chooser = Says(of_actions=[0.0, 0.0, 1.0] + [0.0] * (actions - 3))
    assert made.games.targets(on, chooser, says).tolist() == [2.0]


def test_losses_by_hand():
    outputs, y = torch.tensor([0.0, 3.0]), np.array([-0.25, -0.5])
    squared = learner("dqn", reward="lines", loss="squared").losses(outputs, y)
    assert squared.tolist() == pytest.approx([0.0625, 12.25])
    huber = learner("dqn", reward="lines", loss="huber").losses(outputs, y)
    assert huber.tolist() == pytest.approx([0.03125, 3.0])
    logistic = learner("dqn").losses(outputs, y)  # −(1 + y)·log σ − (−y)·log(1 − σ)
    assert logistic.tolist()[0] == pytest.approx(np.log(2))
    assert logistic.tolist()[1] == pytest.approx(0.5 * np.log1p(np.exp(-3)) + 0.5 * np.log1p(np.exp(3)), rel=1e-5)


# Networks and replay --------------------------------------------------------------------------------------------------


def test_the_target_network_changes_only_on_its_period():
    made = learner("dqn", target_period=3, moves=1, updates=1, iterations=9)
    seen = []
    for _ in range(9):
        made.step()
        seen.append(made.target)
    changed = [i for i, (before, after) in enumerate(itertools.pairwise(seen), 2) if before is not after]
    assert changed == [3, 6, 9]
    assert made.target is made.main


def test_the_replay_buffer_is_filled_by_random_play_before_anything_is_learned():
    made = learner("dqn", replay_start=40, replay_buffer=64, moves=1, updates=0)
    first = made.main
    made.step()
    assert made.buffer.size >= 40
    assert made.main is first


def test_chance_falls_exponentially_and_so_do_the_rate_and_the_distance_of_gamma_to_1():
    options = config("dqn", epsilon=1.0, epsilon_end=0.1, epsilon_decay=0.01, iterations=3, learning_rate=0.01,
                     learning_rate_end=0.0001, gamma=0.9, gamma_end=0.999)  # fmt: skip
    assert [options.epsilon_at(0), options.epsilon_at(100)] == pytest.approx([1.0, 0.1 + 0.9 / np.e])
    assert [options.learning_rate_at(g) for g in range(3)] == pytest.approx([0.01, 0.001, 0.0001])
    assert [options.gamma_at(g) for g in range(3)] == pytest.approx([0.9, 0.99, 0.999])


# Options --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["dqn", "ppo"])
def test_without_torch_one_sentence_says_how_to_get_it(method, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [name for name in sys.modules if ".learn.deep." in name]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MissingExtra, match=r"pip install 'apprenti\[deep\]'"):
        learner(method)
    assert config_class(method)().steps > 0, "options can still be read"


# Learning -------------------------------------------------------------------------------------------------------------


def test_it_beats_random_play_on_6x8_with_dominoes_in_a_few_seconds():
    made = learner(
        "dqn", size="6x8", pieces="domino", parallel_games=32, replay_start=500, replay_buffer=4000, batch_size=64,
        moves=30, iterations=2,
        windows="3x3,row", hidden=16, head=8, updates=1, test_games=0,
    )  # fmt: skip
    while not made.done:
        made.step()
    rules = made.rules.changed(max_pieces=200)
    learned = [game.measures["lines"] for game in play_many(GAME, rules, [made.agent()], 30, 11)]
    random = [game.measures["lines"] for game in play_many(GAME, rules, [RandomAgent()], 30, 11)]
    assert mannwhitneyu(learned, random, alternative="greater").pvalue < 0.001


@pytest.mark.parametrize(("died", "estimated"), [([True, True, False, False], 30.0), ([False] * 4, None)])
def test_the_test_is_the_mean_of_what_was_played_beside_the_estimated_whole_game(died, estimated, monkeypatch):
    # 60 lines in four games: 15 each as they were played; whole games by the two that ended, if any did
    results = [GameResult(Tally(lines=15), dead) for dead in died]
    monkeypatch.setattr(dqn, "play", lambda *_: results)  # by name it would be found in a package read anew
    metrics = learner("dqn", test_games=4).step()
    assert metrics["test_low"] <= metrics["test"] == 15 <= metrics["test_high"]
    assert metrics.get("test_estimated") == estimated
