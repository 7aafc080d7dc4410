"""PPO at Luzhanqi: the sums, the mirror, the memory, the teacher, and that torch and numpy are one network."""

import numpy as np
import pytest
import torch

from apprenti.core.errors import ApprentiError, BadOption
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.agents.network import PolicyNetworkAgent as ArmyNetworkAgent
from apprenti.games.luzhanqi.agents.network import outcome_chances, value_of
from apprenti.games.luzhanqi.agents.players import advice, features
from apprenti.games.luzhanqi.board import ACTION_OF, ACTIONS, MOVES, TURNED_ACTION, mirrored, move_name, parse_move
from apprenti.games.luzhanqi.fast.arrays import Batch, array_of_state, worlds_of
from apprenti.games.luzhanqi.fast.beliefs import Beliefs
from apprenti.games.luzhanqi.layout import mirror
from apprenti.games.luzhanqi.learn.config import PpoConfig
from apprenti.games.luzhanqi.learn.deep.policy_network import PolicyNetwork, policy_loss
from apprenti.games.luzhanqi.learn.deep.ppo import Ppo
from apprenti.games.luzhanqi.learn.deep.rollout import (
    advantages,
    mirrored_actions,
    mirrored_batch,
    outcomes,
    sample_actions,
    take_backs,
)
from apprenti.games.luzhanqi.learn.games import baseline
from tests.games.luzhanqi.games import SMALL_ARMY, random_game
from tests.learn.tiny import FEW, learner

RULES = Rules()
torch.set_num_threads(1)  # small networks gain nothing from more, and tests share their cores


