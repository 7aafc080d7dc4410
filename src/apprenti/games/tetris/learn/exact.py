"""Exact dynamic programming on small boards: the best player's values, and those of any player (thesis, section 2.2).

The value of a wall m (equation 2.13 and below), with lines as reward and 0 for the dead board:

    Ṽ(m) = Σ share(p) · max over placements a of  lines(m, p, a) + γ Ṽ(m′)

An iteration is *update*, with the greedy policy π of the values V so far (0 at first), and *improve*: find the greedy
policy of the new values, all walls against the same V, and how far they are from T V, the *residual*.

    value      V ← T V                                      Bellman 1957
    policy     V ← the value of π                           Howard 1960
    lambda     V ← V + (I − λγP)⁻¹ (T V − V)                Bertsekas & Ioffe 1996; 0 is value, 1 is policy iteration
    modified   V ← nearly the value of π                    Puterman & Shin 1978

The last three solve X = base + λ T_π X by *sweeps*, from full walls to empty ones: a placement that removes no line
leads to a fuller wall, so one sweep follows all play between two lines. Walls of equally many cells are swept together,
so the result does not depend on the number of threads. What remains of the error after some sweeps shrinks by the same
factor everywhere, the part of games that lasts one line more; once it is steady, all sweeps to come are added at once.

The value of any player is found by sweeps, too (equation 2.4 on walls):

    Ṽ^π(m) = Σ share(p) Σ π(a | m, p) · (lines(m, p, a) + γ Ṽ^π(m′))        Q^π(m, p, a) = lines(m, p, a) + γ Ṽ^π(m′)

It may take left and right for different, so a wall and its mirror image are two for it. How often a game visits each
wall is exact, too: with it, what a player lacks of the optimum is the sum over walls of visits times the loss of its
moves there (Kakade & Langford 2002, lemma 6.1).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import RandomAgent
from apprenti.core.compiled import announcing
from apprenti.core.data import JsonData
from apprenti.core.errors import BadOption, BadRules, UnknownName
from apprenti.core.machine import ThreadPool, in_words
from apprenti.core.protocols import AnyAgent, Compiles
from apprenti.games.tetris.agents.described import EpsilonGreedyAgent, law
from apprenti.games.tetris.fast.players import answers, has_answers
from apprenti.games.tetris.fast.reachable import Space, chunks
from apprenti.games.tetris.learn.exact_kernel import commit, evaluate, evaluate_law, follow, go_further, improve, visit
from apprenti.games.tetris.placement import Placement, entry
from apprenti.games.tetris.state import State
from apprenti.games.tetris.walls import board_of, shares

STEADY = 0.1
"""Two factors are alike when they differ by less than this part of their distance from 1."""
FINEST = 1e-13
"""Changes below this part of the values are rounding."""
MOST_ALIKE = 300
"""Changes in a row as great as the one before: then games never end."""
CHUNK = 1 << 16

Values = NDArray[np.float64]
Report = Callable[[str], None]
NOTHING = np.zeros(0)


class Patience:
    """Notices that values grow for ever: the changes do not shrink any more."""

    def __init__(self) -> None:
        self.before, self.steady = 0.0, 0

    def see(self, change: float) -> None:
        """Look at the next change; refuse when there have been too many like it."""
        self.steady = self.steady + 1 if change >= self.before * (1 - 1e-6) else 0
        self.before = change
        if self.steady > MOST_ALIKE:
            raise BadRules("games go on for ever here, or nearly so, and are worth any number: give --gamma below 1.")


class Sweeps(ABC):
    """One board and the values of its walls, which a policy that the heirs know brings nearer to its own."""

    def __init__(self, space: Space, threads: ThreadPool | None = None) -> None:
        self.space, self.threads = space, threads or ThreadPool(1)
        self.values: Values = np.zeros(space.size + 1)
        """By the places of the walls; the last is the dead board."""
        self.sweeps = 0
        self._fresh: Values = np.empty(space.size)
        most = max(CHUNK, space.size >> 10)
        self._levels = [chunks(begin, end, most) for begin, end in space.levels]
        self._parts = [part for level in self._levels for part in level]

    @property
    def value_of_empty_board(self) -> float:
        """What a game is worth, so far."""
        return float(self.values[0])

    def settle(
        self, tolerance: float, base: Values = NOTHING, lambda_: float = 1.0, say: Report = lambda _: None
    ) -> None:
        """Sweep until X = base + λ T_π X nearly holds: until a sweep changes no wall by more than the tolerance."""
        factor, sum_, patience = 0.0, 0.0, Patience()
        while True:
            last = factor, sum_
            change, sum_ = self._sweep(base, lambda_)
            say(f"evaluating the policy, change {change:.1e}")
            if change <= max(tolerance, FINEST * float(self.values[0])):
                return
            patience.see(change)
            factor = sum_ / last[1] if last[1] else 0.0
            if 0 < factor < 1 and last[0] > 0 and abs(factor - last[0]) < STEADY * (1 - factor):
                self.threads.each(lambda part: self._go_further(part, factor / (1 - factor)), self._parts)  # noqa: B023
                factor = sum_ = 0.0

    def _sweep(self, base: Values, lambda_: float) -> tuple[float, float]:
        """Evaluate every wall once, the fullest first; return the greatest change and the sum of all."""
        greatest = sum_ = 0.0
        for level in self._levels:
            self.threads.each(lambda part: self._evaluate(part, base, lambda_), level)
            for change, more in self.threads.each(self._commit, level):
                greatest, sum_ = max(greatest, change), sum_ + more
        self.sweeps += 1
        return greatest, sum_

    @abstractmethod
    def _evaluate(self, part: tuple[int, int], base: Values, lambda_: float) -> None:
        """Write what the policy makes of some walls to `_fresh`."""

    def _commit(self, part: tuple[int, int]) -> tuple[float, float]:
        greatest, sum_ = commit(self.values, self.space.places, *part, self._fresh)
        return float(greatest), float(sum_)

    def _go_further(self, part: tuple[int, int], factor: float) -> None:
        go_further(self.values, self.space.places, *part, self._fresh, factor)


METHODS = ("modified", "value", "policy", "lambda")
NEARLY = 0.02
"""Modified policy iteration evaluates until a sweep changes less than this part of the residual."""


@dataclass(frozen=True)
class ExactConfig:
    """How to solve."""

    method: str = "modified"
    gamma: float = 1.0
    lambda_: float = 0.9
    residual: float = 1e-6
    iterations: int = 100_000

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UnknownName("way to solve", self.method, METHODS)
        if not 0 < self.gamma <= 1:
            raise BadOption(f"--gamma is above 0 and at most 1, not {self.gamma:g}.")
        if not 0 <= self.lambda_ <= 1:
            raise BadOption(f"--lambda is from 0 (value iteration) to 1 (policy iteration), not {self.lambda_:g}.")
        if not 1e-12 <= self.residual < 1:
            raise BadOption(f"--residual is from 1e-12 to 1, like 1e-6, not {self.residual:g}.")
        if self.iterations < 1:
            raise BadOption(f"--iterations is at least 1, not {self.iterations}.")

    @property
    def arrays(self) -> int:
        return 3 if self.method in ("value", "lambda") else 2


class Solver(Sweeps):
    """One board, its values so far, and their greedy policy."""

    def __init__(self, space: Space, config: ExactConfig, threads: ThreadPool | None = None) -> None:
        super().__init__(space, threads)
        self.config = config
        self.shares = np.array(shares(space.rules))
        self.successors = np.empty(space.size * len(self.shares), np.uint32)
        self.iteration, self.residual = 0, np.inf
        self._backed_up: Values = np.empty(space.size) if config.arrays == 3 else NOTHING
        self._patience = Patience()

    @property
    def done(self) -> bool:
        """Whether the residual is small enough, or time is up."""
        return self.residual <= self.config.residual or self.iteration >= self.config.iterations

    def warm_up(self) -> None:
        with announcing("the solver"):
            self._improve((0, 0))
            self._evaluate((0, 0), NOTHING, 1.0)
            self._commit((0, 0))
            self._go_further((0, 0), 0.0)

    def step(self, say: Report = lambda _: None) -> JsonData:
        if not self.iteration:
            say("finding the first policy")
            self.improve()
        self.iteration += 1
        self._update(say)
        say("improving the policy")
        self.improve()
        self._patience.see(self.residual)
        return {
            "iteration": self.iteration, "residual": self.residual, "sweeps": self.sweeps,
            "value_of_empty_board": self.value_of_empty_board,
        }  # fmt: skip

    def improve(self) -> None:
        """Find the greedy policy of the values, and their Bellman residual, max |T V − V|."""
        self.residual = max(self.threads.each(self._improve, self._parts))

    def value_of_policy(self, tolerance: float = 1e-9) -> float:
        """What a game of the greedy policy is worth. The values stay as they are; a copy is needed for a while."""
        kept = self.values.copy()
        self.settle(tolerance)
        value = self.value_of_empty_board
        self.values[:] = kept
        return value

    def forget_all_but_values(self) -> None:
        """Give the memory back that only solving needs."""
        self.successors, self._fresh, self._backed_up = self.successors[:0].copy(), NOTHING, NOTHING

    def _update(self, say: Report) -> None:
        method = self.config.method
        if method == "value":
            self.values[self.space.places] = self._backed_up
        elif method == "lambda":
            lambda_ = self.config.lambda_
            self._backed_up *= 1 - lambda_
            self.settle(self.config.residual * 1e-3, self._backed_up, lambda_, say)
        else:
            exact = method == "policy"
            self.settle(self.config.residual * 1e-3 if exact else NEARLY * self.residual, say=say)

    def _improve(self, part: tuple[int, int]) -> float:
        space = self.space
        arrays = (space.index, space.walls, self.values, self.shares)
        return float(improve(space.drops, *arrays, self.config.gamma, *part, self.successors, self._backed_up))

    def _evaluate(self, part: tuple[int, int], base: Values, lambda_: float) -> None:
        evaluate(self.values, self.successors, self.shares, self.config.gamma, lambda_, base, *part, self._fresh)


ENTRY_BYTES = 20
"""A drop that may be chosen: its number, where it leads, its probability, and room to put these together."""

Drops = NDArray[np.int64]


@dataclass(frozen=True)
class Law:
    """What a policy may do on each wall, the pieces dealt with their shares: drops, and how likely each is."""

    starts: Drops
    """(walls + 1): where the drops of each wall begin."""
    drops: NDArray[np.int32]
    probabilities: Values


Walls = NDArray[np.integer]
OfWalls = tuple[Drops, NDArray[np.int32], Values]
"""For each of some walls how many drops there are, then the drops, and how likely each is."""


def law_of(agent: AnyAgent, space: Space, say: Report = lambda _: None, allowed: int = 2**63) -> Law:
    """What an agent does on every wall of a board; refused if it would take more memory than allowed."""
    asked = _Asked(agent, space)
    need = asked.most * space.size * ENTRY_BYTES
    if need > allowed:
        raise BadRules(
            f"what this player does on every wall would take {in_words(need)} of memory: choose a smaller --size."
        )
    parts = []
    for begin, end in chunks(0, space.size, CHUNK // 8):
        say(f"asking the player, {begin} of {space.size} walls")
        parts.append(asked.on(space.walls[begin:end].astype(np.int64)))
    counts, drops, likely = zip(*parts, strict=True)
    return Law(np.concatenate([[0], np.cumsum(np.concatenate(counts))]), np.concatenate(drops), np.concatenate(likely))


class _Asked:
    """An agent, and the quickest way to what it does: all drops alike, a compiled player's, a mixture, or asking."""

    def __init__(self, agent: AnyAgent, space: Space) -> None:
        self.agent, self.space, self.dealt = agent, space, np.array(shares(space.rules))
        self.epsilon, player = (agent.epsilon, agent.player) if isinstance(agent, EpsilonGreedyAgent) else (0.0, agent)
        self.drawn = isinstance(agent, RandomAgent)
        compiled = player.compiled(space.rules) if isinstance(player, Compiles) else None
        self.compiled = compiled if has_answers(compiled, space.rules) else None

    @property
    def most(self) -> int:
        """Drops of a wall, at most."""
        return len(self.dealt) if self.compiled and not self.epsilon else int(self.space.drops.first[-1])

    def on(self, walls: Walls) -> OfWalls:
        """What it does on some walls."""
        if self.drawn:
            return self._alike(walls)
        if self.compiled is None:
            return self._one_by_one(walls)
        played = answers(self.space.rules, self.compiled, walls)[:, self.dealt > 0]
        likely = np.tile(self.dealt[self.dealt > 0], len(walls))
        if not self.epsilon:
            return np.full(len(walls), played.shape[1]), played.astype(np.int32).ravel(), likely
        counts, drops, mixed = self._alike(walls)
        mixed *= self.epsilon
        mixed[(played + (np.arange(len(walls)) * counts[0])[:, None]).ravel()] += (1 - self.epsilon) * likely
        return counts, drops, mixed

    def _alike(self, walls: Walls) -> OfWalls:
        """Every drop of a piece as likely as the others."""
        of_piece = np.diff(self.space.drops.first)
        every = np.arange(of_piece.sum(), dtype=np.int32)
        likely = np.repeat(self.dealt / np.maximum(1, of_piece), of_piece)
        return np.full(len(walls), len(every)), np.tile(every, len(walls)), np.tile(likely, len(walls))

    def _one_by_one(self, walls: Walls) -> OfWalls:
        """Ask the agent itself."""
        asked = [list(_asked(self.agent, self.space, self.dealt, int(wall))) for wall in walls]
        drops, likely = zip(*(one for of_wall in asked for one in of_wall), strict=True)
        return np.array([len(one) for one in asked]), np.array(drops, np.int32), np.array(likely)


