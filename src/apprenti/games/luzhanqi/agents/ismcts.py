"""Information-set Monte-Carlo tree search, single observer (Cowling, Powley, Whitehouse 2012), as a control.

One tree for all worlds: its nodes are what the player will have seen, moves and results. In each pass a layout is drawn
for the enemy, and UCB chooses among the moves that are legal in that world, counting how often each was available. On
the same worlds the flat search does better here: the result of an attack turns with the drawn identity, and the tree
believes that the enemy's replies are known to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt, tanh

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance, pick
from apprenti.games.luzhanqi.agents.base import Player
from apprenti.games.luzhanqi.agents.one_ply import action_numbers
from apprenti.games.luzhanqi.agents.search_kernel import play_on
from apprenti.games.luzhanqi.agents.worth_kernel import attack_values_by_set
from apprenti.games.luzhanqi.board import MOVES
from apprenti.games.luzhanqi.fast.arrays import rules_array, worlds_of
from apprenti.games.luzhanqi.fast.beliefs import Beliefs, dice_from
from apprenti.games.luzhanqi.fast.primitives import MOST_MOVES, apply, at, legal_moves
from apprenti.games.luzhanqi.observation import Observation

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
