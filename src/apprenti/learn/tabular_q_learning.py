"""Q-learning by self-play with a table (Watkins 1989), for any game under the contract of `core/game.py`.

Everything is text: what a player knows (`write_observation`) and what it may do (`write_move`). All players share one
table, for an observation says whose it is. When a game has ended, each goes back over its own decisions, the last
first:

    Q(s, a) ← Q(s, a) + α · (r + γ · max Q(s′, ·) − Q(s, a))

A player alone is paid what its score grows by from one decision to the next. Where several meet, only the end pays: 1
for a win, 0 for a draw, −1 for a loss. Chance deals between two decisions, and the table learns the mean.
"""

import math
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from apprenti.agents.base import QValuesAgent, RandomAgent, Table, Values, best_moves, packed_table, unpacked_table
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.data import SEED, JsonData, JsonObject, Maybe, Number, SavedState, Varies, like
from apprenti.core.errors import BadOption
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES, small_game
from apprenti.core.protocols import CHANCE, OVER, AnyRules, AnyState
from apprenti.core.seeds import Stream, below, pick, seed_of
from apprenti.learn.learner import (
    Learner,
    LearnerConfig,
    Metrics,
    at_least_0,
    finite,
    mean_score,
    positive,
    share,
    share_of_points,
)


@dataclass(frozen=True, kw_only=True)
class TabularConfig(LearnerConfig):
    """Q-learning by self-play with a table of texts, for any game."""

    game: str = small_game()
    """The game to learn: a name from `apprenti games`."""
    game_options: tuple[str, ...] = ()
    """Options of the game, like size=4x4x3."""
    iterations: int = 30
    """Steps of the run; what was learned is stored after each."""
    episodes: int = 1000
    """Games of self-play to learn from in each iteration."""
    max_moves: int = 1000
    """Longest game in moves; 0 for no limit."""
    gamma: float = 0.95
    """Discount of a move later."""
    epsilon: float = 0.5
    """ε: share of random moves at first."""
    epsilon_end: float = 0.1
    """Share of random moves in the end."""
    epsilon_decay: float = 0.0003
    """How fast ε falls: by exp(-decay) with every episode."""
    learning_rate: float = 0.5
    """α: how far a value moves towards its target, at first."""
    learning_rate_end: float = 0.05
    """The learning rate in the end."""
    learning_rate_decay: float = 0.0003
    """How fast it falls: by exp(-decay) with every episode; 0 for a constant rate."""
    initial_value: float = 0.5
    """The value of what was never tried: high, so that everything is."""
    test_games: int = 100
    """Games after each iteration, which teach nothing: against random players where several meet; 0 for none."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "episodes")
        at_least_0(self, "max_moves", "epsilon_decay", "learning_rate_decay", "test_games")
        share(self, "gamma", "epsilon", "epsilon_end", "learning_rate", "learning_rate_end")
        finite(self, "initial_value")
        _ = self.rules

    @property
    def played(self) -> AnyGame:
        """The game."""
        return GAMES.load(self.game)

    @property
    def rules(self) -> AnyRules:
        """The rules that the options of the game ask for."""
        kinds = {name: type(value) for name, value in asdict(self.played.Options()).items()}
        chosen: JsonData = {}
        for word in self.game_options:
            name, equals, value = word.partition("=")
            if name not in kinds or not equals:
                raise BadOption(f"--game-options are {' '.join(f'{name}=…' for name in kinds)}, not {word!r}.")
            try:
                chosen[name] = value == "yes" if kinds[name] is bool else kinds[name](value)
            except ValueError:
                raise BadOption(f"--game-options {word}: {name} is a number.") from None
        return self.played.rules(**chosen)

    @property
    def made_for(self) -> JsonObject:
        return self.played.rules_to_json(self.rules)

    def epsilon_at(self, episode: int) -> float:
        """The share of random moves."""
        return _falling(self.epsilon, self.epsilon_end, self.epsilon_decay, episode)

    def learning_rate_at(self, episode: int) -> float:
        """The learning rate."""
        return _falling(self.learning_rate, self.learning_rate_end, self.learning_rate_decay, episode)


def _falling(first: float, last: float, decay: float, time: int) -> float:
    return last + (first - last) * math.exp(-decay * time)


class Decision(NamedTuple):
    """What a player has done: the values it saw, its move, and what it had been paid by then."""

    values: Values
    move: str
    paid: float


class TabularQLearning(Learner[TabularConfig]):
    """The learner."""

    Config = TabularConfig

    def __init__(self, config: TabularConfig) -> None:
        super().__init__(config)
        self.game, self.played, self.rules = config.game, config.played, config.rules
        self.unit = self.played.unit(self.rules)
        self.table: Table = {}
        self.luck = Stream.named(config.seed, "tabular")
        self.episode, self.best = 0, -math.inf

    def step(self) -> Metrics:
        scores = [self.play_one() for _ in range(self.config.episodes)]
        self.iteration += 1
        row: Metrics = {
            "generation": self.iteration,
            "games": self.episode,
            "states": len(self.table),
            "epsilon": self.config.epsilon_at(self.episode),
        }
        if self.played.players == 1:
            self.best = max([self.best, *scores])
            row |= {"best": self.best, "mean": float(np.mean(scores))}
        if games := self.config.test_games:
            row |= self.test(games)
        return row

    # One game ---------------------------------------------------------------------------------------------------------

    def play_one(self) -> float:
        """Learn from one game; what the first player got."""
        config, epsilon = self.config, self.config.epsilon_at(self.episode)
        state = self.played.start(self.rules, self.luck)
        decisions: list[list[Decision]] = [[] for _ in range(self.played.players)]
        moves = 0
        while state.turn != OVER and not 0 < config.max_moves <= moves:
            if state.turn == CHANCE:
                state = state.deal(self.luck)
                continue
            state = self._move(state, decisions[state.turn], epsilon)
            moves += 1
        for player, own in enumerate(decisions):
            self.learn(own, self.paid(state, player), cut=self._cut(state))
        self.episode += 1
        return self.paid(state, 0)

    def _move(self, state: AnyState, decisions: list[Decision], epsilon: float) -> AnyState:
        """The player whose turn it is decides: mostly for the best, sometimes for any."""
        legal, player = state.legal_moves(), state.turn
        texts = [self.played.write_move(move) for move in legal]
        seen = self.played.write_observation(state.observation(player))
        values = self.table.setdefault(seen, dict.fromkeys(texts, self.config.initial_value))
        if self.luck.random() < epsilon:
            place = below(self.luck, len(legal))
        else:
            place = pick(self.luck, best_moves(values, texts))
        decisions.append(Decision(values, texts[place], self.paid(state, player)))
        return state.play(legal[place])

    def paid(self, state: AnyState, player: int) -> float:
        """All that a player has been paid so far."""
        if self.played.players == 1:
            return float(self.played.measures(state)[self.unit])  # type: ignore[arg-type]
        return 2 * state.outcome.scores[player] - 1 if state.outcome else 0.0

    def _cut(self, state: AnyState) -> bool:
        """Whether a limit and not the game itself was the end of it; where several meet, such an end counts too."""
        return state.outcome is None or (self.played.players == 1 and state.outcome.truncated)

    def learn(self, decisions: list[Decision], paid: float, cut: bool) -> None:
        """Draw the values of a player's decisions towards their targets, the last first.

        After the end nothing comes. A game that was cut would have gone on: its last decision has no target.
        """
        rate, following = self.config.learning_rate_at(self.episode), 0.0
        for number, (values, move, before) in enumerate(reversed(decisions)):
            if not (cut and number == 0):
                target = paid - before + self.config.gamma * following
                values[move] += rate * (target - values[move])
            following, paid = max(values.values()), before

    def test(self, games: int) -> Metrics:
        """The mean score, or the share of the points against random players, every side in turn."""
        agent, players, scores = self.agent(), self.played.players, []
        for number in range(games):
            side = number % players
            agents = [agent if seat == side else RandomAgent() for seat in range(players)]
            seeds = seeds_of_game(seed_of(self.config.seed, "tabular", "test"), number, players)
            scores.append(play_game(self.played, self.rules, agents, seeds).outcome.scores[side])
        if players == 1:
            return mean_score("test", scores)
        return share_of_points("against_random", sum(scores) / games, games)

    # State ------------------------------------------------------------------------------------------------------------

    def agent(self) -> QValuesAgent:
        return QValuesAgent(self.game, self.made_for, packed_table(self.table))

    def state(self) -> SavedState:
        best = None if self.best == -math.inf else self.best
        return {"episode": self.episode, "best": best, "luck": self.luck.state, "arrays": packed_table(self.table)}

    def varies(self) -> Varies:
        arrays = {name: like(array, grows=True) for name, array in packed_table({}).items()}
        return {"best": Maybe(Number()), "luck": SEED, "arrays": arrays}

    def restore(self, state: JsonData) -> None:
        self.episode, self.luck.state = state["episode"], state["luck"]
        self.iteration = self.episode // self.config.episodes
        self.best = -math.inf if state["best"] is None else state["best"]
        self.table = unpacked_table(state["arrays"])
