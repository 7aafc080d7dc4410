"""The LuJunQi report's proposal to the letter: actor-critic with traces, one model for both players, a placement model.

Red acts; the fight is resolved; Black is given its reward and its state, judges its own last decision with them, acts
with the model it has just changed; Red observes, judges, acts, and so on. At the end both are judged once more. The
placement model puts 25 pieces on the board one by one and gets, at the last, the sum of the game's rewards.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.luzhanqi.actor import ActorAgent
from apprenti.core.compiled import announcing
from apprenti.core.errors import BadOption
from apprenti.core.mlp import Mlp
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.begin import begun
from apprenti.games.luzhanqi.kernel.moves import MOST_MOVES, legal_moves
from apprenti.games.luzhanqi.kernel.play import apply
from apprenti.games.luzhanqi.kernel.tables import MOVE_FROM, MOVE_TO, rules_array
from apprenti.games.luzhanqi.layout import book_layout
from apprenti.games.luzhanqi.pieces import NONE, TYPE_OF, TYPES
from apprenti.games.luzhanqi.placing import PLACES, half_board, legal_places
from apprenti.games.luzhanqi.report_state import INPUTS, PAIRS, inputs, pairs
from apprenti.games.luzhanqi.rules import Rules
from apprenti.learn.objective import at_least_0, positive, share
from apprenti.learn.traces import Episode, Model, Rates


@dataclass(frozen=True, kw_only=True)
class ActorCriticConfig:
    """The report's actor-critic by self-play at Luzhanqi."""

    rules: str = "ccgc"
    """ccgc, western, casual or training."""
    army: str = ""
    """A smaller army for quick study: how many of each type a to l, twelve digits; empty for all 25 pieces."""
    episodes: int = 1000
    """Games to learn from."""
    episodes_a_step: int = 20
    """Games between two checkpoints."""
    hidden: tuple[int, ...] = (64,)
    """Sizes of the hidden layers of all networks."""
    initialisation: str = "he"
    """he or xavier."""
    lambda_theta: float = 0.5
    """λ of the actor's traces."""
    lambda_w: float = 0.5
    """λ of the critic's traces."""
    alpha_theta: float = 1e-6
    """Learning rate of the actor."""
    alpha_w: float = 1e-6
    """Learning rate of the critic."""
    gamma: float = 1.0
    """Discount."""
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
    twice: bool = False
    """Softmax on the softmax's legal part, as the report can be read; default: softmax on the legal part alone."""
    seed: int = 1
    """Root of all random streams."""

    def __post_init__(self) -> None:
        positive(self, "episodes", "episodes_a_step")
        at_least_0(self, "alpha_theta", "alpha_w")
        share(self, "lambda_theta", "lambda_w", "gamma")
        if self.initialisation not in ("he", "xavier"):
            raise BadOption(f"--initialisation is he or xavier, not {self.initialisation!r}.")
        if not self.hidden or min(self.hidden) < 1:
            raise BadOption("--hidden are sizes of layers, at least 1 each.")
        self.game()

    def game(self) -> Rules:
        """The rules."""
        return Rules.preset(self.rules, **({"army": self.army} if self.army else {}))

    @property
    def rates(self) -> Rates:
        """λ, α and γ."""
        return Rates(self.lambda_theta, self.lambda_w, self.alpha_theta, self.alpha_w, self.gamma, self.twice)


