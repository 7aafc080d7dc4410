"""Players that search in sampled worlds, which are drawn from exact beliefs.

Flat Monte-Carlo is the best published recipe for this family of games. In each world every move is tried and played on
for a few moves, both sides greedy by what each of them knows there; then pieces are counted. Successive halving
(Karnin, Koren, Somekh 2013): the worse half of the moves is dropped, the rest is tried in fresh worlds, until one is
left.

With a learned network its favourite moves alone are tried, so that each is tried in more worlds in the same time; and
what their playouts come to is added to what the network thinks of them, where the plain player adds a one-ply value.
The best of them is played; or one is drawn from π ∝ π₀·exp(q/β), so that no opponent can rely on what it plays.

Information-set Monte-Carlo tree search, single observer (Cowling, Powley, Whitehouse 2012), is a control. One tree for
all worlds: its nodes are what the player will have seen, moves and results. In each pass UCB chooses among the moves
that are legal in the drawn world, counting how often each was available. On the same worlds the flat search does better
here: the result of an attack turns with the drawn identity, and the tree believes that it knows the enemy's replies.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import log, sqrt, tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import check_number
from apprenti.core.compiled import announcing
from apprenti.core.data import Arrays, JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.mlp import draw
from apprenti.core.seeds import Chance, pick
from apprenti.games.luzhanqi.agents.known_layouts import TRUST, beliefs_with, check_prior
from apprenti.games.luzhanqi.agents.network import PolicyNetworkAgent
from apprenti.games.luzhanqi.agents.one_ply_kernel import attack_values_by_set
from apprenti.games.luzhanqi.agents.players import (
    ExpectedValuePlayer,
    OnePlyPlayer,
    Player,
    action_numbers,
    check_informed,
)
from apprenti.games.luzhanqi.agents.search_kernel import play_on, try_moves
from apprenti.games.luzhanqi.board import MOVES
from apprenti.games.luzhanqi.fast.arrays import rules_array, worlds_of
from apprenti.games.luzhanqi.fast.beliefs import Beliefs, dice_from
from apprenti.games.luzhanqi.fast.primitives import MOST_MOVES, apply, at, legal_moves
from apprenti.games.luzhanqi.observation import Observation

Ints = NDArray[np.integer]
Reals = NDArray[np.float64]


MOST = 1_000_000
"""Worlds, or moves to play on: more than there is time for."""


@dataclass(frozen=True)
class MonteCarloPlayer(Player):
    """Tries every move in sampled worlds."""

    kind = "luzhanqi-monte-carlo"
    worlds: int = 64
    """Worlds for each round of halving; there are about five rounds."""
    depth: int = 10
    """Moves to play on after the move that is tried."""
    march: float = 0.3
    """What a move nearer to the flag is worth while playing on, in points."""
    noise: float = 1.5
    """How far from greedy the playing on is, in points."""
    prejudice: float = 0.3
    """What the one-ply value of a move counts beside what its playouts come to."""
    seconds: float = 0.0
    """Think for this time instead, with as many worlds as it allows; then a game cannot be repeated exactly. 0: off."""
    prior: float = 0.0
    """The weight of layouts beside counting in what it believes, from 0 to 1."""
    known: str = ""
    """Layouts that the enemy uses, with spaces between them; none for the usual ones."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_prior(self.prior, self.known)
        if self.worlds < 1 or self.depth < 0 or self.seconds < 0:
            raise BadAgent("a Monte-Carlo player needs at least 1 world, a depth of 0 or more and no negative time.")
        for name in ("worlds", "depth"):
            number = getattr(self, name)
            if number > MOST:
                raise BadAgent(
                    f"the {name} of a Monte-Carlo player are a whole number up to {MOST}, not {number!r:.40}."
                )

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        bias = self.prejudice * self.one_ply().scores(seen, legal) if len(legal) > 1 else np.zeros(1)
        return legal[self.best(seen, legal, bias, np.arange(len(legal)), rng)]

    def one_ply(self) -> OnePlyPlayer:
        """Whose word it takes beside the playouts."""
        return ExpectedValuePlayer(prior=self.prior, known=self.known)

    def beliefs(self, seen: Observation) -> Beliefs:
        """What it believes of the enemy's layout."""
        return beliefs_with(seen, self.prior, self.known)

    def best(self, seen: Observation, legal: Sequence[str], bias: Reals, candidates: Ints, rng: Chance) -> int:
        """Which candidate among the legal moves survives all halvings; `bias` is added to what playouts come to."""
        return self.halved(seen, legal, bias, candidates, rng)[0]

    def halved(
        self, seen: Observation, legal: Sequence[str], bias: Reals, candidates: Ints, rng: Chance
    ) -> tuple[int, Reals]:
        """The candidate that survives all halvings, and what each legal move came to with its bias; −∞ if not tried."""
        values = np.full(len(legal), -np.inf)
        if len(candidates) == 1:
            values[candidates] = bias[candidates]
            return int(candidates[0]), values
        beliefs = self.beliefs(seen)
        actions, rounds = action_numbers(legal), max(1, int(np.ceil(np.log2(len(candidates)))))
        scores, tried = np.zeros(len(legal)), np.zeros(len(legal))
        until = time.monotonic() + self.seconds
        for left in range(rounds, 0, -1):
            enough = until - (left - 1) * self.seconds / rounds
            while True:
                self._try(seen, beliefs, actions, candidates, scores, tried, rng)
                if time.monotonic() >= enough:
                    break
            values[candidates] = scores[candidates] / tried[candidates] + bias[candidates]
            candidates = candidates[np.argsort(-values[candidates], kind="stable")[: max(1, len(candidates) // 2)]]
        return int(candidates[0]), values

    @announcing("the playouts of Luzhanqi", try_moves)
    def _try(
        self,
        seen: Observation,
        beliefs: Beliefs,
        actions: Ints,
        candidates: Ints,
        scores: Reals,
        tried: Reals,
        rng: Chance,
    ) -> None:
        """Try the moves that are left in fresh worlds."""
        worlds = worlds_of(seen, beliefs.sample(rng, self.worlds))
        rules, table, sums = rules_array(seen.rules), attack_values_by_set(seen.rules), np.zeros(len(candidates))
        options = self.depth, self.march, self.noise
        try_moves(rules, worlds, actions[candidates], table, *options, dice_from(rng), sums)
        scores[candidates] += sums
        tried[candidates] += len(worlds)


@dataclass(frozen=True)
class InformedMonteCarloPlayer(MonteCarloPlayer):
    """The Monte-Carlo player, who knows layouts that the enemy uses."""

    kind = "luzhanqi-informed-monte-carlo"
    prior: float = TRUST

    def __post_init__(self) -> None:
        super().__post_init__()
        check_informed(self.known)


HALF_WON = 60.0
"""This many points ahead, a position counts as three quarters won."""


@dataclass
class Move:
    """What is known of a move at a node."""

    visits: int = 0
    total: float = 0.0
    """Sum of values for the player who makes the move."""
    available: int = 0
    after: dict[int, "Node"] = field(default_factory=dict)
    """The node for each result."""


@dataclass
class Node:
    """What the player will have seen."""

    moves: dict[int, Move] = field(default_factory=dict)


@dataclass(frozen=True)
class IsmctsPlayer(Player):
    """Searches one tree over sampled worlds and plays the move it visited most."""

    kind = "luzhanqi-ismcts"
    passes: int = 300
    """Worlds drawn, one for each pass through the tree."""
    explore: float = 0.5
    """The constant of UCB."""
    depth: int = 10
    """Greedy moves to play on from a new node."""
    march: float = 0.3
    """What a move nearer to the flag is worth while playing on, in points."""
    noise: float = 1.5
    """How far from greedy the playing on is, in points."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.passes < 1 or self.depth < 0:
            raise BadAgent("a tree search needs at least 1 pass and a depth of 0 or more.")

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        if len(legal) == 1:
            return legal[0]
        root, dice = Node(), dice_from(rng)
        layouts = Beliefs.of(seen).sample(rng, self.passes)
        for world in worlds_of(seen, layouts):
            self._pass(seen, root, world, dice, rng)
        visits = [
            root.moves[int(action)].visits if int(action) in root.moves else 0 for action in action_numbers(legal)
        ]
        return legal[int(np.argmax(visits))]

    def _pass(
        self, seen: Observation, node: Node, world: NDArray[np.int64], dice: NDArray[np.uint64], rng: Chance
    ) -> None:
        """Walk down the tree in one world, add a node, play on, and remember the value on the way."""
        rules, path = rules_array(seen.rules), []
        room = np.empty(MOST_MOVES, dtype=np.int16)
        fresh = False
        while world[at.OUTCOME] == at.GOING_ON and not fresh:
            mover = int(world[at.TO_MOVE])
            actions = [int(action) for action in room[: legal_moves(rules, world, room)]]
            action, fresh = self._select(node, actions, rng)
            known = node.moves[action]
            path.append((known, mover))
            result = int(apply(rules, world, *MOVES[action]))
            node = known.after.setdefault(result, Node())
        table = attack_values_by_set(seen.rules)
        worth = play_on(rules, world, seen.player, table, self.depth, self.march, self.noise, dice)
        value = tanh(worth / HALF_WON)
        for known, mover in path:
            known.visits += 1
            known.total += value if mover == seen.player else -value

    def _select(self, node: Node, actions: list[int], rng: Chance) -> tuple[int, bool]:
        """A move that was never tried, if there is one; otherwise the best by UCB. And whether it is new."""
        known = [node.moves.setdefault(action, Move()) for action in actions]
        for move in known:
            move.available += 1
        new = [action for action, move in zip(actions, known, strict=True) if not move.visits]
        if new:
            return pick(rng, new), True
        best = max(
            range(len(known)),
            key=lambda at_: (
                known[at_].total / known[at_].visits
                + self.explore * sqrt(log(known[at_].available) / known[at_].visits)
            ),
        )
        return actions[best], False


class LearnedSearchAgent(PolicyNetworkAgent):
    """Tries the network's favourite moves in sampled worlds, and plays the one that comes out best."""

    def __init__(
        self,
        moves: int = 8,
        trust: float = 2.0,
        arrays: Arrays | None = None,
        draws: bool = False,
        **search: Any,
    ) -> None:
        """`moves`: how many favourites are tried; `trust`: what the logarithm of a move's probability counts beside
        its playouts, in points; `draws`: draw from π ∝ π₀·exp(q/β), β the `trust`, instead of playing the best move.
        All else are options of the Monte-Carlo player: worlds, depth, march, noise, seconds, prior.
        """
        super().__init__(1.0, arrays, search.get("prior", 0.0))
        if isinstance(moves, bool) or not (isinstance(moves, int) and 1 <= moves <= 1000):
            raise BadAgent(f"a learned search tries 1 to 1000 favourite moves, not {moves!r}.")
        check_number("trust", trust, 0, 1000)
        if not isinstance(draws, bool) or (draws and trust == 0):
            raise BadAgent("a learned search that draws its moves has draws true and a trust above 0.")
        if {"layouts", "prejudice", "known"} & set(search):
            raise BadAgent("a learned search sets up as its network does and has no prejudice but its network's.")
        self.moves, self.trust, self.draws = moves, float(trust), draws
        self.search = MonteCarloPlayer(**search)

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        if observation.record is None:
            return super().choose(observation, legal, rng)
        probabilities, _ = self.policy(observation, legal)
        favourites = np.argsort(-probabilities, kind="stable")[: self.moves]
        bias = self.trust * np.log(np.maximum(probabilities, 1e-12))
        search = self.search
        if self.prior:
            search = replace(search, known=self.expected(observation.rules))
        best, values = search.halved(observation, legal, bias, favourites, rng)
        if not self.draws:
            return legal[best]
        chances = np.exp((values - values[favourites].max()) / self.trust)
        return legal[draw(chances / chances.sum(), rng.random())]

    def describe(self) -> tuple[str, JsonObject]:
        options = self.search.describe()[1]
        search = {name: options[name] for name in ("worlds", "depth", "march", "noise", "seconds", "prior")}
        return "luzhanqi-learned-search", {"moves": self.moves, "trust": self.trust, "draws": self.draws, **search}
