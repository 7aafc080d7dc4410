"""Proximal policy optimisation (Schulman et al. 2017) by self-play at Luzhanqi.

Many games at once on the compiled game. One network plays both sides: what it is worth to the player to move after a
move is minus what it was worth to the one who made it, so advantages are summed with the sign turned at every move.
In some games one side is played by an earlier self, so that what was learned is not forgotten. An optional first
phase imitates a player of the ladder.
"""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.agents.luzhanqi.network import ArmyNetworkAgent
from apprenti.core.compiled import announcing
from apprenti.core.errors import BadOption
from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, mirrored
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.batch import Batch
from apprenti.games.luzhanqi.layout import book
from apprenti.games.luzhanqi.rules import PRESETS, Rules
from apprenti.learn.deep.army_network import ArmyNetwork
from apprenti.learn.objective import at_least_0, positive, share

WORTH = np.array([9.0, 7.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.5, 2.5, 2.5, 4.0, 0.0, 0.0])
"""What the pieces a to l are worth as material, and an empty slot; only differences are paid, and paid back."""


@dataclass(frozen=True, kw_only=True)
class PpoConfig:
    """PPO by self-play on many games at once."""

    rules: str = "ccgc"
    """ccgc, western, casual or training."""
    iterations: int = 200
    """How often games are played and learned from."""
    games: int = 64
    """Games side by side."""
    moves: int = 48
    """Moves in each game between two updates."""
    channels: int = 32
    """Numbers the network keeps of each point."""
    layers: int = 3
    """Rounds of messages between the points."""
    learning_rate: float = 0.0005
    """Of Adam."""
    epochs: int = 2
    """How often each move is learned from."""
    minibatch: int = 512
    """Moves in one step of the optimiser."""
    clip: float = 0.2
    """How far the policy may go in one update."""
    entropy: float = 0.01
    """How much uncertainty is rewarded."""
    value_weight: float = 0.5
    """How much the error of the value counts beside the policy's."""
    gamma: float = 0.998
    """Discount a move."""
    lam: float = 0.9
    """λ of the generalised advantage."""
    material: float = 0.3
    """What the whole army is worth beside the game (1); lent when it is won and taken back at the end."""
    past: float = 0.25
    """Share of the games in which one side is an earlier self."""
    pool: int = 8
    """Earlier selves that are kept."""
    pool_every: int = 10
    """Iterations between two of them."""
    random_layouts: float = 0.5
    """Share of the games that begin with any legal layouts instead of the book's."""
    temperature: float = 0.5
    """How the agent that comes out draws its moves; 0 for the most likely."""
    threads: int = 1
    """Threads of torch; the result may depend on it in the last bit."""
    seed: int = 1
    """Root of all random streams."""

    def __post_init__(self) -> None:
        positive(
            self, "iterations", "games", "moves", "channels", "layers", "epochs", "minibatch", "pool", "pool_every",
            "threads",
        )  # fmt: skip
        at_least_0(self, "entropy", "value_weight", "material", "temperature", "learning_rate")
        share(self, "gamma", "lam", "past", "random_layouts")
        if not 0 < self.clip < 1:
            raise BadOption(f"--clip must be between 0 and 1, not {self.clip}.")
        if not self.learning_rate > 0:
            raise BadOption(f"--learning-rate must be above 0, not {self.learning_rate}.")
        Rules.preset(self.rules)


def mirrored_actions(actions: int) -> NDArray[np.int64]:
    """The number of each move seen in a mirror."""
    return np.array([ACTION_OF[mirrored(origin), mirrored(target)] for origin, target in MOVES[:actions]])


def advantages(
    rewards: NDArray[np.float32],
    values: NDArray[np.float32],
    ended: NDArray[np.bool_],
    gamma: float,
    lam: float,
) -> NDArray[np.float32]:
    """(moves, games): how much better each move was than expected, for who made it.

    `values` has one row more than `rewards`: what the position after the last move is worth to its player.
    """
    found = np.zeros_like(rewards)
    later = np.zeros(rewards.shape[1], np.float32)
    for t in range(len(rewards) - 1, -1, -1):
        on = ~ended[t]
        delta = rewards[t] - gamma * values[t + 1] * on - values[t]
        later = delta - gamma * lam * later * on
        found[t] = later
    return found