def positions(count, seed=1):
    """States of one game, with somebody to move."""
    states = [state for state in random_game(RULES, seed, 200) if not state.outcome]
    return states[:: max(1, len(states) // count)][:count]


def network_of(memory=0, advised=False, featured=False, lstm=0):
    """A small network whose every weight matters."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        network = PolicyNetwork(6, 2, RULES.actions, memory, advised, featured, lstm)
        for parameter in network.parameters():
            parameter.data += 0.1 * torch.randn_like(parameter)
    return network


def in_numpy(network, temperature=1.0):
    return ArmyNetworkAgent(temperature, {name: t.numpy() for name, t in network.state_dict().items()})


def own_actions(state):
    """The legal moves by the numbers their player sees."""
    actions = [ACTION_OF[parse_move(move)] for move in state.legal_moves()]
    return [TURNED_ACTION[action] for action in actions] if state.to_move else actions


@pytest.mark.parametrize(
    ("memory", "advised", "featured", "lstm"),
    [(0, False, False, 0), (5, False, False, 0), (0, True, False, 0), (0, True, True, 0), (5, True, True, 0),
     (0, True, True, 4)],
)  # fmt: skip
def test_torch_and_numpy_give_the_same_policy_and_value(memory, advised, featured, lstm):
    network = network_of(memory, advised, featured, lstm)
    agent, memory = in_numpy(network), memory + 2 * lstm
    for state in positions(6):
        seen = state.observation(state.to_move)
        remembered = None
        if memory:
            both = torch.zeros(1, 2, memory)
            for number, move in enumerate(state.record.moves):
                both = network.next_hidden(both, np.array([(*move, number % 2)]), np.zeros(1, np.bool_))
            remembered = both[:, state.to_move]
            assert np.allclose(
                agent.hidden_state(seen), remembered[0, : agent.recurrent_units].detach().numpy(), atol=1e-5
            )
        found = features(RULES, array_of_state(state)[None])
        said = torch.from_numpy(found.moves[..., : 3 if featured else 1]) if advised else None
        planes = seen.planes().reshape(1, -1, 60)
        planes = np.concatenate([planes, found.points], axis=1) if featured else planes
        logits, value = network(torch.from_numpy(planes), remembered, said)
        policy = torch.softmax(logits[0, own_actions(state)], dim=0).detach().numpy()
        chances, valued = agent.policy(seen, state.legal_moves())
        assert np.allclose(chances, policy, atol=1e-5)
        assert valued == pytest.approx(float(torch.tanh(value).detach()), abs=1e-5)
        assert chances.std() > 1e-4


def test_a_temperature_sharpens_and_0_takes_the_best():
    state = positions(3)[1]
    seen, legal = state.observation(state.to_move), state.legal_moves()
    plain, cold = (in_numpy(network_of(), t).policy(seen, legal)[0] for t in (1.0, 0.0))
    assert cold.max() == pytest.approx(1.0) and cold.argmax() == plain.argmax()


def test_advantages_by_hand():
    """Two moves of one game, then one of the next: signs turn with the player, nothing crosses the end."""
    rewards = np.array([[0.1], [1.0], [0.0]], np.float32)
    values = np.array([[0.2], [0.3], [0.4], [0.5]], np.float32)
    ended = np.array([[False], [True], [False]])
    third = 0.0 - 0.9 * 0.5 - 0.4
    second = 1.0 - 0.3
    first = (0.1 - 0.9 * 0.3 - 0.2) - 0.9 * 0.5 * second
    found = advantages(rewards, values, ended, 0.9, 0.5)
    assert np.allclose(found[:, 0], [first, second, third], atol=1e-6)


def test_material_is_lent_and_paid_back_so_that_only_the_game_counts():
    made = learner(
        "ppo", parallel_games=1, moves=300, past_share=0.0, opponent_share=0.0, imitation_iterations=0, gamma=1.0,
        material_reward=0.7, army=SMALL_ARMY,
    )  # fmt: skip
    rollout = made.rollout()
    rewards, ended = rollout.stacked("rewards"), rollout.stacked("ended")
    gains = advantages(rewards, np.zeros((301, 1), np.float32), ended, 1.0, 1.0)
    last = int(np.flatnonzero(ended[:, 0])[0])
    assert np.abs(rewards[:last]).max() > 0.01, "pieces were lost on the way"
    assert gains[0, 0] in (pytest.approx(-1.0, abs=1e-5), pytest.approx(0.0, abs=1e-5), pytest.approx(1.0, abs=1e-5))


def test_a_position_in_the_mirror_is_the_position_of_the_mirrored_game():
    actions = mirrored_actions(ACTIONS)
    assert (actions[actions] == np.arange(ACTIONS)).all()
    for state in positions(4, seed=2):
        moves = [move_name(mirrored(move.origin), mirrored(move.target)) for move in state.record.moves]
        other = State.parse(" ".join(["/".join(map(mirror, state.layouts)), *moves]))
        legal, theirs = np.zeros((1, ACTIONS), np.bool_), np.zeros((1, ACTIONS), np.bool_)
        legal[0, own_actions(state)], theirs[0, own_actions(other)] = True, True
        first = own_actions(state)[0]
        some = {"planes": state.observation(state.to_move).planes()[None], "legal": legal, "actions": np.array([first])}
        flipped = mirrored_batch(some, actions)
        assert (flipped["planes"][0] == other.observation(state.to_move).planes()).all()
        assert (flipped["legal"] == theirs).all()
        origin, target = MOVES[first]
        assert MOVES[flipped["actions"][0]] == (mirrored(origin), mirrored(target))


def test_what_is_remembered_begins_anew_with_every_game_and_is_what_learning_unrolls():
    made = learner("ppo", gru_units=3, past_share=0.0, imitation_iterations=0, opponent_share=0.0, moves=200)
    rollout = made.rollout()
    ended = rollout.stacked("ended")
    assert ended.any()
    every = np.arange(ended.size)
    unrolled = made.network.unroll(rollout, every).detach().reshape(*ended.shape, 3)
    times, games = np.nonzero(ended[:-1])
    assert not unrolled[times + 1, games].any(), "the first move of a new game"
    assert unrolled[1:][~ended[:-1]].any()
    mover = torch.from_numpy(1 - rollout.rows["mover"][-1])
    heard = made.hidden[torch.arange(4), mover]
    assert heard.abs().sum() > 0


def test_no_illegal_move_in_thousands_of_games():
    """A batch refuses illegal moves; the games are short so that there can be many of them."""
    rules = Rules(army=SMALL_ARMY, quiet_limit=8, quiet_draw=True, max_moves=40)
    network, rng = network_of(), np.random.Generator(np.random.PCG64(1))
    batch, over = Batch(rules, 1000, 1), 0
    with torch.no_grad():
        while over < 3_000:
            logits, _ = network(torch.from_numpy(batch.planes()))
            actions, log_probabilities = sample_actions(logits.numpy(), batch.legal(), rng)
            assert np.isfinite(log_probabilities).all()
            over += int((batch.step(actions).ended > 0).sum())


def test_the_agent_plays_legal_moves_in_the_readable_game():
    agent, rng = in_numpy(network_of(4)), np.random.Generator(np.random.PCG64(1))
    state = State.start(agent.arrange(RULES, rng), agent.arrange(RULES, rng))
    while not state.outcome and len(state.record.moves) < 60:
        state = state.play(agent.choose(state.observation(state.to_move), state.legal_moves(), rng))


def test_a_teacher_is_heard_as_a_mean_over_what_is_hidden():
    """With targets that differ by chance, the policy of least distance is e^(their mean), not a mean of policies."""
    targets = torch.tensor([[0.0, 0.0, 9.0], [4.0, 0.0, 0.0]])
    logits = torch.zeros(3, requires_grad=True)
    optimiser = torch.optim.Adam([logits], lr=0.05)
    for _ in range(600):
        optimiser.zero_grad()
        policy_loss(torch.log_softmax(logits, 0).expand(2, 3), {"targets": targets}, 0.2).backward()
        optimiser.step()
    assert torch.allclose(torch.softmax(logits, 0), torch.softmax(targets.mean(dim=0), 0), atol=0.01)


def test_imitation_draws_near_to_its_teacher_and_beats_the_random_player():
    """About ten seconds: the distance to what the teacher says falls, and a random player loses nearly always."""
    made = Ppo(
        PpoConfig(imitation_iterations=30, iterations=30, parallel_games=48, moves=16, channels=12, layers=1,
                  batch_size=64, epochs=1, learning_rate_imitation=0.02, teacher="expected", imitation_temperature=1.0,
                  temperature=0.2)
    )  # fmt: skip
    rows = [made.step() for _ in range(30)]
    entropies = [row["entropy"] for row in rows]
    assert np.mean(entropies[-5:]) < np.mean(entropies[:3]), "it has begun to make up its mind"
    games = 40
    assert made.evaluate(baseline("random"), games) * games >= 32  # by chance: once in 10 000


def test_a_share_of_the_games_is_played_by_others_and_not_learned_from():
    made = learner(
        "ppo", parallel_games=8, moves=10, past_share=0.25, opponent_share=0.5, imitation_iterations=0, pool_every=1
    )
    first = made.rollout()
    assert first.stacked("own").sum(axis=0).tolist().count(10) == 4, "no earlier self yet: the baseline's four games"
    made.step()
    second = made.rollout()
    counts = second.stacked("own").sum(axis=0)
    assert (counts == 10).sum() == 2 and (counts == 5).sum() >= 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"iterations": 0}, "--iterations"),
        ({"parallel_games": 0}, "--parallel-games"),
        ({"moves": 0}, "--moves"),
        ({"clip": 1.0}, "--clip"),
        ({"gamma": 1.5}, "--gamma"),
        ({"lam": -0.1}, "--lam"),
        ({"learning_rate": 0.0}, "--learning-rate"),
        ({"learning_rate_imitation": 0.0}, "--learning-rate-imitation"),
        ({"imitation_temperature": 0.0}, "--imitation-temperature"),
        ({"entropy_weight": -1.0}, "--entropy-weight"),
        ({"temperature": 11.0}, "--temperature"),
        ({"past_share": 0.6, "opponent_share": 0.6}, "--past-share and --opponent-share"),
        ({"gru_units": 8}, "--past-share 0"),
        ({"gru_units": 8, "past_share": 0.0, "magnet_weight": 0.1}, "--magnet-weight 0"),
        ({"magnet_weight": -1.0}, "--magnet-weight"),
        ({"magnet_rate": 2.0}, "--magnet-rate"),
        ({"learned_part": 2.0}, "--learned-part"),
        ({"take_back_cost": -1.0}, "--take-back-cost"),
        ({"features": True}, "--residual-policy"),
        ({"test_opponents": ("informed",)}, "informed"),
        ({"gru_units": -1, "past_share": 0.0}, "--gru-units"),
        ({"teacher": "marshal"}, "marshal"),
        ({"opponent": "playouts"}, "playouts"),
        ({"placement_share": 1.5}, "--placement-share"),
        ({"practice_moves": -1}, "--practice-moves"),
        ({"practice_players": ("god",)}, "god"),
        ({"practice_players": ()}, "--practice-players"),
        ({"learning_rate_placement": 0.0}, "--learning-rate-placement"),
        ({"entropy_weight_placement": -1.0}, "--entropy-weight-placement"),
        ({"test_opponents": ("greedy", "god")}, "god"),
        ({"army": "1"}, "twelve digits"),
        ({"rules": "chess"}, "chess"),
        ({"threads": 0}, "--threads"),
    ],
)
def test_impossible_options_are_named(options, said):
    with pytest.raises(ApprentiError, match=said):
        PpoConfig(**options)


def test_weights_that_are_no_network_are_refused():
    good = {name: t.numpy() for name, t in network_of(3).state_dict().items()}
    assert ArmyNetworkAgent(0.5, good).recurrent_units == 3
    for name in good:
        with pytest.raises(ApprentiError, match="not a network"):
            ArmyNetworkAgent(0.5, {**good, name: good[name][..., :-1]})
    for broken in ({}, {**good, "place": np.full_like(good["place"], np.nan)}):
        with pytest.raises(ApprentiError, match="not a network"):
            ArmyNetworkAgent(0.5, broken)
    with pytest.raises(ApprentiError, match="temperature"):
        ArmyNetworkAgent(11.0, good)


def test_few_pieces_are_a_game_of_their_own():
    assert Ppo(PpoConfig(**FEW)).made_for["army"] == FEW["army"]


def test_an_advised_network_begins_as_the_player_that_advises_it():
    """Its own logits are small at first: the favourite move is nearly always one of the adviser's best."""
    made = learner("ppo", residual_policy=True, rules="ccgc", army="")
    agent, same = made.agent(), 0
    states = positions(12)
    for state in states:
        legal = state.legal_moves()
        said = advice(RULES, array_of_state(state)[None])[0][own_actions(state)]
        chances, _ = agent.policy(state.observation(state.to_move), legal)
        same += said[int(chances.argmax())] > said.max() - 3
    assert same >= 0.9 * len(states)


def test_training_can_begin_as_another_agent():
    before = learner("ppo", residual_policy=True, placement_share=0.5)
    before.step()
    after = learner("ppo", residual_policy=True, placement_share=0.5, magnet_weight=0.1, seed=9)
    after.begin_as(before.agent().arrays())
    assert after.agent() == before.agent()
    slow = after.magnet.network.state_dict()
    assert all((tensor == slow[name]).all() for name, tensor in before.network.state_dict().items())
    with pytest.raises(BadOption, match="--initial-weights"):
        learner("ppo", residual_policy=False).begin_as(before.agent().arrays())


def same_policy(before, after):
    """Whether two agents play alike and value positions alike, nearly."""
    values = []
    for state in list(random_game(learner("ppo").rules, 4, 12))[2:12:3]:
        seen, legal = state.observation(state.to_move), state.legal_moves()
        (policy, value), (other, also) = before.policy(seen, legal), after.policy(seen, legal)
        assert np.allclose(policy, other, atol=1e-5)
        values.append((value, also))
    return np.array(values)


def test_features_begin_without_effect_and_a_network_with_them_begins_as_the_one_without():
    before = learner("ppo", residual_policy=True)
    before.step()
    after = learner("ppo", residual_policy=True, features=True)
    after.begin_as(before.agent().arrays())
    values = same_policy(before.agent(), after.agent())
    assert np.allclose(values[:, 0], values[:, 1], atol=1e-5)


# Win, draw, loss ------------------------------------------------------------------------------------------------------

CLASSES = {"win_draw_loss": True, "material_reward": 0.0}


def test_outcomes_by_hand():
    """A game lost at its second move, then one that goes on: signs turn with the player, nothing crosses the end."""
    chances = np.array([[[0.5, 0.3, 0.2]], [[0.1, 0.2, 0.7]], [[0.6, 0.1, 0.3]], [[0.2, 0.0, 0.8]]], np.float32)
    ended, results = np.array([[False], [True], [False]]), np.array([[0], [2], [0]])
    found = outcomes(chances, ended, results, 0.5)[:, 0]
    assert np.allclose(found[2], [0.8, 0.0, 0.2])  # what the last position says, to the other player
    assert np.allclose(found[1], [0.0, 0.0, 1.0])
    assert np.allclose(found[0], 0.5 * np.array([0.7, 0.2, 0.1]) + 0.5 * np.array([1.0, 0.0, 0.0]))


def test_a_head_of_three_is_worth_the_chance_of_a_win_minus_that_of_a_loss():
    judged = np.log(np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1]], np.float32))
    assert np.allclose(value_of(judged), [0.3, 0.0]) and np.allclose(outcome_chances(judged), np.exp(judged))
    made = learner("ppo", **CLASSES)
    made.step()
    agent = made.agent()
    for state in list(random_game(made.rules, 4, 12))[2:12:3]:
        seen, legal = state.observation(state.to_move), state.legal_moves()
        judged = made.network(torch.from_numpy(seen.planes())[None])[1].detach().numpy()
        assert judged.shape == (1, 3) and agent.policy(seen, legal)[1] == pytest.approx(value_of(judged)[0], abs=1e-5)


