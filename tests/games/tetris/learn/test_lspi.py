"""LSPI: samples that are used again, and values of moves."""

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Rules
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.learn.lspi import LeastSquaresPolicyIteration, LspiConfig
from tests.learn.tiny import learner


def test_it_begins_with_a_player_by_hand_on_the_criteria_of_lagoudakis():
    weights = LeastSquaresPolicyIteration(LspiConfig()).weights()
    assert {name: weight for name, weight in weights.items() if weight} == {
        "max_height_change": -1.0, "holes_change": -4.0, "bumpiness_change": -1.0, "lines": 2.0,
    }  # fmt: skip
    assert len(weights) == 10


def test_the_agent_maximises_the_values_of_moves_in_which_the_lines_are_already():
    made = learner("lspi")
    assert made.agent().weights == made.weights()


def test_there_are_as_many_samples_as_asked_for_and_they_are_the_first_players_moves():
    made = learner("lspi", samples=333)
    games = made.sampled
    assert sum(pieces for _, pieces in games) == 333
    player = made.objective.player(made.vector)
    whole = play(Rules.preset("simplified", "10x6"), player, [pair for pair, _ in games])
    lengths = [game.tally.pieces for game in whole]
    assert lengths[:-1] == [pieces for _, pieces in games[:-1]] and lengths[-1] >= games[-1][1]


def test_no_game_is_longer_than_allowed():
    made = learner("lspi", samples=100, max_pieces=7)
    assert [pieces for _, pieces in made.sampled] == [7] * 14 + [2]
    assert made.step()["mean"] <= 7 * 4 / 10


def test_the_samples_do_not_change_while_the_player_does():
    made = learner("lspi", iterations=9)
    before = list(made.sampled)
    first = made.sums()
    made.step()
    made.step()
    assert made.sampled == before
    assert made.sums().squares.tolist() == first.squares.tolist()
    assert made.sums().matrix.tolist() != first.matrix.tolist()


def test_the_values_solve_their_own_equation():
    made = learner("lspi", samples=2000)
    sums = made.sums()
    made.step()
    assert sums.matrix @ made.vector == pytest.approx(sums.vector, rel=1e-6, abs=1e-6)
    assert np.isfinite(made.vector).all()


@pytest.mark.parametrize(
    ("option", "said"),
    [({"samples": 0}, "--samples must be at least 1"), ({"rules": "tetrisbot"}, "dealt uniform or weighted, not bag")],
)
def test_impossible_options_are_named(option, said):
    with pytest.raises(ApprentiError, match=said):
        LeastSquaresPolicyIteration(LspiConfig(**option))
