"""Proximal policy optimisation (Schulman et al. 2017) by self-play at Luzhanqi.

Many games at once on the compiled game. One network plays both sides: what a position is worth to the player to move
is minus what it is worth to the other, so advantages are summed with the sign turned at every move. In some games one
side is played by an earlier self, so that what was learned is not forgotten, or by a player of the ladder. A first
phase has a teacher, who says what every move is worth, in games of the ladder's player and in the learner's own.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.agents.luzhanqi.network import PolicyNetworkAgent as ArmyNetworkAgent
from apprenti.core.compiled import announcing
from apprenti.core.errors import BadOption
from apprenti.core.seeds import seed_of
from apprenti.learn.deep.adam import adam_arrays, restore_adam
from apprenti.learn.deep.luzhanqi.placement import Placement
from apprenti.learn.deep.luzhanqi.policy_network import ArmyNetwork, last_moves
from apprenti.learn.deep.luzhanqi.rollout import Rollout, advantages, drawn, mirrored_actions
from apprenti.learn.learner import BaseLearner, Metrics
from apprenti.learn.luzhanqi.baselines import Rung, elo_against, rung, teacher
from apprenti.learn.luzhanqi.config import LuzhanqiConfig
from apprenti.learn.luzhanqi.vector_games import ArmyGames, Seen
from apprenti.learn.options import at_least_0, positive, share

Array = NDArray[np.float32]
BOOK_SHARE_OF_TESTS = 0.5


@dataclass(frozen=True, kw_only=True)
class PpoConfig(LuzhanqiConfig):
    """PPO by self-play on many games at once."""

    iterations: int = 200
    """How often games are played and learned from."""
    imitation_iterations: int = 0
    """The first so many iterations learn from a teacher."""
    teacher: str = "playouts"
    """Who says what moves are worth: playouts, or a player of the ladder, expected, greedy or random."""
    learning_rate_imitation: float = 0.002
    """Learning rate while it has a teacher."""
    imitation_temperature: float = 2.0
    """By how many points of the teacher's a move becomes e times less likely."""
    parallel_games: int = 64
    """Games side by side."""
    moves: int = 48
    """Moves in each game between two updates."""
    channels: int = 32
    """Numbers the network keeps of each point."""
    layers: int = 3
    """Rounds of messages between the points."""
    gru_units: int = 0
    """Numbers that a recurrent network (GRU) remembers of all moves of a game; 0 for none."""
    residual_policy: bool = False
    """The network adds to its logits what the one-ply expected-value player says, and learns where that is wrong."""
    learning_rate: float = 0.0005
    """Of Adam."""
    epochs: int = 2
    """How often each move is learned from."""
    batch_size: int = 512
    """Moves in one step of the optimiser."""
    clip: float = 0.2
    """How far the policy may go in one update."""
    entropy_weight: float = 0.01
    """How much uncertainty is rewarded."""
    value_weight: float = 0.5
    """How much the error of the value counts beside the policy's."""
    gamma: float = 0.998
    """Discount a move."""
    lam: float = 0.9
    """λ of the generalised advantage."""
    material_reward: float = 0.3
    """What the whole army is worth beside the game (1); lent when it is won and taken back at the end."""
    past_share: float = 0.25
    """Share of the games in which one side is an earlier self."""
    pool_size: int = 8
    """Earlier selves that are kept."""
    pool_every: int = 10
    """Iterations between two of them."""
    opponent_share: float = 0.0
    """Share of the games in which one side is the --opponent."""
    opponent: str = "expected"
    """Who plays in the ladder's games: expected, greedy or random."""
    random_layout_share: float = 0.5
    """Share of the games that begin with any legal layouts instead of the book's."""
    placement_share: float = 0.0
    """Share of the games whose armies are set up by a placement model, which learns too; 0 for none."""
    learning_rate_placement: float = 0.001
    """Learning rate of the placement model."""
    practice_moves: int = 0
    """Moves an iteration in 128 more games, for the placement model alone; 0 for none."""
    practice_players: tuple[str, ...] = ("expected", "greedy")
    """Who plays itself in them: each in turn for an iteration, so that layouts are good against all of them."""
    entropy_weight_placement: float = 0.02
    """How much uncertainty of the placement model is rewarded."""
    initial_weights: str = ""
    """Weights to begin with: the .safetensors file beside an agent of the same size; none to begin from nothing."""
    temperature: float = 0.5
    """How the agent that comes out draws its moves; 0 for the most likely."""
    test_every: int = 20
    """Iterations between two tests against --test-opponents."""
    test_games: int = 0
    """Games of a test against each rung, both sides; 0 for no tests."""
    test_opponents: tuple[str, ...] = ("random", "greedy")
    """Players of the ladder to be tested against: random, greedy, expected."""
    threads: int = 1
    """Threads of torch; the result may depend on it in the last bit."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(
            self, "parallel_games", "moves", "channels", "layers", "epochs", "batch_size", "pool_size", "pool_every",
            "test_every", "threads",
        )  # fmt: skip
        at_least_0(
            self, "imitation_iterations", "gru_units", "entropy_weight", "value_weight", "material_reward",
            "learning_rate", "test_games", "entropy_weight_placement", "practice_moves",
        )  # fmt: skip
        share(self, "gamma", "lam", "past_share", "opponent_share", "random_layout_share", "placement_share")
        if not 0 < self.clip < 1:
            raise BadOption(f"--clip must be between 0 and 1, not {self.clip}.")
        for name in ("learning_rate", "learning_rate_imitation", "imitation_temperature", "learning_rate_placement"):
            if not getattr(self, name) > 0:
                raise BadOption(f"--{name.replace('_', '-')} must be above 0, not {getattr(self, name)}.")
        if not 0 <= self.temperature <= 10:
            raise BadOption(f"--temperature must be from 0 to 10, not {self.temperature}.")
        if self.past_share + self.opponent_share > 1:
            raise BadOption("--past-share and --opponent-share are shares of the games: together at most 1.")
        if self.gru_units and self.past_share:
            raise BadOption("--gru-units goes with --past-share 0: an earlier self would need a memory of its own.")
        teacher(self.teacher)
        if not self.practice_players:
            raise BadOption("--practice-players are players of the ladder, at least one.")
        for name in (self.opponent, *self.test_opponents, *self.practice_players):
            rung(name)


class Ppo(BaseLearner[PpoConfig]):
    """The learner."""

    game = "luzhanqi"
    Config = PpoConfig

    def __init__(self, config: PpoConfig) -> None:
        super().__init__(config)
        self.rules = config.game()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            self.network = ArmyNetwork(
                config.channels, config.layers, self.rules.actions, config.gru_units, config.residual_policy
            )
        self.placement = self._placement()
        if config.initial_weights:
            self._begin_with(config.initial_weights)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5)
        self.rng = np.random.Generator(np.random.PCG64(seed_of(config.seed, "ppo")))
        self.pool: list[dict[str, torch.Tensor]] = []
        self.moves_played, self.games_ended = 0, 0
        self._games: ArmyGames | None = None
        self.remembered = torch.zeros(config.parallel_games, 2, config.gru_units)
        self._mirror = mirrored_actions(self.rules.actions)
        self.teacher, self.opponent = teacher(config.teacher), rung(config.opponent)

    def _placement(self) -> Placement | None:
        config = self.config
        if round(config.placement_share * config.parallel_games) == 0:
            return None
        rate, entropy = config.learning_rate_placement, config.entropy_weight_placement
        return Placement(self.rules, seed_of(config.seed, "placement") % 2**63, rate, entropy, config.clip)

    def _begin_with(self, path: str) -> None:
        """Take the weights of a file; those of a placement model too, if both have one."""
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        try:
            found = load_file(path)
            placer = {name.removeprefix("placer."): found.pop(name) for name in [*found] if name.startswith("placer.")}
            self.network.load_state_dict(found)
            if self.placement and placer:
                self.placement.network.load_state_dict(placer)
        except (OSError, SafetensorError, RuntimeError):
            raise BadOption(
                f"--initial-weights {path} is no .safetensors file of a network with these --channels, --layers, "
                "--gru-units and --residual-policy: name the one beside an agent that was trained with the same."
            ) from None

    @property
    def games(self) -> ArmyGames:
        """The games; compiled code is loaded only now."""
        if self._games is None:
            config = self.config
            self._games = ArmyGames(
                self.rules,
                config.parallel_games,
                config.seed,
                config.random_layout_share,
                config.residual_policy,
                config.placement_share,
            )
        return self._games

    def warm_up(self) -> None:
        """Compile the game."""
        with announcing("luzhanqi"):
            some = ArmyGames(self.rules, 1, 1, 1.0, self.config.residual_policy)
            rng = np.random.Generator(np.random.PCG64(1))
            self.teacher.lesson(self.rules, some.states(), rng)
            some.step(self.opponent.moves(self.rules, some.states(), rng))
            some.seen()

    # Playing ----------------------------------------------------------------------------------------------------------

    def _logits(self, network: ArmyNetwork, seen: Seen, remembered: torch.Tensor | None = None) -> tuple[Array, Array]:
        mine = None
        if self.config.gru_units and remembered is not None:
            mine = remembered[torch.arange(len(seen.planes)), torch.from_numpy(seen.mover)]
        said = None if seen.advice is None else torch.from_numpy(seen.advice)
        with torch.no_grad():
            logits, values = network(torch.from_numpy(seen.planes), mine, said)
        return logits.numpy(), values.numpy()

    def _hear(self, remembered: torch.Tensor, games: ArmyGames, ended: NDArray[np.bool_]) -> torch.Tensor:
        """What the players remember after a move in every game."""
        if not self.config.gru_units:
            return remembered
        with torch.no_grad():
            return self.network.hear(remembered, last_moves(games.states(), ended), ended)

    def _sides(self, count: int, taken: NDArray[np.bool_]) -> NDArray[np.int64]:
        """For each game the side a rival plays, −1 for none: so many games, of those that nobody has taken."""
        sides = np.full(self.config.parallel_games, -1)
        chosen = self.rng.permutation(np.flatnonzero(~taken))[:count]
        sides[chosen] = np.arange(len(chosen)) % 2
        return sides

    def _rivals(self) -> tuple[NDArray[np.int64], ArmyNetwork, NDArray[np.int64]]:
        """The sides that an earlier self plays, that earlier self, and the sides that the ladder plays.

        They are drawn anew for each rollout, so that a game may change hands: learning is from moves, not from games.
        """
        config, earlier = self.config, copy.deepcopy(self.network)
        if self.pool:
            earlier.load_state_dict(self.pool[int(self.rng.integers(len(self.pool)))])
        past = self._sides(
            round(config.past_share * config.parallel_games) if self.pool else 0,
            np.zeros(config.parallel_games, np.bool_),
        )
        return past, earlier, self._sides(round(config.opponent_share * config.parallel_games), past >= 0)

    def _play(self) -> tuple[Rollout, Array]:
        """Play on in all games; the moves, and the values of all positions with the one after them."""
        config, rollout = self.config, Rollout()
        imitating = self.iteration < config.imitation_iterations
        rollout.remembered = self.remembered
        past, earlier, ladder = self._rivals()
        if imitating:
            past = np.full(config.parallel_games, -1)
        values = np.zeros((config.moves + 1, config.parallel_games), np.float32)
        if self.placement:
            self.games.begin_with(self.placement.pool(self.rng))
        seen = self.games.seen()
        for t in range(config.moves):
            logits, values[t] = self._logits(self.network, seen, self.remembered)
            selves, rungs = seen.mover == past, seen.mover == ladder
            if selves.any():
                logits[selves] = self._logits(earlier, seen.only(selves))[0]
            actions, chances = drawn(logits, seen.legal, self.rng)
            if imitating:
                lesson = self.teacher.lesson(self.rules, self.games.states(), self.rng) / config.imitation_temperature
                rollout.taught.append(np.where(seen.legal, lesson, 0.0).astype(np.float32))
                rungs = (
                    np.arange(config.parallel_games) % 2 == 0
                )  # one half is played by the ladder, the other by the network
            if rungs.any():
                actions[rungs] = self.opponent.moves(self.rules, self.games.states()[rungs], self.rng)
            rollout.planes.append(seen.planes.astype(np.float16))
            rollout.legal.append(seen.legal)
            if seen.advice is not None:
                rollout.advice.append(seen.advice)
            armies = self.games.layouts() if self.placement else None
            step, before = self.games.step(actions), seen.material
            seen = self.games.seen()
            ended = step.ended > 0
            if self.placement and armies is not None and ended.any():
                self.placement.ended(armies[ended], np.where(step.winner < 0, 0.5, step.winner == 0)[ended])
            self.remembered = self._hear(self.remembered, self.games, ended)
            rollout.heard.append(last_moves(self.games.states(), ended))
            after = np.where(ended, 0.0, -seen.material)  # the next position is the other player's
            shaped = step.reward() + config.material_reward * (config.gamma * after - before)
            for name, row in (("actions", actions), ("chances", chances), ("ended", ended), ("mover", step.mover)):
                getattr(rollout, name).append(row)
            rollout.rewards.append(shaped.astype(np.float32))
            rollout.ours.append(np.ones_like(rungs) if imitating else ~(selves | rungs))
        values[config.moves] = self._logits(self.network, seen, self.remembered)[1]
        self.moves_played += config.moves * config.parallel_games
        return rollout, values

    def self_play_speed(self) -> float:
        """Moves a second of playing on in all games, without learning from them."""
        torch.set_num_threads(self.config.threads)
        began = perf_counter()
        self._play()
        return self.config.moves * self.config.parallel_games / (perf_counter() - began)

    # Learning ---------------------------------------------------------------------------------------------------------

    def _learn(self, rollout: Rollout, values: Array) -> dict[str, float]:
        """A few passes over the moves, in small batches, half of them seen in a mirror."""
        config = self.config
        for group in self.optimiser.param_groups:
            group["lr"] = self._rate()
        ended = rollout.stacked("ended")
        gains = advantages(rollout.stacked("rewards"), values, ended, config.gamma, config.lam)
        columns = {name: rollout.flat(name) for name in ("planes", "legal", "actions", "chances")}
        columns |= {name: rollout.flat(name) for name in ("advice", "taught") if getattr(rollout, name)}
        ours = np.flatnonzero(rollout.flat("ours"))
        columns["gains"], columns["returns"] = gains.ravel(), (gains + values[:-1]).ravel()
        scale = columns["gains"][ours]
        columns["gains"] = (columns["gains"] - scale.mean()) / (scale.std() + 1e-6)
        losses = []
        for _ in range(config.epochs):
            for chosen in self._with_memory(rollout) if config.gru_units else self._shuffled(ours):
                remembered = self._unrolled(rollout, chosen) if config.gru_units else None
                some = {name: column[chosen] for name, column in columns.items()}
                mirror = not config.gru_units and self.rng.random() < 0.5  # a memory cannot be looked at in a mirror
                losses.append(self._update(self._in_a_mirror(some) if mirror else some, remembered))
        means = np.mean(losses, axis=0) if losses else np.zeros(3)
        return dict(zip(("policy_loss", "value_loss", "entropy"), map(float, means), strict=True))

    def _rate(self) -> float:
        """The learning rate; with a teacher it falls to a tenth, so that the noise of the lessons averages out."""
        config = self.config
        if self.iteration >= config.imitation_iterations:
            return config.learning_rate
        return config.learning_rate_imitation * (1 - 0.9 * self.iteration / config.imitation_iterations)

    def _shuffled(self, ours: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """The own moves in random order, in small batches."""
        order = self.rng.permutation(ours)
        for first in range(0, len(order), self.config.batch_size):
            yield order[first : first + self.config.batch_size]

    def _with_memory(self, rollout: Rollout) -> Iterator[NDArray[np.int64]]:
        """The own moves of a few games at a time, so that what is remembered can be followed from move to move."""
        config, ours = self.config, rollout.stacked("ours")
        order = self.rng.permutation(config.parallel_games)
        size = max(1, config.batch_size // config.moves)
        for first in range(0, config.parallel_games, size):
            marked = np.zeros_like(ours)
            marked[:, order[first : first + size]] = True
            chosen = np.flatnonzero((marked & ours).ravel())
            if len(chosen):
                yield chosen

    def _unrolled(self, rollout: Rollout, chosen: NDArray[np.int64]) -> torch.Tensor:
        """What was remembered at these moves, with its gradient back to the beginning of the rollout."""
        assert rollout.remembered is not None
        games = np.unique(chosen % self.config.parallel_games)
        remembered, found = rollout.remembered[games], []
        for mover, moves, ended in zip(rollout.mover, rollout.heard, rollout.ended, strict=True):
            found.append(remembered[torch.arange(len(games)), torch.from_numpy(mover[games])])
            remembered = self.network.hear(remembered, moves[games], ended[games])
        time, game = np.divmod(chosen, self.config.parallel_games)
        return torch.stack(found)[torch.from_numpy(time), torch.from_numpy(np.searchsorted(games, game))]

    def _in_a_mirror(self, some: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """The same moves with left and right exchanged."""
        flipped = dict(some, planes=some["planes"][..., ::-1], actions=self._mirror[some["actions"]])
        for name in ("legal", "advice", "taught"):
            if name in some:
                flipped[name] = np.zeros_like(some[name])
                flipped[name][:, self._mirror] = some[name]
        return flipped

    def _policy_loss(self, log_policy: torch.Tensor, some: dict[str, torch.Tensor]) -> torch.Tensor:
        """PPO's clipped gain; or, with a teacher, the distance to a policy that is e^(what it says) for each move.

        What the teacher says enters as a mean over the policy: so lessons that differ by what is hidden average out.
        """
        if "taught" in some:
            return (log_policy.exp() * (log_policy - some["taught"])).sum(dim=1).mean()
        taken = log_policy.gather(1, some["actions"][:, None]).squeeze(1)
        ratio = torch.exp(taken - some["chances"])
        bounded = torch.clamp(ratio, 1 - self.config.clip, 1 + self.config.clip)
        return -torch.min(ratio * some["gains"], bounded * some["gains"]).mean()

    def _update(self, arrays: dict[str, NDArray[Any]], remembered: torch.Tensor | None) -> tuple[float, float, float]:
        """One step of the optimiser."""
        some = {name: _tensor(array) for name, array in arrays.items()}
        logits, values = self.network(some["planes"], remembered, some.get("advice"))
        log_policy = torch.log_softmax(logits.masked_fill(~some["legal"], -1e9), dim=1)
        policy_loss = self._policy_loss(log_policy, some)
        entropy = -(log_policy.exp() * log_policy).sum(dim=1).mean()
        value_loss = (values - some["returns"]).pow(2).mean()
        bonus = 0.0 if "taught" in some else self.config.entropy_weight
        self.optimiser.zero_grad()
        (policy_loss + self.config.value_weight * value_loss - bonus * entropy).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
        self.optimiser.step()
        return float(policy_loss.detach()), float(value_loss.detach()), float(entropy.detach())

    def step(self) -> Metrics:
        """Play, learn, and now and then keep an earlier self and be tested."""
        torch.set_num_threads(self.config.threads)
        rollout, values = self._play()
        said = self._learn(rollout, values) | self._set_up_better()
        self.iteration += 1
        if self.iteration % self.config.pool_every == 0:
            self.pool = [*self.pool, copy.deepcopy(self.network.state_dict())][-self.config.pool_size :]
        self.games_ended += int(rollout.stacked("ended").sum())
        row = {"generation": self.iteration, "games": self.games_ended, "moves": self.moves_played, **said}
        if self.config.test_games and (self.iteration % self.config.test_every == 0 or self.done):
            shares = {name: self.test(rung(name), self.config.test_games) for name in self.config.test_opponents}
            row |= {f"against_{name}": share_ for name, share_ in shares.items()}
            row["elo"] = elo_against(shares, self.config.test_games)
        return row

    def _set_up_better(self) -> dict[str, float]:
        """Let the placement model learn from the games that have ended, and from its practice."""
        if not self.placement:
            return {}
        if self.config.practice_moves:
            players = self.config.practice_players
            self.placement.practise(rung(players[self.iteration % len(players)]), self.config.practice_moves, self.rng)
        return self.placement.learn()

    def test(self, other: Rung, games: int) -> float:
        """The share of the points in so many games against a rung, the network on each side in turn."""
        rng = np.random.Generator(np.random.PCG64(seed_of(self.config.seed, "test", self.iteration)))
        some = ArmyGames(
            self.rules, games, seed_of(self.config.seed, "test"), BOOK_SHARE_OF_TESTS, self.config.residual_policy
        )
        side, points = np.arange(games) % 2, np.full(games, np.nan)
        remembered = torch.zeros(games, 2, self.config.gru_units)
        while np.isnan(points).any():
            seen = some.seen()
            theirs = seen.mover != side
            logits, _ = self._logits(self.network, seen, remembered)
            actions, _ = drawn(logits / max(self.config.temperature, 1e-3), seen.legal, rng)
            if theirs.any():
                actions[theirs] = other.moves(self.rules, some.states()[theirs], rng)
            step = some.step(actions)
            remembered = self._hear(remembered, some, step.ended > 0)
            result = np.where(step.winner < 0, 0.5, step.winner == side)
            points = np.where((step.ended > 0) & np.isnan(points), result, points)
        return float(points.mean())

    # Keeping ----------------------------------------------------------------------------------------------------------

    def agent(self) -> ArmyNetworkAgent:
        """The network, in numpy."""
        arrays = {name: tensor.numpy().copy() for name, tensor in self.network.state_dict().items()}
        arrays |= self.placement.arrays if self.placement else {}
        return ArmyNetworkAgent(self.config.temperature, arrays)

    def state(self) -> dict[str, Any]:
        """Everything the next step depends on."""
        arrays = {f"network/{name}": tensor.numpy().copy() for name, tensor in self.network.state_dict().items()}
        for number, earlier in enumerate(self.pool):
            arrays |= {f"pool/{number}/{name}": tensor.numpy().copy() for name, tensor in earlier.items()}
        arrays |= adam_arrays(self.optimiser, "adam")
        placement = self.placement.state() if self.placement else {}
        arrays |= placement.pop("arrays", {})
        return {
            "placement": placement,
            "iteration": self.iteration,
            "moves_played": self.moves_played,
            "games_ended": self.games_ended,
            "earlier": len(self.pool),
            "rng": self.rng.bit_generator.state,
            "arrays": arrays | self.games.arrays() | self._memory(),
        }

    def _memory(self) -> dict[str, NDArray[Any]]:
        return {"remembered": self.remembered.numpy().copy()} if self.config.gru_units else {}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        arrays = state["arrays"]
        self.iteration, self.moves_played = state["iteration"], state["moves_played"]
        self.games_ended = state["games_ended"]
        self.rng.bit_generator.state = state["rng"]
        names = list(self.network.state_dict())
        self.network.load_state_dict({name: _tensor(arrays[f"network/{name}"]) for name in names})
        self.pool = [{name: _tensor(arrays[f"pool/{k}/{name}"]) for name in names} for k in range(state["earlier"])]
        restore_adam(self.optimiser, arrays, "adam")
        if self.config.gru_units:
            self.remembered = _tensor(arrays["remembered"])
        if self.placement:
            self.placement.restore(state["placement"], arrays)
        self.games.restore(arrays)


def _tensor(array: NDArray[Any]) -> torch.Tensor:
    """A tensor of its own; half-precision and double numbers become float32, which is what the network computes in."""
    floating = np.issubdtype(array.dtype, np.floating)
    return torch.from_numpy(np.array(array, np.float32) if floating else np.array(array))