def test_the_value_learns_what_became_of_games():
    """On one rollout, again and again: cross-entropy falls well below that of a head that knows nothing."""
    made = learner("ppo", **CLASSES, parallel_games=8, moves=80, lam=1.0, epochs=4, batch_size=64, learning_rate=0.01,
                   opponent_share=0.0, imitation_iterations=0)  # fmt: skip
    rollout = made.rollout()
    columns = made.columns_of(rollout)
    known = (columns["outcomes"] == 1).any(axis=1)
    assert known.mean() > 0.2, "games end in it, so that something is known of them"
    assert np.allclose(columns["outcomes"].sum(axis=1), 1, atol=1e-5)
    first, *_, last = [made.learn(rollout)["value_loss"] for _ in range(8)]
    assert last < 0.8 * first < np.log(3)


def test_a_network_with_one_value_can_begin_one_with_three_classes():
    before = learner("ppo")
    before.network.value.bias.data[:] = 0.7
    after = learner("ppo", **CLASSES)
    after.begin_as(before.agent().arrays())
    values = same_policy(before.agent(), after.agent())
    assert np.allclose(values[:, 0], values[:, 1], atol=0.05) and (values > 0.4).all()


def test_three_classes_value_the_end_alone():
    with pytest.raises(BadOption, match="--material-reward 0"):
        learner("ppo", win_draw_loss=True)


