"""Deep Q-learning (Mnih et al. 2015; Tetris Bot report, chapter 9), and what makes it work on Tetris.

The report's algorithm: fill a memory by random play; then play with ε-greedy moves, remember them, draw a sample, and
move the main network towards y = r + γ·max Q of a secondary network, which is a copy of the main one made every so many
updates; y = r at the end. Every addition is an option: afterstates, the mean over all next pieces, double targets
(van Hasselt 2016), Huber's loss, prioritised memory (Schaul 2016), returns over several moves.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from apprenti.agents.tetris.q_network import check_moves
from apprenti.arena.executors import cores
from apprenti.core.errors import BadOption
from apprenti.core.seeds import Stream
from apprenti.games.tetris.fast.players import play
from apprenti.learn.learner import BaseLearner, Metrics
from apprenti.learn.options import at_least_0, positive, share
from apprenti.learn.tetris.config import QConfig

KEEP_SCORES = 100
"""Of so many finished games the mean is reported."""


@dataclass(frozen=True, kw_only=True)
class DeepQConfig(QConfig):
    """Deep Q-learning: a network learns what boards or actions are worth."""

    form: str = "afterstates"
    """What is valued: afterstates (the board after a placement), placements, or keys (L R D H T N)."""
    inputs: str = "board"
    """What the network sees: board (its cells), or criteria (afterstates only)."""
    windows: str = "4x4,row"
    """Windows the network looks through at afterstates: rows x columns up to 16 cells; row is a whole row."""
    criteria: str = "bcts"
    """With --inputs criteria: a set (dellacherie, bcts, dt, thesis, ...), or names with commas."""
    iterations: int = 60
    """Steps of the run; what was learned is stored after each."""
    moves: int = 50
    """Moves made in each of the games in an iteration."""
    parallel_games: int = 512
    """Games played side by side."""
    updates: int = 1
    """Gradient steps after each move of all games."""
    batch_size: int = 512
    """Transitions drawn from the replay buffer for a gradient step."""
    replay_buffer: int = 100_000
    """Transitions in the replay buffer."""
    replay_start: int = 20_000
    """Transitions of random play it is filled with first."""
    priority: float = 0.0
    """How much errors count when drawing (α): 0 draws uniformly, 0.6 is usual for prioritised replay."""
    priority_correction: float = 0.4
    """How much the loss makes up for priorities (β)."""
    target_period: int = 1
    """Gradient steps after which the target network becomes a copy of the main one."""
    double: bool = False
    """The main network chooses the best next move, the target network values it."""
    expected: bool = True
    """Targets are means over all next pieces (afterstates only); --no-expected takes the piece that came."""
    n_step: int = 1
    """Moves whose rewards are counted before the network is asked (n-step returns)."""
    reward: str = "survival"
    """What a move gains: survival (nothing, and -1 at the end), lines, square (of the lines) or pieces (1)."""
    loss: str = ""
    """squared, huber, or logistic (the output is the logit of the chance to survive); empty for logistic where it fits
    (afterstates and survival), squared elsewhere."""
    gamma: float = 0.97
    """Discount of a move later, at first."""
    gamma_end: float = 0.995
    """Discount in the end; its distance to 1 falls exponentially, so that better players look further."""
    epsilon: float = 0.1
    """ε: share of random moves at first."""
    epsilon_decay: float = 0.01
    """How fast ε falls: by exp(-decay) with every move of all games."""
    learning_rate: float = 0.003
    """Adam's step size at first."""
    learning_rate_end: float = 0.0003
    """Adam's step size in the end; it falls exponentially."""
    max_gradient_norm: float = 1.0
    """Longest gradient; 0 for any."""
    hidden: int = 32
    """Units of the layer on each window, or on the criteria, or of both layers for placements and keys."""
    head: int = 16
    """Units of the layer on the sums over the board (afterstates from the board)."""
    test_pieces: int = 2000
    """Longest of these games in pieces."""

    may_change = frozenset({"workers"})
    """How fast γ and the learning rate change depends on the iterations, so that a run cannot be made longer."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _one_of(self, "form", ("afterstates", "placements", "keys"))
        _one_of(self, "inputs", ("board", "criteria"))
        _one_of(self, "reward", ("survival", "lines", "square", "pieces"))
        _one_of(self, "loss", ("squared", "huber", "logistic", ""))
        positive(self, "moves", "parallel_games", "batch_size", "replay_buffer", "target_period", "n_step")
        at_least_0(self, "updates", "priority", "priority_correction", "max_gradient_norm", "hidden", "head")
        share(self, "gamma_end", "learning_rate", "learning_rate_end")
        if not (self.learning_rate > 0 and self.learning_rate_end > 0):
            raise BadOption("--learning-rate and --learning-rate-end must be above 0.")
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


def _one_of(config: object, name: str, known: tuple[str, ...]) -> None:
    if getattr(config, name) not in known:
        raise BadOption(f"--{name} is {', '.join(known[:-1])} or {known[-1]}, not {getattr(config, name)!r}.")


def load_torch() -> Any:
    """Torch, or a sentence that says how to get it."""
    try:
        import torch
    except ImportError:
        raise BadOption("deep learning needs PyTorch: install it with  pip install 'apprenti[deep]'.") from None
    return torch


class DeepQ(BaseLearner[DeepQConfig]):
    """The learner."""

    game = "tetris"
    Config = DeepQConfig

    def __init__(self, config: DeepQConfig) -> None:
        from apprenti.learn.deep.tetris.replay_buffer import Memory

        super().__init__(config)
        self.rules = config.game()
        self.torch = load_torch()
        self.torch.set_num_threads(1)  # the games use the other cores, and sums come out the same on every machine
        self.world = self._world()
        with self.torch.random.fork_rng(devices=[]):
            self.torch.manual_seed(config.seed % 2**63)
            self.module = self.world.module()
        learned = [p for p in self.module.parameters() if p.requires_grad]
        self.optimiser = self.torch.optim.Adam(learned, lr=config.learning_rate)
        self.main = self.secondary = self.module.network()
        self.memory = Memory(config.replay_buffer, config.priority, config.priority_correction)
        self.rng = np.random.Generator(np.random.PCG64(config.seed % 2**64))
        self.luck = Stream.named(config.seed, "dqn", "luck")
        self.moves = self.updates = self.finished = self.best = 0
        self.scores: list[int] = []

    def _world(self) -> Any:
        from apprenti.learn.deep.tetris.actions import ActionGames
        from apprenti.learn.deep.tetris.afterstates import AfterstateGames

        kind = AfterstateGames if self.config.form == "afterstates" else ActionGames
        return kind(self.config, self.rules, self.config.workers or cores())

    def warm_up(self) -> None:
        """Compile the games and the network."""
        tiny = replace(
            self.config,
            parallel_games=2,
            replay_start=2,
            replay_buffer=8,
            batch_size=2,
            moves=1,
            updates=1,
            iterations=1,
            test_games=0,
        )
        learner = type(self)(tiny)
        learner.step()

    # Learning ---------------------------------------------------------------------------------------------------------

    def step(self) -> Metrics:
        """One generation."""
        self.world.discount(self.config.gamma_at(self.iteration))
        if not self.memory.size:
            self._fill()
        losses = [loss for _ in range(self.config.moves) for loss in self._round()]
        self.iteration += 1
        metrics = {
            "generation": self.iteration,
            "best": self.best,
            "mean": float(np.mean(self.scores)) if self.scores else 0.0,
            "loss": float(np.mean(losses)) if losses else 0.0,
            "epsilon": self.config.epsilon_at(self.moves),
            "gamma": self.world.worth.gamma,
            "moves": self.moves * self.config.parallel_games,
            "games": self.finished,
        }
        if self.config.test_games:
            metrics["test"] = self._test()
        return metrics

    def _fill(self) -> None:
        """Fill the memory by random play."""
        while self.memory.size < self.config.replay_start:
            self._play(None, 1.0)
        if hasattr(self.module, "standardise"):
            self.module.standardise(self.memory.items["start"][: self.memory.size])
            self.main = self.secondary = self.module.network()

    def _play(self, network: Any, epsilon: float) -> None:
        """One move in every game; what happened is remembered."""
        items, scores = self.world.play(network, epsilon, self.luck)
        for found in items:
            self.memory.add(found)
        self.scores = (self.scores + scores)[-KEEP_SCORES:]
        self.finished += len(scores)
        self.best = max([self.best, *scores])

    def _round(self) -> list[float]:
        """One move in every game, then gradient steps; their losses."""
        self._play(self.main, self.config.epsilon_at(self.moves))
        self.moves += 1
        return [self._update() for _ in range(self.config.updates)]

    def _update(self) -> float:
        """One gradient step; the loss before it."""
        places, weights = self.memory.draw(self.rng, self.config.batch_size)
        sample = self.memory.get(places)
        y = self.world.targets(sample, self.main if self.config.double else self.secondary, self.secondary)
        outputs = self.world.outputs(self.module, sample)
        loss = (self.losses(outputs, y) * self.torch.from_numpy(weights)).mean()
        self.optimiser.zero_grad()
        loss.backward()
        if self.config.max_gradient_norm:
            self.torch.nn.utils.clip_grad_norm_(self.module.parameters(), self.config.max_gradient_norm)
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.learning_rate_at(self.iteration)
        self.optimiser.step()
        self.updates += 1
        self.memory.surprised(places, self._errors(outputs.detach().numpy(), y))
        self.main = self.module.network()
        if self.updates % self.config.target_period == 0:
            self.secondary = self.main
        return float(loss.detach())

    def losses(self, outputs: Any, y: Any) -> Any:
        """The loss of each output against its target."""
        nn = self.torch.nn.functional
        wanted = self.torch.from_numpy(y.astype(np.float32))
        if self.config.error == "logistic":
            return nn.binary_cross_entropy_with_logits(outputs, 1 + wanted, reduction="none")
        if self.config.error == "huber":
            return nn.smooth_l1_loss(outputs, wanted, reduction="none")
        return (outputs - wanted) ** 2

    def _errors(self, outputs: Any, y: Any) -> Any:
        """How wrong the network was, as values."""
        return self.world.worth.values(outputs.astype(np.float64)) - y

    def _test(self) -> float:
        """Mean lines of fresh games: all lines, divided by the games that ended; all games if none did."""
        rules = replace(self.rules, max_pieces=self.config.test_pieces)
        seeds = [(Stream.named(self.config.seed, "dqn", "test", i).bits(), i) for i in range(self.config.test_games)]
        results = play(rules, self.agent().compiled(rules), seeds)
        return float(sum(r.tally.lines for r in results) / max(1, sum(r.died for r in results)))

    def agent(self) -> Any:
        """The network so far as a player."""
        return self.world.agent(self.main)

    # State ------------------------------------------------------------------------------------------------------------

    def _names(self) -> list[str]:
        return [name for name, parameter in self.module.named_parameters() if parameter.requires_grad]

    def state(self) -> dict[str, Any]:
        """Everything that the next step depends on."""
        from apprenti.learn.deep.tetris.networks import adam_state

        arrays = {**self.memory.state(), **self.world.state()}
        for part, weights in (("main", self.main.weights), ("secondary", self.secondary.weights)):
            arrays |= {f"{part}/{name}": array.copy() for name, array in weights.items()}
        arrays |= {f"adam/{name}": array for name, array in adam_state(self.optimiser, self._names()).items()}
        return {
            "generation": self.iteration,
            **{name: getattr(self, name) for name in ("moves", "updates", "finished", "best")},
            "scores": list(self.scores),
            "rng": self.rng.bit_generator.state,
            "luck": self.luck.state,
            "arrays": arrays,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        from apprenti.learn.deep.tetris.networks import load_adam, load_weights

        self.iteration = state["generation"]
        for name in ("moves", "updates", "finished", "best"):
            setattr(self, name, state[name])
        self.scores, self.luck.state = list(state["scores"]), state["luck"]
        self.rng.bit_generator.state = state["rng"]
        arrays = state["arrays"]

        def part(prefix: str) -> dict[str, Any]:
            return {n.removeprefix(prefix): array for n, array in arrays.items() if n.startswith(prefix)}

        self.memory.restore(arrays)
        self.world.restore(arrays)
        self.world.discount(self.config.gamma_at(max(0, self.iteration - 1)))
        load_weights(self.module, part("secondary/"))
        self.secondary = self.module.network()
        load_weights(self.module, part("main/"))
        self.main = self.module.network()
        if all(np.array_equal(self.main.weights[n], a) for n, a in self.secondary.weights.items()):
            self.secondary = self.main
        load_adam(self.optimiser, self._names(), part("adam/"))