def _asked(agent: AnyAgent, space: Space, dealt: Values, wall: int) -> Iterator[tuple[int, float]]:
    """The drops that an agent may choose on a wall, and how likely each is, piece by piece."""
    rules, board = space.rules, board_of(space.rules, wall)
    for number, (letter, share) in enumerate(zip(rules.pieces.letters, dealt, strict=True)):
        if share:
            state = State(rules, board, letter, position=entry(rules, rules.pieces[letter]))
            legal: tuple[Placement, ...] = state.legal
            for place, probability in enumerate(law(agent, state.observation(0), legal)):
                if probability:
                    yield int(space.drops.first[number]) + place, share * probability


class PolicyEvaluation(Sweeps):
    """The values of one policy."""

    def __init__(self, space: Space, law: Law, gamma: float = 1.0, threads: ThreadPool | None = None) -> None:
        super().__init__(space, threads)
        self.law, self.gamma = law, gamma
        self.successors = np.empty(len(law.drops), np.uint32)
        with announcing("the evaluation of a player"):
            self._follow((0, 0))
            self._evaluate((0, 0), self._fresh, 1.0)
        self.threads.each(self._follow, self._parts)

    def visits(self, left: float = 1e-9) -> Values:
        """How often a game comes to each wall, by places, up to so much of a game that is left."""
        visits, waiting = np.zeros(len(self.values)), np.zeros(len(self.values))
        waiting[0] = 1.0
        while (
            visit(self.space.places, self.law.starts, self.successors, self.law.probabilities, waiting, visits) > left
        ):
            pass
        return visits

    def _follow(self, part: tuple[int, int]) -> None:
        space, law = self.space, self.law
        dead = len(self.values) - 1
        follow(space.drops, space.index, space.walls, *part, law.starts, law.drops, dead, self.successors)

    def _evaluate(self, part: tuple[int, int], base: Values, lambda_: float) -> None:
        law = self.law
        evaluate_law(self.values, law.starts, self.successors, law.probabilities, self.gamma, *part, self._fresh)