class ActorCritic:
    """The learner."""

    game = "luzhanqi"
    Config = ActorCriticConfig

    def __init__(self, config: ActorCriticConfig) -> None:
        self.config = config
        self.rules = config.game()
        rng = np.random.Generator(np.random.PCG64(config.seed % 2**64))
        self.play = self._model(rng, INPUTS, PAIRS)
        self.place = self._model(rng, PLACES, PLACES) if config.placement else None
        self.luck = Stream.named(config.seed, "actor-critic")
        self.episode, self.moves = 0, 0

    def _model(self, rng: np.random.Generator, inputs_: int, outputs: int) -> Model:
        hidden, scheme = self.config.hidden, self.config.initialisation
        actor = Mlp.random((inputs_, *hidden, outputs), rng, scheme)
        return Model(actor, Mlp.random((inputs_, *hidden, 1), rng, scheme), self.config.rates)

    @property
    def made_for(self) -> dict[str, Any]:
        """The rules it learned under."""
        return self.rules.to_json()

    @property
    def done(self) -> bool:
        """Whether all games are played."""
        return self.episode >= self.config.episodes

    @property
    def steps(self) -> tuple[int, int]:
        """Games played, and all of them."""
        return self.episode, self.config.episodes

    def warm_up(self) -> None:
        """Compile the game."""
        with announcing("luzhanqi"):
            game = begun(rules_array(self.rules), *(self._placed(None) for _ in range(2)))
            self._options(game, np.empty(MOST_MOVES, np.int16))

    # One game ---------------------------------------------------------------------------------------------------------

    def _placed(self, episode: Episode | None) -> NDArray[np.int64]:
        """An army as the types of its slots: by the placement model, or from the book without one."""
        if episode is None:
            layout = book_layout(self.rules, Stream(self.luck.state))
            return np.array([TYPE_OF[letter] for letter in layout], np.int64)
        placed = [NONE] * SLOTS
        for _ in range(sum(self.rules.counts)):
            x, legal = half_board(placed), legal_places(placed, self.rules)
            episode.learn(0.0, x)  # the piece before this one, if there was one, has earned nothing yet
            slot, kind = divmod(int(legal[episode.act(x, legal, self.luck.random())]), TYPES)
            placed[slot] = kind
        return np.array(placed, np.int64)

    def _options(self, game: NDArray[np.int64], out: NDArray[np.int16]) -> tuple[Any, Any, Any]:
        """The state of the player to move, the legal pairs, and the moves they stand for."""
        player = int(game[at.TO_MOVE])
        moves = out[: legal_moves(rules_array(self.rules), game, out)].tolist()
        board = game[at.BOARD : at.BOARD + POINTS].tolist()
        types = game[at.TYPE + SLOTS * player : at.TYPE + SLOTS * (player + 1)].tolist()
        return inputs(board, types, player), pairs(board, moves, player), moves

    def _reward(self, game: NDArray[np.int64], player: int, before: tuple[int, int]) -> float:
        """What a player gets for its last decision, once the other has answered."""
        config, alive = self.config, _alive(game)
        taken = (before[1 - player] - alive[1 - player]) - (before[player] - alive[player])
        gained = config.capture_reward * taken
        if game[at.OUTCOME] == at.GOING_ON:
            return config.step_reward + gained
        winner = int(game[at.WINNER])
        end = config.draw_reward if winner < 0 else config.win_reward if winner == player else config.loss_reward
        return end + gained

    def _play(self) -> tuple[int, int, int, float]:
        """One game; its moves, how it ended, who won, and the mean |δ|."""
        rules, out = rules_array(self.rules), np.empty(MOST_MOVES, np.int16)
        placing = [Episode(self.place) if self.place else None for _ in range(2)]
        if not self.place:
            self.luck.bits()  # another page of the book for the second army
        first = self._placed(placing[0])
        self.luck.bits()
        game = begun(rules, first, self._placed(placing[1]))
        players = [Episode(self.play), Episode(self.play)]
        before = [_alive(game)] * 2
        sums, errors, moves = [0.0, 0.0], 0.0, 0
        while game[at.OUTCOME] == at.GOING_ON:
            player = int(game[at.TO_MOVE])
            x, legal, actions = self._options(game, out)
            errors += self._judge(players, game, player, before, sums, x)
            before[player] = _alive(game)
            action = actions[players[player].act(x, legal, self.luck.random())]
            apply(rules, game, int(MOVE_FROM[action]), int(MOVE_TO[action]))
            moves += 1
        for player in (0, 1):
            errors += self._judge(players, game, player, before, sums, None)
        for episode, total in zip(placing, sums, strict=True):
            if episode:
                episode.learn(total, None)
        return moves, int(game[at.OUTCOME]), int(game[at.WINNER]), errors / max(1, moves)

    def _judge(
        self, players: list[Episode], game: NDArray[np.int64], player: int, before: list[Any], sums: list[float], x: Any
    ) -> float:
        """A player judges its last decision; |δ|."""
        if players[player].last is None:
            return 0.0
        reward = self._reward(game, player, before[player])
        sums[player] += reward
        return abs(players[player].learn(reward, x))

    def step(self) -> dict[str, Any]:
        """Some games."""
        rows: list[tuple[int, int, int, float]] = []
        while len(rows) < self.config.episodes_a_step and not self.done:
            rows.append(self._play())
            self.episode += 1
        moves, ends, winners, errors = (np.array(column) for column in zip(*rows, strict=True))
        self.moves += int(moves.sum())
        return {
            "generation": self.episode,
            "games": self.episode,
            "moves": self.moves,
            "mean": float(moves.mean()),
            "flags": float(((ends == at.FLAG_TAKEN) | (ends == at.FLAG_HOME)).mean()),
            "quiet": float((ends == at.QUIET_END).mean()),
            "first_wins": float((winners == 0).mean()),
            "error": float(errors.mean()),
        }

    # Keeping ----------------------------------------------------------------------------------------------------------

    def agent(self) -> ActorAgent:
        """The actor so far."""
        arrays = self.play.actor.arrays("actor") | (self.place.actor.arrays("placer") if self.place else {})
        return ActorAgent(self.config.twice, arrays)

    def _networks(self) -> dict[str, Mlp]:
        found = {"play-actor": self.play.actor, "play-critic": self.play.critic}
        return found | ({"place-actor": self.place.actor, "place-critic": self.place.critic} if self.place else {})

    def state(self) -> dict[str, Any]:
        """Everything the next game depends on."""
        arrays: dict[str, Any] = {}
        for name, network in self._networks().items():
            arrays |= network.arrays(name)
        return {"episode": self.episode, "moves": self.moves, "luck": self.luck.state, "arrays": arrays}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        self.episode, self.moves, self.luck = state["episode"], state["moves"], Stream(state["luck"])
        for name, network in self._networks().items():
            network.layers = Mlp.from_arrays(state["arrays"], name).layers


def _alive(game: NDArray[np.int64]) -> tuple[int, int]:
    """How many pieces each player has on the board."""
    standing = game[at.POINT : at.POINT + at.PIECES] >= 0
    return int(standing[:SLOTS].sum()), int(standing[SLOTS:].sum())
