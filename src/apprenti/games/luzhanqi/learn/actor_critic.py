"""The LuJunQi report's proposal to the letter: actor-critic with traces, one model for both players, a placement model.

Red acts; the fight is resolved; Black is given its reward and its state, judges its own last decision with them, acts
with the model it has just changed; Red observes, judges, acts, and so on. After the last move too, first the player
judges who would be next, then the one who made it. The placement model puts 25 pieces on the board one by one and
gets, at the last, the sum of the game's rewards.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.data import SEED, JsonData, SavedState, Varies
from apprenti.core.errors import BadOption
from apprenti.core.mlp import Mlp
from apprenti.core.seeds import Chance, Stream, below
from apprenti.games.luzhanqi.agents.actor import ActorAgent
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.fast.arrays import rules_array, types_of
from apprenti.games.luzhanqi.fast.primitives import MOST_MOVES, MOVE_FROM, MOVE_TO, apply, at, begun, legal_moves
from apprenti.games.luzhanqi.layout import book_layout
from apprenti.games.luzhanqi.learn.actor_critic_kernel import Pay, Weights, fresh_player, learn_game
from apprenti.games.luzhanqi.learn.config import LuzhanqiConfig
from apprenti.games.luzhanqi.learn.traces import Episode, Model, Rates
from apprenti.games.luzhanqi.pieces import NONE, TYPES
from apprenti.games.luzhanqi.report_state import INPUTS, PAIRS, PLACES, half_board, inputs, legal_places, pairs
from apprenti.learn.learner import (
    Diverged,
    Learner,
    Metrics,
    at_least_0,
    finite,
    one_of,
    positive,
    share,
    share_of_points,
)

Numbers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class ActorCriticConfig(Rates, LuzhanqiConfig):
    """The report's actor-critic by self-play at Luzhanqi."""

    iterations: int = 50
    """Steps of the run; what was learned is stored after each."""
    episodes: int = 20
    """Games to learn from in each iteration."""
    test_games: int = 10
    """Games against a random player after each iteration, both sides, which teach nothing; 0 for none."""
    hidden: tuple[int, ...] = (64,)
    """Units of the hidden layers of all networks."""
    initialisation: str = "he"
    """he or xavier."""
    step_reward: float = -1.0
    """For every move that does not end the game."""
    win_reward: float = 100.0
    """For the game won."""
    loss_reward: float = -100.0
    """For the game lost."""
    draw_reward: float = -10.0
    """For a draw."""
    capture_reward: float = 0.0
    """For an enemy piece taken; minus as much for an own piece lost. The report suggests 1."""
    placement: bool = False
    """Learn to place the army too."""
    recurrent: bool = False
    """Show both networks the actor's hidden layer at its last decision: a memory (Elman 1990)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "episodes")
        at_least_0(self, "learning_rate_actor", "learning_rate_critic", "test_games")
        share(self, "lam_actor", "lam_critic", "gamma")
        finite(self, "step_reward", "win_reward", "loss_reward", "draw_reward", "capture_reward")
        one_of(self, "initialisation", "he", "xavier")
        if not self.hidden or min(self.hidden) < 1:
            raise BadOption("--hidden are sizes of layers, at least 1 each.")

    @property
    def memory(self) -> int:
        return super().memory + 48 * sum(inputs * outputs for inputs, outputs in pairwise((3240, *self.hidden, 1200)))


@dataclass
class SelfPlayGame:
    """A game under way, and what its players have got."""

    array: Numbers
    """As the compiled game has it."""
    players: list[Episode]
    before: list[tuple[int, int]] = field(default_factory=list)
    """For each player, how many pieces both had when it last decided."""
    sums: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """All rewards of each player."""
    errors: float = 0.0
    """The sum of |δ|."""

    def __post_init__(self) -> None:
        self.before = [self.alive] * 2

    @property
    def alive(self) -> tuple[int, int]:
        """How many pieces each player has on the board."""
        standing = self.array[at.POINT : at.POINT + at.PIECES] >= 0
        return int(standing[:SLOTS].sum()), int(standing[SLOTS:].sum())

    @property
    def player(self) -> int:
        """Whose turn it is; after the last move, whose it would be."""
        return int(self.array[at.TO_MOVE])

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return int(self.array[at.OUTCOME]) != at.GOING_ON


class TestGame(NamedTuple):
    """A game against a random player."""

    points: float
    quiet: bool
    """Whether the quiet limit ended it."""


class ActorCritic(Learner[ActorCriticConfig]):
    """The learner."""

    game = "luzhanqi"
    Config = ActorCriticConfig

    def __init__(self, config: ActorCriticConfig) -> None:
        super().__init__(config)
        self.rules = config.game()
        rng = np.random.Generator(np.random.PCG64(config.seed % 2**64))
        self.play = self._model(rng, INPUTS, PAIRS, config.recurrent)
        self.place = self._model(rng, PLACES, PLACES) if config.placement else None
        self.luck = Stream.named(config.seed, "actor-critic")
        self.episode, self.moves = 0, 0
        self._room = np.empty(MOST_MOVES, np.int16)

    def _model(self, rng: np.random.Generator, inputs_: int, outputs: int, recurrent: bool = False) -> Model:
        hidden, scheme = self.config.hidden, self.config.initialisation
        inputs_ += hidden[0] if recurrent else 0
        actor = Mlp.random((inputs_, *hidden, outputs), rng, scheme)
        return Model(actor, Mlp.random((inputs_, *hidden, 1), rng, scheme), self.config, recurrent)

    def warm_up(self) -> None:
        with announcing("luzhanqi"):
            rules, chance = rules_array(self.rules), Stream(1)
            array = begun(rules, *(types_of(book_layout(self.rules, chance)) for _ in range(2)))
            while array[at.OUTCOME] == at.GOING_ON:
                self._move(array, self.options_of(array)[2][0])

    # One game ---------------------------------------------------------------------------------------------------------

    def _place_army(self, episode: Episode | None) -> Numbers:
        """An army as the types of its slots: by the placement model, or from the book without one."""
        if episode is None:
            return np.asarray(types_of(book_layout(self.rules, self.luck)))
        placed = [NONE] * SLOTS
        for _ in range(sum(self.rules.counts)):
            x, legal = half_board(placed), legal_places(placed, self.rules)
            episode.learn(0.0, x)  # the piece before this one, if there was one, has earned nothing yet
            slot, kind = divmod(int(legal[episode.act(x, legal, self.luck.random())]), TYPES)
            placed[slot] = kind
        return np.array(placed, np.int64)

    def options_of(self, array: Numbers) -> tuple[Any, Any, list[int]]:
        """The state of the player to move, the legal pairs, and the moves they stand for."""
        player = int(array[at.TO_MOVE])
        moves = self._room[: legal_moves(rules_array(self.rules), array, self._room)].tolist()
        board = array[at.BOARD : at.BOARD + POINTS].tolist()
        types = array[at.TYPE + SLOTS * player : at.TYPE + SLOTS * (player + 1)].tolist()
        return inputs(board, types, player), pairs(board, types, moves, player, self.rules), moves

    def _move(self, array: Numbers, action: int) -> None:
        apply(rules_array(self.rules), array, int(MOVE_FROM[action]), int(MOVE_TO[action]))

    def reward(self, game: SelfPlayGame, player: int) -> float:
        """What a player gets for its last decision, once the other has answered or the game is over."""
        config, alive, before = self.config, game.alive, game.before[player]
        taken = (before[1 - player] - alive[1 - player]) - (before[player] - alive[player])
        gained = config.capture_reward * taken
        if not game.over:
            return config.step_reward + gained
        winner = int(game.array[at.WINNER])
        end = config.draw_reward if winner < 0 else config.win_reward if winner == player else config.loss_reward
        return end + gained

    def judge(self, game: SelfPlayGame, player: int, x: NDArray[np.float64] | None) -> None:
        """A player judges its last decision, if it has made one; who never moved gets only the end."""
        episode = game.players[player]
        if episode.last is None and not game.over:
            return
        reward = self.reward(game, player)
        game.sums[player] += reward
        game.errors += abs(episode.learn(reward, x))

    def play_one(self) -> SelfPlayGame:
        """Learn from one game."""
        placing = [Episode(self.place) if self.place else None for _ in range(2)]
        array = begun(rules_array(self.rules), *(self._place_army(episode) for episode in placing))
        game = SelfPlayGame(array, [Episode(self.play), Episode(self.play)] if self.readable else [])
        self._play_readable(game) if self.readable else self._play_compiled(game)
        for episode, total in zip(placing, game.sums, strict=True):
            if episode:
                episode.learn(total, None)
        self.episode += 1
        self.moves += int(array[at.MOVES])
        return game

    @property
    def readable(self) -> bool:
        """Whether games are played by the readable half: with softmax twice, or other than one hidden layer."""
        return self.config.softmax_twice or len(self.config.hidden) != 1

    def _play_readable(self, game: SelfPlayGame) -> None:
        """Algorithm 1, as the report writes it."""
        while not game.over:
            player = game.player
            x, legal, actions = self.options_of(game.array)
            self.judge(game, player, x)
            game.before[player] = game.alive
            self._move(game.array, actions[game.players[player].act(x, legal, self.luck.random())])
        for player in (game.player, 1 - game.player):
            self.judge(game, player, None)

    def _play_compiled(self, game: SelfPlayGame) -> None:
        """The same, without the zeros."""
        config, hidden = self.config, self.config.hidden[0]
        layers = [*self.play.actor.layers, *self.play.critic.layers]
        weights = Weights(*(layer.T.copy() if place % 2 == 0 else layer for place, layer in enumerate(layers)))
        numbers = (
            config.gamma * config.lam_actor, config.gamma * config.lam_critic, config.learning_rate_actor,
            config.learning_rate_critic, config.gamma, config.step_reward, config.win_reward, config.loss_reward,
            config.draw_reward, config.capture_reward,
        )  # fmt: skip
        room, dice, sums = (
            np.empty((5, max(hidden + 1, MOST_MOVES))),
            np.array([self.luck.state], np.uint64),
            np.zeros(2),
        )
        context = hidden if config.recurrent else 0
        players = fresh_player(hidden, context), fresh_player(hidden, context)
        game.errors = learn_game(
            rules_array(self.rules), game.array, weights, Pay(*map(float, numbers)), *players, room, dice, sums
        )
        game.sums, self.luck.state = sums.tolist(), int(dice[0])
        self.play.actor.layers[0][:], self.play.critic.layers[0][:] = weights.first.T, weights.critic_first.T

    def step(self) -> Metrics:
        games = []
        with np.errstate(over="ignore", invalid="ignore"):  # weights that grow beyond all bounds are reported below
            for _ in range(self.config.episodes):
                games.append(self.play_one())
        self._check()
        self.iteration += 1
        ends = np.array([game.array[at.OUTCOME] for game in games])
        moves = sum(int(game.array[at.MOVES]) for game in games)
        row = {
            "generation": self.iteration,
            "games": self.episode,
            "moves": self.moves,
            "length": moves / len(games),
            "flags": float(((ends == at.FLAG_TAKEN) | (ends == at.FLAG_HOME)).mean()),
            "quiet": float((ends == at.QUIET_END).mean()),
            "error": sum(game.errors for game in games) / max(1, moves),
        }
        if self.config.test_games:
            tests = self.config.test_games
            row |= share_of_points("against_random", self.test(tests), tests)
        return row

    def _check(self) -> None:
        for network in self.networks().values():
            if not all(np.isfinite(layer).all() for layer in network.layers):
                raise Diverged(
                    f"the weights grew beyond all bounds within {self.episode} games: lower"
                    " --learning-rate-actor or --learning-rate-critic."
                )

    def test(self, games: int) -> float:
        """The share of the points in some games against a random player; they teach nothing."""
        return sum(one.points for one in self.test_games(games)) / games

    def test_games(self, games: int) -> list[TestGame]:
        """Games against a random player, both sides in turn; the army is the placement model's, if there is one."""
        return [self._test_game(number % 2, Stream.named(self.config.seed, "test", number)) for number in range(games)]

    def _test_game(self, side: int, chance: Chance) -> TestGame:
        armies = [types_of(book_layout(self.rules, chance)) for _ in range(2)]
        if self.place:
            armies[side] = types_of(self.agent().arrange(self.rules, chance))
        array, episode = begun(rules_array(self.rules), *armies), Episode(self.play)
        while array[at.OUTCOME] == at.GOING_ON:
            x, legal, actions = self.options_of(array)
            own = int(array[at.TO_MOVE]) == side
            self._move(array, actions[episode.act(x, legal, chance.random()) if own else below(chance, len(actions))])
        winner = int(array[at.WINNER])
        return TestGame(0.5 if winner < 0 else float(winner == side), int(array[at.OUTCOME]) == at.QUIET_END)

    # State ------------------------------------------------------------------------------------------------------------

    def agent(self) -> ActorAgent:
        arrays = self.play.actor.arrays("actor") | (self.place.actor.arrays("placer") if self.place else {})
        return ActorAgent(self.config.softmax_twice, arrays)

    def networks(self) -> dict[str, Mlp]:
        networks = {"play-actor": self.play.actor, "play-critic": self.play.critic}
        return networks | ({"place-actor": self.place.actor, "place-critic": self.place.critic} if self.place else {})

    def state(self) -> SavedState:
        arrays: dict[str, NDArray[np.generic]] = {}
        for name, network in self.networks().items():
            arrays |= network.arrays(name)
        return {"episode": self.episode, "moves": self.moves, "luck": self.luck.state, "arrays": arrays}

    def varies(self) -> Varies:
        return {"luck": SEED}

    def restore(self, state: JsonData) -> None:
        self.episode, self.moves, self.luck = state["episode"], state["moves"], Stream(state["luck"])
        self.iteration = self.episode // self.config.episodes
        for name, network in self.networks().items():
            network.layers = Mlp.from_arrays(state["arrays"], name).layers
