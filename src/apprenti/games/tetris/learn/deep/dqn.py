"""Deep Q-learning (Mnih et al. 2015; Tetris Bot report, chapter 9), and what makes it work on Tetris.

The report's algorithm: fill a replay buffer by random play; then play with ε-greedy moves, store them, draw a sample,
and move the main network towards y = r + γ·max Q of a target network, which is a copy of the main one made every few
updates; y = r at the end. Every addition is an option: afterstates, the mean over all next pieces, double targets
(van Hasselt 2016), Huber's loss, prioritised replay (Schaul 2016), n-step returns.
"""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from apprenti.core.data import GENERATOR, SEED, Each, JsonData, Number, Numbers, SavedState, Shape, Varies, like
from apprenti.core.errors import BadFile
from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.network import NetworkAgent
from apprenti.games.tetris.agents.q_network import QNetworkAgent
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.learn.deep.dqn_config import DeepQConfig
from apprenti.games.tetris.learn.deep.games import ActionGames, AfterstateGames, Reals
from apprenti.games.tetris.learn.deep.networks import CriteriaModule, load_weights
from apprenti.games.tetris.learn.deep.replay_buffer import ReplayBuffer
from apprenti.learn.deep.adam import adam_arrays, adam_shapes, restore_adam
from apprenti.learn.learner import Learner, Metrics, mean_score

RECENT_GAMES = 100
"""The mean of this number of finished games is reported."""
_COUNTS = ("moves", "updates", "finished", "best")


