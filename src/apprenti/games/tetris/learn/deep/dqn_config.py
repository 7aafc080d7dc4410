"""Options of deep Q-learning; torch is not needed to read them."""

from dataclasses import dataclass

from apprenti.core.errors import BadOption
from apprenti.games.tetris.agents.q_network import check_moves
from apprenti.games.tetris.learn.config import QConfig
from apprenti.learn.learner import above_0, at_least_0, one_of, positive, share


@dataclass(frozen=True, kw_only=True)
class DeepQConfig(QConfig):
    """Deep Q-learning: a network learns what boards or actions are worth."""

    # What is valued
    form: str = "afterstates"
    """What is valued: afterstates (the board after a placement), placements, or keys (L R D H T N)."""
    inputs: str = "board"
    """What the network sees: board (its cells), or criteria (afterstates only)."""
    windows: str = "4x4,row"
    """Windows the network looks through at afterstates: rows x columns up to 16 cells; row is a whole row."""
    criteria: str = "bcts"
    """With --inputs criteria: a set (dellacherie, bcts, dt, thesis, ...), or names with commas."""
    hidden: int = 32
    """Units of the layer on each window, or on the criteria, or of both layers for placements and keys."""
    head: int = 16
    """Units of the layer on the sums over the board (afterstates from the board)."""
    # Playing
    iterations: int = 60
    """Steps of the run; what was learned is stored after each."""
    parallel_games: int = 512
    """Games played side by side."""
    moves: int = 50
    """Moves made in each of the games in an iteration."""
    reward: str = "survival"
    """What a move gains: survival (nothing, and -1 at the end), lines, square (of the lines) or pieces (1)."""
    gamma: float = 0.97
    """Discount of a move later, at first."""
    gamma_end: float = 0.995
    """Discount in the end; its distance to 1 falls exponentially, so that better players look further."""
    epsilon: float = 0.1
    """ε: share of random moves at first."""
    epsilon_decay: float = 0.01
    """How fast ε falls: by exp(-decay) with every move of all games."""
    test_pieces: int = 2000
    """Longest of these games in pieces."""
    # The replay buffer
    replay_buffer: int = 100_000
    """Transitions in the replay buffer."""
    replay_start: int = 20_000
    """Transitions of random play it is filled with first."""
    priority: float = 0.0
    """How much errors count when drawing (α): 0 draws uniformly, 0.6 is usual for prioritised replay."""
    priority_correction: float = 0.4
    """How much the loss makes up for priorities (β)."""
    # Targets
    n_step: int = 1
    """Moves whose rewards are counted before the network is asked (n-step returns)."""
    expected: bool = True
    """Targets are means over all next pieces (afterstates only); --no-expected takes the piece that came."""
    double: bool = False
    """The main network chooses the best next move, the target network values it."""
    target_period: int = 1
    """Gradient steps after which the target network becomes a copy of the main one."""
    # Gradient steps
    updates: int = 1
    """Gradient steps after each move of all games."""
    batch_size: int = 512
    """Transitions drawn from the replay buffer for a gradient step."""
    loss: str = ""
    """squared, huber, or logistic (the output is the logit of the chance to survive); empty for logistic where it fits
    (afterstates and survival), squared elsewhere."""
    learning_rate: float = 0.003
    """Adam's step size at first."""
    learning_rate_end: float = 0.0003
    """Adam's step size in the end; it falls exponentially."""
    max_gradient_norm: float = 1.0
    """Longest gradient; 0 for any."""

    may_change = frozenset({"workers"})
    """How fast γ and the learning rate change depends on the iterations, so that a run cannot be made longer."""

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "form", "afterstates", "placements", "keys")
        one_of(self, "inputs", "board", "criteria")
        one_of(self, "reward", "survival", "lines", "square", "pieces")
        one_of(self, "loss", "", "squared", "huber", "logistic")
        positive(self, "moves", "parallel_games", "batch_size", "replay_buffer", "target_period", "n_step")
        at_least_0(self, "updates", "priority", "priority_correction", "max_gradient_norm", "hidden", "head")
        share(self, "gamma_end", "learning_rate", "learning_rate_end")
        above_0(self, "learning_rate", "learning_rate_end")
        if not 1 <= self.replay_start <= self.replay_buffer:
            raise BadOption(
                f"--replay-start must be from 1 to --replay-buffer ({self.replay_buffer}), not {self.replay_start}."
            )
        if self.loss == "logistic" and not (self.reward == "survival" and self.form == "afterstates"):
            raise BadOption("--loss logistic is a chance to survive: it needs --form afterstates, --reward survival.")
        if self.form != "afterstates":
            check_moves(self.game(), self.form)
        if self.form != "afterstates" and self.inputs != "board":
            raise BadOption(f"--inputs criteria is for --form afterstates, not for {self.form}.")

    @property
    def memory(self) -> int:
        own = 200 * (self.replay_buffer + self.batch_size + self.moves) + 1000 * self.parallel_games * self.n_step
        return super().memory + own + 16 * self.hidden * (self.head + 64)

    @property
    def error(self) -> str:
        """The loss that is meant."""
        return self.loss or ("logistic" if self.form == "afterstates" and self.reward == "survival" else "squared")

    def learning_rate_at(self, iteration: int) -> float:
        """The step size of Adam."""
        return _between(self.learning_rate, self.learning_rate_end, iteration / max(1, self.iterations - 1))

    def gamma_at(self, iteration: int) -> float:
        """The discount."""
        if 1.0 in (self.gamma, self.gamma_end):
            return self.gamma
        return 1 - _between(1 - self.gamma, 1 - self.gamma_end, iteration / max(1, self.iterations - 1))


def _between(first: float, last: float, part: float) -> float:
    """From the first to the last, by equal factors."""
    return float(first * (last / first) ** part)
