"""A best response to a frozen network: the frozen one stays as it is, sides and layouts are kept."""

import numpy as np
import pytest
import torch

from apprenti.core.data import check
from apprenti.core.errors import BadAgent, BadOption
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.network import PolicyNetworkAgent
from apprenti.games.luzhanqi.fast.arrays import types_of
from apprenti.games.luzhanqi.layout import BOOK, mirror
from apprenti.games.luzhanqi.learn.deep.best_response import FrozenGames, network_of
from tests.learn.tiny import learner

RULES = Rules()
OWN, ITS = types_of(BOOK[0])[None], types_of(mirror(BOOK[0]))[None]
torch.set_num_threads(1)


def test_each_side_has_its_own_layouts_in_every_game():
    games, rng, points = FrozenGames(RULES, 6, 1, OWN, ITS), np.random.Generator(np.random.PCG64(1)), []
    for _ in range(400):
        for pair, frozen in zip(games.layouts(), games.frozen, strict=True):
            assert (pair[frozen] == ITS[0]).all() and (pair[1 - frozen] == OWN[0]).all()
        legal = games.observe().legal
        step = games.step((legal * rng.random(legal.shape)).argmax(axis=1))
        points += games.points(step)[step.ended > 0].tolist()
    assert len(points) >= 4 and set(points) <= {0.0, 0.5, 1.0}


def test_games_that_were_stored_go_on_with_the_same_layouts():
    own, its = (np.stack([types_of(turn(layout)) for layout in BOOK]) for turn in (str, mirror))
    rng = np.random.Generator(np.random.PCG64(1))
    games, again = (FrozenGames(RULES, 6, 1, own, its) for _ in range(2))
    for number in range(500):
        if number == 250:
            assert games.begun[0] > 8, "some games have ended by then"
            again.restore(games.arrays())
        legal = games.observe().legal
        actions = (legal * rng.random(legal.shape)).argmax(axis=1)
        games.step(actions)
        if number >= 250:
            again.step(actions)
    assert (games.states() == again.states()).all() and games.begun[0] == again.begun[0] > 12


def test_it_learns_from_its_own_moves_alone_and_the_frozen_player_stays():
    frozen = learner("ppo", residual_policy=True, rules="ccgc", army="").agent()
    made = learner("best-response", parallel_games=6, moves=20, batch_size=16, magnet_weight=0.1, rules="ccgc", army="")
    made.play_against(frozen)
    made.begin_as(frozen.weights)
    opponent = made.opponents.draw(made.network, made.rng).network
    weights = {name: tensor.clone() for name, tensor in opponent.state_dict().items()}
    own = made.rollout().stacked("own")
    assert own.sum() == own.size / 2
    made.step()
    assert all((weights[name] == tensor).all() for name, tensor in opponent.state_dict().items())
    assert any(
        (a != b).any() for a, b in zip(made.network.joins.parameters(), opponent.joins.parameters(), strict=True)
    )
    points = made.measure(4, 5)
    assert len(points) == 4 and points == made.measure(4, 5)


def test_an_agent_in_torch_is_the_same_network():
    agent = learner("ppo", residual_policy=True, features=True).agent()
    network = network_of(agent, RULES)
    assert all((agent.weights[name] == tensor.numpy()).all() for name, tensor in network.state_dict().items())


def practising(frozen):
    made = learner("best-response", parallel_games=4, moves=4, batch_size=4)
    made.play_against(frozen)
    return made


@pytest.mark.parametrize("size", [{}, {"channels": 8, "layers": 2}])
def test_it_keeps_whom_it_began_against_and_looks_for_nobody(size):
    weights = learner("ppo", residual_policy=True, features=True, **size).agent().weights
    made = practising(PolicyNetworkAgent(0.1, weights, 0.25))
    state = dict(made.state())
    again = learner("best-response", parallel_games=4, moves=4, batch_size=4)
    check(again.shape(), state, "a state")
    again.restore(state)
    assert again.frozen == made.frozen and again.frozen.prior == 0.25 and again.frozen.temperature == 0.1
    assert (again.games.states() == made.games.states()).all()
    assert again.step() == made.step()


def test_a_frozen_player_whose_parts_do_not_fit_is_refused():
    state = dict(practising(learner("ppo", residual_policy=True).agent()).state())
    arrays = {name: array for name, array in state["arrays"].items() if name != "frozen/stem.weight"}
    with pytest.raises(BadAgent, match=r"stem\.weight"):
        learner("best-response", parallel_games=4, moves=4, batch_size=4).restore({**state, "arrays": arrays})


def test_a_network_of_other_sizes_than_learned_ones_is_refused():
    weights = dict(learner("ppo").agent().weights)
    keys = len(weights["offer.bias"]) + 1
    for name in ("offer", "ask"):
        weights[f"{name}.weight"] = np.zeros((keys, weights[f"{name}.weight"].shape[1]), np.float32)
        weights[f"{name}.bias"] = np.zeros(keys, np.float32)
    with pytest.raises(BadOption, match="other sizes"):
        network_of(PolicyNetworkAgent(0.1, weights), RULES)


@pytest.mark.parametrize("name", ["advice", "mixes.0", "joins.0.bias", "stem.weight", "value.bias", "place"])
def test_an_array_that_a_network_lacks_is_named_when_it_is_built(name):
    weights = dict(learner("ppo", residual_policy=True, features=True).agent().weights)
    array = {name: weights.pop(name)}
    with pytest.raises(BadAgent, match=name):
        PolicyNetworkAgent(0.1, weights)
    with pytest.raises(BadAgent, match=r"more\.weight"):
        PolicyNetworkAgent(0.1, {**weights, **array, "more.weight": np.zeros(1, np.float32)})