@pytest.mark.parametrize("prior", [0.0, 0.5])
def test_features_are_what_a_player_knows_and_nothing_else(prior):
    """The enemy's pieces exchanged wherever the record stays as it is: every feature is equal to the byte."""
    rng = np.random.Generator(np.random.PCG64(5))
    for state in positions(8, seed=3):
        seen = state.observation(state.to_move)
        truth = features(RULES, array_of_state(state)[None], prior)
        for other in worlds_of(seen, Beliefs.of(seen).sample(rng, 10)):
            assert all((a == b).all() for a, b in zip(truth, features(RULES, other[None], prior), strict=True))


def test_a_move_back_is_found_and_costs():
    made = learner("ppo", parallel_games=8, moves=40, take_back_cost=0.25, material_reward=0.0, residual_policy=True,
                   features=True, imitation_iterations=0)  # fmt: skip
    found = 0
    for _ in range(40):
        seen, states = made.games.observe(), made.games.states()
        for game, action in zip(*np.nonzero(seen.legal), strict=True):
            back = take_backs(states[game : game + 1], np.array([action]))[0]
            assert back == (seen.advice[game, action, 2] == 1)
            found += back
        made.games.step(seen.legal.argmax(axis=1))
    assert found > 20
    rewards = made.rollout().stacked("rewards")
    assert np.isin(-0.25, rewards) and set(np.unique(rewards)) <= {-1.25, -1.0, -0.25, 0.0, 0.75, 1.0}


