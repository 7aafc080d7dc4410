"""Proximal policy optimisation (Schulman et al. 2017) by self-play at Luzhanqi.

Many games at once on the compiled game. One network plays both sides: what a position is worth to the player to move
is minus what it is worth to the other, so advantages are summed with the sign turned at every move. In some games one
side is played by an earlier self or by a baseline (`opponents.py`). A first phase has a teacher, who says what every
move is worth, in games of the baseline and in the learner's own.

An iteration is a rollout, its advantages, and a few epochs of gradient steps on the clipped loss. Beside this file:
`rollout.py` the moves and what follows from them alone, `policy_network.py` the network and its loss, `placement.py`
setting up the army, `best_response.py` the same against a frozen opponent; `config.py` one room up has the options.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from time import perf_counter

import numpy as np
import torch
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.data import GENERATOR, AnyArray, JsonData, SavedState, Varies, Whole, like
from apprenti.core.errors import BadOption
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.agents.known_layouts import layouts_of
from apprenti.games.luzhanqi.agents.micro import MICRO, nash_conv
from apprenti.games.luzhanqi.agents.network import Placer, PolicyNetworkAgent, expected_layouts, outcome_chances
from apprenti.games.luzhanqi.layout import book
from apprenti.games.luzhanqi.learn.config import PpoConfig
from apprenti.games.luzhanqi.learn.deep.opponents import Magnet, Opponents, Seats
from apprenti.games.luzhanqi.learn.deep.placement import Placement
from apprenti.games.luzhanqi.learn.deep.policy_network import (
    DRAWN,
    LOST,
    WON,
    PolicyNetwork,
    last_moves,
    of_three,
    policy_loss,
    value_loss,
    values_of,
    widened,
)
from apprenti.games.luzhanqi.learn.deep.rollout import (
    Array,
    Batch,
    Rollout,
    advantages,
    mirrored_actions,
    mirrored_batch,
    outcomes,
    sample_actions,
    shuffled,
    take_backs,
    whole_games,
)
from apprenti.games.luzhanqi.learn.games import Baseline, Observations, VectorGames, baseline, elo_against, teacher
from apprenti.learn.deep.adam import adam_arrays, adam_shapes, restore_adam
from apprenti.learn.learner import Learner, Metrics, share_of_points

RANDOM_LAYOUTS_IN_TESTS = 0.5
MAX_GRADIENT_NORM = 0.5


class Ppo(Learner[PpoConfig]):
    """The learner."""

    game = "luzhanqi"
    Config = PpoConfig

    def __init__(self, config: PpoConfig) -> None:
        super().__init__(config)
        self.rules = config.game()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            self.network = PolicyNetwork(
                config.channels, config.layers, self.rules.actions, config.gru_units, config.residual_policy,
                config.features, config.lstm_units, config.win_draw_loss,
            )  # fmt: skip
        self.placement = Placement(config, self.rules) if config.placed_games else None
        self.magnet = Magnet(self.network, config.magnet_rate) if config.magnet_weight else None
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5)
        self.rng = np.random.Generator(np.random.PCG64(seed_of(config.seed, "ppo")))
        self.opponents, self.teacher = Opponents(config), teacher(config.teacher)
        self.hidden = torch.zeros(config.parallel_games, 2, config.hidden_size)
        self.moves_played, self.games_ended = 0, 0
        self._mirror = mirrored_actions(self.rules.actions)

    @cached_property
    def games(self) -> VectorGames:
        """The games; compiled code is loaded only now."""
        config = self.config
        return self._vector(config.parallel_games, config.seed, config.random_layout_share, config.placement_share)

    def _vector(self, games: int, seed: int, random_layouts: float, placed: float = 0.0) -> VectorGames:
        """Games as the network sees them."""
        config = self.config
        advised, featured = config.residual_policy, config.features
        return VectorGames(self.rules, games, seed, random_layouts, advised, placed, featured, self.prior)

    @property
    def prior(self) -> float:
        """The weight of usual layouts beside counting in what players believe."""
        return self.config.prior

    @property
    def imitating(self) -> bool:
        """Whether there is still a teacher."""
        return self.iteration < self.config.imitation_iterations

    def warm_up(self) -> None:
        with announcing("luzhanqi"):
            games = self._vector(1, 1, 1.0)
            rng = np.random.Generator(np.random.PCG64(1))
            self.teacher.targets(self.rules, games.states(), rng)
            games.step(self.opponents.baseline.moves(self.rules, games.states(), rng))
            games.observe()

    def step(self) -> Metrics:
        row = self.iterate()
        if self.config.test_games and (self.iteration % self.config.test_every == 0 or self.done):
            row |= self.test()
        return row

    def iterate(self) -> Metrics:
        """A rollout, and what is learned from it."""
        torch.set_num_threads(self.config.threads)
        rollout = self.rollout()
        metrics = self.learn(rollout) | self._learn_placement()
        self.iteration += 1
        if self.iteration % self.config.pool_every == 0:
            self.opponents.store(self.network)
        if self.magnet:
            self.magnet.follow(self.network)
        self.games_ended += int(rollout.stacked("ended").sum())
        return {"generation": self.iteration, "games": self.games_ended, "moves": self.moves_played, **metrics}

    # Rollout ----------------------------------------------------------------------------------------------------------

    def rollout(self) -> Rollout:
        """Play on in all games."""
        rollout, seats = Rollout(self.hidden), self.opponents.draw(self.network, self.rng)
        if self.imitating:
            seats = seats._replace(past=np.full(self.config.parallel_games, -1))
        if self.placement:
            self.games.set_layouts(self.placement.pool(self.rng))
            self.opponents.inform(self.placement.habits())
        self._expect(self.games)
        seen = self.games.observe()
        for _ in range(self.config.moves):
            actions = self._choose(seen, seats, rollout)
            seen = self._apply(seen, actions, rollout)
        rollout.append(judged=self.policy_of(self.network, seen, self.hidden)[1])
        self.moves_played += self.config.moves * self.config.parallel_games
        return rollout

    def _expect(self, games: VectorGames) -> None:
        """What the agent will expect of its enemies, and what the players of these games expect of each other."""
        if self.prior and self.placement and book(self.rules):
            games.expected = layouts_of(expected_layouts(self.rules, Placer(self.placement.weights)))

    def policy_of(self, network: PolicyNetwork, seen: Observations, hidden: torch.Tensor | None) -> tuple[Array, Array]:
        """Logits and what the value head says, of a network in every game."""
        own = None
        if self.config.hidden_size and hidden is not None:
            own = hidden[torch.arange(len(seen.planes)), torch.from_numpy(seen.mover)]
        advice = None if seen.advice is None else torch.from_numpy(seen.advice)
        with torch.no_grad():
            logits, judged = network(torch.from_numpy(seen.planes), own, advice)
        return logits.numpy(), judged.numpy()

    def _choose(self, seen: Observations, seats: Seats, rollout: Rollout) -> NDArray[np.int64]:
        """A move in every game: the network's, an earlier self's, or the baseline's; and what the teacher says."""
        logits, judged = self.policy_of(self.network, seen, self.hidden)
        past, by_baseline = seen.mover == seats.past, seen.mover == seats.baseline
        if past.any():
            logits[past] = self.policy_of(seats.network, seen.only(past), None)[0] / seats.temperature
        actions, log_probabilities = sample_actions(logits, seen.legal, self.rng)
        own, targets = ~(past | by_baseline), None
        if self.imitating:  # one half is played by the baseline, the other by the network, and all is learned from
            targets, by_baseline, own = self._targets(seen), np.arange(len(past)) % 2 == 0, np.ones_like(past)
        if by_baseline.any():
            states = self.games.states()[by_baseline]
            actions[by_baseline] = self.opponents.baseline.moves(self.rules, states, self.rng)
        rollout.append(
            planes=seen.planes.astype(np.float16), legal=seen.legal, advice=seen.advice, actions=actions,
            log_probabilities=log_probabilities, judged=judged, own=own, targets=targets,
        )  # fmt: skip
        return actions

    def _targets(self, seen: Observations) -> Array:
        """What the teacher says every legal move is worth."""
        worth = self.teacher.targets(self.rules, self.games.states(), self.rng) / self.config.imitation_temperature
        return np.where(seen.legal, worth, 0.0).astype(np.float32)

    def _apply(self, seen: Observations, actions: NDArray[np.int64], rollout: Rollout) -> Observations:
        """Make the moves; what is seen after them. Material is a potential: it changes no optimal policy."""
        layouts = self.games.layouts() if self.placement else None
        cost = self.config.take_back_cost * take_backs(self.games.states(), actions)
        step, after = self.games.step(actions), self.games.observe()
        ended = step.ended > 0
        if self.placement and layouts is not None and ended.any():
            self.placement.ended(layouts[ended], np.where(step.winner < 0, 0.5, step.winner == 0)[ended])
        moves = last_moves(self.games.states(), ended)
        self.hidden = self._updated(self.hidden, moves, ended)
        potential = np.where(ended, 0.0, -after.material)  # the next position is the other player's
        rewards = step.reward() + self.config.material_reward * (self.config.gamma * potential - seen.material) - cost
        results = np.where(step.winner < 0, DRAWN, np.where(step.winner == step.mover, WON, LOST))
        rollout.append(rewards=rewards.astype(np.float32), ended=ended, results=results, mover=step.mover, moves=moves)
        return after

    def _updated(self, hidden: torch.Tensor, moves: NDArray[np.int64], ended: NDArray[np.bool_]) -> torch.Tensor:
        """What the players remember after a move in every game."""
        if not self.config.hidden_size:
            return hidden
        with torch.no_grad():
            return self.network.next_hidden(hidden, moves, ended)

    def self_play_speed(self) -> float:
        """Moves a second of playing on in all games, without learning from them."""
        torch.set_num_threads(self.config.threads)
        began = perf_counter()
        self.rollout()
        return self.config.moves * self.config.parallel_games / (perf_counter() - began)

    # Advantages, loss and update --------------------------------------------------------------------------------------

    def learn(self, rollout: Rollout) -> Metrics:
        """A few epochs over the moves, in small batches; the mean losses."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.learning_rate_at(self.iteration)
        columns, epochs = self.columns_of(rollout), range(self.config.epochs)
        losses = [self._update(*batch) for _ in epochs for batch in self._minibatches(rollout, columns)]
        means = np.mean(losses, axis=0) if losses else np.zeros(3)
        return dict(zip(("policy_loss", "value_loss", "entropy"), map(float, means), strict=True))

    def columns_of(self, rollout: Rollout) -> Batch:
        """All moves in a row, with their advantages (normalised over the own moves), and what the value learns."""
        names = ("planes", "legal", "actions", "log_probabilities", "advice", "targets")
        columns = {name: rollout.flat(name) for name in names if name in rollout.rows}
        ended, lam = rollout.stacked("ended"), self.config.lam
        values = np.stack([values_of(torch.from_numpy(judged)).numpy() for judged in rollout.rows["judged"]])
        gained = advantages(rollout.stacked("rewards"), values, ended, self.config.gamma, lam)
        own = gained.ravel()[rollout.flat("own")]
        columns["advantages"] = (gained.ravel() - own.mean()) / (own.std() + 1e-6)
        columns["returns"] = (gained + values[:-1]).ravel()
        if self.config.win_draw_loss:
            chances = np.stack([outcome_chances(judged) for judged in rollout.rows["judged"]])
            columns["outcomes"] = outcomes(chances, ended, rollout.stacked("results"), lam).reshape(-1, 3)
        return columns

    def _minibatches(self, rollout: Rollout, columns: Batch) -> Iterator[tuple[Batch, torch.Tensor | None]]:
        """The own moves, half of the batches seen in a mirror; or, with a hidden state, whole games and that state.

        A hidden state cannot be looked at in a mirror.
        """
        size, rng = self.config.batch_size, self.rng
        if self.config.hidden_size:
            for moves in whole_games(rollout, size, rng):
                yield _rows(columns, moves), self.network.unroll(rollout, moves)
            return
        for moves in shuffled(self.chosen_moves(rollout, columns), size, rng):
            batch = _rows(columns, moves)
            yield mirrored_batch(batch, self._mirror) if rng.random() < 0.5 else batch, None

    def chosen_moves(self, rollout: Rollout, columns: Batch) -> NDArray[np.int64]:
        """The own moves; of these, if only a share is learned from, those of the largest advantages."""
        own = np.flatnonzero(rollout.flat("own"))
        if self.config.learned_part == 1 or self.imitating:
            return own
        order = np.argsort(-np.abs(columns["advantages"][own]), kind="stable")
        return np.asarray(own[order[: round(self.config.learned_part * len(own))]])

    def _update(self, arrays: Batch, hidden: torch.Tensor | None) -> tuple[float, float, float]:
        """One gradient step; the losses before it."""
        batch = {name: _tensor(array) for name, array in arrays.items()}
        logits, judged = self.network(batch["planes"], hidden, batch.get("advice"))
        log_policy = torch.log_softmax(logits.masked_fill(~batch["legal"], -1e9), dim=1)
        policy = policy_loss(log_policy, batch, self.config.clip)
        entropy = -(log_policy.exp() * log_policy).sum(dim=1).mean()
        value = value_loss(judged, batch)
        entropy_weight = 0.0 if "targets" in batch else self.config.entropy_weight
        self.optimiser.zero_grad()
        loss = policy + self.config.value_weight * value - entropy_weight * entropy
        if self.magnet and "targets" not in batch:
            loss = loss + self.config.magnet_weight * self.magnet.distance(log_policy, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), MAX_GRADIENT_NORM)
        self.optimiser.step()
        return float(policy.detach()), float(value.detach()), float(entropy.detach())

    def _learn_placement(self) -> Metrics:
        """Let the placement model learn from the games that have ended, and from its practice."""
        if not self.placement:
            return {}
        if self.config.practice_moves:
            players = self.config.practice_players
            player = baseline(players[self.iteration % len(players)])
            self.placement.practise(player, self.config.practice_moves, self.rng)
        return self.placement.learn()

    # Evaluation -------------------------------------------------------------------------------------------------------

    def test(self) -> Metrics:
        """The share of the points against each test opponent, the Elo that fits them best; on micro, NashConv."""
        games = self.config.test_games
        shares = {name: self.evaluate(baseline(name), games) for name in self.config.test_opponents}
        row = {"elo": elo_against(shares, games)}
        for name, share in shares.items():
            row |= share_of_points(f"against_{name}", share, games)
        if self.rules == MICRO:
            row["nash_conv"] = nash_conv(self.agent())
        return row

    def evaluate(self, opponent: Baseline, games: int) -> float:
        """The share of the points in some games against a baseline, the network on each side in turn."""
        rng = np.random.Generator(np.random.PCG64(seed_of(self.config.seed, "test", self.iteration)))
        vector = self._vector(games, seed_of(self.config.seed, "test"), RANDOM_LAYOUTS_IN_TESTS)
        self._expect(vector)
        side, points = np.arange(games) % 2, np.full(games, np.nan)
        hidden = torch.zeros(games, 2, self.config.hidden_size)
        while np.isnan(points).any():
            seen = vector.observe()
            theirs = seen.mover != side
            logits, _ = self.policy_of(self.network, seen, hidden)
            actions, _ = sample_actions(logits / max(self.config.temperature, 1e-3), seen.legal, rng)
            if theirs.any():
                actions[theirs] = opponent.moves(self.rules, vector.states()[theirs], rng)
            step = vector.step(actions)
            ended = step.ended > 0
            hidden = self._updated(hidden, last_moves(vector.states(), ended), ended)
            result = np.where(step.winner < 0, 0.5, step.winner == side)
            points = np.where(ended & np.isnan(points), result, points)
        return float(points.mean())

    def agent(self) -> PolicyNetworkAgent:
        placement = self.placement.weights if self.placement else {}
        return PolicyNetworkAgent(self.config.temperature, self._weights() | placement, self.prior)

    # State ------------------------------------------------------------------------------------------------------------

    def _weights(self) -> dict[str, NDArray[np.generic]]:
        return {name: tensor.numpy().copy() for name, tensor in self.network.state_dict().items()}

    def begin_as(self, arrays: Mapping[str, AnyArray]) -> None:
        """Take the weights of a network, perhaps one without the features or with another value head.

        Those of a placement model are taken too, if both have one.
        """
        weights = {name: _tensor(array) for name, array in arrays.items()}
        placer = {name.removeprefix("placer."): weights.pop(name) for name in arrays if name.startswith("placer.")}
        if self.config.features:
            own = self.network.state_dict()
            weights |= {n: widened(weights[n], own[n]) for n in ("stem.weight", "advice") if n in weights}
        if self.config.win_draw_loss:
            weights |= {n: of_three(weights[n]) for n in ("value.weight", "value.bias") if len(weights.get(n, ())) == 1}
        try:
            self.network.load_state_dict(weights)
            if self.placement and placer:
                self.placement.network.load_state_dict(placer)
        except RuntimeError:
            raise BadOption(
                "--initial-weights is no network with these --channels, --layers, --features, --residual-policy and "
                "memory: name an agent that was trained with the same."
            ) from None
        if self.magnet:
            self.magnet.network.load_state_dict(self.network.state_dict())

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What is large in its state, but for the placement model."""
        arrays = {f"network/{name}": array for name, array in self._weights().items()}
        arrays |= {**self.opponents.arrays(), **adam_arrays(self.optimiser, "adam"), **self.games.arrays()}
        if self.config.hidden_size:
            arrays["remembered"] = self.hidden.numpy().copy()
        if self.magnet:
            arrays |= self.magnet.arrays()
        return arrays

    def shapes(self) -> JsonData:
        """What varies in these arrays."""
        shapes: JsonData = {**self.games.shapes(), **adam_shapes(self.optimiser, "adam")}
        for name, array in self._weights().items():
            shapes |= {f"pool/{k}/{name}": like(array) for k in range(self.config.pool_size)}
        return shapes

    def state(self) -> SavedState:
        placement = self.placement.state() if self.placement else {}
        arrays = self.arrays() | placement.pop("arrays", {})
        return {
            "placement": placement,
            "iteration": self.iteration,
            "moves_played": self.moves_played,
            "games_ended": self.games_ended,
            "earlier": len(self.opponents.pool),
            "rng": self.rng.bit_generator.state,
            "arrays": arrays,
        }

    def varies(self) -> Varies:
        placement = self.placement.varies() if self.placement else {}
        arrays = self.shapes() | placement.pop("arrays", {})
        return {"placement": placement, "earlier": Whole(0, self.config.pool_size), "rng": GENERATOR, "arrays": arrays}

    def restore(self, state: JsonData) -> None:
        arrays, names = state["arrays"], list(self.network.state_dict())
        self.iteration, self.moves_played = state["iteration"], state["moves_played"]
        self.games_ended = state["games_ended"]
        self.rng.bit_generator.state = state["rng"]
        self.network.load_state_dict({name: _tensor(arrays[f"network/{name}"]) for name in names})
        self.opponents.restore(arrays, names, state["earlier"])
        restore_adam(self.optimiser, arrays, "adam")
        if self.config.hidden_size:
            self.hidden = _tensor(arrays["remembered"])
        if self.magnet:
            self.magnet.restore(arrays)
        if self.placement:
            self.placement.restore(state["placement"], arrays)
        self.games.restore(arrays)


def _rows(columns: Batch, moves: NDArray[np.int64]) -> Batch:
    return {name: column[moves] for name, column in columns.items()}


def _tensor(array: NDArray[np.generic]) -> torch.Tensor:
    """A tensor of its own; half-precision and double numbers become float32, which is what the network computes in."""
    floating = np.issubdtype(array.dtype, np.floating)
    return torch.from_numpy(np.array(array, np.float32) if floating else np.array(array))
