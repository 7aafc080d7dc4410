"""The exact value of any player on a small board (thesis, equation 2.4 on walls).

    Ṽ^π(m) = Σ share(p) Σ π(a | m, p) · (lines(m, p, a) + γ Ṽ^π(m′))        Q^π(m, p, a) = lines(m, p, a) + γ Ṽ^π(m′)

A player may take left and right for different, so here a wall and its mirror image are two. How often a game visits
each wall is exact, too: with it, what a player lacks of the optimum is the sum over walls of visits times the loss of
its moves there (Kakade & Langford 2002, lemma 6.1).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import RandomAgent
from apprenti.core.compiled import announcing
from apprenti.core.errors import BadRules
from apprenti.core.machine import ThreadPool, in_words
from apprenti.core.protocols import AnyAgent, Compiles
from apprenti.games.tetris.agents.stochastic import EpsilonGreedyAgent, law
from apprenti.games.tetris.fast.answers import answers, has_answers
from apprenti.games.tetris.fast.reachable import Space, chunks
from apprenti.games.tetris.learn.sweeps import CHUNK, Report, Sweeps, Values
from apprenti.games.tetris.learn.sweeps_kernel import evaluate_law, follow, visit
from apprenti.games.tetris.placement import Placement, entry
from apprenti.games.tetris.state import State
from apprenti.games.tetris.walls import board_of, shares

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
        found = player.compiled(space.rules) if isinstance(player, Compiles) else None
        self.compiled = found if has_answers(found, space.rules) else None

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
        found = [list(_asked(self.agent, self.space, self.dealt, int(wall))) for wall in walls]
        drops, likely = zip(*(one for of_wall in found for one in of_wall), strict=True)
        return np.array([len(one) for one in found]), np.array(drops, np.int32), np.array(likely)


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
