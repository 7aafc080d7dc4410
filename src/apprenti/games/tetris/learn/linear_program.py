"""Approximate linear programming with sampled constraints (Farias & Van Roy 2006).

The optimal value function is the least V with V(m) ≥ Σ_p P(p) max_a [R + γ V(m′)] at every wall m. With V = r·φ this is
a linear program in r:

    minimise Σ r·φ(m)   subject to   r·φ(m) ≥ Σ_p P(p) u(m, p)   and   u(m, p) ≥ R + γ r·φ(m′) for every placement

on walls that are sampled from the games of a player: of the greedy player of the last r, again and again. A dead wall
is worth 0.

The u need not be there: the sum of maxima is the maximum over all ways to choose a placement for each piece. So the
program is solved for some ways; the best way by its solution is one more constraint of each wall, until none is broken.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from apprenti.core.errors import BadOption
from apprenti.games.tetris.fast.batch import Afterstates
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.prospects import Prospects
from apprenti.games.tetris.learn.criteria import Vector, parse
from apprenti.games.tetris.learn.linear_learner import LinearLearnerConfig, ParallelGames
from apprenti.games.tetris.learn.normal_equations import odds_of, scaled, with_lines
from apprenti.games.tetris.learn.rollouts import play_on
from apprenti.games.tetris.weights import Layout
from apprenti.learn.learner import Diverged, Metrics, positive, share

LARGEST = 1e4
"""Weights stay within this: with few constraints the program would have no least value."""
BROKEN = 1e-6
"""A constraint is broken if it is missed by more than this."""
ROUNDS = 100
"""New constraints are looked for at most this often."""


@dataclass(frozen=True, kw_only=True)
class LinearProgramConfig(LinearLearnerConfig):
    """Linear program: a linear value function that is the least above its own Bellman backups, on sampled walls."""

    criteria: str = "bertsekas"
    """Criteria of V: a set (bertsekas, dellacherie, bcts, …), or names with commas. The player counts lines too."""
    initial_weights: tuple[float, ...] = ()
    """Weights of the first player, for the criteria and then lines; none for max_height −10, holes −1, lines 1."""
    iterations: int = 40
    """How many programs."""
    parallel_games: int = 1000
    """Games side by side, which go on from iteration to iteration; the wall of each is a sample."""
    moves: int = 100
    """Moves made in each of these games in an iteration."""
    gamma: float = 0.9
    """γ: discount of a move later, below 1."""
    test_games: int = 100
    """Fresh games after each iteration, which measure the player and teach nothing."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "parallel_games", "moves", "test_games")
        share(self, "gamma")
        if self.gamma == 1:
            raise BadOption("--gamma must be below 1: nothing else bounds the values.")

    @property
    def memory(self) -> int:
        return super().memory + 60_000 * self.parallel_games

    def played(self) -> str:
        return ",".join(dict.fromkeys((*parse(self.criteria), "lines")))


class Walls(NamedTuple):
    """Sampled walls, and what every placement of every piece leads to there."""

    criteria: Vector  # (walls, criteria)
    places: Afterstates  # of wall i and piece p as of game i · pieces + p
    after: Vector  # (placements, criteria), 0 for dead walls
    odds: Vector  # of the pieces

    def backup(self, r: Vector, gamma: float) -> tuple[Vector, Vector]:
        """For each wall Σ P(p) φ(m′) and Σ P(p) R of the placements that are best by r; the first of equals."""
        best = self.places.first_best(self.places.lines + gamma * (self.after @ r))
        shares = (np.tile(self.odds, len(self.criteria)) * (best >= 0)).reshape(len(self.criteria), -1)  # or no room
        after, lines = (np.take(part, best, axis=0) for part in (self.after, self.places.lines.astype(float)))
        after = after.reshape(*shares.shape, -1)
        return np.einsum("mp,mpk->mk", shares, after), (shares * lines.reshape(shares.shape)).sum(axis=1)


def least_value(walls: Walls, gamma: float) -> Vector:
    """The r of the linear program: rows of constraints are added until none is broken."""
    from scipy.optimize import linprog

    r = np.zeros(walls.criteria.shape[1])
    rows: list[Vector] = []
    bounds: list[Vector] = []
    for _ in range(ROUNDS):
        after, lines = walls.backup(r, gamma)
        row = walls.criteria - gamma * after
        missed = lines - row @ r > BROKEN
        if rows and not missed.any():
            break
        rows.append(row[missed] if rows else row)
        bounds.append(lines[missed] if bounds else lines)
        solved = linprog(
            walls.criteria.mean(axis=0), -np.concatenate(rows), -np.concatenate(bounds), bounds=(-LARGEST, LARGEST)
        )
        if solved.x is None:
            raise Diverged(f"the linear program has no solution ({solved.message}): choose other --criteria.")
        r = np.asarray(solved.x)
    return r


class LinearProgram(ParallelGames[LinearProgramConfig]):
    """The learner."""

    Config = LinearProgramConfig
    name = "linear-program"
    start = {"max_height": -10.0, "holes": -1.0, "lines": 1.0}  # noqa: RUF012

    def __init__(self, config: LinearProgramConfig) -> None:
        super().__init__(config, config.parallel_games)
        rules = self.objective.rules
        self.odds = odds_of(rules)
        self.measures = Measures(rules, parse(config.criteria))

    def walls(self) -> Walls:
        """The walls of the games, which have gone on with the present player, and all that may come next."""
        play_on(self.batch, self.objective.player(self.vector), self.config.moves)
        self.batch.renew()
        boards, pieces = self.batch.all_columns, len(self.odds)
        places = Prospects(self.batch.rules).of(
            np.repeat(boards, pieces, axis=0), np.tile(np.arange(pieces), len(boards))
        )
        after = self.measures.of_moves(boards, places.game // pieces, places.columns, places.move)
        after[places.over] = 0.0
        return Walls(self.measures.of_last_moves(self.batch), places, after, self.odds)

    def step(self) -> Metrics:
        gamma, names = self.config.gamma, self.measures.names
        r = least_value(self.walls(), gamma)
        values = Layout(names, self.objective.rules.width).weights(r)
        self.vector = np.array(self.layout.vector(with_lines(scaled(values, gamma), 1.0)))
        return self.tested(self.config.test_games)