class DeepQ(Learner[DeepQConfig]):
    """The learner."""

    game = "tetris"
    Config = DeepQConfig
    main: Any
    """The network that learns; of which kind it is, its games say."""
    target: Any
    """An older copy of it."""

    def __init__(self, config: DeepQConfig) -> None:
        super().__init__(config)
        self.rules = config.game()
        torch.set_num_threads(1)  # the games use the other cores, and sums come out the same on every machine
        kind = AfterstateGames if config.form == "afterstates" else ActionGames
        self.games: AfterstateGames | ActionGames = kind(config, self.rules)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed % 2**63)
            self.module = self.games.module()
        learned = [p for p in self.module.parameters() if p.requires_grad]
        self.optimiser = torch.optim.Adam(learned, lr=config.learning_rate)
        self.main = self.target = self.module.network()
        self.buffer = ReplayBuffer(config.replay_buffer, config.priority, config.priority_correction)
        self.rng = np.random.Generator(np.random.PCG64(config.seed % 2**64))
        self.luck = Stream.named(config.seed, "dqn", "luck")
        self.moves = self.updates = self.finished = self.best = 0
        self.scores: list[int] = []

    def warm_up(self) -> None:
        assert self._form

    @cached_property
    def _form(self) -> dict[str, NDArray[np.generic]]:
        """The arrays of a learner of the same form after a step, small in all else."""
        tiny = replace(
            self.config, parallel_games=2, replay_start=2, replay_buffer=8, batch_size=2, moves=1, updates=1,
            iterations=1, test_games=0,
        )  # fmt: skip
        learner = DeepQ(tiny)
        learner.step()
        return learner._arrays()

    def step(self) -> Metrics:
        self.games.discount(self.config.gamma_at(self.iteration))
        if not self.buffer.size:
            self._fill()
        losses = [loss for _ in range(self.config.moves) for loss in self._move()]
        self.iteration += 1
        metrics = {
            "generation": self.iteration,
            "best": self.best,
            "mean": float(np.mean(self.scores)) if self.scores else 0.0,
            "loss": float(np.mean(losses)) if losses else 0.0,
            "epsilon": self.config.epsilon_at(self.moves),
            "gamma": self.games.worth.gamma,
            "moves": self.moves * self.config.parallel_games,
            "games": self.finished,
        }
        if self.config.test_games:
            metrics |= self._test()
        return metrics

    # Playing ----------------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Fill the replay buffer by random play."""
        while self.buffer.size < self.config.replay_start:
            self._play(None, 1.0)
        if isinstance(self.module, CriteriaModule):
            self.module.standardise(self.buffer.items["start"][: self.buffer.size])
            self.main = self.target = self.module.network()

    def _play(self, network: Any, epsilon: float) -> None:
        """One move in every game; its transitions are stored."""
        items, scores = self.games.play(network, epsilon, self.luck)
        for transitions in items:
            self.buffer.add(transitions)
        self.scores = (self.scores + scores)[-RECENT_GAMES:]
        self.finished += len(scores)
        self.best = max([self.best, *scores])

    def _move(self) -> list[float]:
        """One move in every game, then gradient steps; their losses."""
        self._play(self.main, self.config.epsilon_at(self.moves))
        self.moves += 1
        return [self._update() for _ in range(self.config.updates)]

    # Learning ---------------------------------------------------------------------------------------------------------

    def _update(self) -> float:
        """One gradient step; the loss before it."""
        places, weights = self.buffer.sample(self.rng, self.config.batch_size)
        sample = self.buffer.get(places)
        y = self.games.targets(sample, self.main if self.config.double else self.target, self.target)
        outputs = self.games.outputs(self.module, sample)
        loss = (self.losses(outputs, y) * torch.from_numpy(weights)).mean()
        self._descend(loss)
        errors = self.games.worth.values(outputs.detach().numpy().astype(np.float64)) - y
        self.buffer.set_priorities(places, errors)
        self.main = self.module.network()
        if self.updates % self.config.target_period == 0:
            self.target = self.main
        return float(loss.detach())

    def losses(self, outputs: torch.Tensor, y: Reals) -> torch.Tensor:
        """The loss of each output against its target."""
        targets = torch.from_numpy(y.astype(np.float32))
        if self.config.error == "logistic":
            return functional.binary_cross_entropy_with_logits(outputs, 1 + targets, reduction="none")
        if self.config.error == "huber":
            return functional.smooth_l1_loss(outputs, targets, reduction="none")
        return (outputs - targets) ** 2

    def _descend(self, loss: torch.Tensor) -> None:
        self.optimiser.zero_grad()
        loss.backward()
        if self.config.max_gradient_norm:
            torch.nn.utils.clip_grad_norm_(self.module.parameters(), self.config.max_gradient_norm)
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.learning_rate_at(self.iteration)
        self.optimiser.step()
        self.updates += 1

    def _test(self) -> Metrics:
        """Mean lines of fresh games."""
        rules = replace(self.rules, max_pieces=self.config.test_pieces)
        seeds = [(Stream.named(self.config.seed, "dqn", "test", i).bits(), i) for i in range(self.config.test_games)]
        results = play(rules, self.agent().compiled(rules), seeds)
        return mean_score("test", [r.tally.lines for r in results], sum(r.died for r in results))

    def agent(self) -> NetworkAgent | QNetworkAgent:
        return self.games.agent(self.main)

    # State ------------------------------------------------------------------------------------------------------------

    def _names(self) -> list[str]:
        return [name for name, parameter in self.module.named_parameters() if parameter.requires_grad]

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        arrays: dict[str, NDArray[np.generic]] = {**self.buffer.state(), **self.games.state()}
        for part, network in (("main", self.main), ("secondary", self.target)):
            arrays |= {f"{part}/{name}": array.copy() for name, array in network.weights.items()}
        return arrays | adam_arrays(self.optimiser, "adam", self._names())

    def state(self) -> SavedState:
        return {
            "generation": self.iteration,
            **{name: getattr(self, name) for name in _COUNTS},
            "scores": list(self.scores),
            "rng": self.rng.bit_generator.state,
            "luck": self.luck.state,
            "arrays": self._arrays(),
        }

    def varies(self) -> Varies:
        own, letters = self._arrays(), len(self.rules.pieces.letters)
        ranges = {"piece": (-1, letters - 1), "action": (0, self.games.batch.actions - 1)}
        arrays: dict[str, Shape] = {f"batch/{name}": shape for name, shape in self.games.batch.shapes().items()}
        for name, array in self._form.items():
            low, high = ranges.get(name.partition("/")[2], (None, None))
            if name.startswith("memory/"):
                arrays[name] = like(array, low, high, grows=True)
            elif name.startswith("trail/"):
                arrays[name] = Numbers(
                    str(array.dtype), (self.config.n_step, self.config.parallel_games, *array.shape[2:]), low, high
                )
        arrays |= adam_shapes(self.optimiser, "adam", self._names())
        capacity = self.buffer.capacity
        arrays["memory-at"] = like(own["memory-at"], (0, 0), (capacity, capacity - 1))
        arrays["priorities"] = Numbers("float64", (None,), low=0)
        arrays["trail-time"] = like(own["trail-time"], 0)
        return {"best": Number(), "scores": Each(Number()), "rng": GENERATOR, "luck": SEED, "arrays": arrays}

    def restore(self, state: JsonData) -> None:
        self.iteration = state["generation"]
        for name in _COUNTS:
            setattr(self, name, state[name])
        self.scores, self.luck.state = list(state["scores"]), state["luck"]
        self.rng.bit_generator.state = state["rng"]
        arrays = state["arrays"]
        self._check_transitions(arrays)
        self.buffer.restore(arrays)
        self.games.restore(arrays)
        self.games.discount(self.config.gamma_at(max(0, self.iteration - 1)))
        self.target, self.main = self._network(arrays, "secondary/"), self._network(arrays, "main/")
        if all(np.array_equal(self.main.weights[n], a) for n, a in self.target.weights.items()):
            self.target = self.main
        restore_adam(self.optimiser, arrays, "adam", self._names())

    def _check_transitions(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        """Refuse transitions of which a part is missing; before the first ones are stored there are none."""
        wanted, given = ({n for n in some if n.startswith("memory/")} for some in (self._form, arrays))
        if given and given != wanted:
            raise BadFile(
                f"the state of this run is not what it should be: {min(wanted ^ given)} is missing or unknown."
            )

    def _network(self, arrays: dict[str, NDArray[np.generic]], prefix: str) -> Any:
        """The network whose weights are stored under a prefix."""
        own = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
        load_weights(self.module, own)
        return self.module.network()