@dataclass
class Rollout:
    """Moves that have been played: (moves, games) and more."""

    planes: NDArray[np.float16]
    legal: NDArray[np.bool_]
    actions: NDArray[np.int64]
    chances: NDArray[np.float32]
    """The logarithm of the probability with which each was chosen."""
    rewards: NDArray[np.float32]
    ended: NDArray[np.bool_]
    ours: NDArray[np.bool_]
    """Whether the learning network chose it."""


class Ppo:
    """The learner."""

    game = "luzhanqi"
    Config = PpoConfig

    def __init__(self, config: PpoConfig) -> None:
        self.config = config
        self.rules = Rules.preset(config.rules)
        torch.manual_seed(config.seed)
        self.network = ArmyNetwork(config.channels, config.layers, self.rules.actions)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5)
        self.rng = np.random.Generator(np.random.PCG64(config.seed % 2**64))
        self.pool: list[dict[str, torch.Tensor]] = []
        self.iteration, self.moves_played, self.games_ended = 0, 0, 0
        self.batches: list[Batch] = []
        self._mirror = mirrored_actions(self.rules.actions)

    def _begin(self) -> None:
        """Set up the games: compiled code is loaded only now."""
        if self.batches:
            return
        drawn = round(self.config.games * self.config.random_layouts)
        for number, layouts in ((drawn, ()), (self.config.games - drawn, book(self.rules))):
            if number:
                self.batches.append(Batch(self.rules, number, self.config.seed, tuple(layouts)))

    @property
    def made_for(self) -> dict[str, Any]:
        """The rules it learned under."""
        return self.rules.to_json()

    @property
    def done(self) -> bool:
        """Whether all iterations are done."""
        return self.iteration >= self.config.iterations

    @property
    def steps(self) -> tuple[int, int]:
        """Iterations done, and all of them."""
        return self.iteration, self.config.iterations

    def warm_up(self) -> None:
        """Compile the game."""
        with announcing("luzhanqi"):
            Batch(self.rules, 1, 1).step(np.flatnonzero(Batch(self.rules, 1, 1).legal()[0])[:1])
            self._begin()
            self._seen()

    # Playing ----------------------------------------------------------------------------------------------------------

    def _seen(self) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64], NDArray[np.float64]]:
        """What the players to move see and may do, who they are, and the material of each game in their eyes."""
        planes = np.concatenate([batch.planes() for batch in self.batches])
        legal = np.concatenate([batch.legal() for batch in self.batches])
        mover = np.concatenate([batch.to_move for batch in self.batches])
        states = np.concatenate([batch.games for batch in self.batches])
        alive = states[:, at.POINT : at.POINT + at.PIECES] >= 0
        worth = WORTH[states[:, at.TYPE : at.TYPE + at.PIECES]] * alive
        half = at.PIECES // 2
        south = (worth[:, :half].sum(1) - worth[:, half:].sum(1)) / (WORTH[:12] * self.rules.counts).sum()
        return planes, legal, mover, np.where(mover == 0, south, -south)

    def _step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Play; the rewards of who moved, and the games that ended."""
        rewards, ended, first = [], [], 0
        for batch in self.batches:
            step = batch.step(actions[first : first + len(batch)])
            rewards.append(step.reward())
            ended.append(step.ended > 0)
            first += len(batch)
        return np.concatenate(rewards), np.concatenate(ended)

    def _chosen(self, logits: NDArray[np.float32], legal: NDArray[np.bool_]) -> tuple[Any, Any]:
        """Moves drawn from the policy, and the logarithm of their probability."""
        masked = np.where(legal, logits, -np.inf)
        masked -= masked.max(axis=1, keepdims=True)
        actions = (masked + self.rng.gumbel(size=masked.shape).astype(np.float32)).argmax(axis=1)
        total = np.log(np.exp(masked).sum(axis=1))
        return actions, masked[np.arange(len(masked)), actions] - total

    def _logits(self, network: ArmyNetwork, planes: NDArray[np.float32]) -> tuple[Any, Any]:
        with torch.no_grad():
            logits, values = network(torch.from_numpy(planes))
        return logits.numpy(), values.numpy()

    def _rivals(self) -> tuple[NDArray[np.int64], ArmyNetwork | None]:
        """For each game the side that an earlier self plays (−1 for none), and that earlier self."""
        sides = np.full(self.config.games, -1)
        if not self.pool:
            return sides, None
        rival = copy.deepcopy(self.network)
        rival.load_state_dict(self.pool[int(self.rng.integers(len(self.pool)))])
        count = round(self.config.past * self.config.games)
        sides[self.rng.permutation(self.config.games)[:count]] = np.arange(count) % 2
        return sides, rival

    def _play(self) -> tuple[Rollout, NDArray[np.float32]]:
        """Play on in all games; the moves, and the values of all positions with the one after them."""
        config, rows = self.config, []
        sides, rival = self._rivals()
        values = np.zeros((config.moves + 1, config.games), np.float32)
        planes, legal, mover, material = self._seen()
        for t in range(config.moves):
            logits, values[t] = self._logits(self.network, planes)
            theirs = mover == sides
            if rival is not None and theirs.any():
                logits[theirs] = self._logits(rival, planes[theirs])[0]
            actions, chances = self._chosen(logits, legal)
            kept = planes.astype(np.float16), legal.copy()
            rewards, ended = self._step(actions)
            before = material
            planes, legal, mover, material = self._seen()
            after = np.where(ended, 0.0, -material)  # the next position is the other player's
            rewards = rewards + np.float32(config.material) * (config.gamma * after - before).astype(np.float32)
            rows.append((*kept, actions, chances, rewards, ended, ~theirs))
        values[config.moves] = self._logits(self.network, planes)[1]
        self.moves_played += config.moves * config.games
        return Rollout(*(np.stack(column) for column in zip(*rows, strict=True))), values

    # Learning ---------------------------------------------------------------------------------------------------------

    def _learn(self, rollout: Rollout, values: NDArray[np.float32]) -> dict[str, float]:
        """A few passes over the moves, in small batches, half of them seen in a mirror."""
        config = self.config
        gains = advantages(rollout.rewards, values, rollout.ended, config.gamma, config.lam)
        returns = gains + values[:-1]
        ours = np.flatnonzero(rollout.ours.ravel())
        flat = [array.reshape(-1, *array.shape[2:]) for array in (rollout.planes, rollout.legal)]
        rest = [array.ravel() for array in (rollout.actions, rollout.chances, gains, returns)]
        scaled = rest[2][ours]
        mean, spread = float(scaled.mean()), float(scaled.std()) + 1e-6
        said = {"policy_loss": 0.0, "value_loss": 0.0, "entropy": 0.0}
        updates = 0
        for _ in range(config.epochs):
            order = self.rng.permutation(ours)
            for first in range(0, len(order), config.minibatch):
                chosen = order[first : first + config.minibatch]
                planes, legal = flat[0][chosen].astype(np.float32), flat[1][chosen]
                actions, chances, gain, wanted = (array[chosen] for array in rest)
                if self.rng.random() < 0.5:
                    planes, legal, actions = self._in_a_mirror(planes, legal, actions)
                losses = self._update(planes, legal, actions, chances, (gain - mean) / spread, wanted)
                for name, loss in zip(said, losses, strict=True):
                    said[name] += loss
                updates += 1
        return {name: loss / max(1, updates) for name, loss in said.items()}

    def _in_a_mirror(self, planes: Any, legal: Any, actions: Any) -> tuple[Any, Any, Any]:
        flipped = np.zeros_like(legal)
        flipped[:, self._mirror] = legal
        return np.ascontiguousarray(planes[..., ::-1]), flipped, self._mirror[actions]

    def _update(
        self, planes: Any, legal: Any, actions: Any, chances: Any, gains: Any, returns: Any
    ) -> tuple[float, float, float]:
        """One step of the optimiser."""
        config = self.config
        logits, values = self.network(torch.from_numpy(planes))
        logits = logits.masked_fill(~torch.from_numpy(legal), -1e9)
        log_policy = torch.log_softmax(logits, dim=1)
        taken = log_policy.gather(1, torch.from_numpy(actions)[:, None]).squeeze(1)
        ratio = torch.exp(taken - torch.from_numpy(chances))
        gain = torch.from_numpy(gains.astype(np.float32))
        bounded = torch.clamp(ratio, 1 - config.clip, 1 + config.clip)
        policy_loss = -torch.min(ratio * gain, bounded * gain).mean()
        entropy = -(log_policy.exp() * log_policy).sum(dim=1).mean()
        wanted = torch.from_numpy(returns.astype(np.float32))
        value_loss = (values - wanted).pow(2).mean()
        self.optimiser.zero_grad(set_to_none=False)
        (policy_loss + config.value_weight * value_loss - config.entropy * entropy).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
        self.optimiser.step()
        return float(policy_loss.detach()), float(value_loss.detach()), float(entropy.detach())

    def step(self) -> dict[str, Any]:
        """Play, learn, and now and then keep an earlier self."""
        torch.set_num_threads(self.config.threads)
        self._begin()
        rollout, values = self._play()
        said = self._learn(rollout, values)
        self.iteration += 1
        if self.iteration % self.config.pool_every == 0:
            self.pool = [*self.pool, copy.deepcopy(self.network.state_dict())][-self.config.pool :]
        self.games_ended += int(rollout.ended.sum())
        won = rollout.rewards[rollout.ended]
        return {
            "generation": self.iteration,
            "games": self.games_ended,
            "moves": self.moves_played,
            "mean": float((won > 0).mean()) if len(won) else 0.0,
            **said,
        }

    # Keeping ----------------------------------------------------------------------------------------------------------

    def agent(self) -> ArmyNetworkAgent:
        """The network, in numpy."""
        arrays = {name: tensor.numpy().copy() for name, tensor in self.network.state_dict().items()}
        return ArmyNetworkAgent(self.config.temperature, arrays)

    def state(self) -> dict[str, Any]:
        """Everything the next step depends on."""
        self._begin()
        arrays = {f"network/{name}": tensor.numpy().copy() for name, tensor in self.network.state_dict().items()}
        for number, earlier in enumerate(self.pool):
            arrays |= {f"pool/{number}/{name}": tensor.numpy().copy() for name, tensor in earlier.items()}
        for number, (parameter, kept) in enumerate(self._adam()):
            arrays |= {f"adam/{number}/{name}": kept[name].numpy().copy() for name in ("exp_avg", "exp_avg_sq")}
            arrays[f"adam/{number}/step"] = np.array([float(kept["step"])])
            assert parameter.shape == kept["exp_avg"].shape
        for number, batch in enumerate(self.batches):
            arrays |= {f"games/{number}": batch.games.copy(), f"dice/{number}": batch.dice.copy()}
        return {
            "iteration": self.iteration,
            "moves_played": self.moves_played,
            "games_ended": self.games_ended,
            "earlier": len(self.pool),
            "rng": self.rng.bit_generator.state,
            "arrays": arrays,
        }

    def _adam(self) -> list[tuple[torch.Tensor, dict[str, torch.Tensor]]]:
        """What the optimiser remembers of each parameter, once it has made a step."""
        state = self.optimiser.state
        return [(p, state[p]) for p in self.network.parameters() if p in state]

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        self._begin()
        arrays = state["arrays"]
        self.iteration, self.moves_played = state["iteration"], state["moves_played"]
        self.games_ended = state["games_ended"]
        self.rng.bit_generator.state = state["rng"]
        names = list(self.network.state_dict())
        self.network.load_state_dict({name: _tensor(arrays[f"network/{name}"]) for name in names})
        self.pool = [{name: _tensor(arrays[f"pool/{k}/{name}"]) for name in names} for k in range(state["earlier"])]
        for number, parameter in enumerate(self.network.parameters()):
            if f"adam/{number}/step" in arrays:
                kept = {name: _tensor(arrays[f"adam/{number}/{name}"]) for name in ("exp_avg", "exp_avg_sq")}
                step = torch.tensor(float(arrays[f"adam/{number}/step"][0]))
                self.optimiser.state[parameter] = {"step": step, **kept}
        for number, batch in enumerate(self.batches):
            batch.games[:] = arrays[f"games/{number}"]
            batch.dice[:] = arrays[f"dice/{number}"]


def _tensor(array: NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(np.array(array))


__all__ = ["PRESETS", "Ppo", "PpoConfig", "advantages", "mirrored_actions"]
