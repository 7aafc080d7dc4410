"""Exact best responses and NashConv in games for two that are small enough to be written down whole.

The tree is walked once, by the contract alone, and kept as arrays: nodes by depth, edges, and for each information set
(what the player to move knows) its moves. Everything else is a pass over the levels: down for the probability that
chance and the other player come to a node, up for values. A best response chooses for an information set the move that
is worth most over all its nodes, weighed by that probability (Lanctot et al. 2017, section 3).
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadOption
from apprenti.core.protocols import CHANCE, AnyMove, AnyObservation, AnyState

Values = NDArray[np.float64]
Policy = Values
"""For each move of each information set, one after the other, its probability."""


@dataclass
class InformationSet:
    """What a player knows at its turn, and the moves it has."""

    player: int
    observation: AnyObservation
    legal: Sequence[AnyMove]
    first: int
    """Where its moves begin in a policy."""
    depth: int


@dataclass
class _Level:
    """The edges that leave the nodes of one depth, as arrays."""

    parents: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    """Where the move is in a policy, −1 for chance."""
    chances: list[float] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)


class Tree:
    """A whole game, from some states with their probabilities; points are those of player 0, from −1 to 1."""

    def __init__(
        self,
        roots: Iterable[tuple[AnyState, float]],
        key: Callable[[Any], Hashable] = lambda observation: observation,
        most: int = 2_000_000,
    ) -> None:
        """`key`: what tells the information sets of a player apart; `most`: nodes after which it is too large."""
        self.sets: dict[Hashable, InformationSet] = {}
        self.points: list[float] = []
        self.moves = 0
        self._levels: list[_Level] = []
        self._key, self._most = key, most
        self.roots = [(self._walk(state, 0), chance) for state, chance in roots]
        self._arrays = [[np.array(column) for column in vars(level).values()] for level in self._levels]

    def __len__(self) -> int:
        return len(self.points)

    def _walk(self, state: AnyState, depth: int) -> int:
        node = len(self.points)
        if node >= self._most:
            raise BadOption(f"this game has more than {self._most} positions: too large for an exact best response.")
        self.points.append(0.0)
        if state.outcome is not None:
            self.points[node] = state.outcome.scores[0] - state.outcome.scores[1]
            return node
        if len(self._levels) <= depth:
            self._levels.append(_Level())
        level, player = self._levels[depth], state.turn
        if player == CHANCE:
            edges = [(move, -1, chance) for move, chance in state.chances()]
        else:
            known = self._set_of(state, player, depth)
            edges = [(move, known.first + place, 1.0) for place, move in enumerate(known.legal)]
        for move, place, chance in edges:
            child = self._walk(state.play(move), depth + 1)
            row = (node, child, place, chance, player)
            for column, value in zip(vars(level).values(), row, strict=True):
                column.append(value)
        return node

    def _set_of(self, state: AnyState, player: int, depth: int) -> InformationSet:
        seen = state.observation(player)
        key = (player, self._key(seen))
        if key not in self.sets:
            self.sets[key] = InformationSet(player, seen, tuple(state.legal_moves()), self.moves, depth)
            self.moves += len(self.sets[key].legal)
        if self.sets[key].depth != depth:
            raise BadOption("a player forgets how many moves were made here: no best response is computed.")
        return self.sets[key]

    # Policies -------------------------------------------------------------------------------------------------------

    def uniform(self) -> Policy:
        """Every move as likely."""
        return self.policy(lambda known: np.full(len(known.legal), 1 / len(known.legal)))

    def policy(self, probabilities: Callable[[InformationSet], Values]) -> Policy:
        """A policy from the probabilities of the moves of each information set."""
        policy = np.zeros(self.moves)
        for known in self.sets.values():
            policy[known.first : known.first + len(known.legal)] = probabilities(known)
        return policy

    # Values ---------------------------------------------------------------------------------------------------------

    def value(self, policy: Policy) -> float:
        """What player 0 gets on average when both play this policy."""
        values = np.array(self.points)
        for parents, children, moves, chances, _ in reversed(self._arrays):
            np.add.at(values, parents, chances * np.where(moves < 0, 1.0, policy[moves]) * values[children])
        return float(sum(chance * values[root] for root, chance in self.roots))

    def best_response(self, policy: Policy, player: int) -> tuple[float, NDArray[np.bool_]]:
        """What a player gets on average who knows the other's policy and plays best, and the moves it makes."""
        reach = np.zeros(len(self))
        for root, chance in self.roots:
            reach[root] += chance
        for parents, children, moves, chances, movers in self._arrays:
            other = np.where((movers == player) | (moves < 0), 1.0, policy[moves])
            reach[children] = reach[parents] * chances * other
        sign = 1 if player == 0 else -1
        values, chosen = sign * np.array(self.points), np.zeros(self.moves, np.bool_)
        for parents, children, moves, chances, movers in reversed(self._arrays):
            own = movers == player
            worth = np.zeros(self.moves)
            np.add.at(worth, moves[own], reach[children[own]] * values[children[own]])
            chosen |= self._best(worth, np.unique(moves[own]))
            taken = np.where(own, chosen[moves], np.where(moves < 0, chances, policy[moves]))
            np.add.at(values, parents, taken * values[children])
        return float(sum(chance * values[root] for root, chance in self.roots)), chosen

    def _best(self, worth: Values, moves: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Of the moves of each information set the one that is worth most, the first of equals."""
        chosen = np.zeros(self.moves, np.bool_)
        if len(moves):
            owners = self._owners[moves]
            order = np.lexsort((moves, -worth[moves], owners))
            firsts = np.unique(owners[order], return_index=True)[1]
            chosen[moves[order[firsts]]] = True
        return chosen

    @property
    def _owners(self) -> NDArray[np.int64]:
        """For each move of a policy the number of its information set."""
        return np.repeat(np.arange(len(self.sets)), [len(known.legal) for known in self.sets.values()])

    def nash_conv(self, policy: Policy) -> float:
        """What both players together could gain by playing best against this policy: 0 in an equilibrium."""
        return self.best_response(policy, 0)[0] + self.best_response(policy, 1)[0]
