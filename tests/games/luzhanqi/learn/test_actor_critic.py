"""The report's actor-critic at Luzhanqi: who learns when, what is paid, and that it learns."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binomtest

from apprenti.core.errors import ApprentiError, BadAgent
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.fast.arrays import rules_array, types_of
from apprenti.games.luzhanqi.fast.primitives import at, begun
from apprenti.games.luzhanqi.layout import check
from apprenti.games.luzhanqi.learn import actor_critic
from apprenti.games.luzhanqi.learn.actor_critic import ActorCritic, ActorCriticConfig, SelfPlayGame
from apprenti.games.luzhanqi.learn.traces import Episode
from apprenti.games.luzhanqi.report_state import of_observation
from apprenti.games.luzhanqi.rules import Rules
from apprenti.learn.learner import Diverged
from tests.games.luzhanqi.games import SMALL_ARMY, random_game
from tests.games.luzhanqi.test_observation import alternatives, with_layouts

FEW = "100000002001"
"""A marshal, two engineers and the flag."""


def learner(**options):
    return ActorCritic(ActorCriticConfig(**{"hidden": (4,), "army": SMALL_ARMY, "test_games": 0, **options}))


class Recorder(Episode):
    """Writes down who does what, with the weights it finds and leaves."""

    log: list = []  # noqa: RUF012  # shared on purpose
    names = iter(())

    def __post_init__(self):
        super().__post_init__()
        self.name = next(Recorder.names)

    def _weights(self):
        return float(sum(layer.sum() for layer in self.model.actor.layers))

    def act(self, x, legal, luck):
        self.log.append((self.name, "acts", x.tobytes(), self._weights()))
        return super().act(x, legal, luck)

    def learn(self, reward, after):
        decided = self.last is not None
        before = self._weights()
        delta = super().learn(reward, after)
        if decided:
            seen = None if after is None else after.tobytes()
            self.log.append((self.name, "learns", reward, seen, before, self._weights()))
        return delta


@pytest.fixture
def recorded(monkeypatch):
    """Play one game with recorders; return the game and what they wrote."""

    def play(names, **options):
        made = learner(learning_rate_actor=0.01, learning_rate_critic=0.01, seed=3, **options)
        Recorder.log, Recorder.names = [], iter(names)
        monkeypatch.setattr(actor_critic, "Episode", Recorder)
        monkeypatch.setattr(ActorCritic, "readable", True)
        return made.play_one(), Recorder.log

    return play


def test_red_and_black_update_one_model_in_the_order_of_the_report(recorded):
    game, log = recorded(["Red", "Black"])
    moves = int(game.array[at.MOVES])
    words = [entry[:2] for entry in log]
    expected = [("Red", "acts"), ("Black", "acts")]
    for move in range(2, moves):
        player = ("Red", "Black")[move % 2]
        expected += [(player, "learns"), (player, "acts")]
    waiting, mover = (("Red", "Black"), ("Black", "Red"))[moves % 2]
    expected += [(waiting, "learns"), (mover, "learns")]
    assert moves > 10
    assert words == expected


def test_a_player_acts_on_the_state_it_has_just_learned_from_with_the_model_it_has_just_changed(recorded):
    _, log = recorded(["Red", "Black"])
    changed = 0
    for before, after in pairwise(log):
        left = before[-1]
        found = after[3] if after[1] == "acts" else after[4]
        assert left == found, "there is one model: what one leaves, the next finds"
        if before[1] == "learns" and after[1] == "acts":
            assert before[3] == after[2]
            changed += before[4] != before[5]
    assert changed > 5
    assert [entry[3] for entry in log[-2:]] == [None, None], "the last judgements are of final states"


def test_the_placement_model_places_red_then_black_and_gets_the_sum_of_the_rewards_at_the_last_piece(recorded):
    game, log = recorded(["red places", "black places", "Red", "Black"], placement=True, capture_reward=1.0)
    pieces = sum(map(int, SMALL_ARMY))
    for number, name in enumerate(("red places", "black places")):
        part = [entry for entry in log if entry[0] == name]
        assert [entry[1] for entry in part] == ["acts", *(["learns", "acts"] * (pieces - 1)), "learns"]
        assert [entry[2] for entry in part if entry[1] == "learns"][:-1] == [0.0] * (pieces - 1)
        player = ("Red", "Black")[number]
        total = sum(entry[2] for entry in log if entry[0] == player and entry[1] == "learns")
        assert part[-1][2] == pytest.approx(total) == game.sums[number]
        assert part[-1][3] is None
    assert [entry[0] for entry in log[: 4 * pieces - 2]] == ["red places"] * (2 * pieces - 1) + ["black places"] * (
        2 * pieces - 1
    )


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"capture_reward": 1.0, "gamma": 0.99, "lam_actor": 0.7, "lam_critic": 0.9, "placement": True},
        {"lam_actor": 1.0, "lam_critic": 0.0, "army": "", "hidden": (8,), "learning_rate_actor": 1e-3},
        {"recurrent": True, "army": "", "hidden": (8,), "learning_rate_actor": 1e-3, "gamma": 0.99, "lam_actor": 0.7},
    ],
)
def test_the_compiled_half_learns_what_the_readable_one_learns(monkeypatch, options):
    """The same games to the move, the same weights but for rounding, after three games."""
    rates = {"learning_rate_actor": 0.01, "learning_rate_critic": 0.001}
    compiled, readable = learner(**{**rates, **options}), learner(**{**rates, **options})
    fast = [compiled.play_one() for _ in range(3)]
    monkeypatch.setattr(ActorCritic, "readable", True)
    for game in fast:
        other = readable.play_one()
        assert (other.array == game.array).all() and other.sums == pytest.approx(game.sums)
        assert other.errors == pytest.approx(game.errors)
    assert compiled.luck.state == readable.luck.state
    for name, network in compiled.networks().items():
        for layer, same in zip(network.layers, readable.networks()[name].layers, strict=True):
            assert np.allclose(layer, same, rtol=1e-9, atol=1e-12)


def test_a_test_is_played_with_the_armies_of_the_placement_model(monkeypatch):
    made, asked = learner(placement=True), []
    arrange = actor_critic.ActorAgent.arrange
    monkeypatch.setattr(actor_critic.ActorAgent, "arrange", lambda *a: asked.append(1) or arrange(*a))
    made.test(3)
    assert len(asked) == 3


# Rewards --------------------------------------------------------------------------------------------------------------


def standing(made):
    """A game at its beginning."""
    layout = types_of(actor_critic.book_layout(made.rules, Stream(1)))
    return SelfPlayGame(begun(rules_array(made.rules), layout, layout), [Episode(made.play), Episode(made.play)])


def take(game, player):
    """Remove one piece of a player."""
    pieces = game.array[at.POINT + SLOTS * player : at.POINT + SLOTS * (player + 1)]
    pieces[np.flatnonzero(pieces >= 0)[0]] = -1


@pytest.mark.parametrize(
    ("outcome", "winner", "first", "second"),
    [
        (at.GOING_ON, 0, -1.0, -1.0),
        (at.FLAG_TAKEN, 0, 100.0, -100.0),
        (at.NO_MOVE, 1, -100.0, 100.0),
        (at.LONG, -1, -10.0, -10.0),
    ],
)
def test_what_is_paid_for_steps_wins_losses_draws_and_captures(outcome, winner, first, second):
    plain, eager = learner(), learner(capture_reward=2.0)
    for made, worth in ((plain, 0.0), (eager, 2.0)):
        game = standing(made)
        take(game, 1)
        take(game, 1)
        take(game, 0)
        game.array[at.OUTCOME], game.array[at.WINNER] = outcome, winner
        assert made.reward(game, 0) == first + worth
        assert made.reward(game, 1) == second - worth


def test_other_rewards_can_be_chosen():
    made = learner(step_reward=-2.0, win_reward=5.0, loss_reward=-6.0, draw_reward=-7.0)
    game = standing(made)
    assert made.reward(game, 0) == -2.0
    for winner, paid in ((0, 5.0), (1, -6.0), (-1, -7.0)):
        game.array[at.OUTCOME], game.array[at.WINNER] = at.FLAG_TAKEN, winner
        assert made.reward(game, 0) == paid


def test_who_lost_before_its_first_move_is_told_so():
    made = learner()
    game = standing(made)
    game.array[at.OUTCOME], game.array[at.WINNER] = at.NO_MOVE, 0
    made.judge(game, 1, None)
    assert game.sums == [0.0, -100.0]


# Learning -------------------------------------------------------------------------------------------------------------


def test_on_the_mini_board_it_beats_the_random_player_after_250_games():
    """It began as one. About ten seconds; by chance once in 10 000."""
    made = learner(
        army="",
        rules="mini",
        hidden=(32,),
        learning_rate_actor=1e-3,
        learning_rate_critic=1e-3,
        iterations=1,
        episodes=250,
    )
    for _ in range(250):
        made.play_one()
    games = 400
    points = made.test(games) * games
    assert binomtest(int(points), games, 0.5, alternative="greater").pvalue < 1e-4


def test_the_critic_learns_what_games_are_worth():
    """With the actor at rest, the critic comes to expect what random play brings: less |δ| than it began with."""
    made = learner(
        army=FEW,
        rules="training",
        learning_rate_actor=0.0,
        learning_rate_critic=1e-3,
        lam_critic=0.9,
        iterations=1,
        episodes=80,
    )
    errors = []
    for _ in range(80):
        game = made.play_one()
        errors.append(game.errors / max(1, int(game.array[at.MOVES])))
    assert np.mean(errors[-40:]) < 0.9 * np.mean(errors[:5])


def test_every_layout_of_the_agent_is_legal():
    made = learner(placement=True, army="", hidden=(8,))
    agent = made.agent()
    layouts = {check(agent.arrange(made.rules, Stream(seed)), made.rules) for seed in range(300)}
    assert len(layouts) == 300


def test_weights_that_grow_beyond_all_bounds_are_reported():
    made = learner(learning_rate_actor=10.0, learning_rate_critic=10.0, iterations=1, episodes=20)
    with pytest.raises(Diverged, match="--learning-rate-critic"):
        made.step()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"episodes": 0}, "--episodes "),
        ({"iterations": 0}, "--iterations"),
        ({"lam_actor": 1.1}, "--lam-actor"),
        ({"lam_critic": -0.1}, "--lam-critic"),
        ({"gamma": float("nan")}, "--gamma"),
        ({"learning_rate_actor": -1.0}, "--learning-rate-actor"),
        ({"learning_rate_critic": float("inf")}, "--learning-rate-critic"),
        ({"initialisation": "zeros"}, "--initialisation"),
        ({"hidden": ()}, "--hidden"),
        ({"hidden": (4, 0)}, "--hidden"),
        ({"win_reward": float("nan")}, "--win-reward"),
        ({"test_games": -1}, "--test-games"),
        ({"seed": -1}, "--seed"),
        ({"army": "123"}, "twelve digits"),
        ({"rules": "chess"}, "chess"),
    ],
)
def test_impossible_options_are_named(options, said):
    with pytest.raises(ApprentiError, match=said):
        ActorCriticConfig(**options)


# Memory ---------------------------------------------------------------------------------------------------------------


def test_a_memory_is_carried_from_decision_to_decision_and_the_agent_finds_it_again_from_the_record():
    made, seen = learner(recurrent=True, army="", hidden=(8,)), 0
    agent, episodes = made.agent(), [Episode(made.play), Episode(made.play)]
    for state in random_game(made.rules, 3, 60):
        player, legal = state.to_move, state.legal_moves()
        x, pairs = of_observation(state.observation(player), legal)
        carried = episodes[player].context
        assert np.allclose(agent.hidden_state(state.observation(player)), carried)
        wanted = made.play.policy(np.append(x, carried), pairs)
        assert np.allclose(agent.policy(state.observation(player), legal), wanted)
        episodes[player].act(x, pairs, 0.5)
        seen += carried.any()
    assert seen > 30


def test_a_memory_is_empty_at_the_beginning_of_every_game_and_changes_what_is_decided():
    made = learner(recurrent=True, army="", hidden=(8,))
    first, second = (Episode(made.play) for _ in range(2))
    assert not first.context.any() and len(first.context) == 8
    x, legal, _ = made.options_of(standing(made).array)
    first.act(x, legal, 0.5)
    assert first.context.any() and not second.context.any()
    before, after = (made.play.policy(np.append(x, episode.context), legal) for episode in (second, first))
    assert not np.allclose(before, after)


def test_rules_under_which_earlier_boards_do_not_follow_from_the_moves_are_refused():
    agent = learner(recurrent=True, army="", hidden=(8,)).agent()
    agent.check(Rules())
    with pytest.raises(BadAgent, match="carried"):
        agent.check(Rules(flag="carried"))


def test_what_an_actor_remembers_does_not_depend_on_what_is_hidden():
    made, checked = learner(recurrent=True, army="", hidden=(8,)), 0
    agent = made.agent()
    for moves in (20, 35, 50):
        *_, state = random_game(made.rules, 5, moves)
        player, legal = state.to_move, state.legal_moves()
        policy = agent.policy(state.observation(player), legal).tobytes()
        for layouts, _ in list(alternatives(state, player, Stream(moves), 200))[-3:]:
            other = with_layouts(state, layouts).observation(player)
            assert agent.policy(other, legal).tobytes() == policy
            checked += 1
    assert checked > 5
