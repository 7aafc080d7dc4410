"""Options of the learners of Luzhanqi; torch is not needed to read them."""

from dataclasses import dataclass

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadOption, BadRules
from apprenti.games.luzhanqi.learn.games import baseline, rating, teacher
from apprenti.games.luzhanqi.rules import Rules
from apprenti.learn.learner import LearnerConfig, above_0, at_least_0, positive, share


@dataclass(frozen=True, kw_only=True)
class LuzhanqiConfig(LearnerConfig):
    """What is played."""

    rules: str = "ccgc"
    """ccgc, western, casual, training, mini or micro."""
    army: str = ""
    """A smaller army for quick study: how many of each type a to l, twelve digits; empty for all 25 pieces."""

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least_0(self, "seed")
        self.game()

    def game(self) -> Rules:
        """The rules."""
        rules = Rules.preset(self.rules, **({"army": self.army} if self.army else {}))
        if rules.repetition:
            raise BadRules(f"--rules {self.rules} count repetitions, which the compiled game does not.")
        return rules

    @property
    def made_for(self) -> JsonObject:
        return self.game().to_json()


@dataclass(frozen=True, kw_only=True)
class PpoConfig(LuzhanqiConfig):
    """PPO by self-play on many games at once."""

    # The run
    iterations: int = 200
    """How often games are played on and learned from."""
    parallel_games: int = 64
    """Games side by side."""
    moves: int = 48
    """Moves made in each of the games in an iteration."""
    threads: int = 1
    """Threads of torch; the result may depend on it in the last bit."""
    # The network
    channels: int = 32
    """Numbers the network keeps of each point."""
    layers: int = 3
    """Rounds of messages between the points."""
    gru_units: int = 0
    """Numbers that a recurrent network (GRU) remembers of all moves of a game; 0 for none."""
    lstm_units: int = 0
    """The same with a long short-term memory (LSTM)."""
    residual_policy: bool = False
    """The network adds to its logits what the one-ply expected-value player says, and learns where that is wrong."""
    features: bool = False
    """Show the network what counting says of each enemy piece, and of each move its fight and whether it takes back."""
    prior: float = 0.0
    """Weight of usual layouts beside counting in what the one-ply player believes, and in the features."""
    win_draw_loss: bool = False
    """The value head says how likely a win, a draw and a loss are, and learns what became of games; a position is worth
    P(win) − P(loss)."""
    initial_weights: str = ""
    """The agent to begin as, a network of the same size: a name of the zoo, a run or a file; empty for none.
    Features that it did not have begin at weight 0."""
    # Learning from a rollout
    gamma: float = 0.998
    """Discount of a move later."""
    lam: float = 0.9
    """λ of the generalised advantage."""
    learning_rate: float = 0.0005
    """Adam's step size."""
    epochs: int = 2
    """How often each move is learned from."""
    batch_size: int = 512
    """Moves in one gradient step."""
    clip: float = 0.2
    """ε: how far the probability of a move may go in one update."""
    value_weight: float = 0.5
    """Weight of the value's error in the loss."""
    entropy_weight: float = 0.01
    """Weight of the policy's entropy in the loss."""
    magnet_weight: float = 0.0
    """Weight of the distance KL(π ‖ magnet) in the loss; the magnet is a policy that follows slowly."""
    magnet_rate: float = 0.02
    """By which share of the way the magnet follows in an iteration."""
    learned_part: float = 1.0
    """Part of the moves that is learned from: those of the largest advantages, either way."""
    take_back_cost: float = 0.0
    """What it costs to take back the own last move; a game is worth 1."""
    material_reward: float = 0.3
    """What the whole army is worth beside the game (1), as a potential: it changes no optimal policy."""
    # Who plays the other side
    past_share: float = 0.25
    """Share of the games in which one side is an earlier self."""
    pool_size: int = 8
    """Earlier selves that are stored."""
    pool_every: int = 10
    """Iterations between two of them."""
    opponent_share: float = 0.0
    """Share of the games in which one side is the --opponent."""
    opponent: str = "expected"
    """A baseline: expected, greedy or random; or informed: expected, and it knows the placement model's layouts."""
    # A teacher, at first
    imitation_iterations: int = 0
    """First iterations, which learn from a teacher."""
    teacher: str = "playouts"
    """Who says what moves are worth: playouts, or a baseline (expected, greedy or random)."""
    imitation_temperature: float = 2.0
    """By how many points of the teacher's a move becomes e times less likely."""
    learning_rate_imitation: float = 0.002
    """Learning rate while it has a teacher."""
    # Setting up
    random_layout_share: float = 0.5
    """Share of the other games that begin with any legal layouts instead of the book's."""
    placement_share: float = 0.0
    """Share of the games whose armies are set up by a placement model, which learns too; 0 for none."""
    learning_rate_placement: float = 0.001
    """Learning rate of the placement model."""
    entropy_weight_placement: float = 0.02
    """Weight of the placement model's entropy in its loss."""
    practice_moves: int = 0
    """Moves in each of 128 more games in an iteration, for the placement model alone; 0 for none."""
    practice_players: tuple[str, ...] = ("expected", "greedy")
    """Baselines that play themselves in these games, each for an iteration: layouts are to be good against all."""
    # The agent, and its tests
    temperature: float = 0.5
    """How the agent that comes out draws its moves; 0 for the most likely."""
    test_every: int = 20
    """Iterations between two tests."""
    test_games: int = 0
    """Games of a test against each of --test-opponents, both sides, which teach nothing; 0 for no tests."""
    test_opponents: tuple[str, ...] = ("random", "greedy")
    """Baselines to be tested against: random, greedy, expected."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(
            self, "parallel_games", "moves", "threads", "channels", "layers", "epochs", "batch_size", "pool_size",
            "pool_every", "test_every",
        )  # fmt: skip
        at_least_0(
            self, "gru_units", "lstm_units", "value_weight", "entropy_weight", "magnet_weight", "take_back_cost",
            "material_reward", "imitation_iterations", "entropy_weight_placement", "practice_moves", "test_games",
        )  # fmt: skip
        share(
            self, "gamma", "lam", "magnet_rate", "learned_part", "past_share", "opponent_share", "random_layout_share",
            "placement_share", "prior",
        )  # fmt: skip
        above_0(self, "learning_rate", "learning_rate_imitation", "imitation_temperature", "learning_rate_placement")
        if self.features and not self.residual_policy:
            raise BadOption("--features are of the one-ply player that --residual-policy asks: say both.")
        if self.win_draw_loss and self.material_reward:
            raise BadOption("--win-draw-loss values the end of a game alone: say --material-reward 0 with it.")
        if not 0 < self.clip < 1:
            raise BadOption(f"--clip must be between 0 and 1, not {self.clip}.")
        if not 0 <= self.temperature <= 10:
            raise BadOption(f"--temperature must be from 0 to 10, not {self.temperature}.")
        self._check_players()

    def _check_players(self) -> None:
        if self.past_share + self.opponent_share > 1:
            raise BadOption("--past-share and --opponent-share are shares of the games: together at most 1.")
        if self.gru_units and self.lstm_units:
            raise BadOption("--gru-units and --lstm-units are two kinds of memory: choose one.")
        if self.hidden_size and self.past_share:
            raise BadOption("a memory goes with --past-share 0: an earlier self would need a memory of its own.")
        if self.hidden_size and self.magnet_weight:
            raise BadOption("a memory goes with --magnet-weight 0: a magnet would need a memory of its own.")
        if not self.practice_players:
            raise BadOption("--practice-players are baselines, at least one.")
        teacher(self.teacher)
        for name in (self.opponent, *self.practice_players):
            baseline(name)
        for name in self.test_opponents:
            rating(name)

    @property
    def begins_as(self) -> str:
        """The agent whose weights are the first ones."""
        return self.initial_weights

    @property
    def memory(self) -> int:
        own = 20_000 * (self.parallel_games * self.moves + self.batch_size)
        network = 16 * 9 * self.channels**2 * self.layers * (1 + self.pool_size // 4)
        return super().memory + own + network + 48 * self.hidden_size * (self.hidden_size + self.channels)

    @property
    def hidden_size(self) -> int:
        """Numbers that a player remembers; an LSTM has a state beside what it shows."""
        return self.gru_units + 2 * self.lstm_units

    @property
    def placed_games(self) -> int:
        """How many of the games begin with armies of a placement model."""
        return round(self.placement_share * self.parallel_games)

    def learning_rate_at(self, iteration: int) -> float:
        """The learning rate; with a teacher it falls to a tenth, so that the noise of the targets averages out."""
        if iteration >= self.imitation_iterations:
            return self.learning_rate
        return self.learning_rate_imitation * (1 - 0.9 * iteration / self.imitation_iterations)


@dataclass(frozen=True, kw_only=True)
class BestResponseConfig(PpoConfig):
    """PPO against one frozen network: what is won by practising against it alone."""

    against: str = "luzhanqi-learned"
    """The frozen network: a name of the zoo, a run or a file; empty for what the learner itself is at first."""
    seconds: float = 900.0
    """Seconds of processor for learning, without the tests; 0 for as many as the iterations take."""
    layouts: int = 1000
    """Layouts of each player, drawn from it before the first game."""
    tests: int = 6
    """Tests on the way, beside the one before the first step, each of --test-games against the frozen network."""
    iterations: int = 1_000_000
    initial_weights: str = "luzhanqi-magnet"
    residual_policy: bool = True
    features: bool = True
    epochs: int = 1
    batch_size: int = 256
    learning_rate: float = 0.0003
    learned_part: float = 0.6
    past_share: float = 0.0
    random_layout_share: float = 1.0
    temperature: float = 0.2
    test_games: int = 400

    may_change = PpoConfig.may_change | {"seconds", "tests", "test_games"}

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least_0(self, "seconds")
        positive(self, "layouts", "tests")
        if self.hidden_size or self.placed_games or self.past_share or self.opponent_share:
            raise BadOption("a best response has one opponent, no placement model and no memory: leave those options.")
