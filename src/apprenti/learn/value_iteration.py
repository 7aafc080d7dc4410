"""Exact values of any small game for one, by value iteration (Bellman 1957), and of any policy (Sutton & Barto, ch. 4).

The game is explored from its start: a state is what the player knows when it has to decide (`write_observation`). The
turns of chance between two decisions are summed over by their law, the reward is what the score grows by:

    Q(s, a) = Σ P(s′ | s, a) · (r + γ V(s′))        V(s) = max Q(s, a)        V^π(s) = Σ π(a | s) Q^π(s, a)
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import Table
from apprenti.core.errors import BadOption
from apprenti.core.game import AnyGame
from apprenti.core.protocols import CHANCE, OVER, AnyRules, AnyState, State
from apprenti.core.seeds import Stream

MOST = 200_000
"""States, at most: the readable rules explore some thousand a second."""

Floats = NDArray[np.float64]
Policy = Callable[[str], Mapping[str, float]]
"""For what a player knows, the probability of each move, both as text."""
Way = tuple[float, float, AnyState]
"""What can come of a move: its probability, its reward, and the next decision or the end."""


@dataclass(frozen=True)
class ValueConfig:
    """How to solve."""

    gamma: float = 1.0
    """What a reward is worth one move later."""
    residual: float = 1e-9
    """Go on until Bellman's equation holds up to this, in every state."""
    iterations: int = 100_000
    """Stop after this many, however large the residual is."""

    def __post_init__(self) -> None:
        if not 0 <= self.gamma <= 1:
            raise BadOption(f"--gamma is from 0 to 1, not {self.gamma:g}.")
        if not 0 < self.residual < 1:
            raise BadOption(f"--residual is above 0 and below 1, like 1e-9, not {self.residual:g}.")
        if self.iterations < 1:
            raise BadOption(f"--iterations is at least 1, not {self.iterations}.")


@dataclass(frozen=True)
class Model:
    """A game as arrays: a row for each pair of a state and a move, the pairs of a state one after the other."""

    states: dict[str, int]
    """What the player knows, and its number; number 0 is the start, whose one move is to begin."""
    moves: list[str]
    first: NDArray[np.int64]  # (states,)
    rewards: Floats  # (pairs,)
    transitions: Any  # (pairs, states), sparse

    @property
    def owners(self) -> NDArray[np.int64]:
        """The state of each pair."""
        counts = np.diff(np.append(self.first, len(self.moves)))
        return np.repeat(np.arange(len(self.first)), counts)

    def table(self, q: Floats) -> Table:
        """The values of the moves, by text."""
        names, table = list(self.states), Table()
        for pair, owner in enumerate(self.owners):
            if owner:
                table.setdefault(names[owner], {})[self.moves[pair]] = float(q[pair])
        return table


class _Exploration:
    """A model on its way: the states met so far, and those whose moves are not explored yet."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.states, self.moves, self.first = {"": 0}, [""], [0]
        self.rewards: list[float] = []
        self.entries: list[tuple[int, int, float]] = []
        self.waiting: deque[AnyState] = deque()

    def add(self, pair: int, ways: Iterator[Way]) -> None:
        """The reward of a pair, and where it leads; states that are new wait for their turn."""
        paid = 0.0
        for share, reward, state in ways:
            paid += share * reward
            if state.turn == OVER:
                _refuse_cut(self.game, state)
                continue
            text = self.game.write_observation(state.observation(0))
            if text not in self.states:
                self.states[text] = len(self.states)
                self.waiting.append(state)
            self.entries.append((pair, self.states[text], share))
        self.rewards.append(paid)

    def look(self, state: AnyState) -> None:
        """Try every move of a state."""
        self.first.append(len(self.moves))
        for move in state.legal_moves():
            self.moves.append(self.game.write_move(move))
            self.add(len(self.moves) - 1, _ways(self.game, state, state.play(move)))

    def model(self) -> Model:
        """What was found, as arrays."""
        from scipy.sparse import csr_matrix

        rows, columns, shares = zip(*self.entries, strict=True)
        matrix = csr_matrix((shares, (rows, columns)), shape=(len(self.moves), len(self.states)))
        return Model(self.states, self.moves, np.array(self.first), np.array(self.rewards), matrix)


def explore(game: AnyGame, rules: AnyRules, most: int = MOST) -> Model:
    """All that can be reached from the start; BadOption if it is too much, or not a game for one."""
    if game.players != 1:
        raise BadOption(f"{game.name} is a game for {game.players}: value iteration solves games for one.")
    explored, start = _Exploration(game), game.start(rules, Stream(0))
    explored.add(0, _ways(game, start, start))
    while explored.waiting:
        if len(explored.states) > most:
            raise BadOption(f"{game.describe(rules)} has more than {most} states: choose a smaller world.")
        explored.look(_forgetful(explored.waiting.popleft()))
    return explored.model()


def _forgetful(state: AnyState) -> AnyState:
    """The state without its past, where a player's knowledge is such a state: a limit of moves is then far away."""
    seen = state.observation(0)
    return seen if isinstance(seen, State) else state