def test_the_magnet_follows_slowly_and_draws_the_policy_to_itself():
    free, drawn = (learner("ppo", magnet_weight=weight, magnet_rate=0.0, imitation_iterations=0, epochs=8,
                           learning_rate=0.01) for weight in (1e-9, 50.0))  # fmt: skip
    seen = free.games.observe()
    before = free.policy_of(free.network, seen, None)[0]
    gone = []
    for made in (free, drawn):
        for _ in range(2):
            made.step()
        gone.append(np.abs(made.policy_of(made.network, seen, None)[0] - before)[seen.legal].mean())
        assert all((a == b).all() for a, b in zip(made.magnet.network.parameters(), learner("ppo", imitation_iterations=0).network.parameters(), strict=True))  # fmt: skip  # noqa: E501
    assert gone[1] < 0.5 * gone[0]


def test_only_the_largest_advantages_are_learned_from():
    made = learner("ppo", parallel_games=8, moves=20, learned_part=0.25, imitation_iterations=0, opponent_share=0.0)
    rollout = made.rollout()
    columns = made.columns_of(rollout)
    own, chosen = np.flatnonzero(rollout.flat("own")), made.chosen_moves(rollout, columns)
    assert len(chosen) == round(len(own) / 4) and set(chosen) <= set(own)
    left = np.setdiff1d(own, chosen)
    assert np.abs(columns["advantages"][chosen]).min() >= np.abs(columns["advantages"][left]).max()