def _refuse_cut(game: AnyGame, state: AnyState) -> None:
    if state.outcome and state.outcome.truncated:
        raise BadOption(f"a limit cuts these games of {game.name}: solve them without it.")


def _ways(game: AnyGame, before: AnyState, after: AnyState, share: float = 1.0) -> Iterator[Way]:
    """What can come before the next decision, chance summed over."""
    if after.turn == CHANCE:
        for deal, part in after.chances():
            yield from _ways(game, before, after.play(deal), share * part)
    else:
        unit = game.unit(before.rules)
        yield share, float(game.measures(after)[unit]) - float(game.measures(before)[unit]), after  # type: ignore[arg-type]


@dataclass
class Values:
    """What every state and every move is worth."""

    model: Model
    config: ValueConfig
    v: Floats
    q: Floats
    iterations: int = 0
    residual: float = 0.0


def backed_up(model: Model, gamma: float, v: Floats) -> Floats:
    """Q of all pairs, from the values of the states they lead to."""
    q: Floats = model.rewards + gamma * (model.transitions @ v)
    q[0] = model.rewards[0] + (model.transitions[0] @ v)[0]  # to begin takes no time
    return q


def value_iteration(
    model: Model, config: ValueConfig | None = None, stepped: Callable[["Values"], None] = lambda _: None
) -> Values:
    """The best that can be done in every state; `stepped` is told of every iteration."""
    config = config or ValueConfig()
    values = Values(model, config, np.zeros(len(model.states)), np.zeros(len(model.moves)))
    while values.iterations < config.iterations:
        values.q = backed_up(model, config.gamma, values.v)
        better = np.maximum.reduceat(values.q, model.first)
        values.residual, values.v = float(np.abs(better - values.v).max()), better
        values.iterations += 1
        stepped(values)
        if values.residual <= config.residual:
            break
    return values


def policy_values(model: Model, policy: Policy, gamma: float = 1.0) -> Values:
    """V^π and Q^π of a policy, which may be stochastic: a system of linear equations, one for each state."""
    from scipy.sparse import csr_matrix, identity
    from scipy.sparse.linalg import spsolve

    names, owners = list(model.states), model.owners
    chosen = [dict(policy(name)) if name else {"": 1.0} for name in names]
    shares = np.array([chosen[owner].get(move, 0.0) for owner, move in zip(owners, model.moves, strict=True)])
    totals = np.add.reduceat(shares, model.first)
    if (shares < 0).any() or np.abs(totals - 1).max() > 1e-6:
        worst = names[int(np.abs(totals - 1).argmax())]
        raise BadOption(f"the probabilities of a policy are 0 or more and add up to 1, unlike those in {worst!r}.")
    weights = csr_matrix((shares, (owners, np.arange(len(owners)))), shape=(len(names), len(owners)))
    discount = np.where(owners == 0, 1.0, gamma)
    step = weights @ model.transitions.multiply(discount[:, None]).tocsr()
    v = np.asarray(spsolve((identity(len(names)) - step).tocsc(), weights @ model.rewards), np.float64)
    if not np.isfinite(v).all():
        raise BadOption("this policy may never end the game: choose a gamma below 1.")
    return Values(model, ValueConfig(gamma), v, backed_up(model, gamma, v))
